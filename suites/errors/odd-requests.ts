import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { withBody } from '../../src/checks/call-body.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import { aSimplePayment, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { setAt } from '../../src/payloads/json.ts';
import { textOfLength } from '../../src/spec/formats.ts';
import { type Call, type Variation, withHeader } from '../../src/tpp/call.ts';
import type { RequestDraft } from '../../src/tpp/signing-plan.ts';
import { accountOf, withReadyReader } from '../sca/readers.ts';

/** A request that a bank may take or refuse as it likes, as long as it does not break down at it. */
interface OddRequest {
  readonly purpose: string;
  readonly call: Call;
  readonly variation?: Variation;
}

/** Ids that no bank gives. None that looks like an attack: a firewall might shut out whoever sends it. */
const oddIds = ['0'.repeat(1_000), 'no such thing, nor 漢字 🍕'] as const;

/** Codes and numbers in which nobody expects a picture. */
const pictured = [
  ['purposeCode', 'SAL🍕'],
  ['creditorAgent', 'PIZZNO🍕🍕'],
  ['creditorAccount.bban', '8601111794🍕'],
] as const;

/** Parameters of the transactions of an account, with values that make no sense. */
const oddQueries: readonly Readonly<Record<string, string>>[] = [
  { bookingStatus: 'foo' },
  { bookingStatus: 'both', dateFrom: 'xyz' },
  { bookingStatus: 'both', dateTo: '2026-02-30' },
  { bookingStatus: 'both', limit: 'abc' },
  { bookingStatus: 'both', limit: '-1' },
  { bookingStatus: 'both', limit: '0' },
  { bookingStatus: 'both', limit: '9'.repeat(30) },
  { bookingStatus: 'both', offset: '-1' },
  { bookingStatus: 'both', offset: '1000000' },
  { bookingStatus: 'both', dateFrom: '2026-03-01', dateTo: '2026-02-01' },
];

const asQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** Texts whose length the header table leaves open, longer than a bank may have room for, and than no gateway takes. */
const longHeaders: readonly (readonly [name: string, write: (usual: string) => string])[] = [
  ['X-Request-ID', (id) => `${id}${'-4711'.repeat(93)}`],
  [
    'TPP-Redirect-URI',
    (address) => `${address}${address.includes('?') ? '&' : '?'}state=${'4711'.repeat(250)}`,
  ],
  ['PSU-User-Agent', () => 'Mozilla/5.0 '.repeat(100).trim()],
  ['TPP-Brand-Logging-Information', () => 'Nordic Trading Company '.repeat(20).trim()],
];

const oddInformation = [
  ['PSU-IP-Port', 'https'],
  ['PSU-Geo-Location', 'in a train'],
  ['TPP-Redirect-Preferred', 'maybe'],
] as const;

/** Something that nobody reads, deeper than a program that calls itself may go. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inside) => [inside], 'inside');

type OddPayment = Pick<OddRequest, 'purpose' | 'variation'> & { readonly change?: (call: Call) => Call };

/** A payment whose query, product or headers mean nothing, or more than there is room for. */
const oddPayments = (path: string): readonly OddPayment[] => [
  {
    purpose: 'allowLogicalDuplicate is maybe',
    change: (call) => ({ ...call, query: { allowLogicalDuplicate: 'maybe' } }),
  },
  {
    purpose: 'the payment product is unknown',
    variation: {
      beforeSigning: (draft) => {
        draft.target = draft.target.replace(path, 'martian-credit-transfers');
      },
    },
  },
  ...longHeaders.map(([name, write]) => ({
    purpose: `${name} is long`,
    variation: {
      beforeSigning: ({ headers }: RequestDraft) => headers.set(name, write(headers.get(name) ?? '')),
    },
  })),
  {
    purpose: 'there is no Content-Type',
    variation: { beforeSigning: ({ headers }) => headers.remove('Content-Type') },
  },
  {
    purpose: 'PSU-IP-Address is no address',
    variation: { beforeSigning: ({ headers }) => headers.set('PSU-IP-Address', 'unknown') },
  },
  {
    purpose: 'headers that only inform make no sense',
    variation: {
      beforeSigning: ({ headers }) => {
        for (const [name, value] of oddInformation) headers.set(name, value);
      },
    },
  },
  {
    purpose: 'PSU-Corporate-ID is no UUID',
    variation: { beforeSigning: ({ headers }) => headers.set('PSU-Corporate-ID', 'the company') },
  },
  {
    purpose: 'X-PSU-IDENTITY is no number',
    variation: {
      beforeSigning: ({ headers }) => {
        headers.remove('PSU-ID');
        headers.set('X-PSU-IDENTITY', 'nobody');
      },
    },
  },
  ...pictured.map(([path, value]) => ({
    purpose: `${path} has an emoji`,
    change: (call: Call) => withBody(call, (body) => setAt(body, path.split('.'), value)),
  })),
  {
    // Whoever tells it back has to keep to the length of a message.
    purpose: 'creditorName has two thousand characters',
    change: (call) => withBody(call, (body) => setAt(body, ['creditorName'], textOfLength(2_000, 'ascii'))),
  },
  { purpose: 'the body is null', change: (call) => ({ ...call, body: Buffer.from('null') }) },
  {
    purpose: 'a member that nobody knows is nested deeply',
    change: (call) => ({ ...call, body: { ...Object(call.body), conformance: nested(500) } }),
  },
];

