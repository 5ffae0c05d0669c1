import type { InterpretationId } from '../interpretations.ts';
import type { Level, Requirement, Side } from '../requirement.ts';
import type { Section } from '../sections.ts';

interface Options {
  readonly level?: Level;
  readonly reading?: InterpretationId;
  readonly unobservable?: string;
}

/** Makes the rows of one section: `const says = statements('bank', 'Limits')`. */
export const statements =
  (side: Side, ...section: readonly [Section, ...string[]]) =>
  (id: string, statement: string, options: Options = {}): Requirement => ({
    id,
    statement,
    section,
    level: options.level ?? 'must',
    side,
    ...(options.unobservable === undefined ? {} : { unobservable: options.unobservable }),
    ...(options.reading === undefined ? {} : { interpretation: options.reading }),
  });
