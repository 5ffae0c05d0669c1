import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Exchange } from '../tpp/exchange.ts';
import {
  acceptedWithOthers,
  type Carrier,
  dependsOnTheHolder,
  prepareCarrier,
  sendsMany,
} from './carrier.ts';
import {
  askedOf,
  type Case,
  type CaseResult,
  drawnFor,
  judgeCase,
  type Question,
  type Twist,
  type TwistList,
} from './case.ts';
import { type Check, type CheckDefinition, check } from './check.ts';
import { type CheckContext, evidenceOf } from './context.ts';
import { type Context, type ContextValue, corporate, rowsOf, singlesOf } from './contexts.ts';
import { contextTakenBy, controlBy } from './controls.ts';
import { accepted, describeAnswer, type Expectation, refused } from './expectation.ts';
import { type Failure, fail } from './failing-case.ts';
import { Inconclusive, NotApplicable, saysNothing } from './outcomes.ts';
import { drawCall, type Subject } from './subject.ts';

export type { Twist } from './case.ts';

interface TrialDefinition
  extends Pick<CheckDefinition, 'id' | 'title' | 'requirement' | 'others' | 'levelUnder'>,
    Omit<Question, 'expected' | 'twists'>,
    TwistList {
  readonly needs?: readonly Capability[];
  readonly expected?: Expectation;
  /** What carries a value of this list next to those of others, where each is to be accepted in one context. */
  readonly carrier?: Carrier;
  /** At most so many cases, where a run's number would be more than the question needs. */
  readonly cases?: number;
  /** What else is looked at in the answers, once no case has failed. */
  readonly besides?: {
    readonly step: string;
    readonly look: (context: CheckContext, answers: readonly Answer[]) => Promise<void>;
  };
}

/** A check that each twist makes the bank refuse. Its control is the same kind of request without the twist. */
export const refuses = (definition: TrialDefinition): Check => trial({ expected: refused(), ...definition });

/** A check that each twist is accepted. */
export const accepts = (definition: TrialDefinition): Check => trial({ expected: accepted(), ...definition });

/** A check that valid requests of a kind are accepted, whatever their optional parts. */
export const acceptsEvery = (definition: Omit<TrialDefinition, 'twists'>): Check =>
  trial({ expected: accepted(), control: 'none', ...definition, twists: [{ label: 'everything is valid' }] });

function trial(whole: TrialDefinition & { readonly expected: Expectation }): Check {
  const { id, title, requirement, others, levelUnder, expected, cases, carrier } = whole;
  return check({
    id,
    title,
    requirement,
    ...(others === undefined ? {} : { others }),
    ...(levelUnder === undefined ? {} : { levelUnder }),
    ...(carrier !== undefined && sendsMany(carrier) ? { takesLong: true } : {}),
    ...scopeOf(whole.of),
    needs: [...(whole.needs ?? []), ...(whole.of.referredTo?.needs ?? [])],
    steps: stepsOf(whole),
    expected: expected.text,
    isProperty: cases === undefined,
    async run(context) {
      const of = await resolved(whole.of, context);
      const control =
        typeof whole.control === 'object' ? await resolved(whole.control, context) : whole.control;
      const question = { ...whole, of, ...(control === undefined ? {} : { control }) };
      const prepared = carrier && prepareCarrier(context, carrier);
      const plain = control ?? of;
      if (typeof plain === 'object') {
        context.control = () => plainAnswer(context, plain);
        await controlBy(context, plain);
      }
      await prepared;
      // Behind the control, which has told the time at the bank.
      const twists = chosenTwists(askedOf(whole, context), context);
      if (twists.length === 0)
        throw new NotApplicable(
          'Nothing of this can be tried at this target: not by its readings, not with the accounts that its file names, or not today.',
        );
      const least = Math.min(context.run.runs, cases ?? Number.POSITIVE_INFINITY);
      const planned = await casesOf(context, question, twists, least);
      context.cases = planned.length;
      const settled = await settledOnes(context, question, planned);
      const results = completeOnes(settled);
      if (control === 'one-of-the-twists') oneMustGoThrough(context, of, [...results.values()]);
      const [first] = results.values();
      if (first !== undefined) context.evidence = evidenceOf(context, exchangeOf(context, first.answer));
      const [plainest, ...others] = failuresAmong(planned, results);
      if (plainest !== undefined) {
        noteHowOften(context, [...results.values()]);
        for (const requirement of heldAmong(planned, results)) context.held.add(requirement);
        await fail(context, question, [plainest, ...others]);
      }
      // Where no case failed, one without an answer leaves the verdict open.
      for (const result of settled) if (result.status === 'rejected') throw result.reason;
      const answers = [...results.values()].map(({ answer }) => answer);
      await whole.besides?.look(context, answers);
    },
  });
}

