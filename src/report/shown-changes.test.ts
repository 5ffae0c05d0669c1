import { expect, test } from 'vitest';
import { changeLines, markedDifference, placeInJson, shownChanges } from './shown-changes.ts';
import { anExchange, aResult } from './synthetic-run.test.data.ts';

const keyId = `keyId="SN=17A75C517EFE297F306F37F0C4555FA0,CA=CN=XS2A Test CA,O=XS2A Test Trust Service,C=NO"`;
const signedOver = (headers: string): string => `${keyId},algorithm="rsa-sha256",headers="${headers}"`;

/** A failure in which one header was changed. */
function failureWith(before: string, after: string) {
  const { request } = anExchange();
  const sent = (purpose: string, value: string) =>
    anExchange({ purpose, request: { ...request, headers: [['Signature', value]] } });
  return aResult({
    verdict: 'fail',
    exchanges: [sent('control', before), sent('with the fault', after)],
    counterexample: { value: '', path: '0', changed: ['Signature'] },
  });
}

test('a change that fits is shown whole', () => {
  const result = failureWith('date digest', 'date');
  expect(shownChanges(result, 80)).toEqual([
    { name: 'Signature', sides: { control: 'date digest', failing: 'date' } },
  ]);
});

test('a long text that begins alike is shown from shortly before the difference', () => {
  const [change] = shownChanges(failureWith(signedOver('date digest'), signedOver('digest date')), 80);
  expect(change?.sides?.control).toBe('…algorithm="rsa-sha256",headers="date digest"');
  expect(change?.sides?.failing).toBe('…algorithm="rsa-sha256",headers="digest date"');
});

test('one long word is cut, and no character is halved', () => {
  const [change] = shownChanges(failureWith(`${'😀'.repeat(60)}a`, `${'😀'.repeat(60)}b`), 80);
  expect(change?.sides?.control).toMatch(/^…(?:😀){10,20}a$/u);
  expect(change?.sides?.failing).toMatch(/^…(?:😀){10,20}b$/u);
});

test('what differs from its first letter on stays as it is', () => {
  const [change] = shownChanges(failureWith('a'.repeat(100), 'b'.repeat(100)), 80);
  expect(change).toMatchObject({ sides: { control: 'a'.repeat(100), failing: 'b'.repeat(100) } });
});

test('a change that redaction has hidden on both sides is told without them, never as something that is not there', () => {
  const hidden = '[psu-id#1, redacted]';
  const { request } = anExchange();
  const sent = (purpose: string) =>
    anExchange({ purpose, request: { ...request, headers: [['PSU-ID', hidden]] } });
  const result = aResult({
    verdict: 'fail',
    exchanges: [sent('control'), sent('with the fault')],
    counterexample: { value: '', path: '0', changed: ['PSU-ID'] },
  });
  expect(changeLines(result, 80)).toEqual(['PSU-ID']);
  expect(changeLines(failureWith('date digest', 'date'), 80)).toEqual(['Signature: date digest → date']);
});

test.each([
  ['[psu-id#1, redacted]', '[psu-id#2, redacted]', '[psu-id#1, redacted]', '[psu-id#2, redacted]'],
  ['id="[a#19, redacted]"', 'id="[a#1, redacted]"', '[a#19, redacted]', '[a#1, redacted]'],
  ['"3298.43"', '"3298.431"', '3298.43', '3298.431'],
  ['date digest', 'date', ' digest', ''],
  ['PRIVATE', 'CORPORATE', 'PRIVATE', 'CORPORATE'],
  ['same', 'same', '', ''],
])('of %s and %s whole words are marked, and nothing is lost', (one, other, ...wanted) => {
  const marked = markedDifference(one, other);
  expect(marked.map(([, changed]) => changed)).toEqual(wanted);
  expect(marked.map((parts) => parts.join(''))).toEqual([one, other]);
});

test('a value is found in a body by its place, however the body is written', () => {
  const body = '{ "a": [ {"b": "x,}\\""}, {"b" : 2} ], "c": {"a": null}, "b": [] }';
  const found = (path: string): string | undefined => {
    const place = placeInJson(body, path);
    return place && body.slice(...place);
  };
  expect(['a[0].b', 'a[1].b', 'a[1]', 'c.a', 'b'].map(found)).toEqual([
    '"x,}\\""',
    '2',
    '{"b" : 2}',
    'null',
    '[]',
  ]);
  expect(['d', 'a[2]', 'b.a'].map(found)).toEqual([undefined, undefined, undefined]);
  expect(placeInJson('}]"{', 'a')).toBeUndefined();
});
