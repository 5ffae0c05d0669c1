import type { KeyObject, X509Certificate } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { BoundedFileError } from '../target/bounded-file.ts';
import {
  type Attestation,
  chainOf,
  deviationsOf,
  type ExchangeHash,
  exchangeHashes,
  fileHashes,
  notOrdinary,
  profilesOf,
  timeStampFile,
} from './attestation.ts';
import { whyNotCertifiable } from './certificate.ts';
import { oneShortLine } from './harmless-text.ts';
import { isOfRun, JournalError, readJournal } from './journal.ts';
import { judgeRun } from './outcome.ts';
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

function fileProblems(
  attested: Readonly<Record<string, string>>,
  found: ReadonlyMap<string, string>,
): readonly string[] {
  return [
    // Whoever signs a run does not sign for what somebody has put next to it.
    ...Object.keys(attested)
      .filter((path) => !isOfRun(path))
      .map((path) => `${path} is attested, and is no file of a run.`),
    ...Object.entries(attested).flatMap(([path, hash]) =>
      found.get(path) === undefined
        ? [`${path} is missing.`]
        : found.get(path) === hash && hash !== notOrdinary
          ? []
          : [`${path} was changed.`],
    ),
    // Every object has a `constructor`, whether or not a file of that name was attested.
    ...[...found.keys()].filter((path) => !Object.hasOwn(attested, path)).map((path) => `${path} was added.`),
  ];
}

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
    return [
      ...verdictProblems(attestation, run, requirements),
      ...summaryProblems(dir, attestation),
      ...exchangeProblems(attestation, exchangeHashes(dir, run)),
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

function verdictProblems(
  attestation: Attestation,
  run: RunRecord,
  requirements: readonly Requirement[] | undefined,
): readonly string[] {
  if (run.header.catalogue !== attestation.catalogue) {
    return [`The journal names catalogue ${run.header.catalogue}, the attestation ${attestation.catalogue}.`];
  }
  const told = toldOtherwise(attestation, run.header);
  if (requirements === undefined) return told;
  const outcome = judgeRun(run, requirements);
  const found = Object.fromEntries(
    outcome.requirements.map(({ requirement, verdict }) => [requirement.id, verdict]),
  );
  const known = new Set(requirements.map(({ id }) => id));
  const notBinding = new Set(outcome.notBinding.map(({ what }) => what));
  return [
    ...told,
    // Why it is no gap may be said in other words by another version.
    ...(isDeepStrictEqual(notBinding, new Set(Object.keys(attestation.notBinding)))
      ? []
      : ['What was not asked of the subject is not what the journal tells.']),
    ...(outcome.verdict === attestation.verdict
      ? []
      : [`The journal amounts to ${outcome.verdict}, the attestation says ${attestation.verdict}.`]),
    ...(isDeepStrictEqual(profilesOf(outcome), attestation.profiles)
      ? []
      : ['The verdicts on the profiles are not those that the journal amounts to.']),
    ...(isDeepStrictEqual(deviationsOf(outcome), attestation.knownDeviations)
      ? []
      : ['The known deviations are not those that the journal tells.']),
    ...(run.header.runs === attestation.runs
      ? []
      : [`The journal is of ${run.header.runs} cases, the attestation says ${attestation.runs}.`]),
    ...((outcome.part === undefined ? 'whole' : 'part') === attestation.extent &&
    run.header.selection === attestation.selection
      ? []
      : [
          `The journal is of ${outcome.part === undefined ? 'the whole' : 'a part'}, the attestation says otherwise.`,
        ]),
    ...Object.entries(attestation.requirements)
      .filter(([id, verdict]) => found[id] !== verdict && (known.has(id) || found[id] !== undefined))
      .map(
        ([id, verdict]) =>
          `The verdict on ${id} was changed: it was ${verdict}, the journal says ${found[id] ?? 'nothing'}.`,
      ),
  ];
}

/** Whom the run judged, how and when: whoever reads the attestation alone is told what the journal does not say. */
function toldOtherwise(attestation: Attestation, header: RunHeader): readonly string[] {
  const { target, side = 'bank', fingerprints = {}, insecure } = header;
  const { tool, interpretations, seed, startedAt } = header;
  const said = { subject: target, side, fingerprints, insecure, tool, interpretations, seed, startedAt };
  const names = Object.keys(said) as (keyof typeof said)[];
  const other = names.filter((name) => !isDeepStrictEqual(said[name], attestation[name]));
  return other.length === 0
    ? []
    : [`The attestation tells of the run what its journal does not: ${other.join(', ')}.`];
}

interface SummarizedVerdicts {
  readonly verdict?: unknown;
  readonly requirements?: readonly { readonly id?: unknown; readonly verdict?: unknown }[];
}

function summaryProblems(dir: string, attestation: Attestation): readonly string[] {
  const path = join(dir, 'summary.json');
  let summary: SummarizedVerdicts;
  try {
    if (!lstatSync(path).isFile()) return [];
    summary = (JSON.parse(readFileSync(path, 'utf8')) ?? {}) as SummarizedVerdicts;
  } catch {
    // That it is missing or damaged was said of the file.
    return [];
  }
  const rows = (Array.isArray(summary.requirements) ? summary.requirements : []).filter(
    (row) => typeof row === 'object' && row !== null,
  );
  return [
    ...(summary.verdict === attestation.verdict
      ? []
      : [`summary.json says ${String(summary.verdict)}, the attestation ${attestation.verdict}.`]),
    ...rows
      .filter(({ id, verdict }) => attestation.requirements[String(id)] !== verdict)
      .map(
        ({ id, verdict }) =>
          `The verdict on ${String(id)} in summary.json was changed: it was ${attestation.requirements[String(id)] ?? 'not there'}, now it is ${String(verdict)}.`,
      ),
  ];
}

function exchangeProblems(
  { exchanges: attested, chain }: Attestation,
  found: readonly ExchangeHash[],
): readonly string[] {
  const byName = (hashes: readonly ExchangeHash[]) =>
    new Map(hashes.map(({ name, sha256: hash }) => [name, hash]));
  const [before, now] = [byName(attested), byName(found)];
  const named = [
    ...[...before].flatMap(([name, hash]) =>
      now.get(name) === undefined
        ? [`The exchange "${name}" is missing.`]
        : now.get(name) === hash
          ? []
          : [`The exchange "${name}" was changed.`],
    ),
    ...[...now.keys()].filter((name) => !before.has(name)).map((name) => `The exchange "${name}" was added.`),
  ];
  if (named.length > 0) return named;
  return chainOf(found) === chain ? [] : ['The order of the exchanges was changed, or one is there twice.'];
}
