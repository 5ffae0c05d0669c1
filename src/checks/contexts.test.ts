import { describe, expect, it } from 'vitest';
import { removeAt } from '../payloads/json.ts';
import { has } from '../spec/json.ts';
import type { TargetParts } from '../target/target.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import type { Twist } from './case.ts';
import { dimensions } from './contexts.ts';
import {
  created,
  type FakeBank,
  type FakeRequest,
  fakeRunContext,
  refusal,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
import { aBasket, aCrossBorderPayment, aDomesticPayment, theAccounts } from './subject.ts';
import { answeringFaults, hasName, withHeaderPresent, withoutName } from './trial.test.data.ts';
import { accepts, refuses } from './trial.ts';

const privatePsu = {
  id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
  corporate: { id: '0b8a7c1e-3f52-4d0b-9a4e-6f1c2d3e4b5a', corporateId: 'company-1', sessionId: 's-2' },
};

/** A target with everything that contexts need. */
const everything: Partial<TargetParts> = {
  psu: privatePsu,
  accounts: {
    debtor: { bban: '95360573002', currency: 'NOK' },
    corporateDebtor: { bban: '86011117947', currency: 'NOK' },
    card: { identification: 'card-1', currency: 'NOK' },
  },
};
const runContextOf = (bank: FakeBank, psu: NonNullable<Partial<TargetParts>['psu']> = privatePsu, seed = 7) =>
  fakeRunContext(bank, { runs: 1, seed, target: { ...everything, psu } });

const about = { id: 'NDC-09', requirement: 'NDC-09', title: 'refused', twists: [withoutName], cases: 1 };
const domestic = refuses({ ...about, of: aDomesticPayment() });
const crossBorder = refuses({ ...about, of: aCrossBorderPayment() });

const header = ({ wire }: FakeRequest, name: string): string => headerOf(wire, name) ?? '';
const isCorporate = (request: FakeRequest): boolean => header(request, 'PSU-Corporate-ID') !== '';
const amountIn = ({ body }: FakeRequest) =>
  body.instructedAmount as { readonly amount: string; readonly currency: string };
const hasCard = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('creditCardAccount');

/** Breaks the rule only when a condition is met. */
const breaking = (condition: (request: FakeRequest) => boolean): FakeBank =>
  answeringFaults((request) => (condition(request) ? created() : refusal('creditorName')));
const unsigned: Twist = { label: 'unsigned', request: { signing: { format: () => undefined } } };
const withoutAddress: Twist = {
  label: 'PSU-IP-Address is missing',
  request: { beforeSigning: ({ headers }) => headers.remove('PSU-IP-Address') },
};

describe('a fault that is overlooked only', () => {
  it.each<[string, typeof domestic, (request: FakeRequest) => boolean]>([
    ['for a company', domestic, isCorporate],
    ['from a card account', domestic, hasCard],
    ['from an IBAN', crossBorder, ({ body }) => has(body.debtorAccount, 'iban')],
    ['with SHA-512', domestic, (request) => header(request, 'Digest').startsWith('SHA-512')],
    ['with an encoded Signature', domestic, (request) => header(request, 'Signature').startsWith('=?')],
    ['with another optional field', domestic, ({ body }) => body.purposeCode !== undefined],
    ['without optional fields', domestic, ({ body }) => body.purposeCode === undefined],
    ['with optional headers', domestic, (request) => header(request, 'PSU-Geo-Location') !== ''],
    ['preferring no redirect', domestic, (request) => header(request, 'TPP-Redirect-Preferred') === 'false'],
    ['in EUR', domestic, (request) => amountIn(request).currency === 'EUR'],
    ['of a small amount', crossBorder, (request) => Number(amountIn(request).amount) < 100],
    [
      'of a few kroner across the border',
      crossBorder,
      (request) => amountIn(request).currency === 'NOK' && Number(amountIn(request).amount) < 100_000,
    ],
    ['of a whole amount', domestic, (request) => amountIn(request).amount.endsWith('.00')],
    ['from IPv6', domestic, (request) => header(request, 'PSU-IP-Address').includes(':')],
    [
      'with a query in the redirect',
      domestic,
      (request) => header(request, 'TPP-Redirect-URI').includes('?'),
    ],
    ['with white space in the body', domestic, ({ wire }) => wire.body?.includes('\n') === true],
    [
      'with several references',
      domestic,
      ({ body }) => [body.remittanceInformationStructuredArray ?? []].flat().length > 1,
    ],
  ])('%s is found', async (_, check, condition) => {
    const result = await verdictOn(check, runContextOf(breaking(condition)));
    expect(result).toMatchObject({ verdict: 'fail', actual: '201' });
  });

  const withoutCurrency: Twist = {
    label: 'creditorAccount.currency is missing',
    body: (body) => removeAt(body, ['creditorAccount', 'currency']),
  };
  it.each<[string, typeof domestic, FakeBank]>([
    [
      'with a Digest is found of a basket',
      refuses({ ...about, id: 'HDB-21', of: aBasket(), twists: [withoutAddress] }),
      (request) =>
        request.body.paymentIds === undefined ||
        header(request, 'PSU-IP-Address') !== '' ||
        header(request, 'Digest') !== ''
          ? created()
          : refusal('PSU-IP-Address'),
    ],
    [
      'to a BBAN is found of the currency of the account',
      refuses({ ...about, id: 'NCB-19', of: aCrossBorderPayment(), twists: [withoutCurrency] }),
      ({ body }) =>
        has(body.creditorAccount, 'iban') && !has(body.creditorAccount, 'currency')
          ? refusal('creditorAccount')
          : created(),
    ],
  ])('%s', async (_, check, bank) => {
    expect(await verdictOn(check, runContextOf(bank))).toMatchObject({ verdict: 'fail', actual: '201' });
  });

  it('for a company is found of every fault, however many others are tried in one context', async () => {
    const many = Array.from(
      { length: 20 },
      (_, number): Twist => ({
        label: `creditorName is ${number}`,
        body: (body) => ({ ...body, creditorName: number }),
        isOneOfMany: true,
      }),
    );
    const check = refuses({ ...about, twists: [withoutName, ...many], of: aDomesticPayment() });
    for (const seed of [7, 8]) {
      const bank: FakeBank = (request) =>
        (!hasName(request.body) && !isCorporate(request)) || typeof request.body.creditorName === 'number'
          ? refusal('creditorName')
          : created();
      expect(await verdictOn(check, runContextOf(bank, privatePsu, seed))).toMatchObject({ verdict: 'fail' });
    }
  });

  const debtor = { bban: '95360573002', currency: 'NOK' };
  it.each<[string, object, readonly number[], Partial<TargetParts>]>([
    ['with every seed, also where one context will do', { isAskedElsewhere: true }, [1, 2, 3, 4], everything],
    [
      'also with no account to pay from, where accounts are read',
      {},
      [7],
      { psu: privatePsu, accounts: { debtor } },
    ],
  ])('for a company is found %s', async (_, changes, seeds, target) => {
    const of = { ...theAccounts(), ...changes };
    const check = refuses({ ...about, id: 'SIG-01-accounts', of, twists: [unsigned] });
    const forgettingCompanies: FakeBank = (request) =>
      header(request, 'Signature') !== '' || isCorporate(request)
        ? responseOf(200, { accounts: [] })
        : refusal();
    for (const seed of seeds) {
      const { verdict } = await verdictAt(forgettingCompanies, check, { runs: 1, seed, target });
      expect(verdict).toBe('fail');
    }
  });

  it('where a company says its context is found where the PSU of the run acts for one', async () => {
    const isSaid = (request: FakeRequest): boolean => header(request, 'PSU-Context') === 'CORPORATE';
    const company = { id: privatePsu.id, corporateId: 'company-1', context: 'CORPORATE' } as const;
    expect(await verdictOn(domestic, runContextOf(breaking(isSaid), company))).toMatchObject({
      verdict: 'fail',
    });
    expect(await verdictOn(domestic, runContextOf(breaking(isSaid)))).toMatchObject({ verdict: 'pass' });
  });

  it('is told with the contexts in which the rule breaks and holds', async () => {
    const { notes } = await verdictOn(domestic, runContextOf(breaking(isCorporate)));
    const told = notes.find((note) => note.startsWith('It breaks')) ?? '';
    expect(told).toMatch(/^It breaks for a corporate PSU\. In the usual context the rule holds\. It holds /);
    expect(told).toContain('with a SHA-512 Digest');
  });

  it('right after a refused request is found, although it is gone when it is tried again', async () => {
    let wasRefused = false;
    const bank: FakeBank = (request) => {
      const answer = !hasName(request.body) && !wasRefused ? refusal() : created();
      wasRefused = answer.status === 400;
      return answer;
    };
    const result = await verdictOn(domestic, runContextOf(bank));
    expect(result.verdict).toBe('fail');
  });
});

describe('a context', () => {
  it('that the bank does not take without any fault is left out, and told of', async () => {
    const bank: FakeBank = (request) =>
      isCorporate(request) || hasCard(request) ? responseOf(403) : breaking(() => false)(request);
    const result = await verdictOn(domestic, runContextOf(bank));
    expect(result.verdict).toBe('pass');
    expect(result.notes.join(' ')).toContain('Nothing is sent for a corporate PSU');
    expect(result.notes.join(' ')).toContain('Nothing is sent from a card account');
  });

  it('is left alone where it is what the check is about', async () => {
    const runContext = runContextOf(breaking(() => false));
    await verdictOn(refuses({ ...about, of: aDomesticPayment(), fixed: dimensions }), runContext);
    expect(runContext.transport.requests).toHaveLength(2);
  });

  it('in which a twist changes nothing is no case', async () => {
    const toSha512: Twist = {
      label: 'the Digest is another one',
      request: {
        afterSigning: ({ headers }) =>
          headers.set('Digest', headers.get('Digest')?.replace('256', '512') ?? ''),
      },
    };
    // Refuses what says SHA-512 and has the length of SHA-256.
    const bank: FakeBank = ({ wire }) =>
      /^SHA-512=.{44}$/.test(headerOf(wire, 'Digest') ?? '') ? refusal() : created();
    const check = refuses({ ...about, of: aDomesticPayment(), twists: [toSha512] });
    expect(await verdictOn(check, runContextOf(bank))).toMatchObject({ verdict: 'pass' });
  });

  it('in which a bank refuses a request with and without the twist is no failure', async () => {
    let corporate = 0;
    // Takes the control for a company, and nothing from it later.
    const bank: FakeBank = (request) => {
      if (!isCorporate(request)) return created();
      corporate += 1;
      return corporate === 1 ? created() : refusal();
    };
    const check = accepts({ ...about, of: aDomesticPayment(), twists: [withHeaderPresent] });
    const result = await verdictOn(check, runContextOf(bank));
    expect(result.verdict).toBe('pass');
    expect(result.notes.join(' ')).toContain('Not judged for a corporate PSU');
  });
});

describe('the smallest failing case', () => {
  it('has nothing about it but the fault, and differs from its control by that alone', async () => {
    const result = await verdictOn(
      domestic,
      runContextOf(() => created()),
    );
    const { value = '', control = '', changed } = result.counterexample ?? {};
    expect(changed).toEqual(['creditorName']);
    const { creditorName, ...rest } = JSON.parse(control);
    expect(creditorName).toBeDefined();
    expect(JSON.parse(value)).toEqual(rest);
    expect(Object.keys(rest)).toEqual([
      'instructedAmount',
      'creditorAccount',
      'creditorAddress',
      'debtorAccount',
    ]);
    expect(rest.creditorAddress).toEqual({ country: 'NO' });
    // The control that is shown is that very request.
    const [shown] = result.exchanges;
    expect(JSON.parse(shown?.request.body ?? '')).toEqual(JSON.parse(control));
  });

  it('keeps the optional field without which it does not fail', async () => {
    const bank = breaking(({ body }) => body.ultimateDebtor !== undefined);
    const result = await verdictOn(domestic, runContextOf(bank));
    const { value = '' } = result.counterexample ?? {};
    expect(
      Object.keys(JSON.parse(value)).filter((name) => name === 'ultimateDebtor' || name === 'purposeCode'),
    ).toEqual(['ultimateDebtor']);
  });

  it('names the header where the body is the same', async () => {
    const check = refuses({ ...about, of: aDomesticPayment(), twists: [withoutAddress] });
    const { counterexample } = await verdictOn(
      check,
      runContextOf(() => created()),
    );
    expect(counterexample?.changed).toEqual(['PSU-IP-Address']);
  });
});
