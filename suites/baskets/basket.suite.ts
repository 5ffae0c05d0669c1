import { type Check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { accepted, created, refused, rejectedWith } from '../../src/checks/expectation.ts';
import {
  aBasket,
  aSimplePayment,
  freshPayments,
  offeredProduct,
  type Subject,
  sparePayments,
} from '../../src/checks/subject.ts';
import { refuses } from '../../src/checks/trial.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { limits } from '../../src/spec/limits.ts';
import { type Product, products } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { longerThan, shorterThan, unknownNextTo } from '../near-ids.ts';
import { aCorporatePayment, aSimpleCorporatePayment } from '../signing/corporate-requests.ts';
import { type BasketCheck, basketOf, type FurtherBasket } from './basket-check.ts';
import {
  basketOfLentAbroad,
  basketOfLentAnd,
  basketOfLentPart,
  lentAroundTheLimit,
  mustBeLent,
} from './lent-payments.ts';

const idsIn = ({ body }: Call): readonly string[] =>
  (body as { readonly paymentIds: readonly string[] }).paymentIds;

const fresh =
  (count: number) =>
  (context: CheckContext, use: 'fresh' | 'spare' = 'fresh'): Promise<readonly string[]> =>
    (use === 'spare' ? sparePayments : freshPayments)(context, count);

/** What has no place next to payments of a company, and next to cross-border ones. */
const besideOthers = (
  what: string,
  unfit: (known: string, context: CheckContext) => string,
): readonly FurtherBasket[] => {
  const next = (payment: (context: CheckContext) => Subject) => async (context: CheckContext) => {
    const [known = ''] = await sparePayments(context, 1, payment(context));
    return [known, unfit(known, context)];
  };
  return [
    {
      contents: `a payment of a company and ${what}`,
      of: 'company',
      ids: next((context) => aCorporatePayment(offeredProduct(context))),
    },
    {
      contents: `a cross-border payment and ${what}`,
      profile: products.crossBorder.profile,
      ids: next(() => aSimplePayment(products.crossBorder)),
    },
  ];
};

/** Ids that no payment can have: who sorts them out beforehand may look for the others alone. */
const besideNoIds: readonly FurtherBasket[] = (
  [
    ['empty', () => ''],
    ['a word', () => 'payment'],
    ['that of the other with a digit behind it', longerThan],
    ['that of the other without its last digit', shorterThan],
  ] as const
).map(([label, unfit]) => ({
  contents: `a payment and one whose id is ${label}`,
  ids: async (context) => (await sparePayments(context, 1)).flatMap((known) => [known, unfit(known)]),
}));

const isCurrentLimit = ({ basketLimit }: Readings): Level | undefined =>
  basketLimit === '100' ? 'must' : undefined;
const isFormerLimit = ({ basketLimit }: Readings): Level | undefined =>
  basketLimit === '10' ? 'must' : undefined;
const contentsAreJudged = ({ basketContents }: Readings): Level | undefined =>
  basketContents === 'refuse-empty-and-unknown' ? 'must' : undefined;

/** As many cross-border payments as many banks held once; none where that is the limit that is agreed. */
const manyAbroad = (context: CheckContext): Promise<Answer | undefined> =>
  isCurrentLimit(context.readings) === undefined
    ? Promise.resolve(undefined)
    : basketOfLentAbroad(context, formerLimit + 1);

const { basketPayments: limit, basketPaymentsFormerly: formerLimit } = limits;

/** More than many banks held once, and a number that no other basket of them has. */
const manyOnes = formerLimit + 2;
/** Behind those of the baskets that are accepted. What is refused leaves them to the next. */
const many = { from: limit + 1 + formerLimit + formerLimit + 1, count: manyOnes };
/** No end of a small basket, nor one of a pair. */
const three = { from: many.from + many.count, count: 3 };

/** One too many, and as many as there may be. */
const limitOf = (product: Product, rest: Partial<BasketCheck> = {}): readonly Check[] => {
  const { word, suffix } = product;
  const around = (context: CheckContext) => lentAroundTheLimit(context, ofProduct(context));
  const ofProduct = (context: CheckContext): Product =>
    product === products.domestic ? offeredProduct(context) : product;
  const sized = (count: number): Pick<BasketCheck, 'contents' | 'ids'> => ({
    contents: `${count} ${word} payments`,
    ids: (context, use = 'fresh') =>
      (use === 'spare' ? sparePayments : freshPayments)(context, count, aSimplePayment(ofProduct(context))),
  });
  const what = product === products.domestic ? 'payments' : `${word} payments`;
  return [
    basketOf({
      ...rest,
      ...sized(limit + 1),
      id: `BSK-14${suffix}`,
      requirement: 'BSK-14',
      title: `a basket of ${limit + 1} ${what} is refused`,
      ofOthers: async (context) => (await around(context))?.tooMany,
      expected: refused(),
      levelUnder: isCurrentLimit,
      inTurn: true,
    }),
    basketOf({
      ...rest,
      ...sized(limit),
      id: `BSK-13${suffix}`,
      requirement: 'BSK-13',
      title: `a basket of ${limit} ${what} is accepted`,
      ofOthers: async (context) => (await around(context))?.full,
      expected: accepted(),
      levelUnder: isCurrentLimit,
      inTurn: true,
    }),
  ];
};

export default suite('Signing basket', section('Resources and their fields', 'Signing basket'), () => [
  basketOf({
    id: 'BSK-10',
    title: 'a created basket is answered 201',
    contents: 'one domestic payment',
    ids: fresh(1),
    expected: created(),
    control: false,
  }),
  basketOf({
    id: 'BSK-11',
    title: 'a basket of one payment is accepted',
    contents: 'one domestic payment',
    ids: fresh(1),
    expected: accepted(),
    control: false,
  }),
  ...[
    // Whatever is created is answered 201, one payment or several.
    { id: 'BSK-11-2', count: 2, expected: created('BSK-10'), others: ['BSK-10'] },
    { id: 'BSK-11-3', count: 3, expected: accepted(), others: [], ofOthers: basketOfLentPart(three) },
    {
      id: 'BSK-11-10',
      count: formerLimit,
      expected: accepted(),
      others: [],
      ofOthers: basketOfLentPart({ from: limit + 1, count: formerLimit }),
    },
  ].map(({ count, ...rest }) =>
    basketOf({
      ...rest,
      requirement: 'BSK-11',
      title: `a basket of ${count} payments is accepted`,
      contents: `${count} domestic payments`,
      ids: fresh(count),
    }),
  ),
  basketOf({
    id: 'BSK-12',
    title: `a basket of ${formerLimit + 1} payments is accepted`,
    contents: `${formerLimit + 1} domestic payments`,
    ids: fresh(formerLimit + 1),
    ofOthers: basketOfLentPart({ from: limit + 1 + formerLimit, count: formerLimit + 1 }),
    expected: accepted(),
    levelUnder: isCurrentLimit,
  }),
  basketOf({
    id: `BSK-12${products.crossBorder.suffix}`,
    requirement: 'BSK-12',
    needs: ['sandbox'],
    profiles: ['sandbox'],
    title: `a basket of ${formerLimit + 1} cross-border payments is accepted`,
    contents: `${formerLimit + 1} cross-border payments`,
    ids: (context) => freshPayments(context, formerLimit + 1, aSimplePayment(products.crossBorder)),
    ofOthers: manyAbroad,
    smaller: (context) => freshPayments(context, 2, aSimplePayment(products.crossBorder)),
    expected: accepted(),
    levelUnder: isCurrentLimit,
  }),
  basketOf({
    id: 'BSK-12-corporate',
    requirement: 'BSK-12',
    title: `a basket of ${formerLimit + 1} payments of a company is accepted`,
    contents: `${formerLimit + 1} domestic payments of a company`,
    ids: (context) => freshPayments(context, formerLimit + 1, aSimpleCorporatePayment()),
    expected: accepted(),
    levelUnder: isCurrentLimit,
    needs: ['corporate-psu'],
    of: 'company',
  }),
  // Before the one that is accepted: what is refused leaves its payments to that.
  ...limitOf(products.domestic),
  ...limitOf(products.crossBorder, {
    needs: ['sandbox'],
    profiles: ['sandbox'],
    smaller: (context) => freshPayments(context, 2, aSimplePayment(products.crossBorder)),
  }),
  basketOf({
    id: 'BSK-14-formerly',
    requirement: 'BSK-14',
    title: `under the former limit a basket of ${formerLimit + 1} payments is refused`,
    contents: `${formerLimit + 1} domestic payments`,
    ids: fresh(formerLimit + 1),
    expected: refused(),
    levelUnder: isFormerLimit,
  }),
  basketOf({
    id: 'BSK-15',
    title: 'a basket without payments is refused',
    contents: 'no payments',
    alsoOfCompany: true,
    alsoWithDigest: true,
    ids: async () => [],
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  basketOf({
    id: 'BSK-16',
    title: 'a basket with a payment that does not exist is refused',
    contents: 'a payment that does not exist',
    alsoOfCompany: true,
    alsoWithDigest: true,
    ids: async () => [crypto.randomUUID()],
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  basketOf({
    id: 'BSK-16-beside',
    requirement: 'BSK-16',
    title: 'a basket with a payment that does not exist next to such as do is refused',
    contents: 'two domestic payments and one that does not exist',
    ids: async (context) => {
      const known = await freshPayments(context, 2);
      return [...known, unknownNextTo(known[0] ?? '')];
    },
    lastInEveryPlace: true,
    further: [...besideOthers('one that does not exist', unknownNextTo), ...besideNoIds],
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  basketOf({
    id: 'BSK-16-many',
    requirement: 'BSK-16',
    title: `a basket with a payment that does not exist behind ${manyOnes} such as do is refused`,
    contents: `${manyOnes} domestic payments and one that does not exist`,
    ids: async (context) => [...(await freshPayments(context, manyOnes)), crypto.randomUUID()],
    ofOthers: basketOfLentAnd(() => crypto.randomUUID(), many),
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  ...(['bulk', 'periodic'] as const).flatMap((kind) => {
    const id = kind === 'bulk' ? 'BSK-17' : 'BSK-18';
    const expected = rejectedWith(400, 'REFERENCE_MIX_INVALID');
    const first = ({ target }: CheckContext): string => target.payments[kind][0] ?? '';
    return [
      basketOf({
        id,
        title: `a ${kind} payment in a basket is answered 400 with REFERENCE_MIX_INVALID`,
        contents: `a ${kind} payment`,
        alsoWithDigest: true,
        ids: async (context) => [first(context)],
        expected,
        needs: [`${kind}-payment`],
      }),
      basketOf({
        id: `${id}${suffixes.beside}`,
        requirement: id,
        title: `a ${kind} payment next to domestic ones in a basket is answered 400 with REFERENCE_MIX_INVALID`,
        contents: `two domestic payments and a ${kind} payment`,
        ids: async (context) => [...(await freshPayments(context, 2)), first(context)],
        lastInEveryPlace: true,
        further: [
          ...besideOthers(`a ${kind} payment`, (_, context) => first(context)),
          {
            contents: `${manyOnes} domestic payments and a ${kind} payment`,
            ids: async (context) => [...(await mustBeLent(context, many)), first(context)],
          },
        ],
        expected,
        needs: [`${kind}-payment`],
      }),
    ];
  }),
  basketOf({
    id: 'BSK-19',
    needs: ['sandbox'],
    title: 'a basket of cross-border payments is accepted',
    contents: 'two or more cross-border payments',
    ids: (context) => freshPayments(context, 2, aSimplePayment(products.crossBorder)),
    ofOthers: manyAbroad,
    expected: accepted(),
  }),
  basketOf({
    id: 'BSK-19-mixed',
    requirement: 'BSK-19',
    needs: ['sandbox'],
    title: 'a basket of domestic and cross-border payments is accepted',
    contents: 'a domestic and a cross-border payment',
    ids: async (context) => [
      ...(await freshPayments(context, 1)),
      ...(await freshPayments(context, 1, aSimplePayment(products.crossBorder))),
    ],
    expected: accepted(),
  }),
  refuses({
    id: 'BSK-01',
    requirement: 'BSK-01',
    title: 'a basket without paymentIds is refused',
    of: aBasket(),
    twists: [
      { label: 'paymentIds is missing', points: 'paymentIds', call: (call) => ({ ...call, body: {} }) },
      {
        label: 'paymentIds is null',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: null } }),
      },
    ],
    cases: 1,
  }),
  refuses({
    id: 'BSK-02',
    requirement: 'BSK-02',
    title: 'a basket whose paymentIds is no array is refused',
    of: aBasket(),
    twists: [
      {
        label: 'paymentIds is a text',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: 'payments' } }),
      },
      {
        label: 'paymentIds is the id itself',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: idsIn(call)[0] } }),
      },
      {
        label: 'paymentIds is an object',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: { id: 1 } } }),
      },
    ],
    cases: 2,
  }),
  refuses({
    id: 'BSK-03',
    requirement: 'BSK-03',
    title: 'a basket in which a payment id is no string is refused',
    of: aBasket(),
    twists: [
      {
        label: 'an element of paymentIds is an object',
        points: 'paymentIds',
        call: (call) => ({
          ...call,
          body: { paymentIds: idsIn(call).map((paymentId) => ({ paymentId })) },
        }),
      },
      {
        label: 'an element of paymentIds is a list',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: idsIn(call).map((paymentId) => [paymentId]) } }),
      },
      {
        label: 'an element of paymentIds is an object, behind one that is right',
        points: 'paymentIds',
        call: (call) => ({
          ...call,
          body: { paymentIds: idsIn(call).flatMap((paymentId) => [paymentId, { paymentId }]) },
        }),
      },
      {
        // Taken for a text it is the id of no payment.
        label: 'an element of paymentIds is a number, behind one that is right',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: [...idsIn(call), 4711] } }),
      },
      {
        label: 'an element of paymentIds is null',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: [...idsIn(call), null] } }),
      },
    ],
    cases: 1,
  }),
]);
