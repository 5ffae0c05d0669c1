import { describe, expect, it } from 'vitest';
import { removeAt } from '../payloads/json.ts';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import type { Check } from './check.ts';
import { placeChecks, runChecks } from './engine.ts';
import {
  created,
  type FakeBank,
  fakeRunContext,
  refusal,
  suiteOf,
  verdictAt,
} from './fake-run-context.test.data.ts';
import { aBasket, aDomesticPayment } from './subject.ts';
import { about, withoutName } from './trial.test.data.ts';
import { accepts, refuses, type Twist } from './trial.ts';

type Payment = NonNullable<Parameters<typeof aDomesticPayment>[0]>;
const refusesWithout = (field: string, id: string, payment: Payment = { optional: 'none' }): Check =>
  refuses({
    id,
    requirement: id,
    title: `a domestic payment without ${field} is refused`,
    of: aDomesticPayment(payment),
    twists: [{ label: `${field} is missing`, body: (body) => removeAt(body, [field]) }],
    cases: 1,
  });
const bothFields = [refusesWithout('creditorName', 'NDC-09'), refusesWithout('creditorAccount', 'NDC-16')];
const takes = (
  id: string,
  of: ReturnType<typeof aDomesticPayment> | ReturnType<typeof aBasket>,
  twist: Twist,
): Check =>
  accepts({ id, requirement: id, title: `${twist.label} and is accepted`, of, twists: [twist], cases: 1 });

const strict: FakeBank = ({ body }) =>
  body.creditorName === undefined || body.creditorAccount === undefined ? refusal() : created();

const judged = async (checks: readonly Check[], bank: FakeBank) => {
  const purposes: string[] = [];
  const runContext = {
    ...fakeRunContext(bank, { runs: 1 }),
    onExchange: ({ purpose }: { readonly purpose: string }) => void purposes.push(purpose),
  };
  const results = await runChecks(placeChecks([suiteOf(...checks)]), runContext);
  return { results, purposes, count: (wanted: string) => purposes.filter((one) => one === wanted).length };
};

