import type { Deviation } from './deviation.ts';
import { droppedRules, serverErrors } from './dropped-rules.ts';
import { fieldTableDeviations } from './field-tables.ts';
import { headerTableDeviations } from './header-table.ts';
import { responseTableDeviations } from './response-tables.ts';

export type { Deviation } from './deviation.ts';

/** Every way in which the bank can break a requirement. */
export const deviations: readonly Deviation[] = [
  ...droppedRules,
  ...serverErrors,
  ...fieldTableDeviations,
  ...headerTableDeviations,
  ...responseTableDeviations,
];

export const deviationById: ReadonlyMap<string, Deviation> = new Map(
  deviations.map((deviation) => [deviation.id, deviation]),
);
