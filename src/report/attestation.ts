import { createHash, type KeyObject } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordingFile } from '../certification/recording.ts';
import type { RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Side } from '../spec/profiles.ts';
import type { Requirement } from '../spec/requirement.ts';
import { evidenceBounds, readBounded, readLines } from '../target/bounded-file.ts';
import type { Attested } from './attested.ts';
import { isOfRun, JournalError, readJournal, unreadable } from './journal.ts';
import { judgeRun, type OverallVerdict } from './outcome.ts';
import { deviationText, type RequirementVerdict } from './requirement-results.ts';
import { envelopeText, keyFingerprintOf, publicPem, signed } from './signed-envelope.ts';
import { writeWhole } from './write-files.ts';

/** One exchange of a run and its hash. */
export interface ExchangeHash {
  /** `DIG-03 x00012`, or `exchange 17` of a recording. */
  readonly name: string;
  readonly sha256: string;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** What a run folder can hold at most; more is no run folder. No file of it is larger than a journal can be. */
const most = { files: 200_000, depth: 16, bytes: 512 * 2 ** 20, fileBytes: evidenceBounds.bytes } as const;

/** A folder with nothing in it, which has no hash. Its path ends in a slash, as that of no file does. */
const emptyFolder = 'an empty folder';

/**
 * The SHA-256 of every file of a run folder, by its path with slashes; folders that hold nothing are named as well. The folder may come from a stranger: links are
 * not followed, since they lead anywhere and in circles, and what is no ordinary file is not opened, since reading it
 * may never end. Reports hold neither, so that one of them is a change in itself.
 */
export function fileHashes(dir: string, isLeftOut: (path: string) => boolean): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  let bytes = 0;
  const visit = (folder: string, depth: number): void => {
    if (depth > most.depth) throw new JournalError(dir, `${dir} holds folders in folders without end.`);
    const entries = readdirSync(join(dir, folder), { withFileTypes: true }).toSorted(byName);
    if (entries.length === 0 && folder !== '') hashes.set(`${folder}/`, emptyFolder);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isLeftOut(path)) continue;
      if (entry.isDirectory()) visit(path, depth + 1);
      else {
        const place = join(dir, path);
        const found = lstatSync(place);
        const size = found.isFile() ? found.size : 0;
        bytes += size;
        // A file with holes takes no place on the disk, and as long to read as any other.
        if (size > most.fileBytes)
          throw new JournalError(
            dir,
            `${path} has more than ${most.fileBytes / 2 ** 20} MB, and no run leaves that.`,
          );
        if (bytes > most.bytes)
          throw new JournalError(dir, `${dir} holds more than ${most.bytes / 2 ** 20} MB.`);
        hashes.set(path, found.isFile() ? sha256(readBounded(place, most.fileBytes)) : notOrdinary);
      }
      if (hashes.size > most.files)
        throw new JournalError(dir, `${dir} holds more than ${most.files} files.`);
    }
  };
  visit('', 0);
  return new Map([...hashes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** Stands for the hash of a link, a pipe or a device: nobody can attest one, since what is read there may be anything. */
export const notOrdinary = 'not an ordinary file';

/** Every exchange of the journal and, where there is one, of the recording of a TPP. */
function exchangeHashes(dir: string, { results }: RunRecord): readonly ExchangeHash[] {
  return [
    ...results.flatMap(({ id, exchanges }) =>
      exchanges.map((exchange) => ({
        name: `${id} ${exchange.id}`,
        sha256: sha256(canonicalJson(exchange)),
      })),
    ),
    ...Array.from(recordedLines(dir), (line, index) => ({ name: nameOf(line, index), sha256: sha256(line) })),
  ];
}

/** None where there is no such file, or no ordinary one. */
function* recordedLines(dir: string): Generator<string> {
  const path = join(dir, recordingFile);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  try {
    for (const line of readLines(path, evidenceBounds)) if (line.endsWith('\n')) yield line.slice(0, -1);
  } catch (cause) {
    throw unreadable(dir, recordingFile, cause);
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

/** A DSSE envelope with an in-toto statement, which common tools read. */
export const attestationFile = 'attestation.dsse.json';
/** What formats 4 and 5 stand in. */
export const earlierAttestationFile = 'attestation.json';
/** A time stamp of the attestation (RFC 3161), as its authority has answered. */
export const timeStampFile = 'attestation.tsr';

/** Rises when an attestation says something else than before, so that none is read for what it is not. */
export const attestationFormat = 6;

/** What whoever attests a run relies on: the run itself, which has just ended, or what a folder held by then. */
export const attestedFroms = ['run', 'attested folder', 'unattested folder'] as const;
export type AttestedFrom = (typeof attestedFroms)[number];

/** What is stated about a run: what it was, what it found, and the exchanges that show it. It follows from the journal. */
export interface Statement {
  readonly format: number;
  readonly tool: RunHeader['tool'];
  readonly catalogue: string;
  /** Whom the run judged. */
  readonly side: Side;
  readonly subject: RunHeader['target'];
  /** SHA-256 of what was deployed there, such as an image, by its name: as whoever attests says. */
  readonly deployed?: Deployed;
  /** SHA-256 fingerprints of the certificates that took part. */
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly interpretations: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Cases of each property: fewer show less. */
  readonly runs: number;
  /** Set when only a part was judged. */
  readonly selection?: string;
  readonly startedAt: string;
  readonly verdict: OverallVerdict;
  /** Whether the whole of the profiles was judged. Nothing else can be a certification. */
  readonly extent: 'whole' | 'part';
  readonly profiles: Readonly<Record<string, { readonly version: string; readonly verdict: OverallVerdict }>>;
  /** What was not asked of the subject, and why that is no gap. */
  readonly notBinding: Readonly<Record<string, string>>;
  /** Requirements that are broken, and why whoever wrote the target file puts up with it. */
  readonly knownDeviations: Readonly<Record<string, string>>;
  /** Set when any server certificate was accepted. */
  readonly insecure?: true;
  readonly requirements: Readonly<Record<string, RequirementVerdict>>;
  readonly exchanges: readonly ExchangeHash[];
  readonly chain: string;
}

export type Deployed = Readonly<Record<string, string>>;

/** The statement, and the hashes of all files that were made of it. */
export interface Attestation extends Statement {
  /** SHA-256 of the statement, which the pages tell as well: none of them can hold a hash that its own hash goes into. */
  readonly statement: string;
  readonly attestedAt: string;
  /** Format 4 does not tell. */
  readonly attestedFrom: AttestedFrom | 'not told';
  /** PEM of the key that signs, which DSSE has no place for. It tells which key to ask for, not whose it is. */
  readonly publicKey?: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What is attested besides the run itself, and by whom. */
export interface Attesting {
  readonly key?: KeyObject | undefined;
  readonly deployed?: Deployed | undefined;
  readonly from?: AttestedFrom;
}

/** Writes the attestation of a run folder, next to the reports. The last thing that is written. */
export function writeAttestation(
  dir: string,
  requirements: readonly Requirement[],
  { key, deployed, from = 'run' }: Attesting = {},
  run: RunRecord = readJournal(dir),
): Attestation {
  const statement = stateRun(dir, run, requirements, deployed);
  const attestation: Attestation = {
    ...statement,
    statement: hashOfStatement(statement),
    attestedAt: new Date().toISOString(),
    attestedFrom: from,
    ...(key === undefined ? {} : { publicKey: publicPem(key) }),
    // What else stands there, such as keys next to their target file, is vouched for by nobody and handed in to nobody.
    files: Object.fromEntries(
      [...fileHashes(dir, (path) => isAttestation(path) || !isOfRun(path))].filter(
        ([, hash]) => hash !== emptyFolder,
      ),
    ),
  };
  const payload = payloadOf(attestation);
  writeWhole(join(dir, attestationFile), envelopeText(payload, key && { key, value: signed(payload, key) }));
  for (const name of [earlierAttestationFile, timeStampFile]) {
    rmSync(join(dir, name), { recursive: true, force: true });
  }
  return attestation;
}

export const statementType = 'https://in-toto.io/Statement/v1';
/** The type of our predicate, whose version is the format. */
export const predicateType = 'https://xs2a-conformance.invalid/attestation/v';

/**
 * The in-toto statement (https://in-toto.io/Statement/v1) as JSON: its subjects are what has a digest, namely what was
 * deployed, the certificates of whom the run judged, and the files; the predicate is all the rest.
 */
export function payloadOf({ files, ...predicate }: Attestation): Buffer {
  const subjects = [...subjectsOf(predicate), ...Object.entries(files)];
  const statement = {
    _type: statementType,
    subject: subjects.map(([name, sha]) => ({ name, digest: { sha256: sha } })),
    predicateType: `${predicateType}${attestationFormat}`,
    predicate,
  };
  return Buffer.from(canonicalJson(statement));
}

/** Names and digests of the subjects that are no files, as they follow from the rest. */
export const subjectsOf = ({
  side,
  deployed = {},
  fingerprints,
}: Pick<Attestation, 'side' | 'deployed' | 'fingerprints'>): readonly (readonly [string, string])[] => [
  ...Object.entries(deployed),
  ...Object.entries(fingerprints)
    .filter(([use]) => use.includes(side === 'tpp' ? 'of the TPP' : 'of the bank'))
    .map(([use, fingerprint]) => [use, fingerprint.replaceAll(':', '').toLowerCase()] as const)
    .filter(([, digest]) => /^[0-9a-f]{64}$/.test(digest)),
];

/** What can be stated about the run in a folder, as its journal has it. */
export function stateRun(
  dir: string,
  run: RunRecord,
  requirements: readonly Requirement[],
  deployed?: Deployed,
): Statement {
  const { header } = run;
  const outcome = judgeRun(run, requirements);
  const exchanges = exchangeHashes(dir, run);
  return {
    format: attestationFormat,
    tool: header.tool,
    catalogue: header.catalogue,
    side: header.side ?? 'bank',
    subject: header.target,
    ...(deployed === undefined ? {} : { deployed }),
    fingerprints: header.fingerprints ?? {},
    interpretations: header.interpretations,
    seed: header.seed,
    runs: header.runs,
    ...(header.selection === undefined ? {} : { selection: header.selection }),
    startedAt: header.startedAt,
    verdict: outcome.verdict,
    extent: outcome.part === undefined ? 'whole' : 'part',
    profiles: Object.fromEntries(
      outcome.profiles.map(({ id, version, verdict }) => [id, { version, verdict }]),
    ),
    notBinding: Object.fromEntries(outcome.notBinding.map(({ what, why }) => [what, why])),
    knownDeviations: Object.fromEntries(
      outcome.knownDeviations
        .filter(({ state }) => state === 'happens')
        .map((deviation) => [deviation.requirement, deviationText(deviation)]),
    ),
    ...(header.insecure === undefined ? {} : { insecure: header.insecure }),
    requirements: Object.fromEntries(
      outcome.requirements.map(({ requirement, verdict }) => [requirement.id, verdict]),
    ),
    exchanges,
    chain: chainOf(exchanges),
  };
}

const hashOfStatement = (statement: Statement): string => sha256(canonicalJson(statement));

/** The hash of what an attestation states, made anew. */
export function statedHash(attestation: Attestation | Omit<Attestation, 'attestedFrom'>): string {
  const besides = ['statement', 'attestedAt', 'attestedFrom', 'publicKey', 'files'];
  return sha256(
    canonicalJson(
      Object.fromEntries(Object.entries(attestation).filter(([name]) => !besides.includes(name))),
    ),
  );
}

/** What the pages of a run can tell of the attestation that will follow them. `run` is in the order of its journal. */
export const attestedBy = (
  dir: string,
  run: RunRecord,
  requirements: readonly Requirement[],
  { key, deployed }: Attesting,
): Attested => ({
  statement: hashOfStatement(stateRun(dir, run, requirements, deployed)),
  ...(deployed === undefined ? {} : { deployed }),
  ...(key === undefined ? {} : { keyFingerprint: keyFingerprintOf(key) }),
});

const isAttestation = (path: string): boolean =>
  [attestationFile, earlierAttestationFile, timeStampFile].includes(path);
