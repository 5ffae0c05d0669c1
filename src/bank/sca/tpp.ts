import type { TppCertificate } from '../../signing/certificate.ts';
import { parseDistinguishedName } from '../../signing/distinguished-name.ts';
import type { BankRequest } from '../route.ts';

/**
 * Who the TPP is across its certificates: its authorisation number, or else the subject. PSU-IDs, sessions and
 * consents belong to it.
 */
export const tppIdOf = ({ certificate }: Pick<BankRequest, 'certificate'>): string =>
  certificate?.authorisationNumber ?? certificate?.subject ?? '';

/** The name to show to the PSU: the brand that the request gives, or else the name in the certificate. */
export const tppNameOf = (request: Pick<BankRequest, 'certificate' | 'header'>): string =>
  request.header('tpp-brand-logging-information') ?? nameIn(request.certificate) ?? 'An unnamed provider';

/** A certificate object is shared by all requests that carry it. */
const names = new WeakMap<TppCertificate, { readonly name: string | undefined }>();

function nameIn(certificate: TppCertificate | undefined): string | undefined {
  if (certificate === undefined) return undefined;
  const known = names.get(certificate) ?? { name: nameOf(certificate) };
  names.set(certificate, known);
  return known.name;
}

function nameOf(certificate: TppCertificate): string | undefined {
  const attributes = parseDistinguishedName(certificate.subject).flat();
  const named = (type: string) => attributes.find((attribute) => attribute.type === type)?.value;
  return named('O') ?? named('CN');
}
