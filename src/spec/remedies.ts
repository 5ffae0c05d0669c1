/** Why a bank typically breaks a requirement, and what remedies it. */
export interface Remedy {
  readonly cause: string;
  readonly remedy: string;
}

const of = (cause: string, remedy: string): Remedy => ({ cause, remedy });

/** Every remedy by its name. Which of them a requirement has stands on the requirement. */
export const remedies = {
  // Transport
  xmlTaken: of(
    'The Content-Type is not looked at, or a gateway in front takes XML as well.',
    'Refuse bodies whose Content-Type is not application/json before they are parsed.',
  ),
  lenientParser: of(
    'The parser is lenient (comments, trailing commas), or its exception ends as a 5xx.',
    'Parse strictly as RFC 8259 has it, and turn a parse error into a 4xx.',
  ),
  errorsOfGateway: of(
    'Errors are answered by a gateway or container with its own HTML or text page.',
    'Let every layer that answers say it in JSON, with Content-Type application/json and UTF-8.',
  ),
  decodedByPlatform: of(
    'The body is decoded with the default character set of the platform.',
    'Decode request bodies as UTF-8 explicitly.',
  ),
  charactersDownstream: of(
    'A character reaches a system that cannot hold it, and its error comes back as a 5xx.',
    'Check the text against the character set of the downstream system first, and answer 400.',
  ),
  dateOfLocale: of(
    'The Date header is written with the format of a locale or a time zone other than GMT.',
    'Write Date as IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT.',
  ),
  oldTls: of(
    'The load balancer carries the TLS settings of older services.',
    'Offer TLS 1.2 and 1.3 only, on every address of the interface.',
  ),
  // Signing
  signatureSkipped: of(
    'Signature verification runs only when the header is there, or answers 401.',
    'Demand Signature before anything else is done, and answer 400 without it.',
  ),
  ownSigningString: of(
    'The signing string is made of the headers that the bank expects, not of those that the headers part lists.',
    'Build the string from the headers part: lower-case name, colon, space, value; lines joined by \\n, none at the end.',
  ),
  otherStatusThan400: of(
    'A failed verification is answered 401 or 403, as in the framework.',
    'Answer 400: this interface overrides the framework here.',
  ),
  keyFromRegistry: of(
    'The key is looked up in a registry, not in the certificate that came with the request.',
    'Verify with the public key of TPP-Signature-Certificate.',
  ),
  anyHash: of(
    'The verifier takes whichever hash the library makes out.',
    'Verify with RSA-SHA256 alone, as the interface has it.',
  ),
  responseSignedOtherwise: of(
    'Responses are signed with another string or key than their headers tell.',
    'Verify a signed response with the certificate that it carries before it is sent, or do not sign.',
  ),
  unsignedNotMissed: of(
    'Only the listed headers are verified, and nobody asks whether one is missing from the list.',
    'Refuse a request that carries a Digest which its signature does not cover.',
  ),
  requestTargetUnknown: of(
    '(request-target) is unknown to the verifier, or is built from the path without its prefix or query.',
    'Support (request-target) as "method path?query" in lower-case method, with the path as the TPP sent it.',
  ),
  keyIdIgnored: of(
    'keyId is ignored, because the certificate comes with the request.',
    'Compare SN and CA of keyId with the serial number and the issuer of TPP-Signature-Certificate.',
  ),
  issuerAsText: of(
    'The issuer is compared as text, and two libraries print one name differently.',
    'Parse both names (RFC 2253) and compare attribute by attribute; decode RFC 2047 words first.',
  ),
  headerSearched: of(
    'The header is searched with a regular expression instead of being parsed.',
    'Parse it as a list of name="value" parts and refuse what is incomplete.',
  ),
  hashOfParsedBody: of(
    'The hash is taken over JSON that was parsed and written again, or after a gateway has changed the body.',
    'Hash the very bytes that came over the wire, before any parser sees them.',
  ),
  oneAlgorithm: of(
    'Only one algorithm is implemented, or the name of the algorithm is not looked at.',
    'Take SHA-256 and SHA-512, whatever the case of the name, and refuse all others.',
  ),
  clockWindow: of(
    'Date is not compared with the clock at all, or the window has another size.',
    'Accept 60 seconds in both directions and refuse the rest; keep the clocks of all nodes in step.',
  ),
  issuerByName: of(
    'The issuer is compared by name only, so a certificate of a namesake is taken.',
    'Verify the signature of the issuer over the certificate, up to an authority that is trusted.',
  ),
  validityLeftToTls: of(
    'The validity of TPP-Signature-Certificate is left to TLS, which never sees it.',
    'Check notBefore and notAfter of the signing certificate at every request.',
  ),
  rolesFromRegistry: of(
    'Roles are taken from a login or a registry, not from the certificate; or they are not looked at.',
    'Read the roles of the qcStatements extension (ETSI TS 119 495) and demand the one that the operation needs. Where a registry alone tells them, hand over TPPs that are registered without the role, as signing.identities.aispOnly, pispOnly and roleless of the target file.',
  ),
  certificateUnreadable: of(
    'The exception of the certificate parser ends as a 5xx, or verification is skipped.',
    'Answer a certificate that cannot be read with a 4xx.',
  ),
  // Requests
  fieldNotMissed: of(
    'The field is validated by the downstream system, which fills in a default or refuses much later.',
    'Validate at the edge and refuse a request without it, with its path in tppMessages.',
  ),
  optionalDemanded: of(
    'An optional field or header has become required, or its presence changes the outcome.',
    'Accept the request with and without it.',
  ),
  typesConverted: of(
    'The JSON library converts types silently (a list of one becomes its element, an amount that is a number a string).',
    'Turn coercion off, and refuse values of another JSON type.',
  ),
  emptyTaken: of('An empty text counts as present.', 'Refuse empty texts as if the field were missing.'),
  lengthCounted: of(
    'Length is counted in bytes, or longer text is cut off silently.',
    'Count Unicode characters: the limit is accepted, one more is refused.',
  ),
  listOutdated: of(
    'Only a pattern is checked, or the code list is an older one.',
    'Check against the list of the specification and refuse everything else.',
  ),
  neverParsed: of(
    'The value is stored as text and never parsed.',
    'Parse it, and refuse what is not in the form that is demanded.',
  ),
  headerLostOnTheWay: of(
    'Headers are read by a gateway that passes only some of them on.',
    'Check that every hop passes the header on unchanged, repeated headers included.',
  ),
  oneFormKnown: of(
    'What may be written in several ways is compared with the one way that the first TPP used.',
    'Compare header names without case, parse media types, take IPv4 and IPv6, and any absolute TPP-Redirect-URI.',
  ),
  onlyForSome: of(
    'Some part looks at who asks (User-Agent, address, TPP-Redirect-URI, order of headers) before it looks at the request.',
    'Apply every rule to every request, and let firewalls take any HTTP client.',
  ),
  otherProductForgotten: of(
    'The rule is checked for one product and was forgotten for the other.',
    'Share one validation of field combinations between both products.',
  ),
  twoDigitsAssumed: of(
    'Two fraction digits are assumed for every currency.',
    'Take the minor units of ISO 4217 by currency: JPY has none, KWD three.',
  ),
  amountAsNumber: of(
    'The amount goes through a floating-point or lenient decimal parser.',
    'Match the text with ^\\d+(\\.\\d+)?$ before it becomes a number, and bound its digits.',
  ),
  dayOfAnotherZone: of(
    'The day is that of the server, or of UTC, and around midnight another than in Norway; or dates are not looked at.',
    'Compare dates with the day in Europe/Oslo: refuse those before it with EXECUTION_DATE_INVALID, and take that day itself.',
  ),
  limitOffByOne: of(
    'The limit is compared with > instead of >=, or after conversion at another rate.',
    'From NOK 100 000.00 on demand both regulatory fields; below, demand neither.',
  ),
  oneCheckDigitMethod: of(
    'A KID is checked with one of its two check digit methods only, or its fault is answered 401.',
    'Accept mod-10 and mod-11 check digits, and answer a wrong one 400 with KID_INVALID.',
  ),
  createdOtherwise: of(
    'Creation is answered 200 or 202, or waits for SCA.',
    'Answer 201 with paymentId, transactionStatus and the scaRedirect link.',
  ),
  basketCreatedOtherwise: of(
    'Creation is answered 200 or 202, or waits for SCA.',
    'Answer 201 with the status of the basket and the scaRedirect link.',
  ),
  duplicateControl: of(
    'Duplicate control runs whatever the parameter says.',
    'Let allowLogicalDuplicate=true pass duplicate control.',
  ),
  falseRefused: of(
    'The parameter is compared with true only, and every other value is refused.',
    'Take allowLogicalDuplicate=false as if the parameter were absent.',
  ),
  unknownIdBreaks: of(
    'An id that is unknown or not yet approved runs into an exception.',
    'Answer with a 4xx and RESOURCE_UNKNOWN or FORBIDDEN; never with a 5xx.',
  ),
  basketLimitOutdated: of(
    'The older limit of ten payments is still built in, or the limit is not checked.',
    'Accept 1 to 100 payments and refuse 101.',
  ),
  paymentsLookedUpLate: of(
    'The basket is created first and its payments are looked up at signing.',
    'Look every payment up at creation: unknown ones are refused, bulk and periodic ones with 400 REFERENCE_MIX_INVALID.',
  ),
  ownerNotAsked: of(
    'A payment is looked up by its id alone.',
    'Look payments up together with the TPP and the PSU that they were created for, at every operation and on the SCA page.',
  ),
  stateInSeveralSystems: of(
    'The state is kept in several systems, which hear of a change at different times.',
    'Let one system own the state of a payment, and let creation, status, deletion and baskets ask it.',
  ),
  // Answers
  memberLeftOut: of(
    'The field is left out when it has no value, or is mapped from a system that does not have it.',
    'Always write the field; where it has no value, the specification names one.',
  ),
  internalModel: of(
    'The object is serialised as the internal model has it (numbers for amounts, null for absent fields).',
    'Serialise with the types of the specification, and leave absent fields out instead of writing null.',
  ),
  internalCode: of(
    'An internal code or text is passed on as it is.',
    'Map internal values to the code list, and cut texts to the length that is allowed.',
  ),
  feesApart: of(
    'Fees are calculated in a system that knows neither the indicator nor the currency’s digits.',
    'Set transactionFeeIndicator and transactionFees together, as text with the minor units of the currency.',
  ),
  idsRepeat: of(
    'Ids come from a sequence per product or node.',
    'Make payment ids unique over the whole interface.',
  ),
  // SCA
  linkMissing: of(
    'The 401 carries no link, or the link has another name.',
    'Answer 401 with _links.scaRedirect, whose href leads to the SCA page.',
  ),
  linkBehindLogin: of(
    'The link leads to a page that only the bank’s own network or a session of its own can open.',
    'Let scaRedirect lead to a page that the browser of any PSU can open.',
  ),
  redirectOfLogin: of(
    'The redirect is built by the login service, which knows only its own parameters.',
    'Append exactly the parameters of the specification to TPP-Redirect-URI, URL-encoded, keeping those it has.',
  ),
  psuIdPerSession: of(
    'PSU-ID is made per session or per consent.',
    'Derive PSU-ID from TPP and PSU, and keep it for good.',
  ),
  consentOnlyGrows: of(
    'What is ticked is added to what was granted before.',
    'Replace the consent by what is ticked: an account that is not ticked is not granted any more.',
  ),
  consentNotShown: of(
    'The checklist is drawn anew for every SCA, without a look at what was granted before.',
    'Tick the boxes of the accounts that the PSU has granted to this TPP before the page is sent.',
  ),
  consentUnderOtherKey: of(
    'The consent is looked up under another key than the PSU-ID that SCA gave.',
    'Answer for the PSU-ID of the redirect, in the session in which SCA was passed.',
  ),
  alternativeLate: of(
    'The alternative to PSU-ID is checked only after PSU-ID was demanded.',
    'Demand one of PSU-ID and X-PSU-IDENTITY; with PSU-Context begin single-SCA initiation.',
  ),
  corporateFromAccount: of(
    'The corporate context is taken from the account instead of the header.',
    'Demand PSU-Corporate-ID for corporate requests, answer 400 without it, and check that the PSU has the agreement.',
  ),
  identityUnbound: of(
    'A PSU-ID, session or agreement is looked up by itself, and not together with the TPP and the PSU it was given to.',
    'Look each of them up by TPP and PSU together, and refuse what does not belong together, or ask for SCA.',
  ),
  sessionUnending: of(
    'The age of a session is not looked at, or counted from its last use.',
    'Count the hour from the SCA itself, and ask for a new one after it.',
  ),
  unattendedUncounted: of(
    'Requests without PSU-IP-Address are treated like those with it.',
    'Count them for each TPP and account, refuse the fifth of 24 hours, and leave out transactions older than 90 days.',
  ),
  accountByIdAlone: of(
    'An account is read by its id, whoever asks.',
    'Show only accounts that the PSU of the request has granted to the TPP, and refuse all others.',
  ),
  encodedWordHalfRead: of(
    'Encoded words are decoded by a pattern for UTF-8 and Base64 alone.',
    'Decode as RFC 2047 has it: charsets UTF-8 and ISO-8859-1, encodings B and Q, in either case.',
  ),
  sessionEndedEarly: of(
    'The old session is ended when a new SCA begins.',
    'End it only when the new SCA is completed.',
  ),
  // Accounts, sandbox, errors, versions
  datesOfOtherForm: of(
    'Dates are written as the systems behind keep them.',
    'Write dates as YYYY-MM-DD and date-times as YYYY-MM-DDThh:mm:ss with their offset (ISO 8601).',
  ),
  idsMadeUp: of(
    'Ids are made up for each answer.',
    'Keep an id with what it names, or derive it from what does not change.',
  ),
  bookedAnew: of(
    'Booked transactions are corrected in place, or calculated for each answer.',
    'Leave a booked transaction as it is, and book a correction as a transaction of its own.',
  ),
  queryIgnored: of(
    'Query parameters are ignored or passed on unchecked.',
    'Read each parameter that the specification names, refuse wrong values with a 4xx, and answer in its shape.',
  ),
  sandboxInProduction: of(
    'Production is deployed with the routes of the sandbox.',
    'Leave out whatever is below /v1/sandbox where real people are served.',
  ),
  pendingFiltered: of(
    'Filters and pages are applied before booked and pending transactions are parted.',
    'Apply dateFrom, dateTo and limit to booked transactions alone; the exemption is for sandboxes and card accounts.',
  ),
  dataSetOtherwise: of(
    'The sandbox was filled by hand, or its initialisation has not kept up with the specification.',
    'Initialise it with private customers who have two accounts and a card account each, and corporate ones with two accounts.',
  ),
  sandboxNumbersUnknown: of(
    'The SCA page of the sandbox knows other numbers than the listing shows.',
    'Let the SCA page of the sandbox take the customerNumber of the listing.',
  ),
  stateNotLookedAt: of(
    'The state of the payment is not looked at before the operation.',
    'Refuse deletion in PDNG with a 4xx; show lack of funds as ACCP with fundsAvailable false.',
  ),
  faultsUnmapped: of(
    'Faults of the TPP end in an exception that nobody maps.',
    'Answer every fault of a request with a 4xx; keep 5xx for faults of the bank.',
  ),
  acceptFixAsText: of(
    'x-accept-fix is compared as one text, or unknown values are refused.',
    'Split x-accept-fix at commas, and accept every value that the specification names.',
  ),
  prefixRewritten: of(
    'A gateway rewrites paths, or the interface is mounted at another place.',
    'Serve every path of the interface under /v1 of the base address.',
  ),
} as const satisfies Readonly<Record<string, Remedy>>;

export type RemedyName = keyof typeof remedies;

export const remediesNamed = (names: readonly RemedyName[]): readonly Remedy[] =>
  names.map((name) => remedies[name]);
