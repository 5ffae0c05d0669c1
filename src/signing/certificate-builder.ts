import { type KeyObject, sign, X509Certificate } from 'node:crypto';
import {
  type Asn1Value,
  bitString,
  encode,
  encoded,
  explicitTag,
  integer,
  nullValue,
  objectIdentifier,
  printableString,
  sequence,
  setOf,
  time,
  utf8String,
} from './asn1-values.ts';
import { attributeTypeOid } from './attribute-types.ts';
import type { NameAttribute, Rdn } from './distinguished-name.ts';

export interface CertificateContent {
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly issuerDer: Uint8Array;
  readonly subjectDer: Uint8Array;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Asn1Value[];
}

/**
 * A certificate in PEM, signed with sha256WithRSAEncryption by node:crypto. node-forge encodes it but does
 * not sign it (13 times slower), and its certificate object is not used: that would encode names anew and
 * lose the exact bytes of the issuer's.
 */
export function buildCertificate(content: CertificateContent, signingKey: KeyObject): string {
  const algorithm = sequence(objectIdentifier('1.2.840.113549.1.1.11'), nullValue());
  const version3 = explicitTag(0, integer('2'));
  const tbsCertificate = sequence(
    version3,
    integer(content.serialNumber),
    algorithm,
    encoded(content.issuerDer),
    sequence(time(content.notBefore), time(content.notAfter)),
    encoded(content.subjectDer),
    encoded(content.publicKey.export({ type: 'spki', format: 'der' })),
    explicitTag(3, sequence(...content.extensions)),
  );
  const signature = sign('sha256', encode(tbsCertificate), signingKey);
  const der = encode(sequence(tbsCertificate, algorithm, bitString(signature)));
  return new X509Certificate(der).toString();
}

/** The DER of a name given in certificate order. */
export function encodeName(rdns: readonly Rdn[]): Buffer {
  return encode(sequence(...rdns.map((rdn) => setOf(...rdn.map(attribute).sort(byEncoding)))));
}

function attribute({ type, value }: NameAttribute): Asn1Value {
  const oid = attributeTypeOid(type);
  if (oid === undefined) throw new TypeError(`The attribute type ${type} has no known OID.`);
  // RFC 5280 appendix A.1: countryName is a PrintableString; UTF8String does for the others.
  return sequence(objectIdentifier(oid), type === 'C' ? printableString(value) : utf8String(value));
}

// DER sorts the members of a SET OF by their encoding (X.690 section 11.6).
function byEncoding(a: Asn1Value, b: Asn1Value): number {
  return Buffer.compare(encode(a), encode(b));
}
