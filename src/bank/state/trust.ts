import { X509Certificate } from 'node:crypto';
import { isIssuedBy, readCertificate, type TppCertificate } from '../../signing/certificate.ts';

/** The certificate authorities that the bank trusts for TPP certificates. */
export interface Trust {
  trusts(certificate: TppCertificate): boolean;
}

export function trustIn(authorities: readonly string[]): Trust {
  const trusted = authorities.flatMap(certificatesIn).map((pem) => new X509Certificate(pem));
  // A certificate object is shared by all requests that carry it, and checking its issuer's signature costs as much
  // as checking the request's own.
  const verdicts = new WeakMap<TppCertificate, boolean>();
  return {
    trusts(certificate) {
      const known = verdicts.get(certificate);
      if (known !== undefined) return known;
      const verdict = trusted.some((authority) => isIssuedBy(certificate, authority));
      verdicts.set(certificate, verdict);
      return verdict;
    },
  };
}

function certificatesIn(pem: string): readonly string[] {
  return (
    pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [
      readCertificate(pem).x509.toString(),
    ]
  );
}
