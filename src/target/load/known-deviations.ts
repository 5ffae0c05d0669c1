import { requirementById } from '../../spec/catalogue.ts';
import { nearest } from '../nearest.ts';
import type { KnownDeviation } from '../target.ts';
import type { DeviationEntry } from '../target-file.ts';
import type { LoadContext } from './context.ts';

/** A missing reason or a date that has passed is no fault of the file's form: the run judges them. */
export function loadKnownDeviations(
  { complain }: LoadContext,
  given: readonly (DeviationEntry | undefined)[] = [],
): readonly KnownDeviation[] {
  return given.flatMap((entry, index) => {
    if (entry?.requirement === undefined) return [];
    const { requirement, reason = '', until } = entry;
    if (!requirementById.has(requirement)) {
      complain(['knownDeviations', index, 'requirement'], unknown(requirement));
    }
    return [{ requirement, reason, ...(until === undefined ? {} : { until }) }];
  });
}

function unknown(id: string): string {
  const meant = nearest(id, requirementById.keys());
  return meant === undefined
    ? `There is no requirement ${id}. The command list shows all ids.`
    : `There is no requirement ${id}. Did you mean ${meant}?`;
}
