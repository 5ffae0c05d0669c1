import { expect, test } from 'vitest';
import { problemLines, proofPage, sectionLines, summaryLines } from './proof-text.ts';
import {
  blamedBesides,
  type DeviationResult,
  type DialectResult,
  type Proof,
  verdictOf,
} from './verdict-of-proof.ts';

const result = (changes: Partial<DeviationResult>): DeviationResult => ({
  side: 'bank',
  id: 'DIG-03/unchecked',
  requirement: 'DIG-03',
  title: 'checks no digest',
  killed: true,
  blamed: true,
  blamedBy: ['DIG-03'],
  others: [],
  besides: [],
  all: false,
  said: [],
  ...changes,
});

const survivor = result({
  id: 'DIG-03/either',
  killed: false,
  blamed: false,
  blamedBy: [],
  said: ['DIG-03 pass'],
});
const unblamed = result({
  id: 'AMT-01/always-two',
  requirement: 'AMT-01',
  blamed: false,
  others: ['NDC-04'],
});
const misblamed = result({
  side: 'tpp',
  id: 'TPP-08/lower-case',
  requirement: 'TPP-08',
  title: 'writes the serial number in lower case',
  blamedBy: ['TPP-08'],
  others: ['TPP-03'],
  said: ['TPP-03: it does not verify'],
});
const left: DialectResult = {
  side: 'tpp',
  ids: ['openssl'],
  alarms: [],
  warnings: [],
  inconclusive: [],
  passed: 0,
  skipped: 'OpenSSL is not installed.',
};
const alarm: DialectResult = {
  side: 'bank',
  ids: ['errors/html', 'prefix/psd2'],
  alarms: ['MSG-01: no'],
  warnings: [],
  inconclusive: [],
  passed: 9,
};

const missed = result({
  id: 'DIG-03/unchecked@bare',
  condition: 'bare',
  killed: false,
  blamed: false,
  blamedBy: [],
});

const proof: Proof = {
  deviations: [result({}), survivor, unblamed, misblamed],
  conditional: [result({ id: 'DIG-03/unchecked@corporate', condition: 'corporate' }), missed],
  dialects: [left],
  combinations: [alarm],
  pools: [],
  learned: [{ ...left, side: 'bank', ids: ['letters/ascii-only'], learned: { letters: 'ascii-only' } }],
  survivors: [survivor],
  missed: [missed],
  unblamed: [unblamed],
  misblamed: [misblamed],
  besides: [],
  misread: [result({ id: 'AMT-02/unchecked', title: 'checks no digits', excused: true })],
  falseAlarms: [alarm],
  unproved: ['CLK-01'],
  needless: ['NDC-11-accepted'],
  causes: { one: { right: 3, of: 4, others: ['DIG-03/either'] }, two: { right: 0, of: 0, others: [] } },
  holds: false,
};

test('every problem is told by name', () => {
  const text = problemLines(proof).join('\n');
  expect(text).toContain('SURVIVED  DIG-03/either: a bank that checks no digest is not noticed');
  expect(text).toContain('UNBLAMED  AMT-01/always-two');
  expect(text).toContain('noticed only by NDC-04');
  expect(text).toContain(
    'MISBLAMED TPP-08/lower-case: a TPP that writes the serial number in lower case is blamed for something else by TPP-03',
  );
  expect(text).toContain(
    'MISREAD   AMT-02/unchecked: a bank that checks no digits is conformant once its readings are learned',
  );
  expect(text).toContain('ALARM     errors/html + prefix/psd2\n            MSG-01: no');
  expect(text).toContain('UNPROVED  CLK-01');
  expect(text).toContain('NEEDLESS  NDC-11-accepted');
});

test('deviations under a condition are counted on their own, and those that are missed are named', () => {
  expect(summaryLines(proof, 12).join('\n')).toContain('1 of 2 conditional deviations killed');
  expect(problemLines(proof)).toContain(
    'MISSED    DIG-03/unchecked@bare: a bank that checks no digest is not noticed',
  );
});

