import type { ProductName } from '../spec/products.ts';
import type { Capability } from '../target/capabilities.ts';
import { askedOf, type Twist, type TwistList } from './case.ts';
import type { CheckContext, RunContext } from './context.ts';

/** A list of which one value at a time can be carried next to those of others. */
export interface CarriedList extends TwistList {
  readonly needs?: readonly Capability[];
  /** Of a field that a payment without optional fields does not have: it goes with those that have them all. */
  readonly isOptional?: true;
  /**
   * Its values make it a payment in another currency, which many banks process in another place. Of other lists, those
   * that are one of many go with such a payment as well; whatever else they have goes with an ordinary one.
   */
  readonly isForeign?: true;
  /** The one of its values that leaves it out. */
  readonly without?: Twist;
  /** Its values are accounts that are made up, for payments of that product. */
  readonly toStrangers?: ProductName;
}

/** One request: what it carries, and in which of the two rows of contexts. */
export interface Place {
  readonly row: number;
  readonly isFull: boolean;
  readonly twists: readonly Twist[];
}

/** All requests of a carrier in one run. */
export interface Rows {
  readonly places: readonly Place[];
  /** Those that have to be accepted where a value is tried for the first time, and for the second. */
  readonly placesOf: ReadonlyMap<Twist, readonly (readonly Place[])[]>;
}

/**
 * Each value in one request. Foreign payments first, then the ordinary ones. Each list begins at another request with every
 * seed, so that its values meet others; by an even number, so that each has all optional fields next to it in every other
 * run.
 */
export function spread(context: CheckContext, lists: readonly CarriedList[]): Rows {
  const { run } = context;
  const carried = lists.map((list) => ({ ...list, ...parted(askedOf(list, context)) }));
  const foreign = mostOf(carried, ({ isForeign, all }) => (isForeign === true ? all.length : 0));
  const ordinary = mostOf(carried, ({ isForeign, isOptional, telling }) =>
    isForeign === true ? 0 : telling.length * (isOptional === true ? 2 : 1),
  );
  const count = Math.max(
    foreign + ordinary,
    mostOf(carried, ({ all }) => all.length),
  );
  const rows = Array.from({ length: count }, (): Twist[] => []);
  const places = rows.map((twists, row) => ({ row, isFull: isFullIn(row, run), twists }));
  const placesOf = new Map<Twist, readonly (readonly Place[])[]>();
  for (const [number, { isForeign, isOptional, ...list }] of carried.entries()) {
    const put = (values: readonly Twist[], isFit: (place: Place) => boolean): void => {
      const free = places.filter((place) => isFit(place) && !place.twists.some(isOf(list.all)));
      // One of each list in a request: what finds no room is asked alone.
      for (const [index, twist] of values.slice(0, free.length).entries()) {
        const place = free[(index + 2 * run.seed * number) % free.length];
        if (place === undefined) continue;
        place.twists.push(twist);
        placesOf.set(twist, [[place]]);
      }
    };
    const goesWith = ({ isFull }: Place): boolean => isOptional !== true || isFull;
    if (isForeign === true) put(list.all, ({ row }) => row < foreign);
    else {
      put(list.telling, (place) => place.row >= foreign && goesWith(place));
      put(list.many, goesWith);
    }
  }
  return { places, placesOf };
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

/**
 * Each value in both rows of contexts. What can be left out is there in two requests of the one row, and left out in two of
 * the other; no two of them share both. So each of them is met there without any other, and left out next to any other: a
 * bank that demands one where another is there, or takes one only together with another, refuses one of the two. In the
 * other row each value is also met next to all others.
 */
export function contrasted(context: CheckContext, lists: readonly CarriedList[]): Rows {
  const carried = lists.map((list) => ({ ...list, asked: askedOf(list, context) }));
  const pairs = pairsFor(carried.filter(({ without }) => without !== undefined).length);
  const count = mostOf(pairs.flat(), (row) => row + 1);
  const most = mostOf(carried, ({ asked }) => asked.length);
  const usual = contrastedRow(context, { carried, pairs, isFull: false, count: Math.max(count, most) });
  const full = contrastedRow(context, { carried, pairs, isFull: true, count: count + most });
  return {
    places: [...usual.places, ...full.places],
    placesOf: new Map(
      carried
        .flatMap(({ asked }) => asked)
        .map((twist) => [twist, [usual.placesOf(twist), full.placesOf(twist)]]),
    ),
  };
}

interface Contrast {
  readonly carried: readonly (CarriedList & { readonly asked: readonly Twist[] })[];
  readonly pairs: readonly (readonly number[])[];
  readonly isFull: boolean;
  readonly count: number;
}

function contrastedRow({ run }: CheckContext, { carried, pairs, isFull, count }: Contrast) {
  const rows = Array.from({ length: count }, (): Twist[] => []);
  const places = rows.map((twists, row): Place => ({ row, isFull, twists }));
  const telling = new Map<Twist, readonly Place[]>();
  /** The values in turn; what comes later stands for them, where so many are more than enough. */
  const put = (values: readonly Twist[], into: readonly number[], enough = into.length): void => {
    for (const [index, row] of into.entries())
      rows[row]?.push(...values.slice((index + run.seed) % values.length).slice(0, 1));
    for (const twist of values)
      telling.set(
        twist,
        places.filter(({ row, twists }) => into.includes(row) && twists.includes(twist)).slice(-enough),
      );
  };
  let next = run.seed;
  for (const { without, asked } of carried) {
    const all = [...rows.keys()];
    const own = without === undefined ? [] : (pairs[next % pairs.length] ?? []);
    const others = all.filter((row) => !own.includes(row));
    const values = asked.filter((twist) => twist !== without);
    if (without === undefined) put(values, all, 1);
    else {
      next += 1;
      put(isFull ? [without] : values, own);
      put(isFull ? values : [without], others, 1);
    }
  }
  return { places, placesOf: (twist: Twist): readonly Place[] => telling.get(twist) ?? [] };
}

/** Pairs of numbers, as few numbers as give so many pairs. */
function pairsFor(count: number): readonly (readonly number[])[] {
  const pairs: (readonly number[])[] = [];
  for (let second = 1; pairs.length < count; second += 1)
    for (let first = 0; first < second; first += 1) pairs.push([first, second]);
  return pairs;
}
