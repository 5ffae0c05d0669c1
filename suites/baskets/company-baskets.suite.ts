import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import { expectAnswer, refused, succeeded } from '../../src/checks/expectation.ts';
import { freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { limits } from '../../src/spec/limits.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import { isCreation } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { type Exchange, headerValue } from '../../src/tpp/exchange.ts';
import { suffixes } from '../id-suffixes.ts';
import { aCorporateBasket, aCorporatePayment } from '../signing/corporate-requests.ts';

const { basketPayments: limit } = limits;

/** Ids that anybody has named since: such payments may be deleted, approved, or in a basket. */
const namedSince = ({ run }: CheckContext): string =>
  run.observations.kept
    .map(({ exchange }) => exchange)
    .filter(({ operation }) => !isCreation(operation))
    .map(({ request }) => `${percentDecoded(request.url)}${request.body}`)
    .join('\n');

/** Payments of the company that the checks of this run have created and left alone, and fresh ones where these are not enough. */
async function paymentsOfTheCompany(context: CheckContext, count: number): Promise<readonly string[]> {
  const product = offeredProduct(context);
  const { id, corporateId, sessionId } = corporatePsu(context);
  const isOurs = ({ operation, request: { headers } }: Exchange): boolean =>
    operation === product.creation &&
    headerValue(headers, 'PSU-ID') === id &&
    headerValue(headers, 'PSU-Corporate-ID') === corporateId &&
    headerValue(headers, 'TPP-Session-ID') === sessionId;
  const created = context.run.observations.kept
    .filter(({ exchange, answer }) => answer.isSuccess && isOurs(exchange))
    .flatMap(({ answer }) => answer.text('paymentId') ?? []);
  const named = namedSince(context);
  const left = [...new Set(created)].filter((paymentId) => !named.includes(paymentId)).slice(-count);
  return [
    ...left,
    ...(await freshPayments(context, count - left.length, aCorporatePayment(offeredProduct(context)))),
  ];
}

const put = (context: CheckContext, paymentIds: readonly string[]): Promise<Answer> =>
  context.call(
    { operation: 'createSigningBasket', body: { paymentIds }, psu: corporatePsu(context) },
    {},
    `basket of ${paymentIds.length} payments of a company`,
  );

/** Two ways to halve them: what goes together in one half of each need not go together with all others. */
const halvesOf = (ids: readonly string[]): readonly (readonly string[])[] => {
  const middle = Math.ceil(ids.length / 2);
  return [
    ids.slice(0, middle),
    ids.slice(middle),
    ids.filter((_, place) => place % 2 === 0),
    ids.filter((_, place) => place % 2 === 1),
  ];
};

/**
 * The largest basket that is refused although all halves of it go through: its size is what is refused. One whose half
 * is refused as well may be refused for a payment in it, so that the half is looked at.
 */
async function refusedForItsSize(
  context: CheckContext,
  ids: readonly string[],
  answer: Answer,
): Promise<{ readonly count: number; readonly answer: Answer } | undefined> {
  // Of a few it may be refused that they go together: their currencies, their accounts.
  if (ids.length <= 2 * limits.basketPaymentsFormerly) return undefined;
  for (const half of halvesOf(ids)) {
    const ofHalf = await put(context, half);
    if (!ofHalf.isSuccess) return refusedForItsSize(context, half, ofHalf);
  }
  return { count: ids.length, answer };
}

export default suite(
  'Signing basket of a company',
  section('Resources and their fields', 'Signing basket'),
  () => [
    check({
      id: `BSK-14${suffixes.corporate}`,
      requirement: 'BSK-14',
      others: ['BSK-13'],
      title: `a basket of ${limit + 1} payments of a company is refused, and one of ${limit} for no other reason than its payments`,
      needs: ['corporate-psu', 'create-payments'],
      levelUnder: ({ basketLimit }) => (basketLimit === '100' ? 'must' : undefined),
      steps: [
        'Create a basket of one payment of a company, as control: it must go through.',
        `Create a basket of ${limit + 1} payments of the company. Those that this run has created and left alone will do; where they are too few, fresh ones are created.`,
        `Create one of ${limit} of them. Where it is refused, create one of each half of them, and of every other one, and so on: what is refused while all of these go through is refused for its size.`,
      ],
      expected: refused().text,
      observes: true,
      async run(context) {
        await controlBy(context, aCorporateBasket);
        const ids = await paymentsOfTheCompany(context, limit + 1);
        const when = (count: number): string => `for a basket of ${count} payments of a company`;
        expectAnswer(context, await put(context, ids), refused(), when(limit + 1));
        const full = await put(context, ids.slice(0, limit));
        if (full.isSuccess) return;
        const tooLarge = await refusedForItsSize(context, ids.slice(0, limit), full);
        if (tooLarge === undefined) {
          context.note('A basket of a few of them is refused as well: it is not the size alone.');
          return;
        }
        context.showing('BSK-13', () =>
          expectAnswer(context, tooLarge.answer, succeeded(), when(tooLarge.count)),
        );
      },
    }),
  ],
);
