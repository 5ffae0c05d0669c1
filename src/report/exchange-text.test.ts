import { describe, expect, test } from 'vitest';
import { changedFields, requestText, shortened, tellingExchange } from './exchange-text.ts';
import { anExchange, aResult } from './synthetic-run.test.data.ts';

const answered = (status: number, purpose = 'with the fault') =>
  anExchange({ purpose, response: { status, headers: [], body: '' } });
describe('an exchange', () => {
  test('is shown as it went over the wire', () => {
    const request = {
      method: 'GET',
      url: 'no url at all',
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
      ] as const,
      body: '',
    };
    expect(requestText(anExchange({ request }))).toBe('GET no url at all\nX-A: 1\nx-a: 2');
  });
});

describe('the telling exchange', () => {
  test('is the last one with the status that the check names as actual', () => {
    const exchanges = [answered(201, 'control'), answered(400), answered(201), answered(200), answered(400)];
    expect(tellingExchange(aResult({ exchanges, actual: '201 Created' }))).toBe(exchanges[2]);
  });

  test('is else the first that is no control', () => {
    const exchanges = [answered(201, 'control'), answered(400), answered(404)];
    expect(tellingExchange(aResult({ exchanges }))).toBe(exchanges[1]);
    expect(tellingExchange(aResult({ exchanges: exchanges.slice(0, 1) }))).toBe(exchanges[0]);
    expect(tellingExchange(aResult({ exchanges: [] }))).toBeUndefined();
  });
});

describe('a shortened text', () => {
  test('says what is left out, and where it stands', () => {
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('abcdef', 3)).toBe(
      'abc\n\n[3 of 6 characters are left out here; journal.ndjson holds them all.]',
    );
  });

  test('never ends in half a character', () => {
    expect(shortened('ab😀cd', 3)).toMatch(/^ab\n/);
  });
});

const basketRequest = (changes: object = {}) => ({
  method: 'POST',
  url: 'https://bank.example/v1/signing-baskets',
  headers: [
    ['Date', 'Sun, 01 Mar 2026 10:00:00 GMT'],
    ['Content-Type', 'application/json'],
    ['PSU-ID', '[psu-id#1, redacted]'],
  ] as const,
  body: JSON.stringify({ paymentIds: ['a'] }),
  ...changes,
});

/** A failure of a check that is written by hand: two requests, and nobody says how they differ. */
const differing = (failing: object, control: object = {}) =>
  changedFields(
    aResult({
      verdict: 'fail',
      exchanges: [
        anExchange({ purpose: 'control', request: basketRequest(control) }),
        anExchange({ purpose: 'with the fault', request: basketRequest(failing) }),
      ],
    }),
  );

describe('a failing request and its control, of a check that is written by hand', () => {
  test('are shown by the one thing in which they differ', () => {
    expect(differing({ body: JSON.stringify({ paymentIds: ['b', 'c'] }) })).toEqual([
      { name: 'paymentIds', sides: { control: '1 entry', failing: '2 entries' } },
    ]);
    expect(differing({ body: '{"paymentIds":["b"],"more":true}' })).toEqual([
      { name: 'more', sides: { control: '(not there)', failing: 'true' } },
    ]);
    expect(differing({ headers: basketRequest().headers.slice(0, 2) })).toEqual([
      { name: 'psu-id', sides: { control: '[psu-id#1, redacted]', failing: '(not there)' } },
    ]);
    expect(differing({ url: 'https://bank.example/v1/signing-baskets?x=1' })).toEqual([
      { name: 'query', sides: { control: '(not there)', failing: '?x=1' } },
    ]);
    expect(differing({ body: '{' })).toEqual([
      { name: 'body', sides: { control: '{"paymentIds":["a"]}', failing: '{' } },
    ]);
  });

  test('are no pair where nothing differs but what is new in every request, or more than one thing does', () => {
    expect(differing({ headers: [['Date', 'later'], ...basketRequest().headers.slice(1)] })).toEqual([]);
    expect(differing({ body: '{"paymentIds":["fresh"]}' })).toEqual([]);
    expect(differing({ body: '{"paymentIds":[]}', headers: basketRequest().headers.slice(0, 2) })).toEqual(
      [],
    );
    expect(differing({ method: 'PUT', body: '{"paymentIds":[]}' })).toEqual([]);
    expect(differing({ url: 'https://bank.example/v1/accounts', body: '{"paymentIds":[]}' })).toEqual([]);
  });
});
