import type { BehaviourChange } from '../../certification/reference-tpp/behaviour.ts';
import type { Session } from '../../certification/session.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import type { TppKeys } from './certify.ts';

/** How a TPP differs from the correct one; from the keys that there are. */
export type TppChange = (keys: TppKeys) => BehaviourChange;

/** What a TPP did, or why it cannot be had on this machine. */
export type Certified = Session | { readonly skipped: string };

/** A TPP that breaks exactly one requirement in one way. */
export interface TppDeviation {
  /** `TPP-08/lower-case` */
  readonly id: string;
  /** What it does wrong: `writes the serial number in lower case`. */
  readonly title: string;
  /** The requirement that it breaks; checks of no other may complain. */
  readonly requirement: string;
  readonly change: TppChange;
  /** When alone it shows. */
  readonly condition?: string;
  /** Whether a TPP of that change has broken anything yet; nothing where the condition is never met. */
  readonly hasShown?: () => boolean;
  /** Its own way to a bank of its own, for what no request shows. */
  readonly certify?: () => Promise<Session>;
}

/** A TPP that is unusual and right: no check may complain. */
export interface TppDialect {
  readonly id: string;
  readonly title: string;
  readonly change: TppChange;
  /** Its own way, for a TPP of another make. */
  readonly certify?: () => Promise<Certified>;
  /** The journeys that it goes through; all of them when absent. */
  readonly journeys?: readonly string[];
  /** The profiles that it is conformant to by them. */
  readonly profiles?: readonly ProfileId[];
}

export const deviation = (id: string, title: string, change: BehaviourChange): TppDeviation =>
  deviationWith(id, title, () => change);

/** A deviation that needs keys or certificates of its own. */
export const deviationWith = (id: string, title: string, change: TppChange): TppDeviation => ({
  id,
  title,
  requirement: id.split('/', 1)[0] ?? id,
  change,
});

export const dialect = (id: string, title: string, change: BehaviourChange): TppDialect => ({
  id,
  title,
  change: () => change,
});
