import type forge from 'node-forge';
import { asn1, util } from './forge-parts.ts';

declare module 'node-forge' {
  namespace asn1 {
    // The published types only know the older form with a single truth value.
    function fromDer(
      bytes: string,
      options: {
        readonly strict: boolean;
        readonly parseAllBytes: boolean;
        readonly decodeBitStrings: boolean;
      },
    ): Asn1;
  }
}

const { Class, Type } = asn1;

/** A value of ASN.1. Builders of certificates read like RFC 5280; what is read comes from strangers. */
export type Asn1Value = forge.asn1.Asn1;

// Writing.

export function sequence(...parts: Asn1Value[]): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
}

export function setOf(...parts: Asn1Value[]): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.SET, true, parts);
}

export function objectIdentifier(oid: string): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(oid).getBytes());
}

export function utf8String(text: string): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.UTF8, false, util.encodeUtf8(text));
}

export function printableString(text: string): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.PRINTABLESTRING, false, text);
}

export function boolean(value: boolean): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.BOOLEAN, false, value ? '\xff' : '\x00');
}

export function nullValue(): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.NULL, false, '');
}

/** A non-negative number of any size, given in hexadecimal. */
export function integer(hex: string): Asn1Value {
  const digits = hex.replace(/^0+(?=.)/, '');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  // A first byte of 0x80 and above would make the number negative (X.690 section 8.3).
  const bytes = Buffer.from(/^[89a-f]/i.test(even) ? `00${even}` : even, 'hex');
  return asn1.create(Class.UNIVERSAL, Type.INTEGER, false, bytes.toString('latin1'));
}

export function octetString(bytes: Uint8Array): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, binary(bytes));
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Asn1Value {
  return asn1.create(Class.UNIVERSAL, Type.BITSTRING, false, String.fromCharCode(unusedBits) + binary(bytes));
}

/** UTCTime through 2049 and GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
export function time(date: Date): Asn1Value {
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? asn1.create(Class.UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date))
    : asn1.create(Class.UNIVERSAL, Type.GENERALIZEDTIME, false, asn1.dateToGeneralizedTime(date));
}

/** An explicit tag around a value. */
export function explicitTag(tag: number, value: Asn1Value): Asn1Value {
  return asn1.create(Class.CONTEXT_SPECIFIC, tag, true, [value]);
}

/** An implicit tag in place of that of a primitive value. */
export function implicitTag(tag: number, bytes: Uint8Array): Asn1Value {
  return asn1.create(Class.CONTEXT_SPECIFIC, tag, false, binary(bytes));
}

/** A value that is there in encoded form already. */
export function encoded(der: Uint8Array): Asn1Value {
  return asn1.fromDer(binary(der));
}

