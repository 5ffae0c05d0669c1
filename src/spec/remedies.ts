import type { Requirement } from './requirement.ts';

/** Why a bank typically breaks a requirement, and what remedies it. */
export interface Remedy {
  readonly cause: string;
  readonly remedy: string;
}

interface RemedyRow extends Remedy {
  /** Ids that it belongs to. */
  readonly of: RegExp;
  /** Narrows it down to requirements that say so. */
  readonly saying?: RegExp;
}

const row = (of: RegExp, cause: string, remedy: string, saying?: RegExp): RemedyRow => ({
  of,
  cause,
  remedy,
  ...(saying === undefined ? {} : { saying }),
});

const fields = /^(NDC|NCB|REM|BSK-0|HD[NCBS])/;
const answers = /^(PRS|BKR|PST|SBX|AGR|LNK|MSG|ERR-01)/;

const rows: readonly RemedyRow[] = [
  // Transport
  row(
    /^TRN-01/,
    'The Content-Type is not looked at, or a gateway in front takes XML as well.',
    'Refuse bodies whose Content-Type is not application/json before they are parsed.',
  ),
  row(
    /^TRN-02/,
    'The parser is lenient (comments, trailing commas), or its exception ends as a 5xx.',
    'Parse strictly as RFC 8259 has it, and turn a parse error into a 4xx.',
  ),
  row(
    /^TRN-0[35]/,
    'Errors are answered by a gateway or container with its own HTML or text page.',
    'Let every layer that answers say it in JSON, with Content-Type application/json and UTF-8.',
  ),
  row(
    /^TRN-04/,
    'The body is decoded with the default character set of the platform.',
    'Decode request bodies as UTF-8 explicitly.',
  ),
  row(
    /^TRN-06/,
    'A character reaches a system that cannot hold it, and its error comes back as a 5xx.',
    'Check the text against the character set of the downstream system first, and answer 400.',
  ),
  row(
    /^TRN-07/,
    'The Date header is written with the format of a locale or a time zone other than GMT.',
    'Write Date as IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT.',
  ),
  row(
    /^TLS/,
    'The load balancer carries the TLS settings of older services.',
    'Offer TLS 1.2 and 1.3 only, on every address of the interface.',
  ),
  // Signing
  row(
    /^SIG-01/,
    'Signature verification runs only when the header is there, or answers 401.',
    'Demand Signature before anything else is done, and answer 400 without it.',
  ),
  row(
    /^(SIG-02|SGH-14|SGS|CRT-07)/,
    'The signing string is made of the headers that the bank expects, not of those that the headers part lists.',
    'Build the string from the headers part: lower-case name, colon, space, value; lines joined by \\n, none at the end.',
  ),
  row(
    /^(SIG-02|SGH-(0[5-8]|12|14)|SGS|CRT-07)/,
    'A failed verification is answered 401 or 403, as in the framework.',
    'Answer 400: this interface overrides the framework here.',
    /400/,
  ),
  row(
    /^SIG-03/,
    'Responses are signed with another string or key than their headers tell.',
    'Verify a signed response with the certificate that it carries before it is sent, or do not sign.',
  ),
  row(
    /^SGS-0[78]/,
    'Only the listed headers are verified, and nobody asks whether one is missing from the list.',
    'Refuse a request that carries a Digest which its signature does not cover.',
  ),
  row(
    /^SGS-1[23]/,
    '(request-target) is unknown to the verifier, or is built from the path without its prefix or query.',
    'Support (request-target) as "method path?query" in lower-case method, with the path as the TPP sent it.',
  ),
  row(
    /^SGH-0[12]/,
    'keyId is ignored, because the certificate comes with the request.',
    'Compare SN and CA of keyId with the serial number and the issuer of TPP-Signature-Certificate.',
  ),
  row(
    /^SGH-(02|10|11)/,
    'The issuer is compared as text, and two libraries print one name differently.',
    'Parse both names (RFC 2253) and compare attribute by attribute; decode RFC 2047 words first.',
  ),
  row(
    /^SGH-(0[3-9]|12|13)/,
    'The header is searched with a regular expression instead of being parsed.',
    'Parse it as a list of name="value" parts and refuse what is incomplete.',
  ),
  row(
    /^DIG/,
    'The hash is taken over JSON that was parsed and written again, or after a gateway has changed the body.',
    'Hash the very bytes that came over the wire, before any parser sees them.',
  ),
  row(
    /^DIG-0[1-2678]|^DIG-10/,
    'Only one algorithm is implemented, or the name of the algorithm is not looked at.',
    'Take SHA-256 and SHA-512, whatever the case of the name, and refuse all others.',
  ),
  row(
    /^CLK/,
    'Date is not compared with the clock at all, or the window has another size.',
    'Accept 60 seconds in both directions and refuse the rest; keep the clocks of all nodes in step.',
  ),
  row(
    /^CRT-01/,
    'The issuer is compared by name only, so a certificate of a namesake is taken.',
    'Verify the signature of the issuer over the certificate, up to an authority that is trusted.',
  ),
  row(
    /^CRT-0[23]/,
    'The validity of TPP-Signature-Certificate is left to TLS, which never sees it.',
    'Check notBefore and notAfter of the signing certificate at every request.',
  ),
  row(
    /^CRT-0[45]/,
    'Roles are taken from a registry or a login, not from the certificate.',
    'Read the roles of the qcStatements extension (ETSI TS 119 495) and demand the one that the operation needs.',
  ),
  row(
    /^CRT-06/,
    'The exception of the certificate parser ends as a 5xx, or verification is skipped.',
    'Answer a certificate that cannot be read with a 4xx.',
  ),
  // Requests
  row(
    fields,
    'The field is validated by the downstream system, which fills in a default or refuses much later.',
    'Validate at the edge and refuse a request without it, with its path in tppMessages.',
    /is required/,
  ),
  row(
    fields,
    'An optional field or header has become required, or its presence changes the outcome.',
    'Accept the request with and without it.',
    /is optional/,
  ),
  row(
    fields,
    'The JSON library converts types silently (a number becomes a string).',
    'Turn coercion off, and refuse values of another JSON type.',
    /JSON type/,
  ),
  row(
    fields,
    'An empty text counts as present.',
    'Refuse empty texts as if the field were missing.',
    /not empty/,
  ),
  row(
    fields,
    'Length is counted in bytes, or longer text is cut off silently.',
    'Count Unicode characters: the limit is accepted, one more is refused.',
    /holds up to/,
  ),
  row(
    fields,
    'Only a pattern is checked, or the code list is an older one.',
    'Check against the list of the specification and refuse everything else.',
    /one of/,
  ),
  row(
    fields,
    'The value is stored as text and never parsed.',
    'Parse it, and refuse what is not in the form that is demanded.',
    /UUID|date|YYYY|format|decimal/,
  ),
  row(
    /^HD/,
    'Headers are read by a gateway that passes only some of them on.',
    'Check that every hop passes the header on unchanged, repeated headers included.',
  ),
  row(
    /^(NDC|NCB)/,
    'The rule is checked for one product and was forgotten for the other.',
    'Share one validation of field combinations between both products.',
  ),
  row(
    /^AMT-0[1238]/,
    'Two fraction digits are assumed for every currency.',
    'Take the minor units of ISO 4217 by currency: JPY has none, KWD three.',
  ),
  row(
    /^AMT-0[4-7]/,
    'The amount goes through a floating-point or lenient decimal parser.',
    'Match the text with ^\\d+(\\.\\d+)?$ before it becomes a number, and bound its digits.',
  ),
  row(
    /^REG/,
    'The limit is compared with > instead of >=, or after conversion at another rate.',
    'From NOK 100 000.00 on demand both regulatory fields; below, demand neither.',
  ),
  row(
    /^(REM-11|ERR-02)/,
    'A KID is checked with one of its two check digit methods only, or its fault is answered 401.',
    'Accept mod-10 and mod-11 check digits, and answer a wrong one 400 with KID_INVALID.',
  ),
  row(
    /^PAY-0[135-6]|^PAY-03/,
    'Creation is answered 200 or 202, or waits for SCA.',
    'Answer 201 with paymentId, transactionStatus and the scaRedirect link.',
  ),
  row(
    /^PAY-0[24]/,
    'Duplicate control runs whatever the parameter says.',
    'Let allowLogicalDuplicate=true pass duplicate control.',
  ),
  row(
    /^PST-(01|1[01])/,
    'An id that is unknown or not yet approved runs into an exception.',
    'Answer with a 4xx and RESOURCE_UNKNOWN or FORBIDDEN; never with a 5xx.',
  ),
  row(
    /^BSK-1[0-4]/,
    'The older limit of ten payments is still built in, or the limit is not checked.',
    'Accept 1 to 100 payments and refuse 101.',
  ),
  row(
    /^BSK-1[5-9]|^BSK-22/,
    'The basket is created first and its payments are looked up at signing.',
    'Look every payment up at creation: unknown ones are refused, bulk and periodic ones with 400 REFERENCE_MIX_INVALID.',
  ),
  row(
    /^STA/,
    'The state is kept in several systems, which hear of a change at different times.',
    'Let one system own the state of a payment, and let creation, status, deletion and baskets ask it.',
  ),
  // Answers
  row(
    answers,
    'The field is left out when it has no value, or is mapped from a system that does not have it.',
    'Always write the field; where it has no value, the specification names one.',
    /always present/,
  ),
  row(
    answers,
    'The object is serialised as the internal model has it (numbers for amounts, null for absent fields).',
    'Serialise with the types of the specification, and leave absent fields out instead of writing null.',
    /is an? |is one of|object|array|string|boolean/,
  ),
  row(
    answers,
    'An internal code or text is passed on as it is.',
    'Map internal values to the code list, and cut texts to the length that is allowed.',
    /one of|at most/,
  ),
  row(
    /^PRS-2|^PRS-09|^VER-03/,
    'Fees are calculated in a system that knows neither the indicator nor the currency’s digits.',
    'Set transactionFeeIndicator and transactionFees together, as text with the minor units of the currency.',
  ),
  row(
    /^PRS-21/,
    'Ids come from a sequence per product or node.',
    'Make payment ids unique over the whole interface.',
  ),
  // SCA
  row(
    /^(SCA-01|ERR-03|SES-02|ACC-06|ACC-07)/,
    'The 401 carries no link, or the link has another name.',
    'Answer 401 with _links.scaRedirect, whose href leads to the SCA page.',
  ),
  row(
    /^SCA-0[23]|^RDR|^RDF/,
    'The redirect is built by the login service, which knows only its own parameters.',
    'Append exactly the parameters of the specification to TPP-Redirect-URI, URL-encoded, keeping those it has.',
  ),
  row(
    /^SCA-0[456]/,
    'PSU-ID is made per session or per consent.',
    'Derive PSU-ID from TPP and PSU, and keep it for good.',
  ),
  row(
    /^SCA-1[24]/,
    'The alternative to PSU-ID is checked only after PSU-ID was demanded.',
    'Demand one of PSU-ID and X-PSU-IDENTITY; with PSU-Context begin single-SCA initiation.',
  ),
  row(
    /^COR/,
    'The corporate context is taken from the account instead of the header.',
    'Demand PSU-Corporate-ID for corporate requests, answer 400 without it, and check that the PSU has the agreement.',
  ),
  row(
    /^SES-0[34]/,
    'The old session is ended when a new SCA begins.',
    'End it only when the new SCA is completed.',
  ),
  // Accounts, sandbox, errors, versions
  row(
    /^(ACC|SBX|AGR)/,
    'Query parameters are ignored or passed on unchecked.',
    'Read each parameter that the specification names, refuse wrong values with a 4xx, and answer in its shape.',
  ),
  row(
    /^ERR-0[45]/,
    'The state of the payment is not looked at before the operation.',
    'Refuse deletion in PDNG with a 4xx; show lack of funds as ACCP with fundsAvailable false.',
  ),
  row(
    /^ERR-06/,
    'Faults of the TPP end in an exception that nobody maps.',
    'Answer every fault of a request with a 4xx; keep 5xx for faults of the bank.',
  ),
  row(
    /^VER/,
    'x-accept-fix is compared as one text, or unknown values are refused.',
    'Split x-accept-fix at commas, and accept every value that the specification names.',
  ),
];

/** What typically goes wrong with a requirement. */
export function remediesFor({ id, statement }: Requirement): readonly Remedy[] {
  return rows
    .filter(({ of, saying }) => of.test(id) && (saying === undefined || saying.test(statement)))
    .map(({ cause, remedy }) => ({ cause, remedy }));
}
