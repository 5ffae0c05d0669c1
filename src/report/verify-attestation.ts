import type { KeyObject, X509Certificate } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../checks/verdict.ts';
import { member, parsedJson, textAt } from '../spec/json.ts';
import type { Requirement } from '../spec/requirement.ts';
import { BoundedFileError } from '../target/bounded-file.ts';
import {
  type Attestation,
  canonicalJson,
  chainOf,
  type ExchangeHash,
  fileHashes,
  notOrdinary,
  type Statement,
  stateRun,
  timeStampFile,
} from './attestation.ts';
import { whyNotCertifiable } from './certificate.ts';
import { oneShortLine } from './harmless-text.ts';
import { isOfRun, JournalError, readJournal } from './journal.ts';
import { AttestationError, namedKey, readSealed, type SealedAttestation } from './read-attestation.ts';
import { holds, keyFingerprintOf } from './signed-envelope.ts';
import { readTimeStamp, type TimeStamp } from './time-stamp.ts';
import { type WholeOfVersion, whyNotWhole } from './whole-run.ts';

export interface Verification {
  readonly attestation: Attestation;
  /** What does not match, a sentence each; none means that everything is as it was attested. */
  readonly problems: readonly string[];
  /** Why this is no certification, even where nothing was changed; undefined for a conformant run of the whole. */
  readonly notCertified?: string;
  /** `key` is the one that was given; `embedded` only says that the signature fits the key next to it. */
  readonly signature: 'key' | 'embedded' | 'none';
  /** SHA-256 of the public key in DER, in hexadecimal. */
  readonly keyFingerprint?: string;
  /** When an authority has seen the attestation. */
  readonly timeStamp?: TimeStamp;
}

/** Holds a run folder against its attestation, and names all that was changed, lost or added. */
export function verifyAttestation(
  dir: string,
  requirements: readonly Requirement[],
  publicKey?: KeyObject,
  whole?: WholeOfVersion,
  timeAuthorities?: readonly X509Certificate[],
): Verification {
  const sealed = readSealed(dir);
  const { attestation, file, signature } = sealed;
  const journal = journalIn(dir);
  const unknown =
    whyNotJudgedAgain(attestation, requirements) ??
    (journal instanceof JournalError ? undefined : whyNotWhole(journal, whole));
  const notCertified = whyNotCertified(attestation) ?? unknown;
  const stamp = readTimeStamp(dir, sealed, timeAuthorities);
  return {
    attestation,
    ...(notCertified === undefined ? {} : { notCertified }),
    problems: [
      ...sealProblems(sealed, publicKey),
      ...stamp.problems,
      ...fileProblems(attestation.files, hashesIn(dir, file)),
      ...journalProblems(dir, journal, attestation, unknown === undefined ? requirements : undefined),
      // They quote names and values of a folder that may come from anybody.
    ].map((problem) => oneShortLine(problem, longestProblem)),
    signature: signature === undefined ? 'none' : publicKey === undefined ? 'embedded' : 'key',
    ...(signature === undefined ? {} : { keyFingerprint: namedKey(sealed) }),
    ...(stamp.timeStamp && { timeStamp: stamp.timeStamp }),
  };
}

const longestProblem = 500;

