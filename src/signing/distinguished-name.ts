import { canonicalTypeName, opensslTypeName, rfc2253TypeName } from './attribute-types.ts';
import { DistinguishedNameError, parseRelativeNames } from './distinguished-name-parser.ts';

export { DistinguishedNameError };

export interface NameAttribute {
  /** A short name of RFC 2253 or an OID. */
  readonly type: string;
  readonly value: string;
}

/** A relative distinguished name; more than one attribute makes it multi-valued. */
export type Rdn = readonly NameAttribute[];

/**
 * RFC 2253 form with characters outside ASCII as they are, the way Java prints it. The names are given in
 * certificate order and printed in reverse, most specific first (section 2.1). A type that RFC 2253 gives no
 * key to is written as its OID with a readable value: `2.5.4.97=PSDNO-FSA-123456`.
 */
export function formatDistinguishedName(rdns: readonly Rdn[]): string {
  return rdns
    .map((rdn) => rdn.map(({ type, value }) => `${rfc2253TypeName(type)}=${escapeValue(value)}`).join('+'))
    .reverse()
    .join(',');
}

/**
 * The form of `openssl x509 -nameopt RFC2253`: bytes outside ASCII as hexadecimal pairs, OpenSSL's own short
 * names, and the attributes of a multi-valued name in reverse as well.
 */
export function formatDistinguishedNameHexEscaped(rdns: readonly Rdn[]): string {
  return rdns
    .map((rdn) =>
      rdn
        .map(({ type, value }) => `${opensslTypeName(type)}=${hexEscapeNonAscii(escapeValue(value))}`)
        .reverse()
        .join('+'),
    )
    .reverse()
    .join(',');
}

/** The names of a distinguished name in RFC 2253 form, put back into certificate order. */
export function parseDistinguishedName(text: string): readonly Rdn[] {
  return parseRelativeNames(text)
    .map((rdn) => rdn.map(({ type, value }) => ({ type: rfc2253TypeName(type), value })))
    .reverse();
}

/**
 * Whether two texts name the same thing. The order of RFC 2253 counts; spelling of types, escapes, white space
 * around separators and the order inside a multi-valued name do not. A text that is no name equals nothing.
 */
export function sameDistinguishedName(a: string, b: string): boolean {
  const [canonicalA, canonicalB] = [canonicalForm(a), canonicalForm(b)];
  return canonicalA !== undefined && canonicalA === canonicalB;
}

function canonicalForm(text: string): string | undefined {
  try {
    return JSON.stringify(
      parseRelativeNames(text).map((rdn) =>
        rdn.map(({ type, value }) => JSON.stringify([canonicalTypeName(type), value])).sort(),
      ),
    );
  } catch (error) {
    if (error instanceof DistinguishedNameError) return undefined;
    throw error;
  }
}

// RFC 2253 section 2.4. Control characters are printed as hexadecimal pairs, because a line break in a name
// would otherwise become a line break in a header.
function escapeValue(value: string): string {
  return value
    .replace(/[,+"\\<>;]|^[# ]| $/g, '\\$&')
    .replace(/\p{Cc}/gu, (character) => hexPairs(character));
}

function hexEscapeNonAscii(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (character) => hexPairs(character));
}

function hexPairs(character: string): string {
  return Array.from(
    Buffer.from(character, 'utf8'),
    (byte) => `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
