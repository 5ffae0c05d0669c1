import type { X509Certificate } from 'node:crypto';

/** The serial number in upper-case hexadecimal, as the `SN` of a keyId wants it. */
export function serialNumberOf(certificate: X509Certificate): string {
  return certificate.serialNumber.toUpperCase();
}

export function isUpperCaseHex(text: string): boolean {
  return /^[0-9A-F]+$/.test(text);
}

/**
 * The same number in upper-case hexadecimal. Leading zeros do not count: for 0xA1B OpenSSL prints `0A1B`,
 * Java `A1B`, and a copy of the DER integer may start with a zero byte. Lower case is not the same, because
 * the specification asks for upper case.
 */
export function sameSerialNumber(a: string, b: string): boolean {
  return isUpperCaseHex(a) && isUpperCaseHex(b) && withoutLeadingZeros(a) === withoutLeadingZeros(b);
}

function withoutLeadingZeros(hex: string): string {
  return hex.replace(/^0+(?=.)/, '');
}
