/**
 * The reading taken where the specification is silent or disagrees with itself. A target file may choose another
 * of the values; the report states which were used.
 */
export interface Interpretation {
  readonly id: string;
  /** What the specification says, and what it leaves open. */
  readonly question: string;
  readonly values: Readonly<Record<string, string>>;
  readonly default: string;
}

const interpretation = <Values extends Readonly<Record<string, string>>>(
  question: string,
  values: Values,
  byDefault: keyof Values & string,
) => ({ question, values, default: byDefault });

export const interpretations = {
  refusalStatus: interpretation(
    'A status is fixed only for signature, character and KID faults, a missing corporate id, a mixed basket, SCA and creation.',
    {
      'any-4xx': 'elsewhere any 4xx refuses, except 408, 429 and a 401 that only asks for SCA',
      '400': 'elsewhere only 400 refuses',
    },
    'any-4xx',
  ),
  basketLimit: interpretation(
    'The field text states 10 payments in a basket, a later change 100, and the current maximum is given as 100.',
    { '100': '100 payments are accepted, 101 refused', '10': '10 payments are accepted, 11 refused' },
    '100',
  ),
  basketPath: interpretation(
    'Method and path of basket creation are not shown.',
    { framework: 'POST /v1/signing-baskets, or what the target file gives under paths.signingBaskets' },
    'framework',
  ),
  basketContents: interpretation(
    'Nothing is said of empty baskets, unknown ids and duplicates.',
    {
      'refuse-empty-and-unknown': 'empty and unknown are refused, duplicates are not judged',
      'not-judged': 'none is judged',
    },
    'refuse-empty-and-unknown',
  ),
  basketDigest: interpretation(
    'Digest is not listed for baskets, yet it is a candidate for signing.',
    {
      optional: 'omitted; with a correct signed Digest accepted as well',
      'not-judged': 'only baskets without Digest are sent',
    },
    'optional',
  ),
  acceptFix: interpretation(
    'x-accept-fix is required although every known value is default by now.',
    {
      required: 'missing is refused; unknown values are not judged',
      optional: 'missing is not judged',
      everywhere: 'as required; and it is sent with every request, for a bank that wants it elsewhere, too',
    },
    'required',
  ),
  psuIdentification: interpretation(
    'PSU-ID is required, and X-PSU-IDENTITY is an alternative to it.',
    {
      'one-of-them': 'neither is refused, where a 401 with scaRedirect counts as well',
      'not-judged': 'PSU-ID is always sent',
    },
    'one-of-them',
  ),
  psuIpAddress: interpretation(
    'PSU-IP-Address is required on payments and baskets, and omitted without the PSU present.',
    {
      'required-on-initiation': 'missing on a payment or basket is refused; reading is not judged',
      'not-judged': 'never judged',
    },
    'required-on-initiation',
  ),
  clockReference: interpretation(
    'Date is not in the header table, and the status for a bad one is not given.',
    {
      'bank-clock': 'inside 60 seconds of the bank’s own clock accepted, outside refused with any 4xx',
      'own-clock': 'measured against the clock of the machine that runs the suite',
    },
    'bank-clock',
  ),
  requestTarget: interpretation(
    '(request-target) is described, but is no candidate header.',
    { accepted: 'not signed by default; a signature that lists it is accepted', 'not-judged': 'never sent' },
    'accepted',
  ),
  unsignedCandidates: interpretation(
    'Only candidates present in the request are included in the signing string.',
    {
      'digest-only': 'an unsigned digest is refused; the others are advisory',
      all: 'every unsigned candidate is refused',
    },
    'digest-only',
  ),
  signatureForm: interpretation(
    'Nothing is said of a keyId that does not match, parts out of order, or another algorithm name.',
    {
      'key-id': 'a wrong serial or issuer is refused; order and algorithm are advisory',
      'not-judged': 'none is judged',
    },
    'key-id',
  ),
  certificateTrust: interpretation(
    'A TPP holds a certificate of a trusted authority, with its role. That certificates are checked is said of production; what a sandbox does with others is not said.',
    {
      everywhere:
        'one that is not trusted, not valid at the time or without the role is refused, in a sandbox as well',
      production: 'a sandbox may take any certificate, so that this is judged in production alone',
    },
    'everywhere',
  ),
  errorBody: interpretation(
    'The error body is not shown.',
    { 'status-only': 'only the status is judged; tppMessages that are there are well-formed' },
    'status-only',
  ),
  referenceMix: interpretation(
    'REFERENCE_MIX_INVALID is returned, but is not in the code list.',
    { allowed: 'allowed everywhere, required for bulk and periodic payments in a basket' },
    'allowed',
  ),
  paymentSca: interpretation(
    'How a payment that needs SCA is answered.',
    {
      either: '201 with a link scaRedirect or startAuthorisation, or 401 with scaRedirect',
      created: 'only 201 with a link scaRedirect or startAuthorisation',
    },
    'either',
  ),
  amountFractionDigits: interpretation(
    'Fraction digits must match the minor units of the currency.',
    { exact: 'too many and too few are refused', 'at-most': 'only too many are refused' },
    'exact',
  ),
  amountForm: interpretation(
    'Nothing is said of JSON numbers, exponents, signs, commas and zero.',
    {
      'plain-decimal': 'all refused, negative ones too; zero is not judged',
      'string-only': 'only JSON numbers are judged',
    },
    'plain-decimal',
  ),
  regulatoryCurrency: interpretation(
    'The limit of NOK 100 000 has no rate for other currencies.',
    { 'nok-only': 'only NOK amounts are judged' },
    'nok-only',
  ),
  remittancePairs: interpretation(
    'The remittance rule names two of three fields.',
    { 'named-pair': 'only the named pair is judged', 'any-pair': 'any two of the three are refused' },
    'named-pair',
  ),
  accountReference: interpretation(
    'A cross-border account is either a BBAN or an IBAN.',
    { 'neither-refused': 'neither is refused; both are advisory', exclusive: 'neither and both are refused' },
    'neither-refused',
  ),
  checkDigits: interpretation(
    'Nothing is said of the check digits of BBAN, IBAN and BIC.',
    { 'not-judged': 'never judged, and always correct in what is sent' },
    'not-judged',
  ),
  lengthUnit: interpretation(
    'Length limits are given in characters.',
    {
      'unicode-characters':
        'Unicode characters: the limit accepted, one more refused, with ASCII and Norwegian letters',
      'ascii-only': 'judged with ASCII letters only',
    },
    'unicode-characters',
  ),
  unprocessableCharacters: interpretation(
    'Which characters the downstream system cannot process is open.',
    { 'accepted-or-400': 'accepted or 400, never another status' },
    'accepted-or-400',
  ),
  letters: interpretation(
    'What a downstream system cannot process is answered 400; whether Norwegian letters are among that is open.',
    {
      norwegian: 'Norwegian letters are accepted; a run finds out by itself where they are not',
      'ascii-abroad':
        'payments across the border stay in ASCII, where Norwegian letters are accepted or answered 400',
      'ascii-only': 'all payments stay in ASCII; Norwegian letters are accepted or answered 400',
    },
    'norwegian',
  ),
  statusBeforeApproval: interpretation(
    'Known issue: a domestic payment cannot be read before approval.',
    { tolerated: 'any 4xx is tolerated before approval', readable: 'the status is readable at once' },
    'tolerated',
  ),
  pendingAndFunds: interpretation(
    'Deletion of a pending payment and lack of funds are answered with an error whose status is not given.',
    {
      'any-4xx':
        'any 4xx; lack of funds shows as ACCP with fundsAvailable. Judged where the target has such a payment',
    },
    'any-4xx',
  ),
  logicalDuplicates: interpretation(
    'allowLogicalDuplicate states whether duplicates are allowed.',
    { 'true-only': 'with true the same payment is accepted twice; without it nothing is judged' },
    'true-only',
  ),
  withoutDetails: interpretation(
    'withAccounts or withAgreements false gives a faster response.',
    { 'empty-arrays': 'the arrays stay and may be empty' },
    'empty-arrays',
  ),
  contentTypes: interpretation(
    'All payloads are JSON; XML is not supported.',
    { 'json-only': 'XML is refused with any 4xx' },
    'json-only',
  ),
  longTimes: interpretation(
    'Sessions of an hour, four calls a day, 180 days: no run waits for them.',
    {
      'where-offered':
        'judged where the target file hands over an expired session, or allows the calls of a day to be spent; 180 days are not judged',
      'not-judged': 'not judged',
    },
    'where-offered',
  ),
  otherIdentities: interpretation(
    'PSU-ID belongs to a TPP and bank combination, SCA to one TPP and PSU; how those of another are answered is not said.',
    {
      refused:
        'PSU-ID, session or PSU-Corporate-ID of another TPP or PSU, or of nobody, are refused with any 4xx, where a 401 with scaRedirect counts as well',
      'not-judged': 'never judged',
    },
    'refused',
  ),
  singleScaContext: interpretation(
    'PSU-Context is optional, and required for single-SCA initiation; whether X-PSU-IDENTITY in place of PSU-ID is always one is not said.',
    {
      'not-judged': 'it is always sent with X-PSU-IDENTITY in place of PSU-ID',
      required: 'a payment with X-PSU-IDENTITY in place of PSU-ID is refused without PSU-Context',
    },
    'not-judged',
  ),
  approvalWithoutLink: interpretation(
    'A payment or basket that is created without a link to SCA may be approved, or await its signature.',
    {
      'not-certain':
        'it is put into a basket and approved there, where that can be; otherwise its status may be unreadable',
    },
    'not-certain',
  ),
  basketWithoutLinks: interpretation(
    'Nothing is said of baskets of payments that were created without a link to SCA.',
    {
      'by-a-small-one':
        'size, kind and status are judged as soon as a basket of one such payment goes through',
    },
    'by-a-small-one',
  ),
  endedSession: interpretation(
    'A session that a newer one ends is invalidated; how its requests are answered is not said.',
    {
      'any-4xx': 'any 4xx refuses, with or without a link scaRedirect',
      'sca-link': 'only 401 with a link scaRedirect refuses',
    },
    'any-4xx',
  ),
  failedSca: interpretation(
    'The redirect after failed SCA is shown; which failures lead to it is not said.',
    { cancelled: 'judged by cancelling SCA on the page of the bank, and nowhere else' },
    'cancelled',
  ),
  informationalHeaders: interpretation(
    'Optional headers that only inform have values (PSU-HTTP-Method, PSU-Context) or a form (PSU-Device-ID).',
    { advisory: 'other values may be accepted', refused: 'other values are refused' },
    'advisory',
  ),
  kidAccounts: interpretation(
    'OCR/KID errors are answered 400; which creditor accounts demand a KID is not said.',
    {
      'named-account':
        'a wrong KID is refused on the account that the target file names (accounts.kidCreditor); elsewhere it may be accepted',
    },
    'named-account',
  ),
  currencies: interpretation(
    'A currency is one of 162 listed codes; whether a bank deals in each of them is not said.',
    {
      all: 'each of them is accepted',
      kroner: 'NOK is accepted; a refusal of any other, in which the bank does not deal, is not judged',
    },
    'all',
  ),
  sanctions: interpretation(
    'Countries and currencies under sanctions are listed like all others.',
    { 'not-judged': 'a refusal of them is not judged', judged: 'they are accepted like all others' },
    'not-judged',
  ),
  nullMembers: interpretation(
    'Nothing is said of null in place of an optional member, which some serialisers write.',
    {
      tolerated: 'tolerated with a warning; a required member that is null is missing',
      'left-out': 'a failure: a member without a value is left out',
    },
    'tolerated',
  ),
  smallTransfers: interpretation(
    'The cross-border product is meant for NOK 100 000 or more; whether it takes less is not said.',
    {
      'where-taken':
        'what holds below NOK 100 000 is judged where the bank takes such a transfer with both regulatory fields',
      'not-taken':
        'what is sent is worth more in every currency, and nothing below it is judged; a run finds out by itself where a bank takes no less',
    },
    'where-taken',
  ),
  statusValues: interpretation(
    'The response to a status request is not shown, but the statuses are listed.',
    { 'listed-only': 'another status is a failure; unknown members of the response are not' },
    'listed-only',
  ),
  basketStatus: interpretation(
    'The status of a basket is the worst case among its payments; the order of the statuses is not given.',
    {
      rejection:
        'with a rejected payment it is RJCT or PATC, or the basket is refused; without one it is not RJCT; nothing else is judged',
    },
    'rejection',
  ),
  transactionFilters: interpretation(
    'dateFrom, dateTo, limit and offset are named, and it is said that they do not filter pending transactions.',
    {
      'booked-ones': 'they filter booked transactions, in an account with many of them that the target names',
      'not-judged': 'what they do is not judged',
    },
    'booked-ones',
  ),
  unshownRequests: interpretation(
    'The header table requires X-Request-ID, and a corporate request has PSU-Corporate-ID; the requests for accounts, and for the status and the deletion of a payment, are not shown.',
    {
      advisory: 'without one of them these requests should be refused; where they are not, that is a warning',
      required: 'without one of them these requests are refused, for want of PSU-Corporate-ID with 400',
    },
    'advisory',
  ),
  paymentOwnership: interpretation(
    'A payment is created by one TPP for one PSU; what others may do with it is not said.',
    {
      refused:
        'reading, deleting and approving it and putting it into a basket are refused to others, with any 4xx, where a 401 with scaRedirect counts as well',
      'not-judged': 'never judged',
    },
    'refused',
  ),
} as const satisfies Record<string, Omit<Interpretation, 'id'>>;

