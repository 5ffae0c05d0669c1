import { X509Certificate } from 'node:crypto';
import { BoundedStore } from '../../signing/bounded-store.ts';
import { isIssuedBy, readCertificate, type TppCertificate } from '../../signing/certificate.ts';

/** The certificate authorities that the bank trusts for TPP certificates. */
export interface Trust {
  trusts(certificate: TppCertificate): boolean;
}

/** Where there are many banks they trust the same few, and reading a certificate costs as much as a request. */
const authorities = new BoundedStore<X509Certificate>(100);

/**
 * A certificate object is shared by all requests that carry it, and checking its issuer's signature costs as much as
 * checking the request's own.
 */
const issuedBy = new WeakMap<TppCertificate, WeakMap<X509Certificate, boolean>>();

export function trustIn(pems: readonly string[]): Trust {
  const trusted = pems
    .flatMap(certificatesIn)
    .map((pem) => authorities.getOrMake(pem, () => new X509Certificate(pem)));
  return { trusts: (certificate) => trusted.some((authority) => isKnownIssuer(certificate, authority)) };
}

function isKnownIssuer(certificate: TppCertificate, authority: X509Certificate): boolean {
  const verdicts = issuedBy.get(certificate) ?? new WeakMap<X509Certificate, boolean>();
  issuedBy.set(certificate, verdicts);
  const verdict = verdicts.get(authority) ?? isIssuedBy(certificate, authority);
  verdicts.set(authority, verdict);
  return verdict;
}

function certificatesIn(pem: string): readonly string[] {
  return (
    pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [
      readCertificate(pem).x509.toString(),
    ]
  );
}
