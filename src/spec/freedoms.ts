/**
 * What a compliant bank may do besides, where the specification says nothing of it. No check objects to any of it, and
 * whoever asks a bank gets along with it. Where no target file could say so, it is none of the readings.
 */
export interface Freedom {
  readonly id: string;
  /** What the bank may do, as a sentence without its subject. */
  readonly says: string;
  /** Banks of the proof that do it. */
  readonly dialects: readonly string[];
}

type Row = readonly [id: string, says: string, ...dialects: readonly string[]];

// biome-ignore format: a table
const rows: readonly Row[] = [
  // Strong customer authentication
  ['sca/exempt', 'exempt any payment or basket from SCA, and execute it at once', 'answers/exempt', 'answers/executed-small', 'exemptions/trusted-payees', 'exemptions/every-third'],
  ['sca/once-more', 'ask for SCA once more before any operation', 'sca/now-and-then', 'sca/before-reading', 'sca/before-status', 'sca/before-basket', 'sca/before-deletion'],
  ['sca/before-creation', 'ask for SCA before it creates a payment, or before it looks at it', 'sca/before-creation', 'sca/before-creation-once', 'sca/before-the-body', 'sca/named-first'],
  ['sca/in-baskets-only', 'have payments signed in baskets, without a link of their own', 'answers/signed-in-baskets'],
  ['sca/by-authorisation', 'have the TPP start an authorisation for what it has created', 'authorisations/instead', 'authorisations/as-well'],
  ['sca/of-deletions', 'want the PSU to approve a deletion', 'authorisations/of-cancellations'],
  ['sca/by-app', 'ask for approval in an app where TPP-Redirect-Preferred is false, or use the redirect all the same', 'sca-links/by-app'],
  ['sca/one-at-a-time', 'let a PSU pass one SCA at a time, and end older links with a newer one', 'pages/one-at-a-time', 'pages/newest-link', 'pages/newest-or-back'],
  ['sca/one-link', 'open a link to SCA once, and let it expire soon', 'pages/once'],
  ['sca/holders-only', 'end SCA where the PSU has no accounts that could be granted', 'pages-for/holders'],
  ['sca/pages', 'lay out its pages as it likes, and ask for nobody whom it knows', 'pages/known-psu', 'pages/app', 'forms/number-in-parts', 'forms/people', 'pages/approve-only'],
  ['sca/names-of-accounts', 'call accounts and cards on its pages otherwise than in its listings', 'forms/card-numbers', 'forms/card-numbers-untold'],
  ['sca/redirect-parameters', 'add parameters of its own to a redirect, in any order, and name those that are empty', 'redirects/more-parameters', 'redirect-order/reversed', 'redirects/every-parameter'],
  ['sca/redirect-words', 'tell a failed SCA in words and codes of its own, encoded once or twice', 'redirects/own-code', 'redirects/message-encoded-twice'],
  ['sca/redirect-addresses', 'know the addresses of a TPP beforehand, and take none with a query, a fragment or without TLS', 'strict/registered-redirects', 'strict/plain-redirects', 'strict/https'],
  ['sca/short-sessions', 'let an SCA hold for less than an hour', 'sessions/short'],
  ['sca/session-ids', 'take TPP-Session-ID in a form of its own only, and demand it where payments are read', 'strict/session-ids', 'strict/uuid-sessions', 'sessions/when-reading'],
  // TPPs and PSUs
  ['tpps/registered', 'know its TPPs by more than who vouches for them', 'tpps/registered'],
  ['tpps/clients', 'treat HTTP clients it has not seen otherwise, and turn away who does not say who asks', 'firewall/known-clients', 'firewall/user-agent', 'sca/of-other-clients'],
  ['psus/ids', 'write a PSU-ID as any UUID, and call a person by another one where they act for a company', 'psu-ids/digits', 'psu-ids/upper-case'],
  ['psus/unknown', 'refuse a PSU-ID that it does not know for good', 'psu-ids/forbidden'],
  ['psus/one-identity', 'take PSU-ID or X-PSU-IDENTITY alone', 'strict/one-identity', 'strict/psu-id'],
  ['psus/companies', 'have no companies or no private persons, and let a company pay from its own accounts only', 'customers/companies-only', 'customers/persons-only'],
  ['psus/addresses', 'take no PSU-IP-Address at which no PSU can be, or of IPv6', 'particular/ip-addresses', 'particular/ipv4', 'strict/addresses'],
  // What is refused
  ['refusals/status', 'refuse with any 4xx where no status is fixed, and tell what is wrong in any form', 'statuses/many', 'errors/problem-json', 'errors/html', 'errors/empty'],
  ['refusals/order', 'look at headers, body and signature in any order', 'order/reversed', 'order/body-first'],
  ['refusals/own-choice', 'refuse for reasons of its own what a TPP need not send', 'strict/unknown-members', 'particular/small-amounts', 'firewall/known-headers'],
  ['refusals/leniency', 'take what no requirement has it refuse', 'lenient/own-choices', 'lenient/header-values'],
  ['refusals/repeated-ids', 'remember what it has refused, and take an X-Request-ID once', 'strict/request-ids'],
  // Payments
  ['payments/creditors', 'pay only accounts that it knows', 'creditors/known', 'creditors/own-series'],
  ['payments/currencies', 'deal in few currencies, or in those of the two accounts only, and have dropped withdrawn ones', 'strict/few-currencies', 'strict/currency-pairs', 'strict/account-currencies'],
  ['payments/amounts', 'refuse great and small amounts, and cross-border payments below NOK 100 000', 'strict/great-amounts', 'strict/zero', 'particular/small-amounts', 'strict/meant-for'],
  ['payments/dates', 'execute payments on banking days only, within some time, and not after an hour of the day', 'dates/banking-days', 'dates/within-a-month', 'dates/three-days-abroad', 'dates/cut-off'],
  ['payments/check-digits', 'refuse account numbers and BICs whose check digits are wrong', 'strict/check-digits'],
  ['payments/addresses', 'pay abroad only, and only where the payee lives and the bank is in the country of the account', 'particular/abroad', 'particular/residents', 'particular/agents', 'particular/places'],
  ['payments/agents', 'want to know the bank of an account outside the European Economic Area', 'particular/agents-far-away'],
  ['payments/texts', 'refuse texts that mean nothing, and signs that it cannot process', 'particular/short-texts', 'particular/signs', 'particular/white-space', 'strict/latin-1'],
  ['payments/references', 'take every structured reference for a KID, or none but those of accounts with an agreement', 'strict/references', 'lenient/kids', 'strict/kid'],
  ['payments/duplicates', 'take payments for duplicates that are alike in some way, unless duplicates are allowed', 'strict/duplicates', 'particular/sums-once', 'particular/references-once', 'particular/invoices-once'],
  ['payments/needless-reporting', 'take regulatory fields only with the transfers that need them', 'particular/needless-reporting'],
  ['payments/sanctions', 'refuse whom sanctions name', 'strict/sanctions'],
  ['payments/status', 'give a new payment any status, and go on by itself with what nobody has approved', 'initial-status/ACTC', 'approved-status/PDNG'],
  ['payments/unreadable', 'show a payment or its details only once it is approved, or a moment later', 'known-issue/unreadable', 'payments/details-once-approved', 'payments/read-from-a-copy'],
  ['payments/details', 'have no details of payments, or write them otherwise than they were sent', 'details/names-in-capitals'],
  ['payments/deletion', 'delete no payments, or none that are approved, and answer a deletion with any 2xx', 'deletion/none', 'deletion/202', 'offers/no-deletion'],
  ['payments/lacking-funds', 'take a payment up again that lacked funds', 'particular/unfunded-again'],
  ['payments/of-the-sandbox', 'show everybody the payments that its sandbox is delivered with', 'payments/handed-out'],
  ['payments/products', 'call its products by other names', 'products/other-names', 'products/sepa'],
  // Baskets
  ['baskets/contents', 'take payments into a basket that are of one session, of one day, once and not rejected', 'particular/sessions-of-baskets', 'particular/days-of-baskets', 'strict/basket-duplicates', 'strict/rejected-in-basket'],
  ['baskets/partly', 'report a basket with a rejected payment as accepted in part', 'basket-status/partial'],
  ['baskets/executed', 'take nothing into a basket that it has executed at once', 'answers/executed-abroad'],
  ['baskets/ids', 'give a basket no id', 'basket-ids/none'],
  // Accounts
  ['accounts/shape', 'show account information in any shape', 'account-list/other-name', 'transactions/one-list', 'balances/own-words', 'accounts/as-written'],
  ['accounts/ids', 'give accounts and transactions any ids, other ones with every listing', 'account-ids/odd', 'account-ids/fresh', 'transactions/numbered'],
  ['accounts/numbers', 'list accounts without numbers, with one number in several currencies, or loans among them', 'accounts/no-links', 'accounts/two-currencies', 'accounts/loan-first'],
  ['accounts/contexts', 'show who acts for a company its accounts next to their own', 'accounts/of-both-contexts'],
  ['accounts/parameters', 'demand bookingStatus or a period, and refuse parameters that it has no use for', 'transactions/from-a-day', 'transactions/both-dates', 'transactions/tens', 'page-links/to-itself'],
  ['accounts/old-transactions', 'want SCA for transactions older than 90 days, or show none of them', 'transactions/young-ones'],
  ['accounts/days', 'choose transactions by another day than that of the booking', 'transactions/by-value-date'],
  ['accounts/pages', 'count pages or transactions by offset, with those that are pending or without them', 'page-links/counted', 'page-links/tokens', 'transactions/pages-of-both', 'transactions/pending-last'],
  ['accounts/unattended', 'show nothing without the PSU, or nothing that is old', 'unattended/none', 'unattended/old-refused', 'unattended/old-details'],
  ['accounts/agreements', 'demand PSU-Corporate-ID of who asks for agreements', 'agreements/in-context'],
  ['accounts/revoked', 'answer a revoked consent with 403 CONSENT_UNKNOWN', 'consents/forbidden-once-revoked'],
  ['accounts/no-cards', 'answer 404 to who asks for the card accounts of a PSU who has none', 'card-accounts/none-404'],
  // The sandbox
  ['sandbox/listing', 'list its customers in any order, without details unless asked, and anew a moment later', 'customers/in-any-order', 'customers/details-on-request', 'customers/listed-later'],
  ['sandbox/creation', 'give a created customer another number than was asked for', 'customers/own-numbers', 'customers/untold-numbers'],
  ['sandbox/numbers', 'know a customer by several numbers', 'customers/numbered-twice', 'customers/grouped-numbers'],
  // On the wire
  ['wire/links', 'write links relative, without verbs, in lists, in a header, or without what its address has before /v1', 'links/relative', 'links/no-verbs', 'links/without-prefix', 'sca-links/in-header', 'page-links/several'],
  ['wire/members', 'add members of its own, and leave out or set to null what is optional', 'answers/rich', 'answers/nulls', 'answers/minimal'],
  ['wire/json', 'write JSON and header names in any way that means the same, packed or not', 'json/reversed', 'json/escaped', 'header-names/upper-case', 'encoding/gzip'],
  ['wire/headers', 'repeat no X-Request-ID, send no Date and headers of its own', 'headers/no-echo', 'headers/no-date', 'headers/many'],
  ['wire/signatures', 'sign its responses', 'responses/signed'],
  ['wire/clock', 'have a clock that is off, which its Date shows', 'clock/ahead', 'clock/next-day', 'headers/date-ahead'],
  ['wire/trouble', 'ask to slow down, be overloaded, reset a connection, or close one that idles', 'trouble/429', 'trouble/503', 'trouble/resets'],
  ['wire/one-of-a-session', 'look at one request of a session at a time', 'busy/session'],
  ['wire/behind', 'have parts that hear of something a moment later', 'machines/one-behind', 'customers/listed-later'],
  // Operations that are only referred to
  ['offers/less', 'lack operations that are only referred to, and whole profiles', 'offers/no-user', 'offers/no-agreements', 'offers/consents-gone', 'offers/nothing-but-payments'],
];

export const freedoms: readonly Freedom[] = rows.map(([id, says, ...dialects]) => ({ id, says, dialects }));
