import forge from 'node-forge';

const { asn1 } = forge;
const { Class, Type } = asn1;

/** The values that certificates are made of, so that their builders read like the ASN.1 of RFC 5280. */
export type Asn1Value = forge.asn1.Asn1;

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
  return asn1.create(Class.UNIVERSAL, Type.UTF8, false, forge.util.encodeUtf8(text));
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