describe('a control', () => {
  it('is sent once for all checks that need it, and shown by each of them', async () => {
    const { results, count } = await judged(bothFields, strict);
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(results.map(({ exchanges }) => exchanges[0]?.purpose)).toEqual(['control', 'control']);
    expect(count('control')).toBe(1);
  });

  it('counts with one check only', async () => {
    const { results, purposes } = await judged(bothFields, strict);
    const ofContexts = purposes.filter((purpose) => purpose.startsWith('control ')).length;
    expect(results.reduce((sum, { requests = 0 }) => sum + requests, 0)).toBe(purposes.length - ofContexts);
  });

  it('that is refused to a company says where to give the account of the company', async () => {
    const payment = aDomesticPayment({ optional: 'none' });
    const corporateId = '7c1f3c8e-4f0e-4b57-9a8e-0d3f5a1c2b6d';
    const ofCompany: Check = refuses({
      id: 'COR-01',
      requirement: 'COR-01',
      title: 'a corporate payment without creditorName is refused',
      of: {
        ...payment,
        call: async (context, body) => ({
          ...(await payment.call(context, body)),
          psu: { ...context.psu, corporateId },
        }),
      },
      twists: [withoutName],
      cases: 1,
    });
    const { results } = await judged([ofCompany, ...bothFields], () => refusal());
    const told = results.map(({ reason }) => reason?.includes('accounts.corporateDebtor'));
    expect(told).toEqual([true, false, false]);
  });

  it.each([
    ['kidCreditor', { remittance: 'array', creditor: 'kid' }],
    ['card', { debtor: 'card' }],
  ] as const)(
    'that is refused to the account of some checks alone names accounts.%s',
    async (name, options) => {
      const accounts = {
        debtor: { bban: '95360573002', currency: 'NOK' },
        creditor: { bban: '86011117947', currency: 'NOK' },
        kidCreditor: { bban: '86011118013', currency: 'NOK' },
        card: { identification: 'card-1', currency: 'NOK' },
      };
      const ofAccount = refusesWithout('creditorName', 'NDC-09', { optional: 'none', ...options });
      const result = await verdictAt(() => refusal(), ofAccount, { runs: 1, target: { accounts } });
      expect(result).toMatchObject({ reason: expect.stringContaining(`accounts.${name}:`) });
    },
  );

  it('is sent where funds or a limit may be used up, before a refusal counts as a failure', async () => {
    const everything: Check = accepts({
      id: 'NDC-69',
      requirement: 'NDC-69',
      title: 'a domestic payment is accepted',
      of: aDomesticPayment({ optional: 'none' }),
      control: 'none',
      twists: [{ label: 'the purpose is given', body: (body) => ({ ...body, purposeCode: 'SALA' }) }],
      cases: 1,
    });
    const spent = () =>
      responseOf(403, { tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED', text: 'No funds.' }] });
    const ofNobody = await judged([everything], spent);
    expect(ofNobody.results.map(({ verdict }) => verdict)).toEqual(['inconclusive']);
    const ofSalaries = await judged([everything], ({ body }) =>
      body.purposeCode === undefined ? created() : spent(),
    );
    expect(ofSalaries.results.map(({ verdict }) => verdict)).toEqual(['fail']);
  });

  it('is sent again when the last one is too long ago', async () => {
    const purposes: string[] = [];
    const runContext = {
      ...fakeRunContext(strict, { runs: 1 }),
      answersLastMs: -1,
      onExchange: ({ purpose }: { readonly purpose: string }) => void purposes.push(purpose),
    };
    for (const check of bothFields) await runChecks(placeChecks([suiteOf(check)]), runContext);
    expect(purposes.filter((purpose) => purpose === 'control')).toHaveLength(2);
  });

  it('is another one where the check has decided about the payment', async () => {
    const several = takes('NDC-65', aDomesticPayment({ remittance: 'array' }), {
      label: 'it has references',
    });
    const { count } = await judged([...bothFields, several], strict);
    expect(count('control')).toBe(2);
  });

  it('of another check that got no answer is no reason to give up', async () => {
    let first = true;
    const { results } = await judged(bothFields, (seen) => {
      const isControl = seen.body.creditorName !== undefined && seen.body.creditorAccount !== undefined;
      if (isControl && first && seen.number > 2) first = false;
      return isControl && first ? responseOf(503) : strict(seen);
    });
    expect(results.map(({ verdict }) => verdict)).toContain('pass');
  });
});

describe('a context', () => {
  const ofReferences = refusesWithout('creditorName', 'NDC-11', { remittance: 'array' });
  const ofAny = refusesWithout('creditorName', 'NDC-09', {});
  const controlsIn = ({ purposes }: { readonly purposes: readonly string[] }): readonly string[] =>
    purposes.filter((purpose) => purpose.startsWith('control '));

  it('is tried once with all that belongs to it, and then stands for its parts', async () => {
    const withUsualHeaders = refuses({
      ...about,
      id: 'NDC-10',
      of: aDomesticPayment({ remittance: 'array' }),
      twists: [withoutName],
      cases: 1,
      fixed: ['headers', 'names'],
    });
    const one = controlsIn(await judged([ofReferences], strict));
    const both = controlsIn(await judged([ofReferences, withUsualHeaders], strict));
    expect(both).toHaveLength(one.length);
  });

  it('is tried in parts where the bank does not take all of it', async () => {
    const isRefused: FakeBank = (seen) =>
      Array.isArray(seen.body.remittanceInformationStructuredArray) &&
      seen.body.remittanceInformationStructuredArray.length > 1
        ? refusal()
        : strict(seen);
    const { results, purposes } = await judged([ofAny, ofReferences], isRefused);
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(results.flatMap(({ notes }) => notes).join()).toContain('Nothing is sent with several references');
    // What goes without the references is still sent with every optional field.
    expect(controlsIn({ purposes }).at(-1)).not.toContain('several references');
  });
});

describe('the payments of a basket', () => {
  const basketWith = (label: string): Check =>
    refuses({
      id: 'BSK-02',
      requirement: 'BSK-02',
      title: `a basket whose ids are ${label} is refused`,
      of: aBasket(),
      twists: [0, 1, 2].map((number) => ({
        label: `${label} ${number}`,
        call: (call) => ({ ...call, body: { paymentIds: number } }),
      })),
      cases: 1,
    });

  /** One after the other, so that what is refused can serve the next. */
  const payments = async (isTaken: boolean): Promise<number> => {
    let number = 0;
    const bank: FakeBank = ({ body }) => {
      if (body.paymentIds === undefined)
        return created({ paymentId: `p${++number}`, transactionStatus: 'RCVD' });
      return Array.isArray(body.paymentIds) || isTaken ? created({ basketId: 'b1' }) : refusal();
    };
    const runContext = fakeRunContext(bank, { runs: 1 });
    for (const label of ['odd', 'strange', 'unheard-of'])
      await runChecks(placeChecks([suiteOf(basketWith(label))]), runContext);
    return number;
  };

  it('serve again once the basket was refused', async () => {
    expect(await payments(false)).toBeLessThan(await payments(true));
  });

  it('are fresh where the basket has to be accepted', async () => {
    const seen: unknown[] = [];
    const bank: FakeBank = ({ body, number }) => {
      if (body.paymentIds === undefined)
        return created({ paymentId: `p${number}`, transactionStatus: 'RCVD' });
      if (!Array.isArray(body.paymentIds)) return refusal();
      seen.push(body.paymentIds[0]);
      return created({ basketId: 'b1' });
    };
    const runContext = fakeRunContext(bank, { runs: 1 });
    const taken = takes('BSK-11', aBasket(), { label: 'it is as it should be' });
    await runChecks(placeChecks([suiteOf(basketWith('odd'))]), runContext);
    await runChecks(placeChecks([suiteOf(taken)]), runContext);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
