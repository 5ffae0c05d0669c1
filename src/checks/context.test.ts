import { describe, expect, it } from 'vitest';
import { products } from '../spec/products.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Call, Variation } from '../tpp/call.ts';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import { TransportError } from '../tpp/transport.ts';
import { check } from './check.ts';
import { asksForSca, expectAnswer, refused, succeeded } from './expectation.ts';
import {
  aCheck,
  created,
  type FakeBank,
  fakeRunContext,
  verdictAt,
  verdictOn,
} from './fake-run-context.test.data.ts';
import { ExpectationFailed } from './outcomes.ts';
import {
  aBasket,
  aCrossBorderPayment,
  aDomesticPayment,
  freshPayments,
  theSandboxListing,
} from './subject.ts';
import { acceptsEvery } from './trial.ts';

const anyBank: FakeBank = () => responseOf(200, []);

describe('a run whose PSU could not pass SCA', () => {
  const withoutPsu = 'SCA could not be passed before the run.';
  const sending = (call: Call) =>
    check({
      id: 'A',
      requirement: 'TRN-01',
      title: 'sends something',
      run: async (context) => void (await context.call(call)),
    });

  it('judges nothing that needs the PSU, and says why', async () => {
    const runContext = fakeRunContext(anyBank);
    const result = await verdictOn(sending({ operation: 'listAccounts' }), { ...runContext, withoutPsu });
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: withoutPsu });
    expect(runContext.transport.requests).toEqual([]);
  });

  it('judges what needs no PSU, or names one', async () => {
    const runContext = { ...fakeRunContext(anyBank), withoutPsu };
    const psu = { sessionId: 'new', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' };
    const listing = await verdictOn(sending({ operation: 'listSandboxCustomers' }), runContext);
    const accounts = await verdictOn(sending({ operation: 'listAccounts', psu }), runContext);
    expect([listing.verdict, accounts.verdict]).toEqual(['pass', 'pass']);
  });
});

describe('a run whose corporate PSU could not pass SCA', () => {
  const withoutCorporatePsu = 'SCA could not be passed for psu.corporate.';
  const needing = (...needs: readonly Capability[]) =>
    check({ id: 'A', requirement: 'COR-03', title: 'needs a company', needs, run: async () => {} });

  it('leaves open what needs that PSU, and asks for nothing that the target file has', async () => {
    const runContext = { ...fakeRunContext(anyBank), withoutCorporatePsu };
    expect(await verdictOn(needing('corporate-psu', 'second-psu'), runContext)).toMatchObject({
      verdict: 'inconclusive',
      reason: withoutCorporatePsu,
    });
  });

  it('asks for what the target file lacks besides', async () => {
    const runContext = { ...fakeRunContext(anyBank), withoutCorporatePsu };
    expect(await verdictOn(needing('corporate-psu', 'test-ca'), runContext)).toMatchObject({
      verdict: 'not-applicable',
      reason: 'add signing.testCa to the target file',
    });
  });
});

describe('a redirect where 401 is due', () => {
  const accounts = check({
    id: 'A',
    requirement: 'SCA-01',
    title: 'asks for SCA',
    run: async (context) => {
      const answer = await context.call({ operation: 'listAccounts' });
      if (!answer.asksForSca) throw new ExpectationFailed(asksForSca().text, String(answer.status));
    },
  });
  const redirecting: FakeBank = ({ wire }) =>
    wire.target.includes('/accounts') ? responseOf(302) : responseOf(200, []);

  it('is that of the bank when another request goes through in between', async () => {
    const runContext = fakeRunContext(redirecting);
    const control = { operation: 'listSandboxCustomers' } as const;
    await runContext.client.call(control);
    const result = await verdictOn(accounts, { ...runContext, control });
    expect(result).toMatchObject({ verdict: 'fail', actual: '302' });
  });
});

describe('a deletion with a fault that is answered 503 each time', () => {
  const deletion = { operation: 'deleteSigningBasket', params: { basketId: 'b' } } as const;
  const deleting = check({
    id: 'A',
    requirement: 'CLK-05',
    title: 'is refused',
    run: async (context) => {
      await context.call(deletion, { signing: { format: () => undefined } }, 'unsigned');
      const answer = await context.call(
        deletion,
        { beforeSigning: ({ headers }) => headers.remove('Date') },
        'without Date',
      );
      expectAnswer(context, answer, refused(), 'without Date');
    },
  });
  const bank: FakeBank = ({ wire }) => {
    if (wire.method !== 'DELETE') return responseOf(200, []);
    const has = (name: string): boolean => wire.headers.some(([given]) => given.toLowerCase() === name);
    return has('date') ? responseOf(has('signature') ? 204 : 400) : responseOf(503);
  };

  it('is held against the bank, and nothing is deleted to find that out', async () => {
    const runContext = fakeRunContext(bank);
    const control = { operation: 'listSandboxCustomers' } as const;
    await runContext.client.call(control);
    expect(await verdictOn(deleting, { ...runContext, control })).toMatchObject({ verdict: 'fail' });
    const deletions = runContext.transport.requests.filter(({ method }) => method === 'DELETE');
    const faultless = deletions.filter(({ headers }) =>
      ['date', 'signature'].every((name) => headers.some(([given]) => given.toLowerCase() === name)),
    );
    expect(faultless).toEqual([]);
  });
});

