import { constants, createHash, publicDecrypt } from 'node:crypto';
import { decodeBase64 } from '../../signing/base64.ts';
import type { TppCertificate } from '../../signing/certificate.ts';
import { verifyText } from '../../signing/signature.ts';

/**
 * Why a signature does not verify. A PKCS #1 v1.5 signature can be opened with the public key, and the hash inside
 * tells what was signed: so a TPP developer reads in the log what to remedy, and every way to fail has its own rule.
 */
export type SignatureVerdict =
  | 'verified'
  | 'not-base64'
  | 'other-key'
  | 'other-hash'
  | 'other-order'
  | 'other-joint'
  | 'other-line-form'
  | 'other-text';

/** One header of the signing string. */
export type SignedLine = readonly [name: string, value: string];

export function judgeSignature(
  lines: readonly SignedLine[],
  text: string,
  signature: string,
  { publicKey }: TppCertificate,
): SignatureVerdict {
  if (verifyText(text, signature, publicKey)) return 'verified';
  const bytes = decodeBase64(signature);
  if (bytes === undefined) return 'not-base64';
  const opened = openedSignature(bytes, publicKey);
  if (opened === undefined) return 'other-key';
  const covers = (candidate: string, hash = 'sha256'): boolean =>
    endsWith(opened, createHash(hash).update(candidate).digest());
  if (otherHashes.some((hash) => covers(text, hash))) return 'other-hash';
  if (otherOrders(lines).some((order) => covers(joined(order)))) return 'other-order';
  if (otherJoints.some((join) => covers(join(lines.map(plainLine))))) return 'other-joint';
  if (otherLines.some((line) => covers(lines.map(line).join('\n')))) return 'other-line-form';
  return 'other-text';
}

function openedSignature(signature: Buffer, key: TppCertificate['publicKey']): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
  } catch {
    return undefined;
  }
}

const endsWith = (bytes: Buffer, end: Buffer): boolean =>
  bytes.length > end.length && bytes.subarray(bytes.length - end.length).equals(end);

const otherHashes = ['sha512', 'sha384', 'sha1'] as const;

const plainLine = ([name, value]: SignedLine): string => `${name}: ${value}`;
const joined = (lines: readonly SignedLine[]): string => lines.map(plainLine).join('\n');

/** Reversed, sorted, or with two lines exchanged. */
function otherOrders(lines: readonly SignedLine[]): readonly (readonly SignedLine[])[] {
  const exchanged = lines.flatMap((first, i) =>
    lines.slice(i + 1).map((second, j) => lines.with(i, second).with(i + 1 + j, first)),
  );
  return [lines.toReversed(), lines.toSorted(([a], [b]) => (a < b ? -1 : 1)), ...exchanged];
}

const otherJoints: readonly ((lines: readonly string[]) => string)[] = [
  (lines) => lines.join('\r\n'),
  (lines) => `${lines.join('\n')}\n`,
  (lines) => `${lines.join('\r\n')}\r\n`,
  (lines) => lines.join('\\n'),
  (lines) => lines.join(' '),
  (lines) => lines.join(', '),
  (lines) => lines.join(','),
  (lines) => lines.join(''),
];

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const otherLines: readonly ((line: SignedLine) => string)[] = [
  ([name, value]) => `${name}:${value}`,
  ([name, value]) => `${name}:  ${value}`,
  ([name, value]) => `${name} : ${value}`,
  ([name, value]) => `${name}=${value}`,
  ([name, value]) => `${name}="${value}"`,
  ([name, value]) => `${titleCase(name)}: ${value}`,
  ([name, value]) => `${name.toUpperCase()}: ${value}`,
  ([, value]) => value,
];