function hashesIn(dir: string, file: string): ReadonlyMap<string, string> {
  try {
    return fileHashes(dir, (path) => path === file || path === timeStampFile);
  } catch (cause) {
    throw new AttestationError(`${dir} cannot be read as the folder of a run: ${messageOf(cause)}`, {
      cause,
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An attestation tells what was found; only one kind of finding certifies anything. */
function whyNotCertified(attestation: Attestation): string | undefined {
  const { verdict, extent, selection, requirements } = attestation;
  const part = extent === 'whole' ? selection : (selection ?? 'unknown which');
  // Whoever wrote the target file may put up with a failure; whoever asks here has not said so.
  const excused = Object.keys(requirements).filter((id) => requirements[id] === 'fail');
  return whyNotCertifiable(attestation, verdict, part, excused);
}

/** What speaks against an attestation itself, whatever the folder holds. */
export function sealProblems(sealed: SealedAttestation, given?: KeyObject): readonly string[] {
  const { file, signed, signature, problems } = sealed;
  if (signature === undefined) {
    return given === undefined
      ? problems
      : [...problems, `${file} is not signed, so the key that was given cannot speak for it.`];
  }
  if (given !== undefined && keyFingerprintOf(given) !== namedKey(sealed))
    return [...problems, `${file} was signed with another key than the one that was given.`];
  const { key, value } = signature;
  return key !== undefined && holds(signed, { key, value })
    ? problems
    : [...problems, `The signature of ${file} does not hold: it was changed after it was signed.`];
}

/** What was lost, changed or added, a sentence each. */
const differences = (
  attested: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
  shown: (name: string) => string,
): readonly string[] => [
  ...[...attested].flatMap(([name, hash]) =>
    !found.has(name)
      ? [`${shown(name)} is missing.`]
      : found.get(name) === hash && hash !== notOrdinary
        ? []
        : [`${shown(name)} was changed.`],
  ),
  ...[...found.keys()].filter((name) => !attested.has(name)).map((name) => `${shown(name)} was added.`),
];

const fileProblems = (
  attested: Attestation['files'],
  found: ReadonlyMap<string, string>,
): readonly string[] => [
  // Whoever signs a run does not sign for what somebody has put next to it.
  ...Object.keys(attested)
    .filter((path) => !isOfRun(path))
    .map((path) => `${path} is attested, and is no file of a run.`),
  ...differences(new Map(Object.entries(attested)), found, (path) => path),
];

function journalIn(dir: string): RunRecord | JournalError {
  try {
    return readJournal(dir);
  } catch (error) {
    if (error instanceof JournalError && !isTooLarge(error)) return error;
    throw error;
  }
}

/** It is refused as a whole: whatever else was found would stand there as if the evidence had been looked at. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof JournalError && error.cause instanceof BoundedFileError;

/** Without requirements to judge it by, what the journal amounts to is left open. */
function journalProblems(
  dir: string,
  run: RunRecord | JournalError,
  attestation: Attestation,
  requirements: readonly Requirement[] | undefined,
): readonly string[] {
  if (run instanceof JournalError) return [run.message];
  try {
    const found = stateRun(dir, run, requirements ?? []);
    return [
      ...statementProblems(attestation, found, requirements !== undefined),
      ...summaryProblems(dir, attestation),
      ...exchangeProblems(attestation, found.exchanges),
    ];
  } catch (error) {
    if (isTooLarge(error)) throw error;
    // A journal that nobody of ours has written may lack anything.
    return [`The journal cannot be judged again: ${messageOf(error)}.`];
  }
}

/**
 * Another version may know other requirements, and cannot judge this run again: what it attests may be true, and nobody
 * here can tell.
 */
function whyNotJudgedAgain(
  { catalogue, tool, side, requirements: attested }: Attestation,
  requirements: readonly Requirement[],
): string | undefined {
  const known = requirements.filter((requirement) => requirement.side === side).map(({ id }) => id);
  return isDeepStrictEqual(new Set(known), new Set(Object.keys(attested)))
    ? undefined
    : `it was judged by the requirements of catalogue ${catalogue}, of which this version knows others. Verify it with the version that judged it, ${tool.name} ${tool.version}`;
}

/** Whom the run judged, how and when, which its journal tells as it is. */
const facts = [
  'tool',
  'catalogue',
  'side',
  'subject',
  'fingerprints',
  'interpretations',
  'seed',
  'runs',
  'selection',
  'startedAt',
  'insecure',
] as const;
/** What it found, which follows from the journal by the requirements. */
const findings = ['verdict', 'extent', 'profiles', 'notBinding', 'knownDeviations'] as const;

function statementProblems(attested: Attestation, found: Statement, isJudged: boolean): readonly string[] {
  const names = [...facts, ...(isJudged ? findings : [])];
  const told = (statement: Statement, name: (typeof names)[number]): unknown =>
    // Why it is no gap may be said in other words by another version.
    name === 'notBinding' ? Object.keys(statement.notBinding).toSorted() : statement[name];
  return [
    ...names
      .filter((name) => !isDeepStrictEqual(told(attested, name), told(found, name)))
      .map(
        (name) =>
          `The attestation says ${name} ${shown(told(attested, name))}, the journal ${shown(told(found, name))}.`,
      ),
    ...Object.entries(isJudged ? attested.requirements : {})
      .filter(([id, verdict]) => found.requirements[id] !== verdict)
      .map(
        ([id, verdict]) =>
          `The verdict on ${id} was changed: it was ${verdict}, the journal says ${found.requirements[id]}.`,
      ),
  ];
}

const shown = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : oneShortLine(typeof value === 'string' ? value : canonicalJson(value), 200);

function summaryProblems(dir: string, { verdict, requirements }: Attestation): readonly string[] {
  const path = join(dir, 'summary.json');
  // That it is missing, damaged or no file was said of the file.
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const summary = isFile ? parsedJson(readFileSync(path, 'utf8')) : undefined;
  if (summary === undefined) return [];
  const rows = member(summary, 'requirements');
  const told = textAt(summary, 'verdict');
  return [
    ...(told === verdict ? [] : [`summary.json says ${told}, the attestation ${verdict}.`]),
    ...(Array.isArray(rows) ? rows : [])
      .map((row) => [textAt(row, 'id') ?? '', textAt(row, 'verdict')] as const)
      .filter(([id, now]) => requirements[id] !== now)
      .map(
        ([id, now]) =>
          `The verdict on ${id} in summary.json was changed: it was ${requirements[id] ?? 'not there'}, now it is ${now}.`,
      ),
  ];
}

function exchangeProblems(
  { exchanges, chain }: Attestation,
  found: readonly ExchangeHash[],
): readonly string[] {
  const byName = (hashes: readonly ExchangeHash[]) =>
    new Map(hashes.map(({ name, sha256: hash }) => [name, hash]));
  const named = differences(byName(exchanges), byName(found), (name) => `The exchange "${name}"`);
  if (named.length > 0 || chainOf(found) === chain) return named;
  return ['The order of the exchanges was changed, or one is there twice.'];
}
