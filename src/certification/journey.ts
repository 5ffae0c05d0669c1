import type { SeenExchange } from './seen-exchange.ts';
import type { Session } from './session.ts';

/** Something that a TPP brings about at the bank, from its first request to its end. */
export interface Journey {
  /** What `--until` takes. */
  readonly id: string;
  readonly title: string;
  /** One sentence for whoever runs the TPP. */
  readonly goal: string;
  /** The requests that fulfil it, in order. */
  readonly requests: readonly string[];
  /** Without it there is no verdict `conformant`: every initiator of payments meets it at every bank. */
  readonly mandatory: boolean;
  /** What can be judged once it was seen. */
  readonly requirements: readonly string[];
  /** The exchanges that show it complete; undefined while it is not. */
  completedBy(session: Session): readonly SeenExchange[] | undefined;
}
