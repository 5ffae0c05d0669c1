import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeeperThan, parsedJson } from '../spec/json.ts';
import { sides } from '../spec/profiles.ts';
import {
  type Attestation,
  attestationFile,
  attestationFormat,
  attestedFroms,
  type SealedAttestation,
} from './attestation.ts';

/** A folder without an attestation that can be read. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
}

/** The paths of all files that a run folder is attested to hold, its attestation included. */
export const attestedFiles = (dir: string): readonly string[] => [
  ...Object.keys(readSealed(dir).attestation.files),
  attestationFile,
];

/** Far more than an attestation needs. */
const deepest = 16;
const mostBytes = 64 * 2 ** 20;

/** The attestation of a run folder, and its text. */
export function readSealed(dir: string): SealedAttestation & { readonly text: string } {
  const path = join(dir, attestationFile);
  let text: string;
  try {
    // What is no ordinary file may have no end, and a link leads to what is not in the folder.
    const found = lstatSync(path);
    if (!found.isFile()) throw new Error('not an ordinary file');
    text = found.size > mostBytes ? '' : readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AttestationError(
      `${dir} holds no ${attestationFile}. Give the folder of a run that came to its end.`,
      { cause },
    );
  }
  const sealed = parsedJson(text);
  if (!isSealed(sealed) || isDeeperThan(deepest, sealed))
    throw new AttestationError(`${path} is damaged: it is no attestation.`);
  const { format } = sealed.attestation;
  if (format !== attestationFormat)
    throw new AttestationError(
      `${path} has format ${String(format).slice(0, 20)}, this version reads format ${attestationFormat}. Verify it with the version that wrote it.`,
    );
  return { ...sealed, text };
}

/** Everything that is read of an attestation later, so that a damaged one ends in a sentence. */
const isSealed = (value: unknown): value is SealedAttestation => {
  const { attestation, seal } = (value ?? {}) as Partial<SealedAttestation>;
  if (typeof seal?.sha256 !== 'string' || typeof attestation !== 'object' || attestation === null)
    return false;
  const { signature } = seal;
  const isSignature =
    signature === undefined || [signature?.algorithm, signature?.publicKey, signature?.value].every(isText);
  const { subject, tool, verdict, startedAt, catalogue, selection = '', chain } = attestation;
  return (
    isSignature &&
    [subject?.name, tool?.name, tool?.version, verdict, startedAt, catalogue, selection, chain].every(
      isText,
    ) &&
    [attestation.files, attestation.requirements].every(isTexts) &&
    (attestation.format !== attestationFormat || (hasProfiles(attestation) && saysWho(attestation))) &&
    Array.isArray(attestation.exchanges) &&
    attestation.exchanges.every((hash) => isText(hash?.name) && isText(hash?.sha256))
  );
};

const hasProfiles = ({
  profiles,
  notBinding,
  knownDeviations,
  runs,
  extent,
  statement,
}: Attestation): boolean =>
  typeof profiles === 'object' &&
  profiles !== null &&
  Object.values(profiles).every((profile) => isText(profile?.version) && isText(profile?.verdict)) &&
  isTexts(notBinding) &&
  isTexts(knownDeviations) &&
  typeof runs === 'number' &&
  isText(extent) &&
  isText(statement);

/** Whom the run judged, how, and who says so. A side that is none would be read as a bank. */
const saysWho = ({
  side,
  subject,
  fingerprints,
  interpretations,
  seed,
  attestedAt,
  attestedFrom,
  insecure = true,
}: Attestation): boolean =>
  sides.includes(side) &&
  [subject.baseUrl, subject.environment, attestedAt].every(isText) &&
  [fingerprints, interpretations].every(isTexts) &&
  typeof seed === 'number' &&
  attestedFroms.includes(attestedFrom) &&
  insecure === true;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText);
