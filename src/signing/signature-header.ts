import { decodeWord, EncodedWordError, encodeWord, isEncodedWord, needsEncoding } from './encoded-word.ts';

export interface KeyId {
  readonly serialNumber: string;
  readonly issuer: string;
}

export function formatKeyId(keyId: KeyId): string {
  return `SN=${keyId.serialNumber},CA=${keyId.issuer}`;
}

/** Undefined when the text is not `SN=<serial>,CA=<issuer>`. Neither half is judged here. */
export function parseKeyId(text: string): KeyId | undefined {
  const [, serialNumber, issuer] = /^SN=([^,]+),CA=(.+)$/su.exec(text) ?? [];
  return serialNumber === undefined || issuer === undefined ? undefined : { serialNumber, issuer };
}

export interface SignatureParts {
  readonly keyId: string;
  readonly algorithm: string;
  readonly headers: readonly string[];
  readonly signature: string;
}

export interface ParsedSignature extends SignatureParts {
  readonly partOrder: readonly string[];
  readonly wasEncoded: boolean;
}

/** A `Signature` header that cannot be read. `problem` is the sentence to show. */
export class SignatureFormatError extends Error {
  override readonly name = 'SignatureFormatError';
  readonly problem: string;

  constructor(problem: string) {
    super(`${problem} Write keyId="…",algorithm="…",headers="…",signature="…".`);
    this.problem = problem;
  }
}

// In the order that the specification gives ("Signature header").
const partNames = ['keyId', 'algorithm', 'headers', 'signature'] as const;
type PartName = (typeof partNames)[number];

/** The header value; an RFC 2047 encoded word when a part holds a character outside ASCII. */
export function formatSignatureHeader(parts: SignatureParts): string {
  const values: Record<PartName, string> = { ...parts, headers: parts.headers.join(' ') };
  const plain = partNames.map((name) => `${name}="${quotedContent(values[name])}"`).join(',');
  return needsEncoding(plain) ? encodeWord(plain) : plain;
}

/**
 * Reads the four parts in whatever order they come; `partOrder` tells which it was.
 *
 * A backslash protects the character behind it from ending the value and is otherwise kept: the parts are
 * returned as written. RFC 2253 escapes look exactly like the quoted-pairs of RFC 7230, and clients in the
 * wild write a distinguished name verbatim (`O=Acme\, Inc`), so removing backslashes would damage the name.
 * Who compares names understands the doubly escaped form (`O=Acme\\, Inc`) as well.
 */
export function parseSignatureHeader(value: string): ParsedSignature {
  const wasEncoded = isEncodedWord(value);
  const written = readParts(wasEncoded ? decoded(value) : value);

  const part = (name: PartName): string => {
    const text = written.get(name);
    if (text === undefined) throw new SignatureFormatError(`The Signature header has no part "${name}".`);
    if (text === '') throw new SignatureFormatError(`The part "${name}" of the Signature header is empty.`);
    return text;
  };
  return {
    keyId: part('keyId'),
    algorithm: part('algorithm'),
    headers: headerNames(part('headers')),
    signature: part('signature'),
    partOrder: [...written.keys()],
    wasEncoded,
  };
}

/**
 * Verbatim where the value delimits itself, that is, where no quote stands without a backslash before it and
 * no backslash stands last: every distinguished name in RFC 2253 form is such a value. Anything else would
 * end the part too early, so it gets the quoted-pairs of RFC 7230 section 3.2.6.
 */
function quotedContent(value: string): string {
  return /^(?:[^"\\]|\\.)*$/su.test(value) ? value : value.replace(/["\\]/g, '\\$&');
}

function decoded(value: string): string {
  try {
    return decodeWord(value);
  } catch (error) {
    if (error instanceof EncodedWordError) throw new SignatureFormatError(error.message);
    throw error;
  }
}

function readParts(text: string): Map<string, string> {
  if (text.trim() === '') throw new SignatureFormatError('The Signature header is empty.');
  const parts = new Map<string, string>();
  const part = /[ \t]*([A-Za-z()-]+)="((?:[^"\\]|\\.)*)"[ \t]*(,|$)/suy;
  for (let position = 0, more = true; more; position = part.lastIndex) {
    part.lastIndex = position;
    const match = part.exec(text);
    if (match === null) {
      throw new SignatureFormatError(
        `The Signature header is not written as name="value" at "${text.slice(position, position + 30)}".`,
      );
    }
    const [, name = '', content = '', separator] = match;
    if (!partNames.some((known) => known === name)) {
      throw new SignatureFormatError(`The Signature header has an unknown part "${name}".`);
    }
    if (parts.has(name)) {
      throw new SignatureFormatError(`The Signature header has the part "${name}" more than once.`);
    }
    parts.set(name, content);
    more = separator === ',';
  }
  return parts;
}

function headerNames(text: string): readonly string[] {
  const names = text.split(' ');
  if (names.some((name) => name === '' || /\s/.test(name))) {
    throw new SignatureFormatError('The names in the part "headers" are not separated by a single space.');
  }
  return names;
}
