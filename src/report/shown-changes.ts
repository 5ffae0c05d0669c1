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

/** A text, of which the middle part is what is different about it. */
export type Marked = readonly [before: string, changed: string, after: string];

/** Where two texts differ, by whole words: of two pseudonyms, which differ in a number, the whole is marked. */
export function markedDifference(one: string, other: string): readonly [Marked, Marked] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  const before = one.slice(Math.max(0, start - 100), start);
  const isPseudonym = /\[[^[\]]{0,99}$/.test(before) && start < shorter;
  if (isPseudonym) start -= before.length - before.lastIndexOf('[');
  else if (isInWord(one[start], other[start])) start -= /[\p{L}\p{N}.+-]*$/u.exec(before)?.[0].length ?? 0;
  let alike = 0;
  while (alike < shorter - start && one.at(-1 - alike) === other.at(-1 - alike)) alike += 1;
  const after = one.slice(one.length - alike).slice(0, 100);
  if (isPseudonym) alike -= after.indexOf(']') + 1;
  else if (isInWord(one.at(-1 - alike), other.at(-1 - alike)) && alike < shorter - start)
    alike -= /^[\p{L}\p{N}.+-]*/u.exec(after)?.[0].length ?? 0;
  const parts = (text: string): Marked => [
    text.slice(0, start),
    text.slice(start, text.length - alike),
    text.slice(text.length - alike),
  ];
  return [parts(one), parts(other)];
}

const isInWord = (...characters: readonly (string | undefined)[]): boolean =>
  characters.some(
    (character) => character !== undefined && /[\p{L}\p{N}.+\u{d800}-\u{dfff}-]/u.test(character),
  );

/** From where to where in a text of JSON the value at `instructedAmount.amount` or `paymentIds[0]` stands. */
export function placeInJson(json: string, path: string): readonly [start: number, end: number] | undefined {
  const wanted = [...path.matchAll(/[^.[\]]+/g)].map(([step]) => step);
  const at: string[] = [];
  const open: string[] = [];
  let isName = false;
  let start: number | undefined;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === ':') isName = false;
    else if (token === ',') {
      isName = open.at(-1) === '{';
      if (!isName) at.push(String(Number(at.pop()) + 1));
    } else if (token === '}' || token === ']') {
      at.pop();
      open.pop();
    } else if (isName) {
      at.pop();
      at.push(token.slice(1, -1));
      continue;
    } else {
      if (at.length === wanted.length && at.every((step, depth) => step === wanted[depth])) start ??= index;
      if (token === '{' || token === '[') {
        open.push(token);
        at.push('0');
        isName = token === '{';
        continue;
      }
    }
    if (start !== undefined && open.length <= wanted.length && token !== ':' && token !== ',')
      return [start, index + token.length];
  }
  return undefined;
}
