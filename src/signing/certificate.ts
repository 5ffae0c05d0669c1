import { type KeyObject, X509Certificate } from 'node:crypto';
import {
  Asn1Error,
  type Asn1Value,
  childrenOf,
  contentOf,
  encode,
  isSequence,
  isTagged,
  readDer,
  readObjectIdentifier,
  readText,
} from './asn1.ts';
import { BoundedStore } from './bounded-store.ts';
import { decodeBase64 } from './digest.ts';
import { formatDistinguishedName, type Rdn, rfc2253TypeName } from './distinguished-name.ts';
import { type PspRole, qcStatementsOid, readRoles } from './psp-roles.ts';

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

export type { PspRole };

/** RFC 4055, 5: the object identifier of sha512WithRSAEncryption. */
export const sha512WithRsa = '1.2.840.113549.1.1.13';

export interface TppCertificate {
  /** The DER in base64 on one line, as the header TPP-Signature-Certificate carries it. */
  readonly base64: string;
  /** Upper-case hexadecimal. */
  readonly serialNumber: string;
  /** RFC 2253 form, as is the subject. */
  readonly issuer: string;
  readonly subject: string;
  readonly roles: readonly PspRole[];
  /** The organizationIdentifier of the subject, such as `PSDNO-FSA-123456`. */
  readonly authorisationNumber: string | undefined;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  /** The object identifier of what its issuer has signed it with. */
  readonly signatureAlgorithm: string;
  readonly fingerprint256: string;
  readonly x509: X509Certificate;
}

/** Something that was handed over as a certificate and cannot be read as one. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

// A bank sees the same few certificates again and again, and parsing one at every request halves its speed.
const cache = new BoundedStore<TppCertificate>(256);

/** The certificate in a header; undefined where there is none, or none that can be read. */
export function certificateIn(header: string | undefined): TppCertificate | undefined {
  if (header === undefined) return undefined;
  try {
    return readCertificate(header);
  } catch (error) {
    if (error instanceof CertificateError) return undefined;
    throw error;
  }
}

/** Reads a certificate from PEM (its first one), from DER, or from base64 of the DER. */
export function readCertificate(pemOrDerOrBase64: string | Uint8Array): TppCertificate {
  const key =
    typeof pemOrDerOrBase64 === 'string'
      ? pemOrDerOrBase64
      : Buffer.from(pemOrDerOrBase64).toString('latin1');
  return cache.getOrMake(key, () => parseCertificate(derOf(pemOrDerOrBase64)));
}

/**
 * Whether the authority signed the certificate. Names alone prove nothing: anyone can set up an authority
 * of the same name.
 */
export function isIssuedBy(certificate: TppCertificate, ca: TppCertificate | X509Certificate): boolean {
  const issuer = ca instanceof X509Certificate ? ca : ca.x509;
  try {
    return certificate.x509.checkIssued(issuer) && certificate.x509.verify(issuer.publicKey);
  } catch {
    // OpenSSL throws where the key is of another type than the signature.
    return false;
  }
}

function parseCertificate(der: Buffer): TppCertificate {
  try {
    const x509 = new X509Certificate(der);
    const { issuer, subject, extensions, signatureAlgorithm } = readCertificateFields(der);
    const qcStatements = extensions.get(qcStatementsOid);
    return {
      base64: der.toString('base64'),
      serialNumber: serialNumberOf(x509),
      issuer: formatDistinguishedName(issuer),
      subject: formatDistinguishedName(subject),
      roles: qcStatements === undefined ? [] : readRoles(qcStatements),
      authorisationNumber: subject.flat().find(({ type }) => type === '2.5.4.97')?.value,
      notBefore: new Date(x509.validFrom),
      notAfter: new Date(x509.validTo),
      publicKey: x509.publicKey,
      signatureAlgorithm,
      fingerprint256: x509.fingerprint256,
      x509,
    };
  } catch (error) {
    const reason = error instanceof Asn1Error ? error.message : 'It is not an X.509 certificate.';
    throw new CertificateError(`The certificate cannot be read. ${reason}`, { cause: error });
  }
}

