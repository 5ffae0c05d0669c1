import type { Deviation } from './deviation.ts';
import { droppedRules, serverErrors } from './dropped-rules.ts';

export type { Deviation } from './deviation.ts';

/** Every way in which the bank can break a requirement. */
export const deviations: readonly Deviation[] = [...droppedRules, ...serverErrors];

export const deviationById: ReadonlyMap<string, Deviation> = new Map(
  deviations.map((deviation) => [deviation.id, deviation]),
);
