/**
 * Selections of optional fields in which every two fields are met together, alone and not at all. A bank that demands
 * one field where another is there, or refuses two of them together, is met by one of them for certain, and a random
 * selection meets it by chance.
 *
 * Kleitman and Spencer, "Families of k-independent sets" (1973): each field is in more than half of the rows behind the
 * first, which is empty, and no two fields are in the same ones. Then two of them share a row, and each has one to itself.
 */
export function selectionsOf<Name>(names: readonly Name[]): readonly (readonly Name[])[] {
  const rows = rowsFor(names.length);
  const places = subsetsOf(rows, Math.floor(rows / 2) + 1);
  const chosen = names.map((name, index) => ({ name, rows: places[index] ?? [] }));
  const selections = Array.from({ length: rows }, (_, row) =>
    chosen.filter(({ rows: own }) => own.includes(row)).map(({ name }) => name),
  );
  return [[], ...selections, [...names]];
}

/** So many rows behind the empty one that each field can have a set of them to itself. */
function rowsFor(count: number): number {
  let rows = 1;
  while (subsetsOf(rows, Math.floor(rows / 2) + 1).length < count) rows += 2;
  return rows;
}

/** The subsets of 0 … `of - 1` that have so many elements. */
function subsetsOf(of: number, size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  if (of < size) return [];
  const withLast = subsetsOf(of - 1, size - 1).map((subset) => [...subset, of - 1]);
  return [...subsetsOf(of - 1, size), ...withLast];
}