function derOf(input: string | Uint8Array): Buffer {
  if (typeof input !== 'string') {
    const bytes = Buffer.from(input);
    // DER starts with the tag of a SEQUENCE; anything else is the text of a file.
    return bytes[0] === 0x30 ? bytes : derOfText(bytes.toString('latin1'));
  }
  return derOfText(input);
}

function derOfText(text: string): Buffer {
  const body = text.includes('-----BEGIN') ? pemBody(text) : text;
  const der = decodeBase64(body.replace(/\s+/g, ''));
  if (der === undefined || der.length === 0) {
    throw new CertificateError(
      'The certificate cannot be read. It is neither PEM nor DER, nor the base64 of the DER on one line.',
    );
  }
  return der;
}

function pemBody(text: string): string {
  const body = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/.exec(text)?.[1];
  if (body !== undefined) return body;
  const label = /-----BEGIN ([^-]+)-----/.exec(text)?.[1] ?? 'something else';
  throw new CertificateError(
    `The certificate cannot be read. The PEM holds ${label}, not a complete "BEGIN CERTIFICATE" block.`,
  );
}

/** What Node's X509Certificate does not hand out in a usable form. */
export interface CertificateFields {
  readonly issuer: readonly Rdn[];
  readonly subject: readonly Rdn[];
  readonly issuerDer: Buffer;
  /** The encoded subject: an issued certificate repeats its issuer's name byte for byte (RFC 5280 section 7.1). */
  readonly subjectDer: Buffer;
  /** The content of each extension's OCTET STRING, by OID. */
  readonly extensions: ReadonlyMap<string, Buffer>;
  /** Each extension as it stands there, by OID. */
  readonly wholeExtensions: ReadonlyMap<string, Buffer>;
  /** The object identifier of the algorithm that its issuer has signed it with. */
  readonly signatureAlgorithm: string;
}

// Tags of the optional fields of TBSCertificate (RFC 5280 section 4.1).
const versionTag = 0;
const extensionsTag = 3;

/**
 * Reads the names from the DER, because Node prints them separated by newlines without escapes, and the certificate
 * of node-forge leaves UTF8String undecoded and flattens multi-valued names.
 */
export function readCertificateFields(certificateDer: Uint8Array): CertificateFields {
  const [tbsCertificate, algorithm] = childrenOf(readDer(certificateDer));
  const [signatureAlgorithm] = algorithm === undefined ? [] : childrenOf(algorithm);
  if (tbsCertificate === undefined || signatureAlgorithm === undefined)
    throw new Asn1Error('The certificate is empty.');
  const fields = childrenOf(tbsCertificate).filter((field) => !isTagged(field, versionTag));
  const [, , issuer, , subject] = fields;
  if (issuer === undefined || subject === undefined || !isSequence(issuer) || !isSequence(subject)) {
    throw new Asn1Error('The certificate has no issuer or no subject.');
  }
  return {
    issuer: readName(issuer),
    subject: readName(subject),
    issuerDer: encode(issuer),
    subjectDer: encode(subject),
    ...readExtensions(fields.find((field) => isTagged(field, extensionsTag))),
    signatureAlgorithm: readObjectIdentifier(signatureAlgorithm),
  };
}

function readName(name: Asn1Value): readonly Rdn[] {
  return childrenOf(name).map((rdn) =>
    childrenOf(rdn).map((attribute) => {
      const [type, value] = childrenOf(attribute);
      if (type === undefined || value === undefined)
        throw new Asn1Error('A name has an incomplete attribute.');
      return { type: rfc2253TypeName(readObjectIdentifier(type)), value: readText(value) };
    }),
  );
}

function readExtensions(
  tagged: Asn1Value | undefined,
): Pick<CertificateFields, 'extensions' | 'wholeExtensions'> {
  const [list] = tagged === undefined ? [] : childrenOf(tagged);
  const found = (list === undefined ? [] : childrenOf(list)).map((extension) => {
    const parts = childrenOf(extension);
    const [id] = parts;
    const value = parts.at(-1);
    if (id === undefined || value === undefined) throw new Asn1Error('An extension is incomplete.');
    return { oid: readObjectIdentifier(id), content: contentOf(value), whole: encode(extension) };
  });
  return {
    extensions: new Map(found.map(({ oid, content }) => [oid, content])),
    wholeExtensions: new Map(found.map(({ oid, whole }) => [oid, whole])),
  };
}
