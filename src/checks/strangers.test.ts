import { describe, expect, it } from 'vitest';
import { has, textAt } from '../spec/json.ts';
import { products } from '../spec/products.ts';
import { created, type FakeBank, refusal, verdictAt } from './fake-run-context.test.data.ts';
import { aPaymentToAStranger } from './strangers.ts';
import { aCrossBorderPayment, aDomesticPayment } from './subject.ts';
import { accepts } from './trial.ts';

const minimal = accepts({
  id: 'NDC-69-minimal',
  requirement: 'NDC-69',
  title: 'a domestic payment with nothing but the required fields is accepted',
  of: aDomesticPayment({ optional: 'none' }),
  twists: [{ label: 'optional fields are missing' }],
  control: 'none',
  cases: 1,
});

const fromBban = accepts({
  id: 'NCB-67-bban',
  requirement: 'NCB-67',
  title: 'a debtor account given as BBAN is accepted',
  of: aCrossBorderPayment({ debtor: 'bban' }),
  twists: [{ label: 'debtorAccount has a bban' }],
  control: 'none',
  cases: 1,
});

/** Nobody has named an account that can be paid. */
const verdictOf = (bank: FakeBank, check = minimal) =>
  verdictAt(bank, check, {
    runs: 1,
    target: { accounts: { debtor: { bban: '95360573002', currency: 'NOK' } } },
  });

describe('where nobody has named an account that can be paid, a bank that refuses payments', () => {
  it('is not judged by them while it may know none of the accounts', async () => {
    const { verdict, reason } = await verdictOf(() => refusal('creditorAccount'));
    expect(verdict).toBe('not-applicable');
    expect(reason).toMatch(/name one as accounts\.creditor/);
  });

  it('fails when it takes them with optional fields', async () => {
    const demanding: FakeBank = ({ body }) =>
      has(body.creditorAddress, 'postalCode') ? created() : refusal('creditorAddress.postalCode');
    expect((await verdictOf(demanding)).verdict).toBe('fail');
  });

  it('fails when it takes them from an account given as IBAN', async () => {
    const demanding: FakeBank = ({ body }) =>
      has(body.debtorAccount, 'iban') ? created() : refusal('debtorAccount.iban');
    expect((await verdictOf(demanding, fromBban)).verdict).toBe('fail');
    expect((await verdictOf(() => refusal('creditorAccount'), fromBban)).verdict).toBe('not-applicable');
  });

  it.each(['PSU-User-Agent', 'PSU-Geo-Location'])('fails when it takes them with %s', async (name) => {
    const demanding: FakeBank = ({ wire }) =>
      wire.headers.some(([header]) => header.toLowerCase() === name.toLowerCase())
        ? created()
        : refusal(name);
    expect((await verdictOf(demanding)).verdict).toBe('fail');
  });
});

it('an account that is made up is held in kroner at a bank that deals in nothing else', async () => {
  const toStranger = accepts({
    id: 'NCB-69-minimal',
    requirement: 'NCB-69',
    title: 'a payment to an account that is made up is accepted',
    of: aPaymentToAStranger(products.crossBorder),
    twists: [{ label: 'nothing is different' }],
    control: 'none',
    cases: 1,
  });
  const currencies = new Set<string | undefined>();
  const bank: FakeBank = ({ body }) => {
    currencies.add(textAt(body, 'creditorAccount', 'currency'));
    return created();
  };
  await verdictAt(bank, toStranger, { runs: 1, readings: { currencies: 'kroner' } });
  expect([...currencies]).toEqual(['NOK']);
});
