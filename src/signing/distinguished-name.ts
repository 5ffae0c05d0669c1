import { readDer, readText } from './asn1.ts';

interface AttributeType {
  readonly oid: string;
  /** The key of RFC 2253 section 2.3; types without one are written as their OID. */
  readonly rfc2253?: string;
  /** What OpenSSL prints. */
  readonly openssl: string;
  readonly aliases?: readonly string[];
}

const attributeTypes: readonly AttributeType[] = [
  { oid: '2.5.4.3', rfc2253: 'CN', openssl: 'CN', aliases: ['commonName'] },
  { oid: '2.5.4.7', rfc2253: 'L', openssl: 'L', aliases: ['localityName'] },
  // Microsoft tools, and clients of this interface, write S for stateOrProvinceName.
  { oid: '2.5.4.8', rfc2253: 'ST', openssl: 'ST', aliases: ['S', 'stateOrProvinceName'] },
  { oid: '2.5.4.10', rfc2253: 'O', openssl: 'O', aliases: ['organizationName'] },
  { oid: '2.5.4.11', rfc2253: 'OU', openssl: 'OU', aliases: ['organizationalUnitName'] },
  { oid: '2.5.4.6', rfc2253: 'C', openssl: 'C', aliases: ['countryName'] },
  { oid: '2.5.4.9', rfc2253: 'STREET', openssl: 'street', aliases: ['streetAddress'] },
  { oid: '0.9.2342.19200300.100.1.25', rfc2253: 'DC', openssl: 'DC', aliases: ['domainComponent'] },
  { oid: '0.9.2342.19200300.100.1.1', rfc2253: 'UID', openssl: 'UID', aliases: ['userId'] },
  // ETSI TS 119 495: carries the PSP's authorisation number.
  { oid: '2.5.4.97', openssl: 'organizationIdentifier', aliases: ['organisationIdentifier'] },
  { oid: '2.5.4.5', openssl: 'serialNumber' },
  { oid: '2.5.4.4', openssl: 'SN', aliases: ['surname'] },
  { oid: '2.5.4.42', openssl: 'GN', aliases: ['givenName'] },
  { oid: '2.5.4.12', openssl: 'title', aliases: ['T'] },
  { oid: '2.5.4.15', openssl: 'businessCategory' },
  { oid: '2.5.4.17', openssl: 'postalCode' },
  { oid: '2.5.4.65', openssl: 'pseudonym' },
  { oid: '1.2.840.113549.1.9.1', openssl: 'emailAddress', aliases: ['E', 'EMAIL'] },
];

const byName = new Map(
  attributeTypes.flatMap((type) =>
    [
      type.oid,
      type.openssl,
      ...(type.rfc2253 === undefined ? [] : [type.rfc2253]),
      ...(type.aliases ?? []),
    ].map((name) => [name.toLowerCase(), type] as const),
  ),
);

/** The short name of RFC 2253, or the OID where RFC 2253 has none; an unknown name comes back as written. */
export function rfc2253TypeName(name: string): string {
  const type = find(name);
  return type === undefined ? withoutOidPrefix(name) : (type.rfc2253 ?? type.oid);
}

function opensslTypeName(name: string): string {
  return find(name)?.openssl ?? withoutOidPrefix(name);
}

/** One spelling per type, whatever the case or alias that was used. */
function canonicalTypeName(name: string): string {
  return find(name)?.oid ?? withoutOidPrefix(name).toLowerCase();
}

export function attributeTypeOid(name: string): string | undefined {
  const oid = canonicalTypeName(name);
  return /^\d+(?:\.\d+)+$/.test(oid) ? oid : undefined;
}

function find(name: string): AttributeType | undefined {
  return byName.get(withoutOidPrefix(name).toLowerCase());
}

// RFC 2253 section 4 asks readers to take the "OID." prefix of RFC 1779.
function withoutOidPrefix(name: string): string {
  return name.replace(/^oid\./i, '');
}

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

/** A text that is not a distinguished name in RFC 2253 form. */
export class DistinguishedNameError extends Error {
  override readonly name = 'DistinguishedNameError';
  readonly text: string;

  constructor(text: string, problem: string) {
    super(`"${text}" is not a distinguished name: ${problem}`);
    this.text = text;
  }
}

interface WrittenAttribute {
  readonly type: string;
  readonly value: string;
}

