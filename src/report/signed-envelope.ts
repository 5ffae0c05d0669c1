import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readBounded } from '../target/bounded-file.ts';
import { unreadable } from '../target/key-pairs.ts';

/*
 * The envelope of an attestation and its signature: DSSE 1.0 (https://github.com/secure-systems-lab/dsse), and the keys
 * that sign it.
 */

export const payloadType = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payloadType: string;
  /** Base64, as are signatures. */
  readonly payload: string;
  /** DSSE asks for one at least; an attestation that nobody signs has none, and `verify` says so. */
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export interface EnvelopeSignature {
  readonly key: KeyObject;
  readonly value: Buffer;
}

/** An envelope as it is written. The same one could be written in many ways, of which this is the only one. */
export const envelopeText = (payload: Buffer, signature?: EnvelopeSignature): string =>
  textOf({
    payloadType,
    payload: payload.toString('base64'),
    signatures:
      signature === undefined
        ? []
        : [{ keyid: keyFingerprintOf(signature.key), sig: signature.value.toString('base64') }],
  } satisfies Envelope);

/** A JSON file of ours. */
export const textOf = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** What a signature is made over: PAE, which says of each part how long it is. */
export const signedBytes = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);

/** The hash that keys of each kind sign; Ed25519 has its own. ECDSA signatures are DER, RSA ones PKCS #1 v1.5. */
const hashes: ReadonlyMap<string | undefined, string | null> = new Map([
  ['ed25519', null],
  ['prime256v1', 'sha256'],
  ['secp384r1', 'sha384'],
  ['rsa', 'sha256'],
]);

const kindOf = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject): string | undefined =>
  asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType;

export const signed = (payload: Buffer, key: KeyObject): Buffer =>
  sign(hashes.get(kindOf(key)), signedBytes(payload), key);

/** Whether a signature is that of a key. */
export function holds(bytes: Buffer, { key, value }: EnvelopeSignature): boolean {
  try {
    return whyUnfit(key) === undefined && verify(hashes.get(kindOf(key)), bytes, key, value);
  } catch {
    // OpenSSL throws where the key is of another type than the signature.
    return false;
  }
}

/** SHA-256 of a public key in DER, in hexadecimal; of the public half of a private one. */
export const keyFingerprintOf = (key: KeyObject): string =>
  createHash('sha256')
    .update(publicHalf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex');

export const publicPem = (key: KeyObject): string =>
  publicHalf(key).export({ type: 'spki', format: 'pem' }).toString();

const publicHalf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key);

/** A key that cannot sign or verify attestations, with what to give instead. */
export class AttestationKeyError extends Error {
  override readonly name = 'AttestationKeyError';
}

/** NIST SP 800-131A: what a shorter key has signed, others can forge. */
const fewestBits = 2048;

function whyUnfit(key: KeyObject): string | undefined {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? fewestBits;
  if (bits < fewestBits) return `an RSA key of ${bits} bits, whose signatures others can forge`;
  return hashes.has(kindOf(key)) ? undefined : `a key of type ${kindOf(key)}`;
}

/** Reads the key that signs: a PEM file with a private key. */
export const readAttestationKey = (file: string): KeyObject => readKey(file, createPrivateKey, 'private');

/** Reads the key that verifies: a public key or a certificate, in PEM. */
export const readPublicKey = (file: string): KeyObject => readKey(file, createPublicKey, 'public');

function readKey(file: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): KeyObject {
  const give = `Give a PEM file with a ${kind} key.`;
  let pem: string;
  try {
    pem = readBounded(file).toString('utf8');
  } catch (cause) {
    throw new AttestationKeyError(`${unreadable(file, cause)} ${give}`, { cause });
  }
  let key: KeyObject;
  try {
    key = read(pem);
  } catch (cause) {
    const why = pem.includes('ENCRYPTED') ? 'The key in it is encrypted; decrypt it first.' : give;
    throw new AttestationKeyError(`${file} holds no ${kind} key that can be used. ${why}`, { cause });
  }
  const unfit = whyUnfit(key);
  if (unfit === undefined) return key;
  throw new AttestationKeyError(
    `${file} holds ${unfit}. Give an Ed25519, ECDSA (P-256 or P-384) or RSA key, of ${fewestBits} bits or more: openssl genpkey -algorithm ed25519 -out attest.key`,
  );
}
