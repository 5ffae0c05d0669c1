/** Rows by their ids. An id that two of them have would hide one: both are named, each by what it says or where it stands. */
export function byUniqueId<Row extends { readonly id: string }>(
  kind: string,
  rows: Iterable<Row>,
  placeOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  const known = new Map<string, Row>();
  for (const row of rows) {
    const other = known.get(row.id);
    if (other !== undefined)
      throw new Error(`The ${kind} ${row.id} is there twice: “${placeOf(other)}” and “${placeOf(row)}”.`);
    known.set(row.id, row);
  }
  return known;
}
