import { demandsOf, pathText } from '../../spec/field.ts';
import { headerId, headerRows, specifiedProfiles } from '../../spec/headers.ts';
import { everyProduct } from '../../spec/products.ts';
import type { Deviation } from './deviation.ts';

/** By requirement: the fields and headers that the tables of the specification have it about. */
const subjects = new Map<string, Set<string>>();

function add(requirement: string, subject: string): void {
  subjects.set(requirement, (subjects.get(requirement) ?? new Set()).add(subject));
}

for (const { table } of everyProduct) {
  for (const { id, path } of demandsOf(table)) add(id, pathText(path));
  for (const { id, path } of table.combinations ?? []) if (path.length > 0) add(id, pathText(path));
}
for (const profile of specifiedProfiles)
  for (const { name, number, type } of headerRows)
    for (const each of type === undefined ? [number] : [number, type.number])
      add(headerId(profile, each), name);

/** `debtorAccount`, `debtorAccount.other` and so on: who speaks of a part speaks of the whole. */
const withWholes = (path: string): readonly string[] =>
  path.split('.').map((_, index, steps) =>
    steps
      .slice(0, index + 1)
      .join('.')
      .replace(/\[\]$/, ''),
  );

/**
 * What a deviation is about, each by its name: itself, its requirement and the kind of that (`DIG`), the headers and fields
 * of the requirement, the objects that these stand in, and what the deviation names beyond that.
 */
export const topicsOf = ({ id, requirement, about = [] }: Deviation): ReadonlySet<string> =>
  new Set([
    id,
    requirement,
    requirement.slice(0, requirement.indexOf('-')),
    ...[...(subjects.get(requirement) ?? []), ...about].flatMap(withWholes),
  ]);