/** Where it went right as well: a bug that comes with the amount, the hour or the number of requests shows in that. */
function noteHowOften(context: CheckContext, results: readonly CaseResult[]): void {
  const inOrder = results.toSorted(({ answer: one }, { answer: other }) =>
    one.exchange.id.localeCompare(other.exchange.id, 'en', { numeric: true }),
  );
  const failed = results.filter(({ met }) => !met).length;
  if (failed === results.length) return;
  const before = inOrder.findIndex(({ met }) => !met);
  const told = before === 0 ? 'the first one among them' : `the first time after ${before} that went right`;
  context.note(`It went wrong in ${failed} of ${results.length} cases, ${told}.`);
}

/** The profile that a check is run for, where its subject belongs to one alone. */
export const scopeOf = ({ referredTo }: Subject): Pick<CheckDefinition, 'profiles'> =>
  referredTo === undefined ? {} : { profiles: [referredTo.profile] };

/** What a kind of request is for this bank. */
const resolved = async (of: Subject, context: CheckContext): Promise<Subject> =>
  of.at === undefined ? of : resolved(await of.at(context), context);

/** All of them, unless the run is one of many: then some that are spread over the list, others with every seed. */
function chosenTwists(twists: readonly Twist[], { run, seed }: CheckContext): readonly Twist[] {
  const most = run.mostTwists ?? twists.length;
  if (twists.length <= most) return twists;
  const offset = seed % twists.length;
  return Array.from({ length: most }, (_, index) => {
    const place = (offset + Math.floor((index * twists.length) / most)) % twists.length;
    return twists[place] as Twist;
  });
}

/**
 * So many twists are each tried in every row of contexts; of a longer list, which is all of a kind, each in one, but for
 * those that stand for the others.
 */
const mostInEveryRow = { faults: 18, others: 8 } as const;

/**
 * Every twist in both rows of the covering array, so that it meets every value of every dimension, and then as many
 * cases in the usual context as a run has more.
 */
async function casesOf(
  context: CheckContext,
  { of, expected, fixed = [], twists: every }: TrialDefinition & Question,
  twists: readonly Twist[],
  least: number,
): Promise<readonly Case[]> {
  const mustBeTaken = expected.isAcceptance === true;
  // A fault that is tried in one row anyway takes no row from the others.
  const telling = every.filter(({ isOneOfMany }) => isOneOfMany !== true);
  const isLong = mustBeTaken ? every.length > mostInEveryRow.others : telling.length > mostInEveryRow.faults;
  const isUsable = ({ dimension, onlyForFaults }: ContextValue): boolean =>
    !fixed.includes(dimension) &&
    !(mustBeTaken && onlyForFaults === true) &&
    !(mustBeTaken && isLong && dependsOnTheHolder.includes(dimension));
  const rows = (number: number): Promise<readonly Context[]> =>
    Promise.all(rowsOf(context, of, number, isUsable).map((row) => contextTakenBy(context, of, row)));
  const planned: Omit<Case, 'index'>[] = [];
  for (const [number, twist] of twists.entries()) {
    const both = await rows(number);
    // The only one of a check would meet the company by chance.
    const meetsCompany = twists.length === 1 && both.some((row) => row.includes(corporate));
    const isInOneRow =
      context.run.oneContextEach === true ||
      (of.isAskedElsewhere === true && !meetsCompany) ||
      twist.isOneOfMany === true ||
      (isLong && twist.standsForOthers !== true);
    // Which one it is changes from run to run, so that in the end each of them has met both.
    if (isInOneRow)
      planned.push({ twist, values: both[rowFor(of, number + context.seed) % both.length] ?? [] });
    else planned.push(...both.map((values) => ({ twist, values })));
  }
  const more = of.isAskedElsewhere === true ? 0 : Math.max(0, least - planned.length);
  for (let number = 0; number < more && twists.length > 0; number += 1) {
    // Half of them as usual, the others with one thing that is not.
    const singles = number % 2 === 0 ? [] : singlesOf(context, of, number >> 1, isUsable);
    const values = await contextTakenBy(context, of, singles[(number >> 1) % singles.length] ?? []);
    planned.push({ twist: twists[number % twists.length] as Twist, values });
  }
  return planned.map((each, index) => ({ ...each, index }));
}

/** By twos for payments: what stands in which of their rows changes with each next number itself. */
const rowFor = ({ payment }: Subject, turn: number): number => (payment === undefined ? turn : turn >> 1);

/** Where nobody looks at what fails, so many cases are tried before all others. */
const triedFirst = 4;

/**
 * All cases. Where only the verdict counts, a few first: where one of them fails, the others would change nothing, unless
 * each twist breaks a requirement of its own or one of them has to go through.
 */
