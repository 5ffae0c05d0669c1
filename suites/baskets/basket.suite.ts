import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu, evidenceOf, type RunContext } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import {
  accepted,
  created,
  describeAnswer,
  type Expectation,
  refused,
  rejectedWith,
  wentThrough,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import {
  aBasket,
  aCrossBorderPayment,
  freshPayments,
  keepSpare,
  nothingAwaitsSca,
  sparePayments,
} from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { refuses } from '../../src/checks/trial.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { limits } from '../../src/spec/limits.ts';
import { products } from '../../src/spec/products.ts';
import type { ProfileId } from '../../src/spec/profiles.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { aCorporateBasket, aCorporatePayment } from '../signing/corporate-requests.ts';
import { basketOfLentAbroad, basketOfLentPart, lentAroundTheLimit } from './lent-payments.ts';

interface BasketCheck {
  readonly id: string;
  readonly requirement?: string;
  readonly others?: readonly string[];
  readonly title: string;
  /** What is put into the basket, in prose and as ids. */
  readonly contents: string;
  readonly ids: (context: CheckContext, use?: 'fresh' | 'spare') => Promise<readonly string[]>;
  /** The answer to such a basket of payments that others have created, where they will do. */
  readonly ofOthers?: (context: CheckContext) => Promise<Answer | undefined>;
  /** A refusal counts where a basket of these goes through, which differs from it in nothing but its size. */
  readonly smaller?: (context: CheckContext) => Promise<readonly string[]>;
  readonly profiles?: readonly ProfileId[];
  /** It waits for other such checks: the payments of a basket that one of them had refused serve the next. */
  readonly inTurn?: boolean;
  /** Tries them in the opposite order as well. */
  readonly inBothOrders?: boolean;
  readonly expected: Expectation;
  readonly needs?: readonly Capability[];
  readonly levelUnder?: (readings: Readings) => Level | undefined;
  /** A basket that is refused counts only when one of a single payment goes through. */
  readonly control?: boolean;
  /** Whose basket it is, where that is not the PSU of the run. */
  readonly of?: 'company';
  /** What is refused to everybody is tried as a company as well, where there is one. */
  readonly alsoOfCompany?: true;
}

const basketOf = ({
  id,
  requirement = id,
  title,
  contents,
  ids,
  expected,
  control = true,
  inBothOrders = false,
  inTurn = false,
  ofOthers,
  smaller,
  of: whose,
  alsoOfCompany,
  ...rest
}: BasketCheck): Check =>
  check({
    id,
    requirement,
    title,
    steps: [
      ...(control ? ['Create a basket of one fresh domestic payment, as control: it must go through.'] : []),
      `Create a basket of ${contents}.${ofOthers === undefined ? '' : ' Those that other checks have created for listed values will do; where they do not, fresh ones are created.'}`,
      ...(smaller === undefined
        ? []
        : ['Where it is refused, create one of two such payments: it must go through.']),
      ...(inBothOrders ? ['Do so with its payments in the opposite order.'] : []),
      ...(alsoOfCompany === true ? ['Do so as a company, where the target file names one.'] : []),
    ],
    expected: expected.text,
    ...(ofOthers === undefined ? {} : { takesLong: true }),
    ...rest,
    async run(context) {
      if (control) await controlBy(context, whose === 'company' ? aCorporateBasket : aBasket());
      const psu = whose === 'company' ? { psu: corporatePsu(context) } : {};
      const ofControl = context.exchanges.length;
      const isMet = (answer: Answer): boolean => expected.met(answer, context.readings);
      const lent = await ofOthers?.(context);
      if (lent !== undefined && isMet(lent)) {
        context.evidence = evidenceOf(context, lent.exchange);
        return;
      }
      const put = (all: readonly string[], as: Pick<Call, 'psu'> = psu): Promise<Answer> =>
        callThroughSca(
          context,
          { operation: 'createSigningBasket', body: { paymentIds: all }, ...as },
          `basket of ${contents}`,
        );
      const putAll = async (use: 'fresh' | 'spare'): Promise<Answer> => {
        const all = await ids(context, use);
        const answer = await put(all);
        const last = inBothOrders && isMet(answer) ? await put(all.toReversed()) : answer;
        // A bank may hold on to payments of a basket that it has refused.
        if (use === 'spare' && !isMet(last)) return putAll('fresh');
        if (last.status >= 400 && last.status < 500) keepSpare(context, all);
        return last;
      };
      const first = await (inTurn ? afterTheOthers(context.run, () => putAll('spare')) : putAll('fresh'));
      const creations = context.exchanges.slice(ofControl);
      const isNext = alsoOfCompany === true && context.missing('corporate-psu') === undefined && isMet(first);
      const ofCompany = isNext
        ? await put(await ids(context, 'spare'), { psu: corporatePsu(context) })
        : undefined;
      // A refusal may have another reason; what is taken has none.
      const answer = ofCompany?.isSuccess === true ? ofCompany : first;
      context.evidence = evidenceOf(context, answer.exchange);
      if (isMet(answer)) return;
      const isRefusal = expected.isAcceptance === true && answer.status >= 400;
      if (isRefusal && nothingAwaitsSca(creations))
        await aSmallOneMustGoThrough(context, answer, requirement);
      const less = smaller && (await put(await smaller(context)));
      if (less?.isSuccess === false)
        throw new NotApplicable(
          `A basket of two such payments is answered ${describeAnswer(less)} as well: it is not the size that is refused.`,
        );
      throw new ExpectationFailed(`${expected.text} for a basket of ${contents}`, describeAnswer(answer));
    },
  });

/** By run: the last of the checks that wait for each other. */
const turns = new WeakMap<RunContext, Promise<unknown>>();

function afterTheOthers<T>(run: RunContext, work: () => Promise<T>): Promise<T> {
  const done = Promise.allSettled([turns.get(run)]).then(work);
  turns.set(run, done);
  return done;
}

/**
 * Where nothing awaits SCA, but the bank does take one of such payments, what is refused is refused for its size or its
 * kind.
 */
async function aSmallOneMustGoThrough(
  context: CheckContext,
  refusal: Answer,
  requirement: string,
): Promise<void> {
  const before = context.exchanges.length;
  const small = aBasket();
  const answer = await context.call(await small.call(context, {}), {}, 'a basket of one payment');
  const creation = context.exchanges.slice(before);
  if (wentThrough(answer, context.readings) && nothingAwaitsSca(creation)) return;
  throw new NotApplicable(
    `No payment of the basket asked for SCA, so that there was nothing to sign (the basket was answered ${describeAnswer(refusal)}). Where the bank has no such payments signed, declare ${requirement} as notOffered in the target file.`,
  );
}

const idsIn = ({ body }: Call): readonly string[] =>
  (body as { readonly paymentIds: readonly string[] }).paymentIds;

const fresh =
  (count: number) =>
  (context: CheckContext, use: 'fresh' | 'spare' = 'fresh'): Promise<readonly string[]> =>
    (use === 'spare' ? sparePayments : freshPayments)(context, count);

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

export default suite('Signing basket', section('Resources and their fields', 'Signing basket'), [
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
    { id: 'BSK-11-2', count: 2, expected: created(), others: ['BSK-10'] },
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
    ids: (context) => freshPayments(context, formerLimit + 1, aCrossBorderPayment()),
    ofOthers: manyAbroad,
    smaller: (context) => freshPayments(context, 2, aCrossBorderPayment()),
    expected: accepted(),
    levelUnder: isCurrentLimit,
  }),
  basketOf({
    id: 'BSK-12-corporate',
    requirement: 'BSK-12',
    title: `a basket of ${formerLimit + 1} payments of a company is accepted`,
    contents: `${formerLimit + 1} domestic payments of a company`,
    ids: (context) => freshPayments(context, formerLimit + 1, aCorporatePayment()),
    expected: accepted(),
    levelUnder: isCurrentLimit,
    needs: ['corporate-psu'],
    of: 'company',
  }),
  // Before the one that is accepted: what is refused leaves its payments to that.
  basketOf({
    id: 'BSK-14',
    title: `a basket of ${limit + 1} payments is refused`,
    contents: `${limit + 1} domestic payments`,
    ids: fresh(limit + 1),
    ofOthers: async (context) => (await lentAroundTheLimit(context))?.tooMany,
    expected: refused(),
    levelUnder: isCurrentLimit,
    inTurn: true,
  }),
  basketOf({
    id: 'BSK-13',
    title: `a basket of ${limit} payments is accepted`,
    contents: `${limit} domestic payments`,
    ids: fresh(limit),
    ofOthers: async (context) => (await lentAroundTheLimit(context))?.full,
    expected: accepted(),
    levelUnder: isCurrentLimit,
    inTurn: true,
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
    ids: async () => [],
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  basketOf({
    id: 'BSK-16',
    title: 'a basket with a payment that does not exist is refused',
    contents: 'a payment that does not exist',
    alsoOfCompany: true,
    ids: async () => [crypto.randomUUID()],
    expected: refused(),
    levelUnder: contentsAreJudged,
  }),
  basketOf({
    id: 'BSK-16-beside',
    requirement: 'BSK-16',
    title: 'a basket with a payment that does not exist next to one that does is refused',
    contents: 'a domestic payment and one that does not exist',
    ids: async (context) => [...(await freshPayments(context, 1)), crypto.randomUUID()],
    inBothOrders: true,
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
        ids: async (context) => [first(context)],
        expected,
        needs: [`${kind}-payment`],
      }),
      basketOf({
        id: `${id}${suffixes.beside}`,
        requirement: id,
        title: `a ${kind} payment next to a domestic one in a basket is answered 400 with REFERENCE_MIX_INVALID`,
        contents: `a domestic payment and a ${kind} payment`,
        ids: async (context) => [...(await freshPayments(context, 1)), first(context)],
        inBothOrders: true,
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
    ids: (context) => freshPayments(context, 2, aCrossBorderPayment()),
    ofOthers: manyAbroad,
    expected: accepted(),
  }),
  basketOf({
    id: 'BSK-19-mixed',
    requirement: 'BSK-19',
    needs: ['sandbox'],
    levelUnder: () => 'advisory',
    title: 'a basket of domestic and cross-border payments is accepted',
    contents: 'a domestic and a cross-border payment',
    ids: async (context) => [
      ...(await freshPayments(context, 1)),
      ...(await freshPayments(context, 1, aCrossBorderPayment())),
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
        label: 'an element of paymentIds is null',
        points: 'paymentIds',
        call: (call) => ({ ...call, body: { paymentIds: [...idsIn(call), null] } }),
      },
    ],
    cases: 1,
  }),
]);