test('the summary counts killed and blamed, and a part of the proof says nothing about the rest', () => {
  const text = summaryLines(proof, 12).join('\n');
  expect(text).toContain('Banks         2 of 3 deviations killed, 1 of 3 blamed');
  expect(text).toContain('0 of 0 dialects and 0 of 1 random combinations left alone');
  expect(text).toContain('1 of 1 dialects conformant by the readings learned of them');
  expect(text).toContain('TPPs          1 of 1 deviations killed, 0 of 1 blamed');
  expect(text).toContain('0 of 0 dialects left alone');
  expect(text).toContain('Left out      openssl: OpenSSL is not installed.');
  expect(text).toContain('1 that could be left out');
  expect(summaryLines(proof, 12, false).join('\n')).not.toContain('Checks');
});

test('what is blamed besides is counted, and named where it is more than one in a hundred', () => {
  const blamed = blamedBesides([{ id: 'SGS-03', requirements: ['SGS-03', 'DIG-03'] }], ['DIG-03', 'SIG-02']);
  expect(blamed).toEqual(['SGS-03 by SGS-03']);
  const proofOf = (number: number) =>
    verdictOf(
      Array.from({ length: number }, (_, index) => ({
        kind: 'deviation',
        ...result({ id: `DIG-03/${index}`, besides: index === 0 ? blamed : [] }),
      })),
      [],
    );
  expect(proofOf(100)).toMatchObject({ holds: true, besides: [{ id: 'DIG-03/0' }] });
  expect(summaryLines(proofOf(100), 1).join('\n')).toContain(
    '1 of 100 blamed for what they do not break as well',
  );
  expect(problemLines(proofOf(100))).toEqual([]);
  expect(proofOf(99).holds).toBe(false);
  expect(problemLines(proofOf(99))).toEqual([
    'BESIDES   DIG-03/0: a bank blamed for SGS-03 by SGS-03 as well',
  ]);
});

test('dialects that met the checks in a pool are told apart', () => {
  const ids = ['errors/html', 'prefix/psd2'];
  const pooled = ids.map((id) => ({
    ...alarm,
    ids: [id],
    alarms: [],
    pool: { others: ids.filter((other) => other !== id), passed: 7 },
  }));
  const apart = { ...alarm, ids: ['ids/odd'], alarms: [] };
  const pools: Proof['pools'] = [{ ...alarm, alarms: [], passed: 7, isPool: true }];
  const found = { ...proof, dialects: [...pooled, apart], pools };
  expect(summaryLines(found, 12).join('\n')).toContain('3 of 3 dialects (2 of them in 1 pool) and 0 of 1');
  const page = proofPage(found, 12);
  expect(page).toContain('| errors/html | 9 | 7 | 0 | 0 | 0 |');
  expect(page).toContain('| ids/odd | 9 |  | 0 | 0 | 0 |');
  expect(page).toContain('| errors/html + prefix/psd2 | 7 | 7 | 0 | 0 | 0 |');
});

test('what a pool is alarmed by keeps the proof from holding', () => {
  const pool = { kind: 'dialect', ...alarm, isPool: true } as const;
  expect(verdictOf([pool], [])).toMatchObject({
    holds: false,
    pools: [{ alarms: alarm.alarms }],
    combinations: [],
  });
});

test('the matrix has a line for each section, and a page with one for each requirement', () => {
  const [, digest, amounts] = sectionLines(proof);
  expect(digest).toMatch(/ 1 +2 +1 +1$/);
  expect(amounts).toMatch(/ 1 +1 +1 +0$/);
  const page = proofPage(proof, 12);
  expect(page).toContain('| DIG-03 | 1 of 2 | unchecked, either (survived) |');
  expect(page).toContain('| AMT-01 | 0 of 1 | always-two (unblamed) |');
  expect(page).toContain('| errors/html + prefix/psd2 | 9 |  | 0 | 0 | 1 |');
});

test('a deviation that is missed under a condition alone keeps the proof from holding', () => {
  const conditional = { kind: 'deviation', ...missed } as const;
  expect(verdictOf([conditional], []).holds).toBe(false);
  expect(verdictOf([{ ...conditional, killed: true }], []).holds).toBe(true);
});