export type InterpretationId = keyof typeof interpretations;
export type InterpretationChoice<Id extends InterpretationId> = keyof (typeof interpretations)[Id]['values'] &
  string;
export type Readings = { readonly [Id in InterpretationId]: InterpretationChoice<Id> };

/**
 * Readings that can be told from outside, with the values that say what a bank does, the strictest first. A value that
 * only says what is not judged (`optional` of acceptFix, `string-only` of amountForm) is none of them. Nor is how a payment
 * asks for SCA (paymentSca): that may be required on any transaction, so that some payments tell nothing of the next.
 */
export const strictestFirst: { readonly [Id in InterpretationId]?: readonly InterpretationChoice<Id>[] } = {
  basketLimit: ['100', '10'],
  unsignedCandidates: ['all', 'digest-only'],
  amountFractionDigits: ['exact', 'at-most'],
  remittancePairs: ['any-pair', 'named-pair'],
  accountReference: ['exclusive', 'neither-refused'],
  lengthUnit: ['unicode-characters', 'ascii-only'],
  endedSession: ['sca-link', 'any-4xx'],
  informationalHeaders: ['refused', 'advisory'],
  unshownRequests: ['required', 'advisory'],
  nullMembers: ['left-out', 'tolerated'],
};

export const interpretationList: readonly Interpretation[] = Object.entries(interpretations).map(
  ([id, entry]) => ({ id, ...entry }),
);

export const defaultReadings = Object.fromEntries(
  interpretationList.map(({ id, default: value }) => [id, value]),
) as unknown as Readings;
