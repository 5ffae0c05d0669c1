import { describe, expect, it } from 'vitest';
import { products } from '../spec/products.ts';
import type { Capability } from '../target/capabilities.ts';
import type { TargetParts } from '../target/target.ts';
import type { Call, Variation } from '../tpp/call.ts';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { TransportError, type WireRequest } from '../tpp/transport.ts';
import type { Check } from './check.ts';
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

const listing = { operation: 'listSandboxCustomers' } as const;
/** A check that sends one thing, whatever comes back. */
const sending = (call: Call) => aCheck({ run: async (context) => void (await context.call(call)) });

describe('a run whose PSU could not pass SCA', () => {
  const withoutPsu = 'SCA could not be passed before the run.';

  it('judges nothing that needs the PSU, and says why', async () => {
    const runContext = fakeRunContext(anyBank);
    const result = await verdictOn(sending({ operation: 'listAccounts' }), { ...runContext, withoutPsu });
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: withoutPsu });
    expect(runContext.transport.requests).toEqual([]);
  });

  const psu = { sessionId: 'new', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' };
  it.each<[string, Call]>([
    ['needs no PSU', listing],
    ['names one', { operation: 'listAccounts', psu }],
  ])('judges what %s', async (_, call) => {
    const result = await verdictOn(sending(call), { ...fakeRunContext(anyBank), withoutPsu });
    expect(result).toMatchObject({ verdict: 'pass' });
  });

  const withoutCorporatePsu = 'SCA could not be passed for psu.corporate.';
  it.each<[string, readonly Capability[], object]>([
    [
      'leaves open what needs that PSU, and asks for nothing that the target file has',
      ['corporate-psu', 'second-psu'],
      { verdict: 'inconclusive', reason: withoutCorporatePsu },
    ],
    [
      'asks for what the target file lacks besides',
      ['corporate-psu', 'test-ca'],
      { verdict: 'not-applicable', reason: 'add signing.testCa to the target file' },
    ],
  ])('where it is the corporate one, %s', async (_, needs, result) => {
    const needing = aCheck({ requirement: 'COR-03', needs });
    expect(await verdictOn(needing, { ...fakeRunContext(anyBank), withoutCorporatePsu })).toMatchObject(
      result,
    );
  });
});

it('a redirect where 401 is due is that of the bank when another request goes through in between', async () => {
  const accounts = aCheck({
    run: async (context) => {
      const answer = await context.call({ operation: 'listAccounts' });
      if (!answer.asksForSca) throw new ExpectationFailed(asksForSca().text, String(answer.status));
    },
  });
  const runContext = fakeRunContext(({ wire }) =>
    wire.target.includes('/accounts') ? responseOf(302) : responseOf(200, []),
  );
  await runContext.client.call(listing);
  const result = await verdictOn(accounts, { ...runContext, control: listing });
  expect(result).toMatchObject({ verdict: 'fail', actual: '302' });
});

it('a deletion with a fault that is answered 503 each time fails, and nothing is deleted to find that out', async () => {
  const deletion = { operation: 'deleteSigningBasket', params: { basketId: 'b' } } as const;
  const withoutDate: Variation = { beforeSigning: ({ headers }) => headers.remove('Date') };
  const deleting = aCheck({
    requirement: 'CLK-05',
    run: async (context) => {
      await context.call(deletion, { signing: { format: () => undefined } }, 'unsigned');
      const answer = await context.call(deletion, withoutDate, 'without Date');
      expectAnswer(context, answer, refused(), 'without Date');
    },
  });
  const has = (wire: WireRequest, name: string): boolean => headerOf(wire, name) !== undefined;
  const runContext = fakeRunContext(({ wire }) => {
    if (wire.method !== 'DELETE') return responseOf(200, []);
    return has(wire, 'Date') ? responseOf(has(wire, 'Signature') ? 204 : 400) : responseOf(503);
  });
  await runContext.client.call(listing);
  expect(await verdictOn(deleting, { ...runContext, control: listing })).toMatchObject({ verdict: 'fail' });
  const faultless = runContext.transport.requests.filter(
    (wire) => wire.method === 'DELETE' && has(wire, 'Date') && has(wire, 'Signature'),
  );
  expect(faultless).toEqual([]);
});

const accepted = (id: string, of: Parameters<typeof acceptsEvery>[0]['of']) =>
  acceptsEvery({ id, requirement: id.slice(0, 6), title: 'accepted', of });

describe('a profile that is not judged', () => {
  const onlyCrossBorder: Partial<TargetParts> = { profiles: ['cross-border-payments'] };
  const reason = (text: string) => expect.stringContaining(text);

  it.each<[string, Check, Partial<TargetParts>, object]>([
    [
      'has none of its checks run, and that is no gap',
      aCheck({ requirement: 'NDC-01', run: () => Promise.reject(new Error('was run')) }),
      onlyCrossBorder,
      { reason: reason('domestic-payments') },
    ],
    [
      'has none of its operations called, whichever check asks',
      accepted('SIG-02', aDomesticPayment()),
      onlyCrossBorder,
      {},
    ],
    [
      'is as good as an operation that the target file declares not to be offered',
      accepted('NDC-69', aDomesticPayment()),
      { notOffered: [{ what: 'createDomesticPayment', reason: 'only abroad' }] },
      { reason: reason('only abroad') },
    ],
  ])('%s', async (_, one, target, result) => {
    const runContext = fakeRunContext(undefined, { target });
    expect(await verdictOn(one, runContext)).toMatchObject({
      verdict: 'not-applicable',
      notOffered: true,
      ...result,
    });
    expect(runContext.transport.requests).toEqual([]);
  });

  it('leaves the operations of another to a check of several', async () => {
    const result = await verdictAt(undefined, accepted('AMT-01-cross-border', aCrossBorderPayment()));
    expect(result).toMatchObject({ verdict: 'pass', profiles: ['cross-border-payments'] });
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
    expect((await verdictOn(accepted('NDC-69', of), runContext)).verdict).toBe('not-applicable');
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
