import { constants, createHash, publicDecrypt } from 'node:crypto';
import type { TppCertificate } from '../../signing/certificate.ts';
import { decodeBase64, verifyDigest } from '../../signing/digest.ts';
import { sameDistinguishedName } from '../../signing/distinguished-name.ts';
import { verifyText } from '../../signing/signature.ts';
import { requestTarget } from '../../signing/signing-string.ts';
import { candidateHeaders } from '../../spec/code-lists.ts';
import type { BankRequest } from './route.ts';

export type DigestVerdict =
  | 'absent'
  | 'verified'
  | 'malformed'
  | 'unknown-algorithm'
  | 'mismatch-sha-256'
  | 'mismatch-sha-512'
  /** The hash of the JSON written anew: a TPP's most common mistake, and a bank's. */
  | 'of-reserialised-json';

/** Over the exact bytes of the body (Common request headers, Digest). Checked wherever a request carries one. */
export function judgeDigest(request: BankRequest): DigestVerdict {
  const header = request.header('digest');
  if (header === undefined) return 'absent';
  const verdict = verifyDigest(header, request.bytes);
  if (verdict.ok) return 'verified';
  if (verdict.reason !== 'mismatch') return verdict.reason;
  if (isOfReserialisedJson(header, request)) return 'of-reserialised-json';
  return /sha-512=/i.test(header) ? 'mismatch-sha-512' : 'mismatch-sha-256';
}

function isOfReserialisedJson(header: string, { body }: BankRequest): boolean {
  if (body === undefined) return false;
  try {
    return [JSON.stringify(body), JSON.stringify(body, null, 2)].some(
      (text) => verifyDigest(header, Buffer.from(text)).ok,
    );
  } catch (error) {
    // A body can be nested deeper than it can be written.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

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

function judgeSignature(
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

/** How signatures are verified, every step replaceable. */
export interface SigningDesign {
  /** Headers that are signed when the request carries them. */
  readonly candidates: readonly string[];
  readonly algorithms: readonly string[];
  /** The value of a header, or of `(request-target)`, in the signing string; undefined when the request lacks it. */
  valueIn(this: void, request: BankRequest, name: string): string | undefined;
  /** What the signature has to cover, from the lines of the signing string. */
  textOf(this: void, lines: readonly SignedLine[]): string;
  judge(
    this: void,
    request: BankRequest,
    names: readonly string[],
    signature: string,
    certificate: TppCertificate,
  ): SignatureVerdict;
  sameIssuer(this: void, issuer: string, certificate: TppCertificate): boolean;
}

/** Authentication, Signature header: lines `name: value`, joined by a newline. */
export const compliantSigning: SigningDesign = signingOf({
  candidates: candidateHeaders,
  algorithms: ['rsa-sha256'],
  valueIn: (request, name) =>
    name === '(request-target)' ? requestTarget(request.method, request.target) : request.header(name),
  textOf: (lines) => lines.map(([name, value]) => `${name}: ${value}`).join('\n'),
  sameIssuer: (issuer, certificate) =>
    // Most clients write it as we do, and then nothing needs to be taken apart.
    issuer === certificate.issuer ||
    sameDistinguishedName(issuer, certificate.issuer) ||
    // RFC 7230 section 3.2.6: a careful client escapes backslashes and quotes inside a quoted part once more.
    sameDistinguishedName(issuer.replace(/\\(["\\])/g, '$1'), certificate.issuer),
});

/** A signing design whose judge follows from its other parts. */
export function signingOf(parts: Omit<SigningDesign, 'judge'>): SigningDesign {
  return {
    ...parts,
    judge(request, names, signature, certificate) {
      const lines = linesOf(names, (name) => parts.valueIn(request, name));
      // A header that is listed and absent has its own rule; there is no text to verify.
      if (lines === undefined) return 'verified';
      return judgeSignature(lines, parts.textOf(lines), signature, certificate);
    },
  };
}

function linesOf(
  names: readonly string[],
  valueFor: (name: string) => string | undefined,
): readonly SignedLine[] | undefined {
  const lines: SignedLine[] = [];
  for (const name of names) {
    const value = valueFor(name);
    if (value === undefined) return undefined;
    lines.push([name, value]);
  }
  return lines;
}
