import fc from 'fast-check';
import type { CheckContext } from '../../src/checks/context.ts';
import { aSimplePayment, offeredProduct } from '../../src/checks/subject.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import { accountOf, withReadyReader } from '../sca/readers.ts';

/** A request that a bank may take or refuse as it likes, as long as it does not break down at it. */
interface OddRequest {
  readonly purpose: string;
  readonly call: Call;
  readonly variation?: Variation;
}

/** Ids that no bank gives. None that looks like an attack: a firewall might shut out whoever sends it. */
const oddIds = ['0'.repeat(1_000), 'no such thing, nor 漢字'] as const;

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
];

const asQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** A payment whose query, or whose product, means nothing. */
async function oddPayments(context: CheckContext): Promise<readonly OddRequest[]> {
  const product = offeredProduct(context);
  const of = aSimplePayment(product);
  const [first = {}, second = {}] = fc.sample(of.bodies(context), { seed: context.seed, numRuns: 2 });
  return [
    {
      purpose: 'allowLogicalDuplicate is maybe',
      call: { ...(await of.call(context, first)), query: { allowLogicalDuplicate: 'maybe' } },
    },
    {
      purpose: 'the payment product is unknown',
      call: await of.call(context, second),
      variation: {
        beforeSigning: (draft) => {
          draft.target = draft.target.replace(product.path, 'martian-credit-transfers');
        },
      },
    },
    ...oddIds.map((paymentId) => ({
      purpose: 'the id of the payment is odd',
      call: { operation: 'readPaymentStatus' as const, params: { product: product.path, paymentId } },
    })),
  ];
}

/** Sends what may be refused and must not break the bank, as far as the target file lets it. */
export async function sendOddRequests(context: CheckContext): Promise<void> {
  const { profiles } = context.target;
  const pays = context.missing('create-payments') === undefined;
  const payments = pays ? await oddPayments(context) : [];
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
