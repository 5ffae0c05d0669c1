import type { TppCertificateOptions } from '../signing/certificate-authority.ts';
import { parseDistinguishedName } from '../signing/distinguished-name.ts';
import type { SigningIdentity } from '../signing/identity.ts';

type Subject = Pick<TppCertificateOptions, 'commonName' | 'organisation' | 'authorisationNumber'>;

/** The subject of an identity, as far as a certificate that is minted after it takes it over. */
export function subjectOf({ certificate }: SigningIdentity): Subject {
  const attributes = parseDistinguishedName(certificate.subject).flat();
  const commonName = attributes.find(({ type }) => type === 'CN')?.value;
  const organisation = attributes.find(({ type }) => type === 'O')?.value;
  const { authorisationNumber } = certificate;
  return {
    ...(commonName === undefined ? {} : { commonName }),
    ...(organisation === undefined ? {} : { organisation }),
    ...(authorisationNumber === undefined ? {} : { authorisationNumber }),
  };
}