describe('a profile that is not judged', () => {
  const onlyCrossBorder = { target: { profiles: ['cross-border-payments'] as const } };

  it('has none of its checks run, and that is no gap', async () => {
    const runContext = fakeRunContext(undefined, onlyCrossBorder);
    const one = aCheck({ requirement: 'NDC-01', run: () => Promise.reject(new Error('was run')) });
    expect(await verdictOn(one, runContext)).toMatchObject({
      verdict: 'not-applicable',
      notOffered: true,
      reason: expect.stringContaining('domestic-payments'),
    });
  });

  it('has none of its operations called, whichever check asks', async () => {
    const runContext = fakeRunContext(undefined, onlyCrossBorder);
    const one = acceptsEvery({ id: 'SIG-02', requirement: 'SIG-02', title: 't', of: aDomesticPayment() });
    expect(await verdictOn(one, runContext)).toMatchObject({ verdict: 'not-applicable', notOffered: true });
    expect(runContext.transport.requests).toEqual([]);
  });

  it('leaves the operations of another to a check of several', async () => {
    const one = acceptsEvery({
      id: 'AMT-01-cross-border',
      requirement: 'AMT-01',
      title: 't',
      of: aCrossBorderPayment(),
    });
    expect(await verdictAt(undefined, one)).toMatchObject({
      verdict: 'pass',
      profiles: ['cross-border-payments'],
    });
  });

  it('is as good as an operation that the target file declares not to be offered', async () => {
    const notOffered = [{ what: 'createDomesticPayment', reason: 'only abroad' }];
    const runContext = fakeRunContext(undefined, { target: { notOffered } });
    const one = acceptsEvery({ id: 'NDC-69', requirement: 'NDC-69', title: 't', of: aDomesticPayment() });
    expect(await verdictOn(one, runContext)).toMatchObject({
      verdict: 'not-applicable',
      notOffered: true,
      reason: expect.stringContaining('only abroad'),
    });
  });
});

describe('a production environment', () => {
  const production = { target: { environment: 'production', allowProductionPayments: false } } as const;

  it.each([
    ['a payment', aDomesticPayment()],
    ['a cross-border payment', aCrossBorderPayment()],
    ['a basket', aBasket()],
    ['the sandbox listing', theSandboxListing()],
  ])('is never asked for %s, whatever a check says that it needs', async (_, of) => {
    const runContext = fakeRunContext(undefined, production);
    const careless = acceptsEvery({ id: 'A', requirement: 'NDC-69', title: 'accepted', of });
    expect((await verdictOn(careless, runContext)).verdict).toBe('not-applicable');
    expect(runContext.transport.requests).toEqual([]);
  });
});

describe('what can be done once only and died on the way', () => {
  const params = { product: 'norwegian-domestic-credit-transfers', paymentId: 'p1' };

  it.each<[string, Call]>([
    ['a deletion', { operation: 'deletePayment', params }],
    ['a basket', { operation: 'createSigningBasket', body: { paymentIds: ['p1'] } }],
    ['a payment', { operation: products.domestic.creation, body: {} }],
  ])('is no refusal when it is answered so the second time: %s', async (_, call) => {
    let attempts = 0;
    const bank: FakeBank = () => {
      attempts += 1;
      if (attempts === 1) throw new TransportError('reset', 'other side closed');
      return attempts === 2 ? responseOf(409) : responseOf(200, { paymentId: 'p1' });
    };
    const one = aCheck({
      run: async (context) => {
        expectAnswer(context, await context.call(call), succeeded(), 'for what is done once');
      },
    });
    expect(await verdictAt(bank, one)).toMatchObject({ verdict: 'pass' });
    expect(attempts).toBe(3);
  });

  it('is a refusal where a deletion has a fault for which it is meant to be refused', async () => {
    let attempts = 0;
    const bank: FakeBank = () => {
      attempts += 1;
      if (attempts === 1) throw new TransportError('reset', 'other side closed');
      return responseOf(400, {});
    };
    const fault: Variation = { afterSigning: ({ headers }) => headers.remove('Signature') };
    const one = aCheck({
      run: async (context) => {
        const answer = await context.call({ operation: 'deletePayment', params }, fault);
        expectAnswer(context, answer, refused(), 'without a signature');
      },
    });
    expect(await verdictAt(bank, one)).toMatchObject({ verdict: 'pass' });
    expect(attempts).toBe(2);
  });

  it('is drawn anew where it is a payment for what follows, as often as a check may begin', async () => {
    let attempts = 0;
    const bank: FakeBank = () => {
      attempts += 1;
      const _links = { scaRedirect: { href: 'https://bank.example/sca', verbs: ['GET'] } };
      if (attempts > 4) return created({ paymentId: 'p1', transactionStatus: 'RCVD', _links });
      if (attempts % 2 === 1) throw new TransportError('reset', 'other side closed');
      return responseOf(409, {});
    };
    const one = aCheck({ run: async (context) => void (await freshPayments(context, 1)) });
    expect(await verdictAt(bank, one)).toMatchObject({ verdict: 'pass' });
    expect(attempts).toBe(5);
  });
});
