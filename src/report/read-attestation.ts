import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeeperThan, isObject, parsedJson } from '../spec/json.ts';
import { sides } from '../spec/profiles.ts';
import { allMembers, listOf, mapOf, members, number, oneOf, optional, text } from '../spec/shape.ts';
import {
  type Attestation,
  attestationFile,
  attestationFormat,
  attestedFroms,
  canonicalJson,
  earlierAttestationFile,
  payloadOf,
  predicateType,
  sha256,
  statedHash,
  statementType,
  subjectsOf,
  timeStampFile,
} from './attestation.ts';
import {
  type Envelope,
  envelopeText,
  keyFingerprintOf,
  payloadType,
  publicPem,
  signedBytes,
  textOf,
} from './signed-envelope.ts';

/** A folder without an attestation that can be read. */
export class AttestationError extends Error {
  override readonly name = 'AttestationError';
}

/** An attestation as it was read, in either form. */
export interface SealedAttestation {
  readonly attestation: Attestation;
  /** The name of its file. */
  readonly file: string;
  /** The bytes of that file. */
  readonly text: string;
  /** What its signature is made over. */
  readonly signed: Buffer;
  /** With the key that it names, where it can be read. */
  readonly signature?: { readonly key: KeyObject | undefined; readonly value: Buffer };
  /** What is wrong with it before any signature is looked at, a sentence each. */
  readonly problems: readonly string[];
}

const files = [attestationFile, earlierAttestationFile] as const;

/** Whether something attests a run folder: nothing can be added to it then. */
export const isAttested = (dir: string): boolean => files.some((name) => existsSync(join(dir, name)));

/** The paths of all files that a run folder is attested to hold, its attestation included. */
export function attestedFiles(dir: string): readonly string[] {
  const { attestation, file } = readSealed(dir);
  const stamp = existsSync(join(dir, timeStampFile)) ? [timeStampFile] : [];
  return [...Object.keys(attestation.files), file, ...stamp];
}

/** Far more than an attestation needs. */
const deepest = 16;
const mostBytes = 64 * 2 ** 20;

/** The attestation of a run folder. */
export function readSealed(dir: string): SealedAttestation {
  const file =
    isAttested(dir) && !existsSync(join(dir, attestationFile)) ? earlierAttestationFile : attestationFile;
  const path = join(dir, file);
  let content: string;
  try {
    // What is no ordinary file may have no end, and a link leads to what is not in the folder.
    const found = lstatSync(path);
    if (!found.isFile()) throw new Error('not an ordinary file');
    content = found.size > mostBytes ? '' : readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AttestationError(`${dir} holds no ${file}. Give the folder of a run that came to its end.`, {
      cause,
    });
  }
  const { isWhole, written, ...read } = readings[file](path, parsedFrom(path, content));
  const problems = [
    ...(isWhole && statedHash(read.attestation) === read.attestation.statement
      ? []
      : [`${file} itself was changed.`]),
    // What is in it twice is read by one program as the first, by another as the second; for what stands next to what is
    // signed nobody vouches, and yet somebody may read it.
    ...(content === written
      ? []
      : [`${file} is not written as it was: something was added, moved or taken out, or is in it twice.`]),
  ];
  return { ...read, file, text: content, problems };
}

function parsedFrom(path: string, json: string): unknown {
  const parsed = parsedJson(json);
  if (parsed === undefined || isDeeperThan(deepest, parsed)) throw damaged(path);
  return parsed;
}

const damaged = (path: string): AttestationError =>
  new AttestationError(`${path} is damaged: it is no attestation.`);

const otherFormat = (path: string, format: unknown): AttestationError =>
  new AttestationError(
    `${path} has format ${String(format).slice(0, 20)}, this version reads formats 4 to ${attestationFormat}. Verify it with the version that wrote it.`,
  );

interface Read extends Pick<SealedAttestation, 'attestation' | 'signed' | 'signature'> {
  /** False where a hash of its own is not what it says. */
  readonly isWhole: boolean;
  /** The text that it would be written as. */
  readonly written: string;
}

