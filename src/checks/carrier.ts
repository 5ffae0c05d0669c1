import fc from 'fast-check';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Variation } from '../tpp/call.ts';
import { askedOf, bodiesIn, type Twist, type TwistList } from './case.ts';
import type { CheckContext, RunContext } from './context.ts';
import {
  bodyIn,
  type Context,
  type ContextValue,
  callIn,
  type Dimension,
  rowsOf,
  subjectIn,
  variationIn,
  writtenIn,
} from './contexts.ts';
import { contextTakenBy, placesOfContexts } from './controls.ts';
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
  /** Each value is carried in both rows of contexts; those of long lists in one. */
  readonly inEveryContext?: true;
  /** A bank may offer some of the values to some of its customers only. */
  readonly dependsOnTheHolder?: true;
}

export interface CarriedList extends TwistList {
  readonly needs?: readonly Capability[];
  /** Of a field that a payment without optional fields does not have: it goes with those that have them all. */
  readonly isOptional?: true;
  /**
   * Its values make it a payment in another currency, which many banks process in another place. Of other lists, those
   * that are one of many go with such a payment as well; whatever else they have goes with an ordinary one.
   */
  readonly isForeign?: true;
}

/** A bank may offer some currencies or purposes to some of its customers only. */
export const dependsOnTheHolder: readonly Dimension[] = ['psu', 'debtor'];

/** The requests of a carrier in one run. */
interface Load {
  /** What each of them carries. */
  readonly rows: readonly (readonly Twist[])[];
  readonly rowOf: ReadonlyMap<Twist, number>;
  readonly asked: Map<string, Promise<Carried>>;
  /** What counts with a check already. */
  readonly counted: Set<Answer>;
}

/** One of them: what it carries, and in which of the two rows of contexts. */
interface Place {
  readonly row: number;
  readonly isFull: boolean;
}

/** What became of one of them. */
interface Carried {
  readonly sender: CheckContext;
  /** Absent where it was not accepted. */
  readonly answer?: Answer;
}

const loads = new WeakMap<RunContext, Map<Carrier, Load>>();

/**
 * The answer to a request that carries the value next to those of other lists, where it is tried for the nth time;
 * undefined where nothing was accepted, or there is none.
 */
export async function acceptedWithOthers(
  context: CheckContext,
  carrier: Carrier,
  { twist, nth }: { readonly twist: Twist; readonly nth: number },
): Promise<Answer | undefined> {
  const row = loadOf(context, carrier).rowOf.get(twist);
  if (row === undefined || nth > (carrier.inEveryContext === true ? 1 : 0)) return undefined;
  const isFull = carrier.inEveryContext === true ? nth === 1 : isFullIn(row, context.run);
  return acceptedIn(context, carrier, { row, isFull });
}

