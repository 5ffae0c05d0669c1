import fc from 'fast-check';
import type { Answer } from '../tpp/answer.ts';
import type { Variation } from '../tpp/call.ts';
import { type CarriedList, contrasted, type Place, type Rows, spread } from './carried-rows.ts';
import { bodiesIn, type Twist } from './case.ts';
import type { CheckContext, RunContext } from './context.ts';
import { type Context, type ContextValue, type Dimension, rowsOf } from './contexts.ts';
import { contextTakenBy, placesOfContexts } from './controls.ts';
import { bodyIn, callIn, subjectIn, variationIn, writtenIn } from './in-context.ts';
import { KeptInRun } from './kept-in-run.ts';
import { NotApplicable, saysNothing } from './outcomes.ts';
import type { Subject } from './subject.ts';

/**
 * A kind of request that carries one value of each of several lists: a currency, a country, a purpose. None of them has to
 * do with another, so that what is accepted with all of them is accepted with each. A refusal says nothing: then each
 * check asks for its own value alone.
 */
export interface Carrier {
  readonly of: Subject;
  /** Unique among all carriers: amounts follow from it. */
  readonly place: number;
  /** What they change is the body, the call, or the request before it is signed. */
  readonly lists: readonly CarriedList[];
  /** Each value is carried in both rows of contexts, and what can be left out with and without any other; see {@link contrasted}. */
  readonly inEveryContext?: true;
  /** A bank may offer some of the values to some of its customers only. */
  readonly dependsOnTheHolder?: true;
}

/** Lists as long as this make so many requests that whoever waits for them is best begun first. */
const longList = 50;

export const sendsMany = ({ lists }: Carrier): boolean =>
  lists.some(({ twists }) => twists.length >= longList);

export const dependsOnTheHolder: readonly Dimension[] = ['psu', 'psuContext', 'debtor'];

/** The requests of a carrier in one run. */
interface Load extends Rows {
  readonly asked: Map<string, Promise<Carried>>;
  /** The last one of each that are sent side by side. */
  readonly lanes: Map<number, Promise<unknown>>;
  /** What counts with a check already. */
  readonly counted: Set<Answer>;
}

/** What became of one of them. */
interface Carried {
  readonly sender: CheckContext;
  /** Absent where it was not accepted. */
  readonly answer?: Answer;
}

const loads = new KeptInRun<Carrier, Load>();

/**
 * The answer to a request that carries the value next to those of other lists, where it is tried for the nth time;
 * undefined where nothing was accepted, or there is none.
 */
export async function acceptedWithOthers(
  context: CheckContext,
  carrier: Carrier,
  { twist, nth }: { readonly twist: Twist; readonly nth: number },
): Promise<Answer | undefined> {
  const places = loadOf(context, carrier).placesOf.get(twist)?.[nth] ?? [];
  const answers = await Promise.all(places.map((place) => acceptedIn(context, carrier, place, twist)));
  return answers.every((answer) => answer !== undefined) ? answers[0] : undefined;
}

/** Asks for the first of its requests, on which the others wait: in time, so that they come when they would come alone. */
export async function prepareCarrier(context: CheckContext, carrier: Carrier): Promise<void> {
  const load = loadOf(context, carrier);
  const [first] = load.places;
  if (first !== undefined && context.target === context.run.target)
    await askedFor(context, carrier, load, first);
}

