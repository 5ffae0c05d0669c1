import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { recordingFile } from '../certification/recording.ts';
import type { RunRecord } from '../checks/verdict.ts';

/** One exchange of a run and its hash. */
export interface ExchangeHash {
  /** `DIG-03 x00012`, or `exchange 17` of a recording. */
  readonly name: string;
  readonly sha256: string;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The SHA-256 of every file of a run folder, by its path with slashes. */
export function fileHashes(
  dir: string,
  isLeftOut: (path: string) => boolean,
): Readonly<Record<string, string>> {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !isLeftOut(path))
    .toSorted();
  return Object.fromEntries(
    paths.flatMap((path) => {
      const place = join(dir, path);
      const found = lstatSync(place);
      if (found.isDirectory()) return [];
      // What a link leads to may be anything; the report holds no links, so one is a change in itself.
      return [
        [path, found.isFile() ? sha256(readFileSync(place)) : sha256(`link to ${readlinkSync(place)}`)],
      ];
    }),
  );
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
    return readFileSync(join(dir, recordingFile), 'utf8').split('\n').slice(0, -1);
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
