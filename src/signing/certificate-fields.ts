import { rfc2253TypeName } from './attribute-types.ts';
import {
  childrenOf,
  DerError,
  type DerNode,
  derTag,
  readDer,
  readObjectIdentifier,
  readText,
} from './der.ts';
import type { Rdn } from './distinguished-name.ts';

/** What Node's X509Certificate does not hand out in a usable form. */
export interface CertificateFields {
  readonly issuer: readonly Rdn[];
  readonly subject: readonly Rdn[];
  /** The encoded subject: an issued certificate repeats its issuer's name byte for byte (RFC 5280 section 7.1). */
  readonly subjectDer: Buffer;
  /** The content of each extension's OCTET STRING, by OID. */
  readonly extensions: ReadonlyMap<string, Buffer>;
}

// Tags of the optional fields of TBSCertificate (RFC 5280 section 4.1).
const versionTag = 0xa0;
const extensionsTag = 0xa3;

/**
 * Reads the names from the DER, because Node prints them separated by newlines without escapes, and
 * node-forge leaves UTF8String undecoded and flattens multi-valued names.
 */
export function readCertificateFields(certificateDer: Uint8Array): CertificateFields {
  const [tbsCertificate] = childrenOf(readDer(certificateDer));
  if (tbsCertificate === undefined) throw new DerError('The certificate is empty.');
  const fields = childrenOf(tbsCertificate).filter(({ tag }) => tag !== versionTag);
  const [, , issuer, , subject] = fields;
  if (issuer?.tag !== derTag.sequence || subject?.tag !== derTag.sequence) {
    throw new DerError('The certificate has no issuer or no subject.');
  }
  return {
    issuer: readName(issuer),
    subject: readName(subject),
    subjectDer: subject.bytes,
    extensions: readExtensions(fields.find(({ tag }) => tag === extensionsTag)),
  };
}

function readName(name: DerNode): readonly Rdn[] {
  return childrenOf(name).map((rdn) =>
    childrenOf(rdn).map((attribute) => {
      const [type, value] = childrenOf(attribute);
      if (type === undefined || value === undefined)
        throw new DerError('A name has an incomplete attribute.');
      return { type: rfc2253TypeName(readObjectIdentifier(type)), value: readText(value) };
    }),
  );
}

function readExtensions(tagged: DerNode | undefined): ReadonlyMap<string, Buffer> {
  const [list] = tagged === undefined ? [] : childrenOf(tagged);
  return new Map(
    (list === undefined ? [] : childrenOf(list)).map((extension) => {
      const parts = childrenOf(extension);
      const [id] = parts;
      const value = parts.at(-1);
      if (id === undefined || value === undefined) throw new DerError('An extension is incomplete.');
      return [readObjectIdentifier(id), value.content];
    }),
  );
}