/** The answers to those of so many requests of a carrier, from one on, that were accepted. */
export async function acceptedAmong(
  context: CheckContext,
  carrier: Carrier,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly Answer[]> {
  const places = loadOf(context, carrier)
    .rows.map((_, row) => ({ row, isFull: isFullIn(row, context.run) }))
    .slice(from, from + count);
  const answers = await Promise.all(places.map((place) => acceptedIn(context, carrier, place)));
  return answers.flatMap((answer) => answer ?? []);
}

async function acceptedIn(
  context: CheckContext,
  carrier: Carrier,
  place: Place,
): Promise<Answer | undefined> {
  // What a check has found out about accounts is its own.
  if (context.target !== context.run.target) return undefined;
  const load = loadOf(context, carrier);
  const first: Place = { row: 0, isFull: isFullIn(0, context.run) };
  // A bank that does not take the first of them may take none, and is not asked for each.
  if ((await askedFor(context, carrier, load, first)).answer === undefined) return undefined;
  const { answer, sender } = await askedFor(context, carrier, load, place);
  if (answer === undefined) return undefined;
  context.adopt(answer.exchange);
  // It counts with one check, whichever is the first.
  if (load.counted.has(answer)) context.lent += 1;
  else context.adopted -= 1;
  load.counted.add(answer);
  for (const note of sender.notes) context.note(note);
  for (const profile of sender.calledProfiles) context.calledProfiles.add(profile);
  return answer;
}

function loadOf(context: CheckContext, carrier: Carrier): Load {
  const ofRun = loads.get(context.run) ?? new Map<Carrier, Load>();
  loads.set(context.run, ofRun);
  const known = ofRun.get(carrier) ?? load(context, carrier);
  ofRun.set(carrier, known);
  return known;
}

/**
 * Foreign payments first, then the ordinary ones. Each list begins at another request with every seed, so that its values
 * meet others; by an even number, so that each has all optional fields next to it in every other run.
 */
function load(context: CheckContext, { lists }: Carrier): Load {
  const { run } = context;
  const carried = lists
    .filter(({ needs = [] }) => needs.every((need) => context.missing(need) === undefined))
    .map((list) => ({ ...list, ...parted(askedOf(list, context)) }));
  const foreign = mostOf(carried, ({ isForeign, all }) => (isForeign === true ? all.length : 0));
  const ordinary = mostOf(carried, ({ isForeign, isOptional, telling }) =>
    isForeign === true ? 0 : telling.length * (isOptional === true ? 2 : 1),
  );
  const count = Math.max(
    foreign + ordinary,
    mostOf(carried, ({ all }) => all.length),
  );
  const rows = Array.from({ length: count }, (): Twist[] => []);
  const rowOf = new Map<Twist, number>();
  for (const [number, { isForeign, isOptional, ...list }] of carried.entries()) {
    const place = (twists: readonly Twist[], isFit: (row: number) => boolean): void => {
      const free = [...rows.keys()].filter((row) => isFit(row) && !rows[row]?.some(isOf(list.all)));
      // One of each list in a request: what finds no room is asked alone.
      for (const [index, twist] of twists.slice(0, free.length).entries()) {
        const row = free[(index + 2 * run.seed * number) % free.length] ?? 0;
        rows[row]?.push(twist);
        rowOf.set(twist, row);
      }
    };
    if (isForeign === true) place(list.all, (row) => row < foreign);
    else {
      place(list.telling, (row) => row >= foreign && (isOptional !== true || isFullIn(row, run)));
      place(list.many, (row) => isOptional !== true || isFullIn(row, run));
    }
  }
  return { rows, rowOf, asked: new Map(), counted: new Set() };
}

/** Those that are tried in every context are not carried. */
function parted(asked: readonly Twist[]) {
  const all = asked.filter(({ standsForOthers }) => standsForOthers !== true);
  const isMany = ({ isOneOfMany }: Twist): boolean => isOneOfMany === true;
  return { all, many: all.filter(isMany), telling: all.filter((twist) => !isMany(twist)) };
}

const mostOf = <List>(lists: readonly List[], count: (list: List) => number): number =>
  Math.max(0, ...lists.map(count));

const isOf =
  (list: readonly Twist[]) =>
  (twist: Twist): boolean =>
    list.includes(twist);

/** Every other request has all optional fields. */
const isFullIn = (row: number, { seed }: RunContext): boolean => (row + seed) % 2 === 1;

const keyOf = ({ row, isFull }: Place): string => `${row}${isFull ? ' in full' : ''}`;

function askedFor(
  context: CheckContext,
  carrier: Carrier,
  { rows, asked }: Load,
  place: Place,
): Promise<Carried> {
  const key = keyOf(place);
  const known = asked.get(key) ?? ask(context.run, carrier, rows[place.row] ?? [], place);
  asked.set(key, known);
  return known;
}

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

async function ask(
  run: RunContext,
  carrier: Carrier,
  twists: readonly Twist[],
  place: Place,
): Promise<Carried> {
  const { of } = carrier;
  const sender = senderOf(run, carrier, place);
  try {
    const values = await contextOf(sender, carrier, place);
    const [drawn = {}] = fc.sample(bodiesIn(values, of, sender), { seed: sender.seed, numRuns: 1 });
    const base = bodyIn(values, drawn, sender);
    const body = twists.reduce((changed, twist) => twist.body?.(changed) ?? changed, base);
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
