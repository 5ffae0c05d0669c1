import { expect, it } from 'vitest';
import { setAt } from '../payloads/json.ts';
import { memberAt } from '../spec/json.ts';
import { created, type FakeBank, refusal, verdictAt } from './fake-run-context.test.data.ts';
import { about } from './trial.test.data.ts';
import { accepts, type Twist } from './trial.ts';

const inCurrency = (currency: string): Twist => ({
  label: `the amount is in ${currency}`,
  body: (body) => setAt(body, ['instructedAmount', 'currency'], currency),
});

const check = accepts({
  ...about,
  twists: [{ ...inCurrency('ILS'), excusedBy: () => [inCurrency('EUR'), inCurrency('USD')] }],
});

const dealingIn =
  (...currencies: readonly string[]): FakeBank =>
  ({ body }) =>
    currencies.includes(String(memberAt(body, 'instructedAmount', 'currency')))
      ? created()
      : refusal('instructedAmount.currency');

it.each([
  ['is not judged where the bank refuses the like of it as well', ['NOK'], 'pass'],
  ['is a failure where the bank takes some of the like', ['NOK', 'USD'], 'fail'],
  ['is no refusal where the bank takes it', ['NOK', 'ILS'], 'pass'],
])('a refusal of a right value %s', async (_, currencies, verdict) => {
  const result = await verdictAt(dealingIn(...currencies), check);
  expect(result.verdict).toBe(verdict);
  expect(result.notes.some((note) => note.includes('refuses the like of it'))).toBe(
    verdict === 'pass' && !currencies.includes('ILS'),
  );
});
