/** The short enumerations of the specification, each once. Currencies and countries have files of their own. */

/** Supported subset of the ISO 20022 external purpose codes (Shared value types). */
export const purposeCodes = [
  'INVS',
  'SALA',
  'IDCP',
  'CASH',
  'CORT',
  'INTC',
  'PENS',
  'SSBE',
  'SUPP',
  'TAXS',
  'TREA',
  'VATX',
  'LOAN',
  'OTHR',
] as const;

/** Payment types for the national tax authority (NCBCT payment request body). */
export const regulatoryReportingCodes: ReadonlyMap<string, string> = new Map([
  ['14', 'goods'],
  ['26', 'rent'],
  ['29', 'other services'],
  ['31', 'interest'],
  ['35', 'dividend'],
  ['38', 'other return on capital'],
  ['41', 'real estate and rights abroad'],
  ['43', 'direct investment'],
  ['45', 'direct investment'],
  ['51', 'portfolio investment'],
  ['52', 'portfolio investment'],
  ['53', 'portfolio investment'],
  ['71', 'life insurance and pension'],
  ['79', 'other financial transactions'],
  ['81', 'salary'],
  ['82', 'inheritance and gifts'],
]);

/** States and transitions: payment creation response. */
export const transactionStatuses = [
  'ACCP',
  'ACSC',
  'ACSP',
  'ACTC',
  'ACWC',
  'ACWP',
  'RCVD',
  'PDNG',
  'RJCT',
  'CANC',
  'PART',
] as const;

/** States and transitions: signing basket. */
export const basketStatuses = ['RCVD', 'ACTC', 'PATC', 'RJCT'] as const;

export const linkVerbs = ['GET', 'PUT', 'POST', 'DELETE'] as const;

export const messageCategories = ['ERROR', 'WARNING'] as const;

/** Errors: the listed codes, and REFERENCE_MIX_INVALID, which the section adds outside its list. */
export const messageCodes = [
  'SYSTEM_ERROR',
  'BAD_REQUEST',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'HTTP_HEADER_REQUIRED',
  'QUERY_PARAMETER_REQUIRED',
  'SCA_NOT_FOUND',
  'SCA_EXPIRED',
  'SCA_INVALID',
  'FORMAT_ERROR',
  'RESOURCE_UNKNOWN',
  'PSU_CREDENTIALS_INVALID',
  'CONSENT_UNKNOWN',
  'CONSENT_INVALID',
  'CONSENT_EXPIRED',
  'ACCESS_EXCEEDED',
  'PRODUCT_UNKNOWN',
  'PRODUCT_INVALID',
  'KID_MISSING',
  'KID_INVALID',
  'PAYMENT_FAILED',
  'EXECUTION_DATE_INVALID',
  'REFERENCE_MIX_INVALID',
] as const;
export type MessageCode = (typeof messageCodes)[number];

/** Of who knows the TPP, and misses that the PSU has passed SCA or granted anything. */
export const codesOfScaAndConsent = [
  'SCA_NOT_FOUND',
  'SCA_EXPIRED',
  'SCA_INVALID',
  'CONSENT_UNKNOWN',
  'CONSENT_INVALID',
  'CONSENT_EXPIRED',
] as const satisfies readonly MessageCode[];

export const psuContexts = ['PRIVATE', 'CORPORATE'] as const;
export const customerTypes = ['PRIVATE', 'CORPORATE'] as const;
export const psuHttpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The only scheme of a non-BBAN debtor account. */
export const accountSchemes = ['creditCardAccount'] as const;

/** Headers that a signature covers when the request carries them, in the order that clients use. */
export const candidateHeaders = [
  'date',
  'digest',
  'x-request-id',
  'psu-id',
  'psu-corporate-id',
  'tpp-redirect-uri',
] as const;

/** Early-adoption values of `x-accept-fix` and when each became the default (Versioning). */
export const acceptFixes = [
  {
    value: 'amount-as-string',
    effect: 'amounts serialised as strings',
    introduced: '2019-11',
    default: '2020-08-01',
  },
  {
    value: 'cardaccount-switch-originalamount-and-transactionamount',
    effect: 'correct card transaction amount mapping',
    introduced: '2020-05',
    default: '2024-11-13',
  },
  {
    value: 'longer-names',
    effect: 'card account name up to 70 characters',
    introduced: '2020-06',
    default: '2024-10-01',
  },
  {
    value: 'cash-account-type-iso',
    effect: 'cashAccountType mapped to ISO 20022',
    introduced: '2023-06',
    default: '2024-11-13',
  },
] as const;