export function encode(value: Asn1Value): Buffer {
  return Buffer.from(asn1.toDer(value).getBytes(), 'latin1');
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

// Reading.

/** Bytes that are not the ASN.1 that was looked for. */
export class Asn1Error extends Error {
  override readonly name = 'Asn1Error';
}

/** The single value that the bytes hold; anything behind it is an error. */
export function readDer(bytes: Uint8Array): Asn1Value {
  const value = readBer(bytes);
  refuseOtherThanDer(bytes);
  return value;
}

function readBer(bytes: Uint8Array): Asn1Value {
  try {
    return asn1.fromDer(binary(bytes), { strict: true, parseAllBytes: true, decodeBitStrings: false });
  } catch (error) {
    throw new Asn1Error('There is not exactly one DER value.', { cause: error });
  }
}

/**
 * Lengths that are left open, which are BER and not DER (X.690 section 10.1), and tags of several octets (section
 * 8.1.2.4), which no certificate has: node-forge takes the first and misreads the second. The lengths of the bytes
 * have been seen to fit each other.
 */
function refuseOtherThanDer(bytes: Uint8Array): void {
  let position = 0;
  while (position < bytes.length) {
    const tag = bytes[position] ?? 0;
    const length = bytes[position + 1] ?? 0;
    if ((tag & 0x1f) === 0x1f) throw new Asn1Error('A tag of several octets is not read.');
    if (length === 0x80) throw new Asn1Error('A length is left open, which DER does not allow.');
    const content = position + 2 + (length > 0x80 ? length & 0x7f : 0);
    const isConstructed = (tag & 0x20) !== 0;
    position = isConstructed ? content : content + contentLength(bytes, position + 1, content);
  }
}

function contentLength(bytes: Uint8Array, at: number, content: number): number {
  const further = bytes.subarray(at + 1, content);
  return further.length === 0 ? (bytes[at] ?? 0) : further.reduce((length, octet) => length * 256 + octet, 0);
}

/** The members of a SEQUENCE, a SET or an explicit tag. */
export function childrenOf({ value }: Asn1Value): readonly Asn1Value[] {
  if (typeof value === 'string') throw new Asn1Error('A value with members was expected.');
  return value;
}

/** The content octets of a value without members. */
export function contentOf({ value }: Asn1Value): Buffer {
  if (typeof value !== 'string') throw new Asn1Error('A value without members was expected.');
  return Buffer.from(value, 'latin1');
}

export const isSequence = (value: Asn1Value): boolean => isUniversal(value) && value.type === Type.SEQUENCE;
export const isObjectIdentifier = (value: Asn1Value): boolean =>
  isUniversal(value) && value.type === Type.OID;
export const isInteger = (value: Asn1Value): boolean => isUniversal(value) && value.type === Type.INTEGER;
export const isUtf8String = (value: Asn1Value): boolean => isUniversal(value) && value.type === Type.UTF8;
/** Whether the value stands in the tag of an optional field, such as `[3]`. */
export const isTagged = (value: Asn1Value, tag: number): boolean =>
  value.tagClass === Class.CONTEXT_SPECIFIC && Number(value.type) === tag;

const isUniversal = ({ tagClass }: Asn1Value): boolean => tagClass === Class.UNIVERSAL;

/** Dotted decimal, per X.690 section 8.19. By hand: node-forge takes the first two arcs to be a single octet. */
export function readObjectIdentifier(value: Asn1Value): string {
  const content = isObjectIdentifier(value) ? contentOf(value) : Buffer.of();
  if (content.length === 0) throw new Asn1Error('An object identifier was expected.');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (arcs.length === 0) {
      const first = Math.min(Math.floor(arc / 40), 2);
      arcs.push(first, arc - first * 40);
    } else {
      arcs.push(arc);
    }
    arc = 0;
  }
  return arcs.join('.');
}

/** Tags of the string types (X.680 section 8.4), of which node-forge names only some. */
const stringTypes = {
  utf8: 12,
  numeric: 18,
  printable: 19,
  teletex: 20,
  ia5: 22,
  visible: 26,
  universal: 28,
  bmp: 30,
} as const;

/** The text of any string type that a DirectoryString or its relatives may have (RFC 5280 section 4.1.2.4). */
export function readText(value: Asn1Value): string {
  const type = isUniversal(value) ? Number(value.type) : undefined;
  // Alone of all, node-forge has made characters of this one already.
  if (type === stringTypes.bmp) return wellFormed(String(value.value));
  const content = contentOf(value);
  switch (type) {
    case stringTypes.utf8:
      return decodeUtf8(content);
    case stringTypes.universal:
      return decodeUtf32(content);
    case stringTypes.printable:
    case stringTypes.numeric:
    case stringTypes.ia5:
    case stringTypes.visible:
    // T.61 in theory, Latin-1 in every certificate that was ever issued with it.
    case stringTypes.teletex:
      return content.toString('latin1');
    default:
      throw new Asn1Error(`The type ${value.type} is not a string type.`);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Asn1Error('A string is not valid utf-8.');
  }
}

/** Without halves of surrogate pairs. */
function wellFormed(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  throw new Asn1Error('A string is not valid utf-16be.');
}

function decodeUtf32(bytes: Buffer): string {
  if (bytes.length % 4 !== 0) throw new Asn1Error('A UniversalString is cut short.');
  let text = '';
  for (let position = 0; position < bytes.length; position += 4) {
    const codePoint = bytes.readUInt32BE(position);
    if (codePoint > 0x10ffff) throw new Asn1Error('A UniversalString holds a value that is no character.');
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
