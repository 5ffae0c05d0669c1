import fc from 'fast-check';
import type { Json, JsonObject } from './json.ts';

/** All optional fields, none of them, or any selection. */
export type Optional = 'all' | 'none' | 'any';

/** What can be asked of the bodies of every product. */
export interface PaymentOptions {
  readonly optional?: Optional;
  /** Every listed code, or one that every bank takes. */
  readonly codes?: 'plain' | 'whole';
}

/** A field that is there, or not. */
export const maybe =
  (optional: Optional) =>
  <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    optional === 'all'
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
