import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, type Pair, parse, parseDocument, type YAMLMap } from 'yaml';
import { TargetFileError } from './target-problem.ts';

/**
 * The text of a target file with other readings, or nothing where it is written in a way that allows none. It is the
 * user's own work, mostly under version control: lines are added or changed for what was learned, and no other.
 */
export function withReadings(text: string, readings: Readonly<Record<string, string>>): string | undefined {
  const changed = Object.entries(readings).reduce(
    (before, [id, value]) => withReading(before, id, value),
    text,
  );
  const { interpretations, ...others } = (parse(text) ?? {}) as Record<string, unknown>;
  const wanted = { ...others, interpretations: { ...Object(interpretations), ...readings } };
  try {
    return isDeepStrictEqual(parse(changed), wanted) ? changed : undefined;
  } catch {
    return undefined;
  }
}

function withReading(text: string, id: string, value: string): string {
  const { contents: root } = parseDocument(text);
  const isJson = isMap(root) && root.flow === true;
  const written = isJson || !/^[A-Za-z][\w-]*$/.test(value) ? JSON.stringify(value) : value;
  const section = pairIn(root, 'interpretations');
  const members = section?.value;
  const own = pairIn(members, id)?.value;
  if (isScalar(own)) {
    const [start, end] = rangeOf(own);
    return `${text.slice(0, start)}${written}${text.slice(end)}`;
  }
  if (isMap(members) && members.items.length > 0)
    return withMember(text, members, isJson ? `"${id}": ${written}` : `${id}: ${written}`);
  if (isMap(members) || (isScalar(members) && members.source)) {
    const [start, end] = rangeOf(members);
    return `${text.slice(0, start)}{ ${isJson ? `"${id}"` : id}: ${written} }${text.slice(end)}`;
  }
  // A key with nothing behind it but perhaps a comment.
  if (section !== undefined) return withLine(text, rangeOf(section.key)[1], `  ${id}: ${written}`);
  if (isJson) return withMember(text, root, `"interpretations": { "${id}": ${written} }`);
  return withLine(
    withLine(text, text.length, 'interpretations:'),
    Number.POSITIVE_INFINITY,
    `  ${id}: ${written}`,
  );
}

/** A further member of a map, written as its last one is: on a line of its own, or on the same. */
function withMember(text: string, { flow, items }: YAMLMap, member: string): string {
  const last = items.at(-1);
  const [start] = rangeOf(last?.key);
  const [, end] = rangeOf(last?.value ?? last?.key);
  const indent = /[^\r\n]*$/.exec(text.slice(0, start))?.[0] ?? '';
  if (flow !== true) return withLine(text, end, indent.replace(/[^ ]/g, ' ') + member);
  const between = indent.trim() === '' ? `${lineBreakOf(text)}${indent}` : ' ';
  return `${text.slice(0, end)},${between}${member}${text.slice(end)}`;
}

/** A line after the one in which that place is. */
function withLine(text: string, place: number, line: string): string {
  const found = text.indexOf('\n', place);
  const at = found < 0 ? text.length : found + 1;
  const isOpen = at > 0 && text[at - 1] !== '\n';
  return `${text.slice(0, at)}${isOpen ? lineBreakOf(text) : ''}${line}${lineBreakOf(text)}${text.slice(at)}`;
}

const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const pairIn = (map: unknown, name: string): Pair | undefined =>
  isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;

/** Where a key or value begins and ends; white space and a comment behind it are no part of it. */
const rangeOf = (node: unknown): readonly [number, number] => {
  const [start = 0, end = 0] = (isNode(node) && node.range) || [];
  return [start, end];
};

/** Whether readings can be written into a target file later: a pipe is read once, and a file may be another's. */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const byHand = (readings: Readonly<Record<string, string>>): string =>
  `Nothing can be written here without changing other lines. Add it yourself: ${Object.entries(readings)
    .map(([id, value]) => `${id}: ${JSON.stringify(value)}`)
    .join(', ')}.`;

/** As a whole, because the file is the user's own work: whatever happens, it is the one before or the new one. */
export function writeReadings(file: string, readings: Readonly<Record<string, string>>): void {
  // A link stays a link.
  const place = realpathSync(file);
  const text = withReadings(readFileSync(place, 'utf8'), readings);
  if (text === undefined)
    throw new TargetFileError(file, [{ place: file, path: 'interpretations', message: byHand(readings) }]);
  const draft = `${place}.${process.pid}.part`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: statSync(place).mode & 0o777 });
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
