import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import {
  type Attestation,
  attestationFile,
  attestationFormat,
  isAttestation,
  profilesOf,
  type Seal,
  type SealedAttestation,
} from './attestation.ts';
import { JournalError, readJournal } from './journal.ts';
import { judgeRun } from './outcome.ts';
import {
  canonicalJson,
  chainOf,
  type ExchangeHash,
  exchangeHashes,
  fileHashes,
  sha256,
} from './run-evidence.ts';

/** A folder without an attestation that can be read. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
}

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
}

/** Holds a run folder against its attestation, and names all that was changed, lost or added. */
export function verifyAttestation(
  dir: string,
  requirements: readonly Requirement[],
  publicKey?: KeyObject,
): Verification {
  const { attestation, seal } = readSealed(dir);
  const notCertified = whyNotCertified(attestation);
  return {
    attestation,
    ...(notCertified === undefined ? {} : { notCertified }),
    problems: [
      ...sealProblems(attestation, seal, publicKey),
      ...fileProblems(attestation.files, fileHashes(dir, isAttestation)),
      ...journalProblems(dir, attestation, requirements),
    ],
    signature: seal.signature === undefined ? 'none' : publicKey === undefined ? 'embedded' : 'key',
    ...(seal.signature === undefined ? {} : { keyFingerprint: fingerprintOf(seal.signature.publicKey) }),
  };
}

/** An attestation tells what was found; only one kind of finding certifies anything. */
function whyNotCertified({ verdict, extent, selection, insecure }: Attestation): string | undefined {
  if (extent !== 'whole' || selection !== undefined)
    return `only a part was judged (${selection ?? 'unknown which'}), and its verdict is ${verdict}`;
  if (verdict !== 'conformant') return `the verdict is ${verdict}`;
  return insecure === undefined ? undefined : 'the certificate of the bank was not verified';
}

/** Whether a run folder holds an attestation that somebody has signed. */
export function isSigned(dir: string): boolean {
  try {
    return readSealed(dir).seal.signature !== undefined;
  } catch (error) {
    if (error instanceof AttestationError) return false;
    throw error;
  }
}

function readSealed(dir: string): SealedAttestation {
  const path = join(dir, attestationFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AttestationError(
      `${dir} holds no ${attestationFile}. Give the folder of a run that came to its end.`,
      { cause },
    );
  }
  const sealed = parsed(text);
  if (!isSealed(sealed)) throw new AttestationError(`${path} is damaged: it is no attestation.`);
  const { format } = sealed.attestation;
  if (format !== attestationFormat)
    throw new AttestationError(
      `${path} has format ${String(format).slice(0, 20)}, this version reads format ${attestationFormat}. Verify it with the version that wrote it.`,
    );
  return sealed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isSealed = (value: unknown): value is SealedAttestation => {
  const { attestation, seal } = (value ?? {}) as Partial<SealedAttestation>;
  return (
    typeof seal?.sha256 === 'string' &&
    typeof attestation?.files === 'object' &&
    typeof attestation.requirements === 'object' &&
    (attestation.format !== attestationFormat || typeof attestation.profiles === 'object') &&
    Array.isArray(attestation.exchanges)
  );
};

function sealProblems(
  attestation: Attestation,
  { sha256: hash, signature }: Seal,
  given?: KeyObject,
): readonly string[] {
  const text = canonicalJson(attestation);
  const changed = sha256(text) === hash ? [] : [`${attestationFile} itself was changed.`];
  if (signature === undefined) {
    return given === undefined
      ? changed
      : [...changed, `${attestationFile} is not signed, so the key that was given cannot speak for it.`];
  }
  return [...changed, ...signatureProblems(text, signature, given)];
}

function signatureProblems(
  text: string,
  { algorithm, publicKey, value }: NonNullable<Seal['signature']>,
  given: KeyObject | undefined,
): readonly string[] {
  const key = given ?? readable(publicKey);
  const fits =
    key !== undefined &&
    holds(algorithm === 'ed25519' ? null : 'sha256', text, key, Buffer.from(value, 'base64'));
  if (fits) return [];
  if (given !== undefined && fingerprintOf(publicKey) !== fingerprintOf(given)) {
    return [`${attestationFile} was signed with another key than the one that was given.`];
  }
  return [`The signature of ${attestationFile} does not hold: it was changed after it was signed.`];
}

function readable(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function holds(hash: string | null, text: string, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, Buffer.from(text), key, signature);
  } catch {
    // OpenSSL throws where the key is of another type than the signature.
    return false;
  }
}

function fingerprintOf(key: string | KeyObject): string {
  const object = typeof key === 'string' ? readable(key) : key;
  return object === undefined ? '' : sha256(object.export({ type: 'spki', format: 'der' }));
}

function fileProblems(
  attested: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
): readonly string[] {
  return [
    ...Object.entries(attested).flatMap(([path, hash]) =>
      found[path] === undefined
        ? [`${path} is missing.`]
        : found[path] === hash
          ? []
          : [`${path} was changed.`],
    ),
    ...Object.keys(found)
      .filter((path) => attested[path] === undefined)
      .map((path) => `${path} was added.`),
  ];
}

function journalProblems(
  dir: string,
  attestation: Attestation,
  requirements: readonly Requirement[],
): readonly string[] {
  let run: RunRecord;
  try {
    run = readJournal(dir);
  } catch (error) {
    if (error instanceof JournalError) return [error.message];
    throw error;
  }
  return [
    ...verdictProblems(attestation, run, requirements),
    ...summaryProblems(dir, attestation),
    ...exchangeProblems(attestation, exchangeHashes(dir, run)),
  ];
}

/** Another version may know other requirements; it cannot judge this run again. */
function verdictProblems(
  attestation: Attestation,
  run: RunRecord,
  requirements: readonly Requirement[],
): readonly string[] {
  if (run.header.catalogue !== attestation.catalogue) {
    return [`The journal names catalogue ${run.header.catalogue}, the attestation ${attestation.catalogue}.`];
  }
  const outcome = judgeRun(run, requirements);
  const found = Object.fromEntries(
    outcome.requirements.map(({ requirement, verdict }) => [requirement.id, verdict]),
  );
  const known = new Set(requirements.map(({ id }) => id));
  return [
    ...(outcome.verdict === attestation.verdict
      ? []
      : [`The journal amounts to ${outcome.verdict}, the attestation says ${attestation.verdict}.`]),
    ...(isDeepStrictEqual(profilesOf(outcome), attestation.profiles)
      ? []
      : ['The verdicts on the profiles are not those that the journal amounts to.']),
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

interface SummarizedVerdicts {
  readonly verdict?: unknown;
  readonly requirements?: readonly { readonly id?: unknown; readonly verdict?: unknown }[];
}

function summaryProblems(dir: string, attestation: Attestation): readonly string[] {
  let summary: SummarizedVerdicts;
  try {
    summary = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8')) as SummarizedVerdicts;
  } catch {
    // That it is missing or damaged was said of the file.
    return [];
  }
  const rows = Array.isArray(summary.requirements) ? summary.requirements : [];
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
