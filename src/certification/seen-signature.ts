import { isUtf8 } from 'node:buffer';
import { verify } from 'node:crypto';
import { isUpperCaseHex, sameSerialNumber, type TppCertificate } from '../signing/certificate.ts';
import { decodeBase64 } from '../signing/digest.ts';
import { parseDistinguishedName, sameDistinguishedName } from '../signing/distinguished-name.ts';
import { decodeWord, EncodedWordError, isEncodedWord, needsEncoding } from '../signing/encoded-word.ts';
import { verifyText } from '../signing/signature.ts';
import { parseKeyId } from '../signing/signature-header.ts';
import { MissingSignedHeaderError, signingString } from '../signing/signing-string.ts';

export const signatureParts = ['keyId', 'algorithm', 'headers', 'signature'] as const;
export type SignaturePart = (typeof signatureParts)[number];

/** A Signature header as far as it can be read, so that each of its sides is judged by itself. */
export class SeenSignature {
  /** As it came. */
  readonly value: string;
  readonly wasEncoded: boolean;
  /** Why the encoded word cannot be read. */
  readonly encodingProblem: string | undefined;
  /** Whether bytes outside ASCII stand in it as they are. */
  readonly isRaw: boolean;
  /** Names of the parts as they come; undefined when it is no list of quoted parts. */
  readonly order: readonly string[] | undefined;
  readonly #parts: ReadonlyMap<string, string>;

  constructor(value: string) {
    this.value = value;
    this.wasEncoded = isEncodedWord(value);
    this.isRaw = needsEncoding(value);
    const decoded = decodedValue(value);
    this.encodingProblem = decoded.problem;
    const parts = decoded.text === undefined ? undefined : quotedParts(decoded.text);
    this.order = parts?.map(([name]) => name);
    this.#parts = new Map(parts);
  }

  part(name: SignaturePart): string | undefined {
    return this.#parts.get(name) || undefined;
  }

  /** The signed names in lower case, however they are written and whatever stands between them. */
  get names(): readonly string[] | undefined {
    const names = this.part('headers')
      ?.toLowerCase()
      .split(/[\s,;:|'[\]]+/)
      .map((name) => (/^\([^()]+\)$/.test(name) ? name : name.replace(/[()]/g, '')))
      .filter(Boolean);
    return names === undefined || names.length === 0 ? undefined : names;
  }

  /** Whether any part holds a character outside ASCII, encoded or not. */
  get isInternational(): boolean {
    return this.isRaw || [...this.#parts.values()].some(needsEncoding);
  }
}

/** Node hands header bytes over as ISO-8859-1; a client that does not encode has most likely sent UTF-8. */
function decodedValue(value: string): { readonly text?: string; readonly problem?: string } {
  try {
    if (isEncodedWord(value)) return { text: decodeWord(value) };
  } catch (error) {
    if (!(error instanceof EncodedWordError)) throw error;
    return { problem: error.message };
  }
  const bytes = Buffer.from(value, 'latin1');
  const wasBytes = bytes.toString('latin1') === value;
  return { text: wasBytes && isUtf8(bytes) ? bytes.toString('utf8') : value };
}

function quotedParts(text: string): readonly (readonly [string, string])[] | undefined {
  const parts: (readonly [string, string])[] = [];
  const part = /[ \t]*([A-Za-z()-]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/suy;
  for (let more = true; more; ) {
    const [, name, content, separator] = part.exec(text) ?? [];
    if (name === undefined || content === undefined) return undefined;
    parts.push([name, content]);
    more = separator === ',';
  }
  return parts;
}

export type Verification =
  | { readonly outcome: 'verified' | 'not-judged' }
  | { readonly outcome: 'broken'; readonly problem: string };

/** Whether the signature is one of this certificate's key over the signing string that the parts describe. */
export function verifySeen(
  signature: SeenSignature,
  certificate: TppCertificate,
  valueFor: (name: string) => string | undefined,
): Verification {
  const names = signature.names;
  const written = signature.part('signature');
  // A header without its parts is judged by its form.
  if (names === undefined || written === undefined) return { outcome: 'not-judged' };
  const bytes = decodeBase64(written);
  if (bytes === undefined) return { outcome: 'broken', problem: 'the signature is not Base64' };
  try {
    const text = signingString(names, valueFor);
    if (verifyText(text, written, certificate.publicKey)) return { outcome: 'verified' };
    // A client that signs with another hash and says so breaks the rule about the algorithm, not this one.
    const hash = /sha(?:1|384|512)$/i.exec(signature.part('algorithm') ?? '')?.[0].toLowerCase();
    if (hash !== undefined && verify(hash, Buffer.from(text), certificate.publicKey, bytes)) {
      return { outcome: 'verified' };
    }
    return { outcome: 'broken', problem: 'it does not verify with the key of the certificate sent' };
  } catch (error) {
    if (!(error instanceof MissingSignedHeaderError)) throw error;
    return { outcome: 'broken', problem: error.message };
  }
}

/** `other-form` is the right thing, written in another way than the specification asks for. */
export type Likeness = 'right' | 'other-form' | 'other';

export interface SeenKeyId {
  readonly serialNumber: Likeness;
  readonly issuer: Likeness;
}

/** How a keyId relates to the certificate next to it; undefined when it is not `SN=<serial>,CA=<issuer>`. */
export function compareSeenKeyId(text: string, certificate: TppCertificate): SeenKeyId | undefined {
  const keyId = parseKeyId(text);
  return (
    keyId && {
      serialNumber: likenessOfSerialNumber(keyId.serialNumber, certificate.serialNumber),
      issuer: likenessOfIssuer(keyId.issuer, certificate.issuer),
    }
  );
}

function likenessOfSerialNumber(written: string, serialNumber: string): Likeness {
  if (sameSerialNumber(written, serialNumber)) return 'right';
  const hexadecimal = written
    .replace(/^0x/i, '')
    .replace(/h$/i, '')
    .replace(/[:\s-]/g, '')
    .toUpperCase();
  if (sameSerialNumber(hexadecimal, serialNumber)) return 'other-form';
  const isDecimal = /^\d+$/.test(written) && isUpperCaseHex(serialNumber);
  return isDecimal && BigInt(written) === BigInt(`0x${serialNumber}`) ? 'other-form' : 'other';
}

function likenessOfIssuer(written: string, issuer: string): Likeness {
  // RFC 7230 section 3.2.6: a careful client escapes backslashes and quotes inside a quoted part once more.
  const unquoted = written.replace(/\\(["\\])/g, '$1');
  if (sameDistinguishedName(written, issuer) || sameDistinguishedName(unquoted, issuer)) return 'right';
  const plain = written.replaceAll('\\', '');
  const values = parseDistinguishedName(issuer).flatMap((rdn) => rdn.map(({ value }) => value));
  return values.every((value) => plain.includes(value)) ? 'other-form' : 'other';
}
