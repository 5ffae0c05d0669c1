import { expect, test } from 'vitest';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { Redactor } from '../tpp/redaction.ts';
import { CheckRun } from './verdict.ts';

class PlainRun extends CheckRun {
  override readonly readings = defaultReadings;
  override readonly reproduce = '';
  override missing = (): undefined => undefined;
  override readonly redactor = new Redactor();
}

const exchangeOf = (number: number): Exchange => ({
  id: `x${number}`,
  purpose: number === 30 ? 'control' : 'create',
  operation: 'other',
  attempt: 1,
  startedAt: '2027-01-01T00:00:00Z',
  durationMs: 1,
  request: { method: 'POST', url: 'https://bank.example/', headers: [['A', 'b']], body: 'asked' },
  response: { status: 201, headers: [['C', 'd']], body: 'told' },
});

test('a check of thousands of requests keeps what its verdict is shown by, and counts the others', () => {
  const run = new PlainRun();
  for (let number = 0; number < 5_000; number += 1) run.record(exchangeOf(number));
  expect(run.exchanges).toHaveLength(5_000);
  expect(run.exchanges.filter(({ id }) => id !== '').length).toBeLessThan(250);
  for (const place of [0, 1, 30, 4_996, 4_999]) expect(run.exchanges[place]).toEqual(exchangeOf(place));
});
