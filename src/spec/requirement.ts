import type { ProfileId, Side } from './profiles.ts';
import type { Remedy } from './remedies.ts';

/** The headings of the specification, in its order. A requirement's section starts with one of them. */
export const sections = [
  'What the service does',
  'Resources and their fields',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const;
export type Section = (typeof sections)[number];

/** How binding a statement is. Only a `must` can make a bank non-conformant. */
export type Level = 'must' | 'should' | 'advisory';

/** One normative statement of the specification. Ids are permanent: never renumbered, never reused. */
export interface Requirement {
  readonly id: string;
  /** What is demanded, in our own words, as one sentence. */
  readonly statement: string;
  /** Headings of the specification, outermost first. */
  readonly section: readonly string[];
  readonly level: Level;
  readonly side: Side;
  /** Where it belongs. One in several holds in each of them for the operations of that profile. */
  readonly profiles: readonly ProfileId[];
  /** Why no check can observe it from outside; absent when one can. */
  readonly unobservable?: string;
  /** The reading that the statement rests on, where the specification is silent or ambiguous. */
  readonly interpretation?: string;
  /** The status that the specification fixes for the answer; where it fixes none, any of its class will do. */
  readonly status?: number;
  /** The operations that it is demanded of, where a bank may well apply it to others; all that it fits when absent. */
  readonly demandedOf?: readonly string[];
  /** A wider requirement, which this one is a case of: whoever breaks one of the two mostly breaks the other with it. */
  readonly caseOf?: string;
  /** What typically goes wrong, the likeliest first; none for what no check can observe, or what binds a TPP. */
  readonly remedies?: readonly Remedy[];
}