/** The answers to those of so many requests of a carrier, from one on, that were accepted. */
export async function acceptedAmong(
  context: CheckContext,
  carrier: Carrier,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly Answer[]> {
  const places = loadOf(context, carrier).places.slice(from, from + count);
  const answers = await Promise.all(places.map((place) => acceptedIn(context, carrier, place)));
  return answers.flatMap((answer) => answer ?? []);
}

async function acceptedIn(
  context: CheckContext,
  carrier: Carrier,
  place: Place,
  own?: Twist,
): Promise<Answer | undefined> {
  // What a check has found out about accounts is its own.
  if (context.target !== context.run.target) return undefined;
  const load = loadOf(context, carrier);
  const [first = place] = load.places;
  // A bank that does not take the first of them may take none, and is not asked for each.
  if ((await askedFor(context, carrier, load, first)).answer === undefined) return undefined;
  const { answer, sender } = await askedFor(context, carrier, load, place);
  if (answer === undefined) return undefined;
  context.adopt({ ...answer.exchange, purpose: purposeOf(carrier, place, own) });
  // It counts with one check, whichever is the first.
  if (load.counted.has(answer)) context.lent += 1;
  else context.adopted -= 1;
  load.counted.add(answer);
  for (const note of sender.notes) context.note(note);
  for (const profile of sender.calledProfiles) context.calledProfiles.add(profile);
  return answer;
}

const loadOf = (context: CheckContext, carrier: Carrier): Load =>
  loads.of(context.run, carrier, () => load(context, carrier));

function load(context: CheckContext, { lists, inEveryContext }: Carrier): Load {
  const carried = lists.filter(({ needs = [] }) =>
    needs.every((need) => context.missing(need) === undefined),
  );
  const rows = inEveryContext === true ? contrasted(context, carried) : spread(context, carried);
  return { ...rows, asked: new Map(), lanes: new Map(), counted: new Set() };
}

/**
 * A few at a time: some banks stumble only right after a request that they have refused, and hundreds of accepted ones at
 * once would stand between the faults of other checks.
 */
const atOnce = 5;

function askedFor(
  context: CheckContext,
  carrier: Carrier,
  { asked, lanes }: Load,
  place: Place,
): Promise<Carried> {
  const key = keyOf(place);
  const known = asked.get(key);
  if (known !== undefined) return known;
  const lane = asked.size % atOnce;
  const inTurn = Promise.allSettled([lanes.get(lane)]).then(() => ask(context.run, carrier, place));
  lanes.set(lane, inTurn);
  asked.set(key, inTurn);
  return inTurn;
}

const keyOf = ({ row, isFull }: Place): string => `${row}${isFull ? ' in full' : ''}`;

/** Places of amounts that a carrier has for itself, and how many requests share one of them: each needs a few amounts. */
const placesOfEach = 8;
const requestsInAPlace = 64;

function senderOf(run: RunContext, { of, place: ofCarrier }: Carrier, place: Place): CheckContext {
  const behindContexts = placesOfContexts.last - placesOfContexts.count;
  const number = 2 * place.row + Number(place.isFull);
  return run.contextFor(
    `carried/${of.title}/${ofCarrier}/${keyOf(place)}`,
    behindContexts - placesOfEach * (ofCarrier + 1) + number / requestsInAPlace,
  );
}

async function ask(run: RunContext, carrier: Carrier, place: Place): Promise<Carried> {
  const { of } = carrier;
  const { twists } = place;
  const sender = senderOf(run, carrier, place);
  try {
    const values = await contextOf(sender, carrier, place);
    const [drawn = {}] = fc.sample(bodiesIn(values, of, sender), { seed: sender.seed, numRuns: 1 });
    const base = bodyIn(values, drawn, sender);
    const body = twists.reduce((changed, twist) => twist.body?.(changed, sender.facts) ?? changed, base);
    const plain = callIn(values, await subjectIn(values, of).call(sender, body), sender);
    const call = twists.reduce((changed, twist) => twist.call?.(changed, sender) ?? changed, plain);
    const purpose = twists.map(({ label }) => label).join('; ');
    const answer = await sender.call(writtenIn(values, call), variationIn(values, allOf(twists)), purpose);
    return { sender, ...(answer.isSuccess ? { answer } : {}) };
  } catch (error) {
    if (!saysNothing(error) && !(error instanceof NotApplicable)) throw error;
    return { sender };
  }
}

/** Each check tells of its own value: all that a request carries would fill a page. */
function purposeOf({ of }: Carrier, { twists }: Place, own: Twist | undefined): string {
  if (own === undefined) return `${of.title} that was made for other checks`;
  const others = twists.length - 1;
  if (others < 1) return own.label;
  return `${own.label}, next to ${others === 1 ? 'a value of another list' : `values of ${others} other lists`}`;
}

const allOf = (twists: readonly Twist[]): Variation => ({
  beforeSigning: (draft) => {
    for (const { request } of twists) if (typeof request === 'object') request.beforeSigning?.(draft);
  },
});

async function contextOf(
  sender: CheckContext,
  { of, dependsOnTheHolder: isOpen }: Carrier,
  { row, isFull }: Place,
): Promise<Context> {
  const isUsable = ({ dimension, onlyForFaults }: ContextValue): boolean =>
    onlyForFaults !== true && !(isOpen === true && dependsOnTheHolder.includes(dimension));
  const both = rowsOf(sender, of, row, isUsable);
  return contextTakenBy(sender, of, both[Number(isFull)] ?? []);
}
