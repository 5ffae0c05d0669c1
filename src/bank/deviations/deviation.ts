import type { Readings } from '../../spec/interpretations.ts';
import { allOf, type DesignChange } from '../design-changes.ts';

/** A switch of the bank that breaks one requirement in one way. */
export interface Deviation {
  /** The requirement and the way: `NDC-11/one-longer`. */
  readonly id: string;
  /** The requirement that is broken. */
  readonly requirement: string;
  /** What the bank does, as a sentence without its subject: `takes a creditorName of 71 characters`. */
  readonly title: string;
  readonly apply: DesignChange;
  /** It shows only on a socket with TLS. */
  readonly needsTls?: true;
  /** It breaks the requirement under these readings only. */
  readonly under?: Partial<Readings>;
  /** The specification advises against it without forbidding it, so that a warning is all it can yield. */
  readonly isAdvisedAgainst?: true;
}

/** `deviation('NDC-11/one-longer', 'takes …', change)`: the requirement is what stands before the slash. */
export const deviation = (id: string, title: string, ...changes: readonly DesignChange[]): Deviation => ({
  id,
  requirement: id.slice(0, id.indexOf('/')),
  title,
  apply: allOf(...changes),
});
