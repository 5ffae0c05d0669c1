import { mustAwaitSca } from '../../src/checks/awaiting-sca.ts';
import { mustHaveBaskets } from '../../src/checks/basket-path.ts';
import { type Check, check } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu, evidenceOf } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import { describeAnswer, type Expectation, wentThrough } from '../../src/checks/expectation.ts';
import { TurnsInRun } from '../../src/checks/kept-in-run.ts';
import {
  doneBefore,
  ExpectationFailed,
  Inconclusive,
  isRefusedRepetition,
  isUnanswered,
  NotApplicable,
} from '../../src/checks/outcomes.ts';
import { aBasket, keepSpare, nothingAwaitsSca } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { digestHeader } from '../../src/signing/digest.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { ProfileId } from '../../src/spec/profiles.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Psu } from '../../src/tpp/call.ts';
import type { Exchange } from '../../src/tpp/exchange.ts';
import type { SigningPlan } from '../../src/tpp/signing-plan.ts';
import { aCorporateBasket } from '../signing/corporate-requests.ts';

/** Payments of its own, or first of all those that a refused basket has left. */
type Use = 'fresh' | 'spare';

/** A check that a basket of some payments is answered as expected. */
export interface BasketCheck {
  readonly id: string;
  readonly requirement?: string;
  readonly others?: readonly string[];
  readonly title: string;
  /** What is put into the basket, in prose and as ids. */
  readonly contents: string;
  readonly ids: (context: CheckContext, use?: Use) => Promise<readonly string[]>;
  /** The answer to such a basket of payments that others have created, where they will do. */
  readonly ofOthers?: (context: CheckContext) => Promise<Answer | undefined>;
  /** A refusal counts where a basket of these goes through, which differs from it in nothing but its size. */
  readonly smaller?: (context: CheckContext) => Promise<readonly string[]>;
  readonly profiles?: readonly ProfileId[];
  /** It waits for other such checks: the payments of a basket that one of them had refused serve the next. */
  readonly inTurn?: boolean;
  /** The last of them does not belong there, and is put between and before the others as well. */
  readonly lastInEveryPlace?: true;
  readonly expected: Expectation;
  readonly needs?: readonly Capability[];
  readonly levelUnder?: (readings: Readings) => Level | undefined;
  /** A basket that is refused counts only when one of a single payment goes through. */
  readonly control?: boolean;
  /** Whose basket it is, where that is not the PSU of the run. */
  readonly of?: 'company';
  /** What is refused to everybody is tried as a company as well, where there is one. */
  readonly alsoOfCompany?: true;
  /** A Digest may stand there, although none is listed for baskets. */
  readonly hasDigest?: true;
  /** What is refused without a Digest is tried with one as well. */
  readonly alsoWithDigest?: true;
  /** What must not be taken either, where there is something to try it with. */
  readonly further?: readonly FurtherBasket[];
}

export interface FurtherBasket extends Pick<BasketCheck, 'contents' | 'ids' | 'of' | 'hasDigest'> {
  readonly profile?: ProfileId;
}

export const basketOf = (asked: BasketCheck): Check => {
  const { id, requirement = id, title, expected, needs, others, profiles, levelUnder } = asked;
  return check({
    id,
    requirement,
    title,
    steps: stepsOf(asked),
    expected: expected.text,
    ...(asked.ofOthers === undefined ? {} : { takesLong: true }),
    ...(needs && { needs }),
    ...(others && { others }),
    ...(profiles && { profiles }),
    ...(levelUnder && { levelUnder }),
    async run(context) {
      if (hasControl(asked)) await controlBy(context, asked.of === 'company' ? aCorporateBasket : aBasket());
      const before = context.exchanges.length;
      const lent = await asked.ofOthers?.(context);
      if (lent !== undefined && isMet(context, asked, lent)) {
        context.evidence = evidenceOf(context, lent.exchange);
        return;
      }
      const first = await (asked.inTurn === true
        ? turns.take(context.run, () => putAll(context, asked, 'spare'))
        : putAll(context, asked, 'fresh'));
      const creations = context.exchanges.slice(before);
      const other = isMet(context, asked, first) ? await takenAmong(context, asked) : undefined;
      const [of, answer] = other ?? [asked, first];
      context.evidence = evidenceOf(context, answer.exchange);
      if (!isMet(context, asked, answer)) await fail(context, of, answer, creations);
    },
  });
};