/**
 * The relative names as written, first one first. Takes what RFC 2253 section 4 asks of readers: quoted
 * values, semicolons as separators and spaces around separators, besides the grammar of section 3.
 */
function parseRelativeNames(text: string): readonly (readonly WrittenAttribute[])[] {
  if (text.trim() === '') return [];
  const rdns: WrittenAttribute[][] = [];
  let rdn: WrittenAttribute[] = [];
  for (let position = 0; ; ) {
    const type = readType(text, position);
    const value = readValue(text, type.end);
    rdn.push({ type: type.name, value: value.content });
    const separator = text[value.end];
    if (separator !== '+') {
      rdns.push(rdn);
      rdn = [];
    }
    if (separator === undefined) return rdns;
    position = value.end + 1;
  }
}

function readType(text: string, start: number): { name: string; end: number } {
  const match = / *([A-Za-z][A-Za-z0-9-]*|(?:OID\.)?\d+(?:\.\d+)*) *= */iy;
  match.lastIndex = start;
  const name = match.exec(text)?.[1];
  if (name === undefined) {
    throw new DistinguishedNameError(
      text,
      `an attribute type and "=" are missing at character ${start + 1}.`,
    );
  }
  return { name, end: match.lastIndex };
}

function readValue(text: string, start: number): { content: string; end: number } {
  if (text[start] === '"') return readQuotedValue(text, start);
  if (text[start] === '#') return readHexValue(text, start);
  return readPlainValue(text, start);
}

function readPlainValue(text: string, start: number): { content: string; end: number } {
  const match = /(?:[^,;+"\\]|\\(?:[0-9A-Fa-f]{2}|[^0-9A-Za-z]))*/uy;
  match.lastIndex = start;
  const written = match.exec(text)?.[0] ?? '';
  const end = start + written.length;
  requireSeparator(text, end);
  return { content: unescaped(text, withoutTrailingSpace(written)), end };
}

function readQuotedValue(text: string, start: number): { content: string; end: number } {
  const match = /"((?:[^"\\]|\\(?:[0-9A-Fa-f]{2}|[^0-9A-Za-z]))*)" */uy;
  match.lastIndex = start;
  const written = match.exec(text)?.[1];
  if (written === undefined) throw new DistinguishedNameError(text, 'a quoted value does not end.');
  const end = match.lastIndex;
  requireSeparator(text, end);
  return { content: unescaped(text, written), end };
}

// "#" and the BER of the value in hexadecimal: what Java prints for types that RFC 2253 gives no key to.
function readHexValue(text: string, start: number): { content: string; end: number } {
  const match = /#((?:[0-9A-Fa-f]{2})+) */y;
  match.lastIndex = start;
  const hex = match.exec(text)?.[1];
  if (hex === undefined)
    throw new DistinguishedNameError(text, 'a value starts with "#", but is not hexadecimal.');
  const end = match.lastIndex;
  requireSeparator(text, end);
  try {
    return { content: readText(readDer(Buffer.from(hex, 'hex'))), end };
  } catch {
    throw new DistinguishedNameError(text, `#${hex} is not the encoding of a string.`);
  }
}

function requireSeparator(text: string, position: number): void {
  const next = text[position];
  if (next === undefined || next === ',' || next === ';' || next === '+') return;
  throw new DistinguishedNameError(
    text,
    `the character ${next} at position ${position + 1} needs a backslash before it, or one too many stands there.`,
  );
}

// A trailing space counts only when it is escaped (RFC 2253 section 2.4). By hand, because a pattern looks for the end
// from every space inside the value anew.
function withoutTrailingSpace(written: string): string {
  const end = lengthWithout(' ', written, written.length);
  const backslashes = end - lengthWithout('\\', written, end);
  return written.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function lengthWithout(character: string, text: string, end: number): number {
  let length = end;
  while (length > 0 && text[length - 1] === character) length -= 1;
  return length;
}

function unescaped(text: string, written: string): string {
  const pieces = Array.from(
    written.matchAll(/\\([0-9A-Fa-f]{2})|\\(.)|([^\\]+)/gsu),
    ([, hex, escaped, plain]) =>
      hex === undefined ? Buffer.from(escaped ?? plain ?? '', 'utf8') : Buffer.from(hex, 'hex'),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new DistinguishedNameError(text, 'its hexadecimal pairs are not UTF-8.');
  }
}
