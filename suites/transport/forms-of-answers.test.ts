import { expect, test } from 'vitest';
import { Answer } from '../../src/tpp/answer.ts';
import { letterIn1252 } from '../windows-1252.ts';
import { encodedTwiceIn, isFullDate, isOtherDate, tellsStoredData } from './forms-of-answers.ts';

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', true],
  ['Mon, 06 Nov 1994 08:49:37 GMT', false],
  ['1994-11-06T08:49:37Z', false],
])('%s is a full date: %s', (date, isOne) => {
  expect(isFullDate(date)).toBe(isOne);
});

test.each([
  ['1994-11-06T08:49:37+00:00', true],
  ['Sun Nov  6 08:49:37 1994', true],
  ['Mon, 26 Jul 1997 05:00:00 GMT', false],
  ['-1', false],
  ['86399', false],
  ['', false],
])('%s is a date in another form: %s', (value, isOne) => {
  expect(isOtherDate(value)).toBe(isOne);
});

test.each([
  [['Kari Prøvesen', 'Åse Østby'], 'latin1', true],
  [['Kari Prøvesen', 'Åse Østby'], 'windows-1252', true],
  [['Kari Prøvesen', 'Åse Østby'], 'right', false],
  [['Kari Prøvesen'], 'latin1', false],
  [['Kari'], 'latin1', false],
] as const)('%s is encoded twice by %s: %s', (names, way, isTwice) => {
  const written = JSON.stringify(names);
  const twice = (letters: string): string =>
    way === 'latin1'
      ? Buffer.from(letters, 'utf8').toString('latin1')
      : [...Buffer.from(letters, 'utf8')].map(letterIn1252).join('');
  const body = way === 'right' ? written : twice(written);
  expect(encodedTwiceIn([answering('listSandboxCustomers', body)])).toHaveLength(isTwice ? 2 : 0);
});

test.each([
  ['listSandboxCustomers', true],
  ['readTransactions', true],
  ['other', true],
  ['createSigningBasket', false],
  ['readPaymentStatus', false],
])('%s tells what is stored in the sandbox: %s', (operation, isStored) => {
  expect(tellsStoredData(answering(operation, '{}'))).toBe(isStored);
});

function answering(operation: string, body: string): Answer {
  const exchange = {
    id: 'x1',
    purpose: 'listing',
    operation,
    attempt: 1,
    startedAt: '2026-11-15T12:00:00Z',
    durationMs: 1,
    request: { method: 'GET', url: 'https://bank.example/v1/sandbox/customers', headers: [], body: '' },
    response: { status: 200, headers: [], body },
  };
  return new Answer(exchange, Buffer.from(body));
}
