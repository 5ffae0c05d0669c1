import {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from '../signing/certificate-authority.ts';
import { buildCertificate } from '../signing/certificate-builder.ts';
import { basicConstraints, keyUsage } from '../signing/certificate-extensions.ts';
import { childrenOf, readDer } from '../signing/der.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { generateRsaKey, privateKeyPem } from '../signing/rsa-key.ts';
import { subjectOf } from './subject-of.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * As the identity in everything that a header shows (subject, roles, serial number, name of the issuer), and
 * issued by an authority that nobody trusts: a bank that compares names takes it, one that verifies does not.
 */
export async function mintUntrustedTwin(main: SigningIdentity): Promise<SigningIdentity> {
  const authority = await authorityNamedAsIssuerOf(main);
  return authority.issueTpp({
    ...subjectOf(main),
    name: 'untrusted twin',
    roles: main.certificate.roles,
    serialNumber: main.certificate.serialNumber,
    key: main.privateKey,
  });
}

/** As the identity in what a TPP is known by, and issued by an authority that nobody has heard of. */
export async function mintUnknownTpp(main: SigningIdentity): Promise<SigningIdentity> {
  const authority = await createCertificateAuthority({
    subject: { CN: 'Unknown CA', O: 'Unknown Authority', C: 'NO' },
  });
  return authority.issueTpp({
    ...subjectOf(main),
    name: 'TPP of an unknown authority',
    roles: main.certificate.roles,
    key: main.privateKey,
  });
}

async function authorityNamedAsIssuerOf({ certificate }: SigningIdentity): Promise<CertificateAuthority> {
  const { publicKey, privateKey } = await generateRsaKey(2048);
  const issuerDer = encodedIssuerOf(certificate.x509.raw);
  const now = Date.now();
  const certificatePem = buildCertificate(
    {
      serialNumber: '10',
      issuerDer,
      subjectDer: issuerDer,
      publicKey,
      notBefore: new Date(now - day),
      notAfter: new Date(now + 365 * day),
      extensions: [basicConstraints(true), keyUsage('issueCertificates')],
    },
    privateKey,
  );
  return loadCertificateAuthority(certificatePem, privateKeyPem(privateKey));
}

/** The very bytes, so that the two names are alike however they are compared. RFC 5280 section 4.1. */
function encodedIssuerOf(certificateDer: Uint8Array): Uint8Array {
  const versionTag = 0xa0;
  const [tbsCertificate] = childrenOf(readDer(certificateDer));
  const fields = tbsCertificate === undefined ? [] : childrenOf(tbsCertificate);
  const issuer = fields.filter(({ tag }) => tag !== versionTag)[2];
  if (issuer === undefined) throw new TypeError('The certificate has no issuer.');
  return issuer.bytes;
}
