import { formats } from '../src/spec/formats.ts';
import { member } from '../src/spec/json.ts';
import type { Answer } from '../src/tpp/answer.ts';

/** What stands under a name of these, however deep, and in lists; what stands inside one of them is its own affair. */
export function membersCalled(names: ReadonlySet<string>, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((inside) => membersCalled(names, inside));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]: [string, unknown]) =>
    names.has(name) ? [inside] : membersCalled(names, inside),
  );
}

/** The amounts of all members of these names. */
export const amountsOf = (names: ReadonlySet<string>, value: unknown): readonly unknown[] =>
  membersCalled(names, value)
    .map((inside) => member(inside, 'amount'))
    .filter((amount) => amount !== undefined);

/** The dates of all members of these names, as they are written; a number is none that ISO 8601 knows. */
export const datesOf = (names: ReadonlySet<string>, value: unknown): readonly string[] =>
  membersCalled(names, value)
    .filter((date) => ['string', 'number'].includes(typeof date) && date !== '')
    .map(String);

const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?))?$/;

/** A date or a date-time with an offset, of a day that there is. */
export const isIsoDate = (text: string): boolean =>
  isoForm.test(text) && formats.date.accepts(text.slice(0, 'YYYY-MM-DD'.length));

/** All that an answer says, in lower case, whose shape is not shown. JSON may write any letter as its number. */
export const wordsOf = ({ json, bytes }: Pick<Answer, 'json' | 'bytes'>): string =>
  (json === undefined ? bytes.toString('utf8') : JSON.stringify(json)).toLowerCase();
