import type { TppCertificate } from '../signing/certificate.ts';
import { parseDistinguishedName, sameDistinguishedName } from '../signing/distinguished-name.ts';
import { parseKeyId } from '../signing/key-id.ts';
import { isUpperCaseHex, sameSerialNumber } from '../signing/serial-number.ts';

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
  const hexadecimal = written.replace(/^0x/i, '').replace(/[:\s]/g, '').toUpperCase();
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
