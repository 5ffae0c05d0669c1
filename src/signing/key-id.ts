import { sameDistinguishedName } from './distinguished-name.ts';
import { sameSerialNumber } from './serial-number.ts';

export interface KeyId {
  readonly serialNumber: string;
  readonly issuer: string;
}

export type KeyIdComparison = 'same' | 'malformed' | 'other-serial-number' | 'other-issuer';

export function formatKeyId(keyId: KeyId): string {
  return `SN=${keyId.serialNumber},CA=${keyId.issuer}`;
}

/** Undefined when the text is not `SN=<serial>,CA=<issuer>`. Neither half is judged here. */
export function parseKeyId(text: string): KeyId | undefined {
  const [, serialNumber, issuer] = /^SN=([^,]+),CA=(.+)$/su.exec(text) ?? [];
  return serialNumber === undefined || issuer === undefined ? undefined : { serialNumber, issuer };
}

/**
 * Whether a keyId, as written in a Signature header, names this certificate. The issuer may stand there in
 * RFC 2253 form as it is, or once more escaped with the quoted-pairs of RFC 7230 section 3.2.6.
 */
export function compareKeyId(text: string, certificate: KeyId): KeyIdComparison {
  const keyId = parseKeyId(text);
  if (keyId === undefined) return 'malformed';
  if (!sameSerialNumber(keyId.serialNumber, certificate.serialNumber)) return 'other-serial-number';
  const sameIssuer =
    sameDistinguishedName(keyId.issuer, certificate.issuer) ||
    sameDistinguishedName(withoutQuotedPairs(keyId.issuer), certificate.issuer);
  return sameIssuer ? 'same' : 'other-issuer';
}

function withoutQuotedPairs(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}
