import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunHeader } from '../checks/verdict.ts';
import type { Requirement, Side } from '../spec/requirement.ts';
import { readJournal } from './journal.ts';
import { judgeRun, type Outcome, type OverallVerdict } from './outcome.ts';
import type { RequirementVerdict } from './requirement-results.ts';
import {
  canonicalJson,
  chainOf,
  type ExchangeHash,
  exchangeHashes,
  fileHashes,
  sha256,
} from './run-evidence.ts';
import { innerMark } from './run-folder.ts';
import { writeWhole } from './write-whole.ts';

export const attestationFile = 'attestation.json';

/** Rises when an attestation says something else than before, so that none is read for what it is not. */
export const attestationFormat = 2;

/** What a run was, what it found, and the hashes of all that shows it. */
export interface Attestation {
  readonly format: number;
  readonly tool: RunHeader['tool'];
  readonly catalogue: string;
  /** Whom the run judged. */
  readonly side: Side;
  readonly subject: RunHeader['target'];
  /** SHA-256 fingerprints of the certificates that took part. */
  readonly fingerprints: Readonly<Record<string, string>>;
  readonly interpretations: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Set when only a part was judged. */
  readonly selection?: string;
  readonly startedAt: string;
  readonly attestedAt: string;
  readonly verdict: OverallVerdict;
  /** Whether the whole of the profiles was judged. Nothing else can be a certification. */
  readonly extent: 'whole' | 'part';
  readonly profiles: Readonly<Record<string, { readonly version: string; readonly verdict: OverallVerdict }>>;
  /** What was not asked of the subject, and why that is no gap. */
  readonly notBinding: Readonly<Record<string, string>>;
  /** Set when any server certificate was accepted. */
  readonly insecure?: true;
  readonly requirements: Readonly<Record<string, RequirementVerdict>>;
  readonly files: Readonly<Record<string, string>>;
  readonly exchanges: readonly ExchangeHash[];
  readonly chain: string;
}

/** What holds an attestation together. Without a signature it only shows accidents. */
export interface Seal {
  readonly sha256: string;
  readonly signature?: {
    readonly algorithm: 'ed25519' | 'rsa-sha256';
    /** PEM. It tells which key to ask for, not whose it is. */
    readonly publicKey: string;
    readonly value: string;
  };
}

export interface SealedAttestation {
  readonly attestation: Attestation;
  readonly seal: Seal;
}

/** A key that cannot sign or verify attestations, with what to give instead. */
export class AttestationKeyError extends Error {
  override readonly name = 'AttestationKeyError';
}

/** Writes the attestation of a run folder, next to the reports. The last thing that is written. */
export function writeAttestation(
  dir: string,
  requirements: readonly Requirement[],
  key?: KeyObject,
): SealedAttestation {
  const run = readJournal(dir);
  const { header } = run;
  const outcome = judgeRun(run, requirements);
  const exchanges = exchangeHashes(dir, run);
  const attestation: Attestation = {
    format: attestationFormat,
    tool: header.tool,
    catalogue: header.catalogue,
    side: header.side ?? 'bank',
    subject: header.target,
    fingerprints: header.fingerprints ?? {},
    interpretations: header.interpretations,
    seed: header.seed,
    ...(header.selection === undefined ? {} : { selection: header.selection }),
    startedAt: header.startedAt,
    attestedAt: new Date().toISOString(),
    verdict: outcome.verdict,
    extent: outcome.part === undefined ? 'whole' : 'part',
    profiles: profilesOf(outcome),
    notBinding: Object.fromEntries(outcome.notBinding.map(({ what, why }) => [what, why])),
    ...(header.insecure === undefined ? {} : { insecure: header.insecure }),
    requirements: Object.fromEntries(
      outcome.requirements.map(({ requirement, verdict }) => [requirement.id, verdict]),
    ),
    files: Object.fromEntries(fileHashes(dir, (path) => isAttestation(path) || path === innerMark)),
    exchanges,
    chain: chainOf(exchanges),
  };
  const sealed = { attestation, seal: sealOf(attestation, key) };
  writeWhole(join(dir, attestationFile), `${JSON.stringify(sealed, undefined, 2)}\n`);
  return sealed;
}

/** The verdict on each profile, as an attestation tells it. */
export const profilesOf = ({ profiles }: Outcome): Attestation['profiles'] =>
  Object.fromEntries(profiles.map(({ id, version, verdict }) => [id, { version, verdict }]));

export const isAttestation = (path: string): boolean => path === attestationFile;

function sealOf(attestation: Attestation, key: KeyObject | undefined): Seal {
  const text = canonicalJson(attestation);
  const seal = { sha256: sha256(text) };
  if (key === undefined) return seal;
  const algorithm = key.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'rsa-sha256';
  return {
    ...seal,
    signature: {
      algorithm,
      publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
      value: sign(algorithm === 'ed25519' ? null : 'sha256', Buffer.from(text), key).toString('base64'),
    },
  };
}

/** Reads the key that signs: a PEM file with an Ed25519 or RSA private key. */
export function readAttestationKey(file: string): KeyObject {
  const key = readKey(file, createPrivateKey, 'private');
  if (key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'rsa') return key;
  throw new AttestationKeyError(
    `${file} holds a key of type ${key.asymmetricKeyType}. Give an Ed25519 or RSA key: openssl genpkey -algorithm ed25519 -out attest.key`,
  );
}

/** Reads the key that verifies: a public key or a certificate, in PEM. */
export const readPublicKey = (file: string): KeyObject => readKey(file, createPublicKey, 'public');

function readKey(file: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new AttestationKeyError(`${file} cannot be read. Give a PEM file with a ${kind} key.`, { cause });
  }
  try {
    return read(pem);
  } catch (cause) {
    const why = pem.includes('ENCRYPTED')
      ? 'The key in it is encrypted; decrypt it first.'
      : `Give a PEM file with a ${kind} key.`;
    throw new AttestationKeyError(`${file} holds no ${kind} key that can be used. ${why}`, { cause });
  }
}
