import fc from 'fast-check';
import type { Json, JsonObject } from './json.ts';

/** All optional fields, none of them, or any selection. */
export type Optional = 'all' | 'none' | 'any';

/** What can be asked of the bodies of every product. */
export interface PaymentOptions {
  readonly optional?: Optional;
  /** Optional fields that are there in any case: what a check is about, or what the payment cannot do without. */
  readonly with?: readonly string[];
  /**
   * Every listed country, purpose and reporting code, or one that every bank takes. Only the checks of the lists want the
   * whole domain: elsewhere a gap in a list would fail checks that are about something else.
   */
  readonly codes?: 'plain' | 'whole';
}

/** A field that is there, or not. */
export const maybe =
  (optional: Optional, needed: readonly string[] = []) =>
  <T>(name: string, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    optional === 'all' || needed.includes(name)
      ? arbitrary
      : optional === 'none'
        ? fc.constant(undefined)
        : fc.option(arbitrary, { nil: undefined });

/** Of any selection one in three has none at all: some banks look at a field only when another is there. */
export const selected = <T>(
  optional: Optional,
  make: (optional: Optional) => fc.Arbitrary<T>,
): fc.Arbitrary<T> =>
  optional === 'any'
    ? fc.oneof({ weight: 2, arbitrary: make('any') }, { weight: 1, arbitrary: make('none') })
    : make(optional);

/** A body without the fields that were not drawn. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
