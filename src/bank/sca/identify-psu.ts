import type { TppCertificate } from '../../signing/certificate.ts';
import { parseDistinguishedName } from '../../signing/distinguished-name.ts';
import type { BankRequest } from '../design/route.ts';
import type { Agreement } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { PsuContext } from '../state/sessions.ts';

/**
 * Who the TPP is across its certificates: its authorisation number, or else the subject. PSU-IDs, sessions and
 * consents belong to it.
 */
export const tppIdOf = ({ certificate }: Pick<BankRequest, 'certificate'>): string =>
  certificate?.authorisationNumber ?? certificate?.subject ?? '';

/** The name to show to the PSU: the brand that the request gives, or else the name in the certificate. */
export const tppNameOf = (request: Pick<BankRequest, 'certificate' | 'header'>): string =>
  request.header('tpp-brand-logging-information') ?? nameIn(request.certificate) ?? 'An unnamed provider';

/** The name in the certificate, for whoever wants to know whom a brand belongs to. */
export const tppOrganisationOf = ({ certificate }: Pick<BankRequest, 'certificate'>): string | undefined =>
  nameIn(certificate);

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

/** The PSU that a request names, and the context that it acts in. */
export interface IdentifiedPsu {
  readonly tppId: string;
  readonly customerNumber: string;
  readonly context: PsuContext;
  /** The agreement that PSU-Corporate-ID names, if the PSU takes part in it. */
  readonly agreementId: string | undefined;
  readonly agreement: Agreement | undefined;
}

/**
 * Who acts: by PSU-ID, or by X-PSU-IDENTITY as the alternative to it. Undefined when the request names nobody whom
 * the bank knows; the rules in `psu-rules.ts` turn that into refusals.
 */
export function identifyPsu(request: BankRequest, state: PsuState): IdentifiedPsu | undefined {
  const tppId = tppIdOf(request);
  const customerNumber = customerNumberIn(request, state, tppId);
  if (customerNumber === undefined) return undefined;
  const corporateId = request.header('psu-corporate-id')?.toLowerCase();
  const agreement = state.customers.agreementsOf(customerNumber).find(({ id }) => id === corporateId);
  return {
    tppId,
    customerNumber,
    context: corporateId === undefined ? 'PRIVATE' : 'CORPORATE',
    agreementId: agreement?.id,
    agreement,
  };
}

/**
 * Whether a payment or basket is that of the PSU whom a request names. One that was created for nobody certain, and a
 * request that names nobody, are left to other rules.
 */
export function isOfPsu(
  { customerId }: { readonly customerId: string | undefined },
  request: BankRequest,
  state: PsuState,
): boolean {
  const psu = identifyPsu(request, state);
  return (
    customerId === undefined ||
    psu === undefined ||
    state.customers.byNumber(psu.customerNumber)?.customerId === customerId
  );
}

function customerNumberIn(request: BankRequest, state: PsuState, tppId: string): string | undefined {
  const psuId = request.header('psu-id');
  if (psuId !== undefined) return state.psuIds.customerNumberOf(tppId, psuId);
  const identity = request.header('x-psu-identity');
  return identity === undefined ? undefined : state.customers.byNumber(identity)?.customerNumber;
}

/**
 * Whether the PSU acts for a corporation without saying for which (Errors): its session is a corporate one, or the
 * request says so, but PSU-Corporate-ID is missing. Before single-SCA initiation no agreement has been chosen yet, so
 * that without a PSU-ID there is no corporate id to send.
 */
export function lacksCorporateId(request: BankRequest, state: PsuState): boolean {
  if (request.header('psu-corporate-id') !== undefined || request.header('psu-id') === undefined)
    return false;
  const psu = identifyPsu(request, state);
  if (psu === undefined) return false;
  if (request.header('psu-context') === 'CORPORATE') return true;
  const session = state.sessions.current(psu.tppId, psu.customerNumber);
  const named = request.header('tpp-session-id');
  return session?.context === 'CORPORATE' && (named === undefined || named === session.sessionId);
}