function stepsOf({ contents, ofOthers, smaller, ...asked }: BasketCheck): readonly string[] {
  return [
    ...(hasControl(asked)
      ? ['Create a basket of one fresh domestic payment, as control: it must go through.']
      : []),
    `Create a basket of ${contents}.${ofOthers === undefined ? '' : ' Those that other checks have created for listed values will do; where they do not, fresh ones are created.'}`,
    ...(smaller === undefined
      ? []
      : ['Where it is refused, create one of two such payments: it must go through.']),
    ...(asked.lastInEveryPlace === true
      ? ['Do so with the last of them between the others, and before them.']
      : []),
    ...(asked.alsoOfCompany === true ? ['Do so as a company, where the target file names one.'] : []),
    ...(asked.alsoWithDigest === true ? ['Do so with a Digest, unless the bank takes none there.'] : []),
    ...(asked.further ?? []).map((other) => `Create one of ${other.contents}, where there are such.`),
  ];
}

const hasControl = ({ control = true }: Pick<BasketCheck, 'control'>): boolean => control;

const isMet = ({ readings }: CheckContext, { expected }: BasketCheck, answer: Answer): boolean =>
  expected.met(answer, readings);

function put(
  context: CheckContext,
  { contents, of: whose, hasDigest }: BasketCheck,
  paymentIds: readonly string[],
): Promise<Answer> {
  const psu: Psu | undefined = whose === 'company' ? corporatePsu(context) : undefined;
  const call: Call = { operation: 'createSigningBasket', body: { paymentIds }, ...(psu && { psu }) };
  return hasDigest === true
    ? context.call(call, { signing: withDigest }, `basket of ${contents}, with a Digest`)
    : callThroughSca(context, call, `basket of ${contents}`);
}

const withDigest: SigningPlan = { digest: (body) => digestHeader(body) };

const withLastInEveryPlace = (ids: readonly string[]): readonly (readonly string[])[] => {
  const others = ids.slice(0, -1);
  return ids.map((_, place) => others.toSpliced(others.length - place, 0, ...ids.slice(-1)));
};

async function putAll(context: CheckContext, asked: BasketCheck, use: Use): Promise<Answer> {
  const ids = await asked.ids(context, use);
  const [order = ids, ...others] = asked.lastInEveryPlace === true ? withLastInEveryPlace(ids) : [];
  let last = await put(context, asked, order);
  for (const next of others) if (isMet(context, asked, last)) last = await put(context, asked, next);
  // A bank may hold on to payments of a basket that it has refused.
  if (use === 'spare' && !isMet(context, asked, last)) return putAll(context, asked, 'fresh');
  if (last.status >= 400 && last.status < 500) keepSpare(context, ids);
  return last;
}

/** What else is to be refused, as far as the target file has what it takes. */
function furtherOnes(context: CheckContext, asked: BasketCheck): readonly BasketCheck[] {
  const { contents, ids, further = [] } = asked;
  const ofCompany: readonly FurtherBasket[] =
    asked.alsoOfCompany === true ? [{ contents, ids, of: 'company' }] : [];
  const ofDigest: readonly FurtherBasket[] =
    asked.alsoWithDigest === true && context.readings.basketDigest === 'optional'
      ? [{ contents, ids, hasDigest: true }]
      : [];
  return [...ofCompany, ...ofDigest, ...further]
    .filter(({ of }) => of !== 'company' || context.missing('corporate-psu') === undefined)
    .filter(({ profile }) => profile === undefined || context.unjudged([profile]) === undefined)
    .map((each) => ({ ...asked, ...each }));
}

/** The first of them that was taken. A refusal may have another reason; what is taken has none. */
async function takenAmong(
  context: CheckContext,
  asked: BasketCheck,
): Promise<readonly [BasketCheck, Answer] | undefined> {
  for (const other of furtherOnes(context, asked)) {
    try {
      const answer = await put(context, other, await other.ids(context, 'spare'));
      if (answer.isSuccess) return [other, answer];
    } catch (error) {
      if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
      context.note(`A basket of ${other.contents} was not tried: ${error.message}`);
    }
  }
  return undefined;
}

/** Fails, unless the answer has a reason that has nothing to do with the question. */
async function fail(
  context: CheckContext,
  asked: BasketCheck,
  answer: Answer,
  creations: readonly Exchange[],
): Promise<never> {
  context.seemsBroken = true;
  const { id, requirement = id, contents, expected, smaller } = asked;
  if (isRefusedRepetition(answer)) throw doneBefore(answer);
  await mustHaveBaskets(context, answer);
  const isRefusal = expected.isAcceptance === true && answer.status >= 400;
  if (isRefusal) mustAwaitSca(context, answer);
  if (isRefusal && nothingAwaitsSca(creations)) await aSmallOneMustGoThrough(context, answer, requirement);
  const less = smaller && (await put(context, asked, await smaller(context)));
  if (less?.isSuccess === false)
    throw new NotApplicable(
      `A basket of two such payments is answered ${describeAnswer(less)} as well: it is not the size that is refused.`,
    );
  throw new ExpectationFailed(
    `${expected.text} for a basket of ${contents}`,
    describeAnswer(answer),
  ).breaking(expected.breaks?.(answer, context.readings));
}

/** Of the checks that wait for each other. */
const turns = new TurnsInRun();

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
