import { ofInitiations, ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const signing = statements('tpp', ['core'], 'Authentication', 'Transport and signing');
const header = statements('tpp', ['core'], 'Authentication', 'Signature header');
const headers = statements('tpp', ['core'], 'Endpoints', 'Common request headers');
const sca = statements('tpp', ['core'], 'Authentication', 'PSU identification and SCA');
const bodies = statements('tpp', ['core'], 'Resources and their fields');
const limit = statements('tpp', ['core'], 'Limits');
const service = statements('tpp', ['core'], 'What the service does');
const version = statements('tpp', ['core'], 'Versioning');
const endpoints = statements('tpp', ['core'], 'Endpoints');
const events = statements('tpp', ['core'], 'Events');

/** What binds the TPP. A bank run does not judge it; a certification run of a TPP does. */
export const tppRequirements: readonly Requirement[] = [
  service('TPP-01', 'The TPP uses TLS 1.2 or higher.'),
  signing('TPP-02', 'The TPP signs with an eIDAS certificate that carries the role of the operation.'),
  signing('TPP-03', 'The TPP signs every request, and the signature verifies.'),
  signing('TPP-04', 'The TPP sends a Date that is at most 60 seconds off.'),
  signing('TPP-05', 'The TPP verifies response signatures where there are any.', { level: 'should' }),
  header(
    'TPP-06',
    'The Signature header has the parts keyId, algorithm, headers and signature, in this order.',
  ),
  header('TPP-07', 'keyId is SN=<serial>,CA=<issuer> of the certificate sent.'),
  header('TPP-08', 'SN is the serial number in upper-case hexadecimal.'),
  header('TPP-09', 'CA is the issuer name in RFC 2253 form.'),
  header('TPP-10', 'algorithm is that of the certificate, rsa-sha256.'),
  header('TPP-11', 'headers lists lower-case names separated by a single space.'),
  header('TPP-12', 'Every candidate header that the request carries is signed.'),
  header('TPP-13', 'A Signature header with non-ASCII values is MIME-encoded as a whole per RFC 2047.'),
  headers('TPP-14', 'Digest is the SHA-256 or SHA-512 hash of the exact bytes of the body.'),
  headers('TPP-15', 'X-Request-ID is unique per call.'),
  headers('TPP-16', 'Every header that an operation requires is sent.'),
  headers('TPP-17', 'TPP-Redirect-URI is an absolute address.'),
  headers('TPP-18', 'PSU-HTTP-Method, PSU-Context, PSU-ID and PSU-Device-ID have values of their types.'),
  headers('TPP-19', 'x-accept-fix is sent on the payment operations.', { profiles: ofInitiations }),
  sca('TPP-20', 'The TPP inspects each response for a link named scaRedirect and sends the PSU there.'),
  sca('TPP-21', 'The TPP stores the psu-id and sends it unchanged on all later requests for that PSU.'),
  sca('TPP-22', 'In corporate context the TPP sends both PSU-ID and PSU-Corporate-ID.'),
  sca('TPP-23', 'PSU-IP-Address is sent when the PSU is present and omitted otherwise.'),
  limit(
    'TPP-24',
    'The TPP keeps its TPP-Session-ID while the SCA is valid, and starts a new SCA after it has expired.',
  ),
  service('TPP-25', 'Request bodies are JSON in UTF-8.'),
  bodies('TPP-26', 'Domestic payments keep to the fields, types, bounds and lists of the NDCT body.', {
    profiles: ['domestic-payments'],
  }),
  bodies('TPP-27', 'Cross-border payments keep to the fields, types, bounds and lists of the NCBCT body.', {
    profiles: ['cross-border-payments'],
  }),
  bodies('TPP-28', 'Amounts are strings with exactly the minor units of their currency.', {
    profiles: ofPayments,
  }),
  bodies(
    'TPP-29',
    'remittanceInformationUnstructured and remittanceInformationStructuredArray are not both set.',
    { profiles: ['domestic-payments'] },
  ),
  bodies('TPP-30', 'Exactly one of bban and other is set in the debtor account of a domestic payment.', {
    profiles: ['domestic-payments'],
  }),
  bodies('TPP-31', 'Transfers of NOK 100 000 or more carry both regulatory fields.', {
    profiles: ['cross-border-payments'],
  }),
  bodies('TPP-32', 'creditorAgent is set when a cross-border creditor account uses a BBAN.', {
    profiles: ['cross-border-payments'],
  }),
  bodies('TPP-33', 'An OCR/KID reference stands in the structured form.', {
    profiles: ['domestic-payments'],
  }),
  bodies('TPP-34', 'The array form of structured remittance is preferred to the single object.', {
    profiles: ['domestic-payments'],
    level: 'should',
  }),
  limit('TPP-35', 'A basket holds at most 100 payments.', { profiles: ['signing-baskets'] }),
  bodies('TPP-36', 'A basket holds payments that exist, and neither bulk nor periodic ones.', {
    profiles: ['signing-baskets'],
  }),
  limit(
    'TPP-37',
    'Without the PSU present, balances and transactions are read at most 4 times in 24 hours.',
    { profiles: ['accounts'] },
  ),
  limit('TPP-38', 'A request that was refused with 400 is not repeated unchanged.', { level: 'should' }),
  limit('TPP-39', 'After 429 or 503 the TPP waits before it tries again.', { level: 'should' }),
  version('TPP-40', 'The TPP calls paths with the prefix /v1.'),
  events('TPP-41', 'The contact address of a TPP is a non-personal mailbox.', {
    level: 'should',
    unobservable: 'whose mailbox it is cannot be seen',
  }),
  bodies('TPP-42', 'The TPP keeps the identifiers of its payments until the basket is created.', {
    profiles: ['signing-baskets'],
  }),
  endpoints(
    'TPP-43',
    'The query parameters allowLogicalDuplicate, withAccounts and withAgreements are true or false.',
  ),
  endpoints('TPP-44', 'The TPP calls each path with a method that the interface has for it.'),
  endpoints('TPP-45', 'A payment is read and deleted under the product that it was created with.', {
    profiles: ofPayments,
  }),
  limit('TPP-46', 'Without the PSU present, only transactions of the last 90 days are asked for.', {
    profiles: ['accounts'],
  }),
  headers(
    'TPP-47',
    'TPP-Signature-Certificate is the Base64 of the certificate, without the lines of a PEM.',
  ),
  headers('TPP-48', 'X-PSU-IDENTITY is sent on payment creation only.'),
  headers(
    'TPP-49',
    'A payment that names the PSU by X-PSU-IDENTITY alone (single SCA) carries PSU-Context.',
    {
      profiles: ofPayments,
    },
  ),
  service('TPP-50', 'Date is written in the full-date form of RFC 7231, not in an obsolete one.', {
    level: 'should',
  }),
  sca('TPP-51', 'The PSU opens the page of scaRedirect: nothing of the TPP and no PSU-ID is sent there.', {
    level: 'should',
  }),
  endpoints('TPP-52', 'The TPP sends nothing that the bank has to refuse.', { level: 'should' }),
  bodies('TPP-53', 'An optional member of a payment that has no value is left out, and not null.', {
    profiles: ofPayments,
    level: 'advisory',
    reading: 'nullMembers',
  }),
  headers('TPP-54', 'PSU-Context and TPP-Brand-Logging-Information are sent on payment creation only.', {
    level: 'advisory',
  }),
  bodies('TPP-55', 'creditorAgent is a BIC.', { profiles: ofPayments }),
  headers('TPP-56', 'X-PSU-IDENTITY is a national identity number, of eleven digits.', {
    profiles: ofPayments,
    level: 'advisory',
  }),
  // A string, of which two values are named: no other one has a meaning.
  headers('TPP-57', 'TPP-Redirect-Preferred is true or false.', { level: 'advisory' }),
];
