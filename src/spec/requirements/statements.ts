import type { InterpretationId } from '../interpretations.ts';
import type { OperationName } from '../operations.ts';
import type { ProfileId, Side } from '../profiles.ts';
import { type RemedyName, remediesNamed } from '../remedies.ts';
import type { Level, Requirement, Section } from '../requirement.ts';

interface Options extends Pick<Requirement, 'unobservable' | 'status' | 'caseOf'> {
  readonly demandedOf?: readonly OperationName[];
  readonly level?: Level;
  readonly reading?: InterpretationId;
  readonly remedies?: readonly RemedyName[];
  /** Others than those of the section. */
  readonly profiles?: readonly ProfileId[];
}

/** Makes the rows of one section: `const says = statements('bank', ['core'], 'Limits')`. */
export const statements =
  (side: Side, usual: readonly ProfileId[], ...section: readonly [Section, ...string[]]) =>
  (
    id: string,
    statement: string,
    { level = 'must', profiles = usual, reading, remedies, ...facts }: Options = {},
  ): Requirement => ({
    id,
    statement,
    section,
    level,
    side,
    profiles,
    ...facts,
    ...(reading === undefined ? {} : { interpretation: reading }),
    ...(remedies === undefined ? {} : { remedies: remediesNamed(remedies) }),
  });
