import type { CheckResult } from '../checks/verdict.ts';
import { type ChangedField, changedFields } from './exchange-text.ts';
import { oneShortLine } from './harmless-text.ts';

/**
 * What a failing request has different from its control, for a place with room for so many characters of each side. A
 * Signature header begins alike in every request: where the whole does not fit, both sides begin shortly before they differ.
 */
export const shownChanges = (result: CheckResult, room: number): readonly ChangedField[] =>
  changedFields(result).map(({ name, sides }) => {
    if (sides === undefined) return { name };
    const { control, failing } = sides;
    const start = Math.max(control.length, failing.length) > room ? startOfDifference(control, failing) : 0;
    return { name, sides: { control: from(control, start), failing: from(failing, start) } };
  });

/** The same on one line each: `PSU-ID: before → after`. */
export const changeLines = (result: CheckResult, room: number): readonly string[] =>
  shownChanges(result, room).map(({ name, sides }) =>
    sides === undefined
      ? oneShortLine(name, room)
      : `${oneShortLine(`${name}: ${sides.control}`, room + 20)} → ${oneShortLine(sides.failing, room + 20)}`,
  );

/** So much of what is alike tells where in the text a difference stands. */
const lead = 24;

function startOfDifference(one: string, other: string): number {
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike += 1;
  // At the beginning of a word or a part, where there is one.
  const before = one.slice(0, Math.max(0, alike - lead));
  const start = Math.max(...[' ', ',', '&', '?'].map((sign) => before.lastIndexOf(sign) + 1));
  return start < before.length - lead ? before.length : start;
}

/** Never from within a surrogate pair: half of one would turn into a replacement character. */
function from(text: string, start: number): string {
  if (start === 0) return text;
  return `…${text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start)}`;
}
