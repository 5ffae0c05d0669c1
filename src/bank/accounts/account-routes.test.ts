import { describe, expect, it } from 'vitest';
import { acceptFixes } from '../../spec/code-lists.ts';
import { kari, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

/** What the fixes change, read from a bank that stands at the given day. */
async function readAt(defaultsAsOf: string | undefined, fixes?: string) {
  const tpp = await tppOfBank(defaultsAsOf === undefined ? {} : { defaultsAsOf });
  const psu = { ...(await tpp.consent(kari)), ...(fixes && { 'x-accept-fix': fixes }) };
  const card = `/v1/card-accounts/${tpp.bank.state.customers.cardAccountsOf(kari)[0]?.id}`;
  const { account } = (await tpp.get(`/v1/accounts/${tpp.bank.state.customers.accountsOf(kari)[0]?.id}`, psu))
    .body as {
    account: { cashAccountType: string };
  };
  const { cardAccount } = (await tpp.get(card, psu)).body as {
    cardAccount: { name: string; creditLimit: { amount: unknown } };
  };
  const { cardTransactions } = (await tpp.get(`${card}/transactions`, psu)).body as {
    cardTransactions: {
      booked: readonly { transactionAmount: { currency: string }; transactionDetails: string }[];
    };
  };
  const abroad = cardTransactions.booked.find(
    ({ transactionDetails }) => transactionDetails === 'Café Beispiel',
  );
  return {
    type: account.cashAccountType,
    limit: cardAccount.creditLimit.amount,
    nameLength: cardAccount.name.length,
    currency: abroad?.transactionAmount.currency,
  };
}

const before = { type: 'CURRENT', limit: 50000, nameLength: 35, currency: 'EUR' };
const after = { type: 'CACC', limit: '50000.00', nameLength: 49, currency: 'NOK' };

describe('x-accept-fix', () => {
  it('is not needed today, because every value has become the default', async () => {
    expect(await readAt(undefined)).toEqual(after);
  });

  it('was needed before', async () => {
    expect(await readAt('2020-07-31')).toEqual(before);
    expect(await readAt('2020-08-01')).toEqual({ ...before, limit: '50000.00' });
    expect(await readAt('2024-10-01')).toEqual({ ...before, limit: '50000.00', nameLength: 49 });
    expect(await readAt('2024-11-13')).toEqual(after);
  });

  it('takes several values, separated by commas', async () => {
    expect(await readAt('2020-07-31', 'longer-names')).toEqual({ ...before, nameLength: 49 });
    expect(await readAt('2020-07-31', acceptFixes.map(({ value }) => value).join(', '))).toEqual(after);
  });
});
