import type { CheckResult } from '../checks/verdict.ts';
import { changedFields } from './exchange-text.ts';

/** A change with words for both sides. */
interface ShownChange {
  readonly name: string;
  readonly control: string;
  readonly failing: string;
}

/**
 * What a failing request has different from its control, for a place with room for so many characters of each side. A
 * Signature header begins alike in every request: where the whole does not fit, both sides begin shortly before they differ.
 */
export const shownChanges = (result: CheckResult, room: number): readonly ShownChange[] =>
  changedFields(result).map(({ name, control = '(not there)', failing = '(not there)' }) => {
    const start = Math.max(control.length, failing.length) > room ? startOfDifference(control, failing) : 0;
    return { name, control: from(control, start), failing: from(failing, start) };
  });

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
