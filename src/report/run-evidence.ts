import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { recordingFile } from '../certification/recording.ts';
import type { RunRecord } from '../checks/verdict.ts';

/** One exchange of a run and its hash. */
export interface ExchangeHash {
  /** `DIG-03 x00012`, or `exchange 17` of a recording. */
  readonly name: string;
  readonly sha256: string;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** What a run folder can hold at most; more is no run folder. */
const most = { files: 200_000, depth: 16, bytes: 2 ** 31 - 1 } as const;

/**
 * The SHA-256 of every file of a run folder, by its path with slashes. The folder may come from a stranger: links are
 * not followed, since they lead anywhere and in circles, and what is no ordinary file is not opened, since reading it
 * may never end. Reports hold neither, so that one of them is a change in itself.
 */
export function fileHashes(dir: string, isLeftOut: (path: string) => boolean): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  const visit = (folder: string, depth: number): void => {
    if (depth > most.depth) throw new RangeError(`${dir} holds folders in folders without end.`);
    for (const entry of readdirSync(join(dir, folder), { withFileTypes: true }).toSorted(byName)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (!isLeftOut(path)) hashes.set(path, hashOf(join(dir, path)));
      if (hashes.size > most.files) throw new RangeError(`${dir} holds more than ${most.files} files.`);
    }
  };
  visit('', 0);
  return new Map([...hashes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

function hashOf(place: string): string {
  const found = lstatSync(place);
  if (found.isSymbolicLink()) return sha256(`link to ${readlinkSync(place)}`);
  if (!found.isFile() || found.size > most.bytes) return sha256('not an ordinary file');
  return sha256(readFileSync(place));
}

/** Every exchange of the journal and, where there is one, of the recording of a TPP. */
export function exchangeHashes(dir: string, { results }: RunRecord): readonly ExchangeHash[] {
  return [
    ...results.flatMap(({ id, exchanges }) =>
      exchanges.map((exchange) => ({
        name: `${id} ${exchange.id}`,
        sha256: sha256(canonicalJson(exchange)),
      })),
    ),
    ...recordedLines(dir).map((line, index) => ({ name: nameOf(line, index), sha256: sha256(line) })),
  ];
}

function recordedLines(dir: string): readonly string[] {
  try {
    const path = join(dir, recordingFile);
    if (!lstatSync(path).isFile()) return [];
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

function nameOf(line: string, index: number): string {
  const [, kind] = /^\{"kind":"(start|end)"/.exec(line) ?? [];
  if (kind !== undefined) return `${kind} of ${recordingFile}`;
  const [, number] = /^\{"kind":"exchange","value":\{"number":(\d+),/.exec(line) ?? [];
  return number === undefined
    ? `line ${index + 1} of ${recordingFile}`
    : `exchange ${number} of ${recordingFile}`;
}

/** Each link holds the one before, so that none can be taken out, put in or moved without changing the last. */
export const chainOf = (hashes: readonly ExchangeHash[]): string =>
  hashes.reduce(
    (chain, { name, sha256: hash }) => sha256(`${chain}\n${name}\n${hash}`),
    sha256('xs2a-conformance'),
  );

/** JSON with the members of every object in order, so that the same value has the same text wherever it was written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}
