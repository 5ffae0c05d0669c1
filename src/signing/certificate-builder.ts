import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import {
  type Asn1Value,
  bitString,
  boolean,
  childrenOf,
  contentOf,
  encode,
  encoded,
  explicitTag,
  implicitTag,
  integer,
  nullValue,
  objectIdentifier,
  octetString,
  printableString,
  readDer,
  sequence,
  setOf,
  time,
  utf8String,
} from './asn1.ts';
import type { CertificateFields } from './certificate.ts';
import { attributeTypeOid, type NameAttribute, type Rdn } from './distinguished-name.ts';
import { util } from './forge-parts.ts';
import { type PspRole, qcStatementsOid, qcStatementsWith } from './psp-roles.ts';
import type { Sign } from './signature.ts';

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
 * A certificate in PEM, signed with sha256WithRSAEncryption. node-forge encodes it but does
 * not sign it (13 times slower), and its certificate object is not used: that would encode names anew and
 * lose the exact bytes of the issuer's.
 */
export async function buildCertificate(content: CertificateContent, sign: Sign): Promise<string> {
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
  const signature = await sign(encode(tbsCertificate), 'sha256');
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

declare module 'node-forge' {
  namespace util {
    // Missing from the published types. Null when the text is not an IPv4 or IPv6 address.
    function bytesFromIP(text: string): string | null;
  }
}

// The extensions of RFC 5280 section 4.2 that test certificates carry, each as one `Extension` value.

export const subjectKeyIdentifierOid = '2.5.29.14';

const keyUsageOid = '2.5.29.15';

// Bits of KeyUsage with the number of unused bits behind the last one set (RFC 5280 section 4.2.1.3).
const keyUsages = {
  issueCertificates: { bits: 0b0000_0110, unused: 1 },
  sign: { bits: 0b1100_0000, unused: 6 },
  serveTls: { bits: 0b1010_0000, unused: 5 },
} as const;

export function keyUsage(purpose: keyof typeof keyUsages): Asn1Value {
  const { bits, unused } = keyUsages[purpose];
  return extension(keyUsageOid, 'critical', bitString(Uint8Array.of(bits), unused));
}

export function basicConstraints(isAuthority: boolean): Asn1Value {
  return extension('2.5.29.19', 'critical', isAuthority ? sequence(boolean(true)) : sequence());
}

export function serverAuthentication(): Asn1Value {
  return extension('2.5.29.37', 'optional', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1')));
}

export function subjectKeyIdentifier(identifier: Uint8Array): Asn1Value {
  return extension(subjectKeyIdentifierOid, 'optional', octetString(identifier));
}

export function authorityKeyIdentifier(identifier: Uint8Array): Asn1Value {
  return extension('2.5.29.35', 'optional', sequence(implicitTag(0, identifier)));
}

/** DNS names, and addresses where a host is written as one: TLS clients look for those in their own form. */
export function subjectAlternativeNames(hosts: readonly string[]): Asn1Value {
  return extension('2.5.29.17', 'optional', sequence(...hosts.map(generalName)));
}

function qcStatements(roles: readonly PspRole[], like?: Uint8Array): Asn1Value {
  return extension(qcStatementsOid, 'optional', qcStatementsWith(roles, like));
}

/** What is of one certificate alone, and stands in the next one anew. */
const ofOneCertificate: ReadonlySet<string> = new Set([
  '2.5.29.19',
  subjectKeyIdentifierOid,
  '2.5.29.35',
  qcStatementsOid,
  // Of a log that has seen it.
  '1.3.6.1.4.1.11129.2.4.2',
]);

/**
 * The extensions by which a TPP is certified for these roles. Where another certificate is given, they are those of that one:
 * a bank may look for policies, uses and statements of which nothing is known here.
 */
export function tppExtensions(
  roles: readonly PspRole[],
  like?: Pick<CertificateFields, 'extensions' | 'wholeExtensions'>,
): readonly Asn1Value[] {
  const others = [...(like?.wholeExtensions ?? [])].filter(([oid]) => !ofOneCertificate.has(oid));
  return [
    ...(others.some(([oid]) => oid === keyUsageOid) ? [] : [keyUsage('sign')]),
    ...others.map(([, whole]) => encoded(whole)),
    qcStatements(roles, like?.extensions.get(qcStatementsOid)),
  ];
}

/** The usual identifier of a key: SHA-1 of its bits (RFC 5280 section 4.2.1.2, method 1). */
export function keyIdentifierOf(publicKey: KeyObject): Buffer {
  const [, bits] = childrenOf(readDer(publicKey.export({ type: 'spki', format: 'der' })));
  if (bits === undefined) throw new TypeError('The public key has no bits.');
  const unusedBitsOctet = 1;
  return createHash('sha1').update(contentOf(bits).subarray(unusedBitsOctet)).digest();
}

function generalName(host: string): Asn1Value {
  const address = util.bytesFromIP(host);
  return address === null
    ? implicitTag(2, Buffer.from(host, 'latin1'))
    : implicitTag(7, Buffer.from(address, 'latin1'));
}

function extension(oid: string, weight: 'critical' | 'optional', value: Asn1Value): Asn1Value {
  const id = objectIdentifier(oid);
  const content = octetString(encode(value));
  return weight === 'critical' ? sequence(id, boolean(true), content) : sequence(id, content);
}