async function oddlyPaid(context: CheckContext): Promise<readonly OddRequest[]> {
  const product = offeredProduct(context);
  const of = aSimplePayment(product);
  const odd = oddPayments(product.path);
  const drawn = fc.sample(of.bodies(context), { seed: context.seed, numRuns: odd.length });
  const paid = odd.map(async ({ change, ...rest }, index): Promise<OddRequest> => {
    const call = await of.call(context, drawn[index] ?? {});
    return { ...rest, call: change?.(call) ?? call };
  });
  const [body = {}] = fc.sample(of.bodies(context), { seed: context.seed + 1, numRuns: 1 });
  const unlikeOthers = { ...(await of.call(context, body)), query: { allowLogicalDuplicate: 'false' } };
  return [
    ...(await Promise.all(paid)),
    // Whichever comes second may be refused.
    ...['', ', once more'].map((more) => ({
      purpose: `a payment that is to have no duplicate${more}`,
      call: unlikeOthers,
    })),
    // Codes of messages are those that are listed, whatever is refused.
    {
      purpose: 'a basket is created with PUT',
      call: { operation: 'createSigningBasket', body: { paymentIds: [] } },
      variation: {
        beforeSigning: (draft) => {
          draft.method = 'PUT';
        },
      },
    },
    {
      purpose: 'a basket that is not there',
      call: { operation: 'readSigningBasketStatus', params: { basketId: randomUUID() } },
    },
    {
      purpose: 'a payment is in a basket twice',
      call: { operation: 'createSigningBasket', body: { paymentIds: await twice(context) } },
    },
    ...(await inTwoBaskets(context)),
    ...oddIds.map((id) => ({
      purpose: 'the id of a payment in a basket is odd',
      call: { operation: 'createSigningBasket' as const, body: { paymentIds: [id] } },
    })),
    ...(['readPaymentStatus', 'readPayment', 'deletePayment'] as const).map((operation) => ({
      purpose: 'a payment that is not there',
      call: { operation, params: { product: product.path, paymentId: randomUUID() } },
    })),
    ...oddIds.map((paymentId) => ({
      purpose: 'the id of the payment is odd',
      call: { operation: 'readPaymentStatus' as const, params: { product: product.path, paymentId } },
    })),
  ];
}

/** A payment that can be put into a basket, where one was created; nobody says that it cannot be named again. */
async function twice(context: CheckContext): Promise<readonly string[]> {
  const [id = randomUUID()] = await freshPayments(context, 1).catch(() => []);
  return [id, id];
}

/** Whether it can be in both nobody says. */
async function inTwoBaskets(context: CheckContext): Promise<readonly OddRequest[]> {
  const paymentIds = await freshPayments(context, 1).catch(() => []);
  const call = { operation: 'createSigningBasket', body: { paymentIds } } as const;
  const purpose = 'a payment is in two baskets';
  return paymentIds.length === 0
    ? []
    : [
        { purpose, call },
        { purpose, call },
      ];
}

const sentInRun = new KeptInRun<'odd requests', Promise<void>>();

/** Sends, once in a run, what may be refused and must not break the bank, as far as the target file lets it. */
export const sendOddRequests = (context: CheckContext): Promise<void> =>
  sentInRun.of(context.run, 'odd requests', () => sendAll(context));

async function sendAll(context: CheckContext): Promise<void> {
  const { profiles } = context.target;
  const pays = context.missing('create-payments') === undefined;
  const payments = pays ? await oddlyPaid(context) : [];
  const customers: readonly OddRequest[] =
    context.missing('sandbox') === undefined && profiles.includes('sandbox')
      ? [
          {
            purpose: 'withAccounts is maybe',
            call: { operation: 'listSandboxCustomers', query: { withAccounts: 'maybe' } },
          },
        ]
      : [];
  const send = ({ call, variation, purpose }: OddRequest) => context.call(call, variation, purpose);
  await Promise.allSettled([
    ...[...payments, ...customers].map(send),
    profiles.includes('accounts') ? readOddly(context) : undefined,
  ]);
}

const readOddly = (context: CheckContext): Promise<void> =>
  withReadyReader(context, async (reader) => {
    const params = accountOf(reader);
    await Promise.all([
      reader.call({ operation: 'listAccounts' }, withHeader('PSU-ID', 'nobody'), 'PSU-ID is no UUID'),
      reader.call(
        { operation: 'readTransaction', params: { ...params, transactionId: randomUUID() } },
        {},
        'a transaction that is not there',
      ),
      ...oddQueries.map((query) =>
        reader.call(
          { operation: 'readTransactions', params, query },
          {},
          `transactions with ${asQuery(query)}`,
        ),
      ),
      ...oddIds.map((accountId) =>
        reader.call({ operation: 'readBalances', params: { accountId } }, {}, 'the id of the account is odd'),
      ),
    ]);
  });