const readings: Readonly<Record<(typeof files)[number], (path: string, parsed: unknown) => Read>> = {
  [attestationFile]: (path, parsed) => {
    if (!isEnvelope(parsed)) throw damaged(path);
    const [first] = parsed.signatures;
    const payload = Buffer.from(parsed.payload, 'base64');
    const statement = parsedFrom(path, payload.toString('utf8'));
    if (!isInToto(statement)) throw damaged(path);
    const { predicate, subject, predicateType: type } = statement;
    if (type !== `${predicateType}${attestationFormat}` || predicate.format !== attestationFormat) {
      throw otherFormat(path, type.startsWith(predicateType) ? type.slice(predicateType.length) : type);
    }
    if (!isStated({ ...predicate, files: {} }) || predicate.attestedFrom === 'not told') throw damaged(path);
    const named = subject.slice(subjectsOf(predicate).length);
    const attestation = {
      ...predicate,
      files: Object.fromEntries(named.map(({ name, digest }) => [name, digest.sha256])),
    };
    const key = keyIn(attestation.publicKey);
    const value = Buffer.from(first?.sig ?? '', 'base64');
    return {
      attestation,
      signed: signedBytes(payload),
      ...(first && { signature: { key, value } }),
      isWhole: true,
      written: envelopeText(payloadOf(attestation), key && { key, value }),
    };
  },
  [earlierAttestationFile]: (path, parsed) => {
    const { attestation: stated, seal } = isObject(parsed) ? parsed : {};
    const { format } = isObject(stated) ? stated : {};
    if (!isObject(stated) || !isSeal(seal)) throw damaged(path);
    if (format !== 4 && format !== 5) throw otherFormat(path, format);
    const attestation = { ...(format === 4 ? { attestedFrom: 'not told' } : {}), ...stated };
    if (!isStated(attestation) || (format === 4) !== (attestation.attestedFrom === 'not told')) {
      throw damaged(path);
    }
    const signed = Buffer.from(canonicalJson(stated));
    const { publicKey, value: base64 = '' } = seal.signature ?? {};
    const key = keyIn(publicKey);
    const value = Buffer.from(base64, 'base64');
    const signature = key && {
      algorithm: key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : key.asymmetricKeyType,
      publicKey: publicPem(key),
      value: value.toString('base64'),
    };
    return {
      attestation,
      signed,
      ...(seal.signature && { signature: { key, value } }),
      isWhole: sha256(signed) === seal.sha256,
      written: textOf({
        attestation: stated,
        seal: { sha256: seal.sha256, ...(signature && { signature }) },
      }),
    };
  },
};

function keyIn(pem: string | undefined): KeyObject | undefined {
  try {
    return pem === undefined ? undefined : createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** The fingerprint of the key that an attestation names; of one that cannot be read none. */
export const namedKey = ({ signature }: SealedAttestation): string =>
  signature?.key === undefined ? '' : keyFingerprintOf(signature.key);

const isEnvelope = guarding<Envelope>({
  payloadType: oneOf(payloadType),
  payload: text,
  signatures: listOf(members({ keyid: text, sig: text })),
});

interface InToto {
  readonly _type: string;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: string;
  readonly predicate: Omit<Attestation, 'files'>;
}

const isInToto = guarding<InToto>({
  _type: oneOf(statementType),
  subject: listOf(members({ name: text, digest: members({ sha256: text }) })),
  predicateType: text,
  predicate: isObject,
});

/** How formats 4 and 5 are held together. */
interface Seal {
  readonly sha256: string;
  readonly signature?: { readonly algorithm: string; readonly publicKey: string; readonly value: string };
}

const isSeal = guarding<Seal>({
  sha256: text,
  signature: optional(members({ algorithm: text, publicKey: text, value: text })),
});

/** All that is read of an attestation later, so that a damaged one ends in a sentence. */
const isStated = guarding<Attestation>({
  format: number,
  tool: members({ name: text, version: text }),
  catalogue: text,
  // A side that is none would be read as a bank.
  side: oneOf(...sides),
  subject: members({ name: text, baseUrl: text, environment: text }),
  deployed: optional(mapOf(text)),
  fingerprints: mapOf(text),
  interpretations: mapOf(text),
  seed: number,
  runs: number,
  selection: optional(text),
  startedAt: text,
  verdict: text,
  extent: text,
  profiles: mapOf(members({ version: text, verdict: text })),
  notBinding: mapOf(text),
  knownDeviations: mapOf(text),
  insecure: optional(oneOf(true)),
  requirements: mapOf(text),
  exchanges: listOf(members({ name: text, sha256: text })),
  chain: text,
  statement: text,
  attestedAt: text,
  attestedFrom: oneOf(...attestedFroms, 'not told'),
  publicKey: optional(text),
  files: mapOf(text),
});

/** Of strangers' values no more is known than what the guards have looked at. */
function guarding<Shape>(guards: Parameters<typeof allMembers<Shape>>[0]) {
  const guard = allMembers<Shape>(guards);
  return (value: unknown): value is Shape => guard(value);
}
