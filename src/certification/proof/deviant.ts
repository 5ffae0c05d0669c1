import type { BehaviourChange } from '../reference-tpp/behaviour.ts';
import type { Session } from '../session.ts';
import type { CertificationGround } from './in-process.ts';

/** How a TPP differs from the correct one; from the keys that there are. */
export type TppChange = (ground: CertificationGround) => BehaviourChange;

/** What cannot be had in one process, or not on this machine. */
export type CertifiedElsewhere = Session | { readonly skipped: string };

/** A TPP that breaks exactly one requirement in one way. */
export interface DeviantTpp {
  /** `TPP-08/lower-case` */
  readonly id: string;
  /** What it does wrong: `writes the serial number in lower case`. */
  readonly title: string;
  /** The requirement that it breaks; checks of no other may complain. */
  readonly breaks: string;
  readonly change: TppChange;
  /** Its own way to a bank of its own, for what no request shows. */
  readonly certify?: () => Promise<CertifiedElsewhere>;
}

/** A TPP that is unusual and right: no check may complain. */
export interface TppDialect {
  readonly id: string;
  readonly title: string;
  readonly change: TppChange;
  /** Its own way, for a TPP of another make. */
  readonly certify?: () => Promise<CertifiedElsewhere>;
  /** The journeys that it goes through; all of them when absent. */
  readonly journeys?: readonly string[];
}

export const deviant = (id: string, title: string, change: BehaviourChange): DeviantTpp =>
  deviantWith(id, title, () => change);

/** A deviant that needs keys or certificates of its own. */
export const deviantWith = (id: string, title: string, change: TppChange): DeviantTpp => ({
  id,
  title,
  breaks: id.split('/', 1)[0] ?? id,
  change,
});