async function settledOnes(
  context: CheckContext,
  question: Question,
  planned: readonly Case[],
): Promise<readonly PromiseSettledResult<CaseResult>[]> {
  const settle = (some: readonly Case[]) => Promise.allSettled(inTheirOrder(context, question, some));
  const isWhole =
    context.keepsEvidence ||
    question.control === 'one-of-the-twists' ||
    planned.some(({ twist }) => twist.requirement !== undefined);
  if (isWhole || planned.length <= triedFirst) return settle(planned);
  const first = await settle(planned.slice(0, triedFirst));
  const hasFailed = first.some((result) => result.status === 'fulfilled' && !result.value.met);
  return hasFailed ? first : [...first, ...(await settle(planned.slice(triedFirst)))];
}

/** Side by side; but the second time that a twist is tried comes right after the first, which has been refused. */
function inTheirOrder(
  context: CheckContext,
  question: Question & Pick<TrialDefinition, 'carrier'>,
  planned: readonly Case[],
): readonly Promise<CaseResult>[] {
  const before = new Map<Twist, Promise<CaseResult>>();
  const times = new Map<Twist, number>();
  return planned.map((each) => {
    const { twist, values } = each;
    const earlier = values.length === 0 ? undefined : before.get(twist);
    const nth = times.get(twist) ?? 0;
    times.set(twist, nth + 1);
    const again = () => drawnFor(context, question.of, each);
    // Drawn at once: an amount must not depend on how soon the answer before it came.
    const body = again();
    const alone = (): Promise<CaseResult> => judgeCase(context, question, each, body, again);
    const judged = Promise.allSettled([earlier]).then(async () => {
      if (question.carrier === undefined) return alone();
      const answer = await acceptedWithOthers(context, question.carrier, { twist, nth });
      return answer === undefined
        ? alone()
        : { met: true, answer, drawn: body, base: body, sent: body, values };
    });
    before.set(twist, judged);
    return judged;
  });
}

/** The cases that failed, those with the least about them that is not usual first. */
const failuresAmong = (
  planned: readonly Case[],
  results: ReadonlyMap<number, CaseResult>,
): readonly Failure[] =>
  planned
    .flatMap((failing) => {
      const seen = results.get(failing.index);
      return seen === undefined || seen.met ? [] : [{ failing, seen }];
    })
    .toSorted(
      ({ failing: one }, { failing: other }) =>
        one.values.length - other.values.length || one.index - other.index,
    );

/** The requirements of which every case went as it should. */
function heldAmong(planned: readonly Case[], results: ReadonlyMap<number, CaseResult>): readonly string[] {
  const open = planned.filter(({ index }) => results.get(index)?.met !== true);
  const notHeld = new Set(open.map(({ twist }) => twist.requirement));
  return planned.flatMap(({ twist: { requirement = [] } }) => requirement).filter((id) => !notHeld.has(id));
}

/** The cases that came to an answer, by their index. Only what says nothing about the bank may be missing. */
function completeOnes(settled: readonly PromiseSettledResult<CaseResult>[]): ReadonlyMap<number, CaseResult> {
  const complete = new Map<number, CaseResult>();
  for (const [index, result] of settled.entries()) {
    if (result.status === 'fulfilled') complete.set(index, result.value);
    else if (!saysNothing(result.reason)) throw result.reason;
  }
  return complete;
}

/** As the check tells of it, where it was sent for several. */
const exchangeOf = ({ exchanges }: CheckContext, { exchange }: Answer): Exchange =>
  exchanges.find(({ id }) => id === exchange.id) ?? exchange;

function oneMustGoThrough(context: CheckContext, of: Subject, results: readonly CaseResult[]): void {
  const [first] = results;
  if (first === undefined || results.some(({ met }) => met)) return;
  const told = `${of.title} was answered ${describeAnswer(first.answer)} in each of its forms.`;
  const excuse = of.excuse?.(context);
  if (excuse !== undefined) throw new NotApplicable(`${told} ${excuse}`);
  throw new Inconclusive(`The control was refused: ${told}`);
}

/** The control where it is asked whether the bank is there: it has to go through as it is. */
async function plainAnswer(context: CheckContext, control: Subject): Promise<Answer> {
  return context.client.call(await drawCall(context, control, 1), {}, 'control');
}

function stepsOf(whole: TrialDefinition): readonly string[] {
  const { of, twists, control = of, sharesList, carrier, besides } = whole;
  const labels = twists.map(({ label }) => label);
  const shown =
    labels.length <= 4
      ? labels.join('; ')
      : `${labels.slice(0, 3).join('; ')}; and ${labels.length - 3} more`;
  return [
    ...(typeof control === 'object'
      ? [`Send ${control.title} without any fault, as control: it must go through.`]
      : []),
    `Send ${of.title} in which ${shown}.${control === 'one-of-the-twists' ? ' One of them must go through.' : ''}${sharesList === undefined ? '' : ' Of this list, most are sent by one of the checks that share it, and by another one with the next seed.'}${carrier === undefined ? '' : ' A request carries values of other lists as well; where it is refused, each is sent alone.'}`,
    ...(besides === undefined ? [] : [besides.step]),
  ];
}
