import type { SecureVersion } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { digestHeader } from '../../signing/digest.ts';
import { acceptFixes } from '../../spec/code-lists.ts';
import { isUuid } from '../../spec/formats.ts';
import { memberAt } from '../../spec/json.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswering,
  withRefusals,
  withRoutes,
  withRules,
  withScaLinks,
  withSealed,
} from '../design/design-changes.ts';
import type { BankRequest, RawResponse, Rule } from '../design/route.ts';
import {
  advised,
  at,
  atAll,
  atCreations,
  atPayments,
  both,
  breakdown,
  each,
  inBody,
  inBytes,
  inHeader,
  marked,
  not,
  of,
  overlooking,
  refusing,
  ruleOf,
  shownOperations,
  table,
} from './deviation.ts';

type Sealed = (response: RawResponse) => RawResponse;

/** All answers but pages, or some of them, as they go over the wire. */
const sealing = (
  change: Sealed,
  isMeant: (response: RawResponse, request: BankRequest | undefined) => boolean = () => true,
): DesignChange =>
  withSealed((sealed, request) =>
    request?.operation !== 'page' && isMeant(sealed, request) ? change(sealed) : sealed,
  );

const header =
  (name: string, change: (value: string) => string): Sealed =>
  (response) => ({
    ...response,
    headers: response.headers.map(([each, value]) => [each, each === name ? change(value) : value]),
  });
const date = (change: (value: string) => string): DesignChange => sealing(header('Date', change));
const called = (type: string): Sealed => header('Content-Type', () => type);

const body =
  (write: (body: Buffer) => Buffer): Sealed =>
  (response) => ({ ...response, body: write(response.body) });
const cutOff = body((bytes) => bytes.subarray(0, -1));
const inLatin1 = body((bytes) => Buffer.from(bytes.toString('utf8'), 'latin1'));

const isRefused = ({ status }: RawResponse): boolean => status >= 400;
const isMade = ({ status }: RawResponse): boolean => status < 300;

const asXml = (value: unknown): string =>
  `<?xml version="1.0"?><answer>${JSON.stringify(value).length}</answer>`;

/** Letters outside ASCII cannot be processed. */
const inAscii: DesignChange = (design) => ({
  ...design,
  isProcessable: (text) => /^[\t\n\r\x20-\x7e]*$/.test(text),
});

/** Signs in the name of the TPP that asked, with what is no signature. */
const forged = (digest?: string): DesignChange =>
  withSealed((sealed, request) => {
    const certificate = request?.certificate;
    if (certificate === undefined) return sealed;
    const { issuer, serialNumber, base64 } = certificate;
    const keyId = `SN=${serialNumber},CA=${issuer}`;
    return {
      ...sealed,
      headers: [
        ...sealed.headers,
        ['Digest', digest ?? digestHeader(sealed.body)],
        ['TPP-Signature-Certificate', base64],
        ['Signature', `keyId="${keyId}",algorithm="rsa-sha256",headers="date digest",signature="AAAA"`],
      ],
    };
  });

const inJson =
  (form: RegExp, path?: string) =>
  ({ body: sent }: BankRequest): boolean =>
    form.test(JSON.stringify(path === undefined ? sent : (memberAt(sent, path) ?? '')));
const isDomestic = at(products.domestic.creation);
const isAbroad = at(products.crossBorder.creation);
const inText = (sign: string) => inBody('remittanceInformationUnstructured', (value) => value.includes(sign));

const acceptFix = 'x-accept-fix';
const fixes = (request: BankRequest): readonly string[] =>
  (request.header(acceptFix) ?? '').split(',').map((fix) => fix.trim());

function areInAnotherOrder(request: BankRequest): boolean {
  const given = fixes(request);
  const known = acceptFixes.map(({ value }): string => value).filter((value) => given.includes(value));
  return given.length > 1 && known.length === given.length && given.join() !== known.join();
}

const places = [
  ['domestic', products.domestic.creation],
  ['cross-border', products.crossBorder.creation],
  ['customers', 'listSandboxCustomers'],
  ['accounts', 'listAccounts'],
] as const;

/** How the bank answers, and which letters it reads. */
// biome-ignore format: a table
const answers = table(
  ['SIG-03/no-signature', 'signs its answers with a text that is no signature', forged()],
  ['SIG-03/other-digest', 'signs the digest of another body', forged(digestHeader(Buffer.from('another')))],
  ['TRN-03/xml', 'answers in XML', withAnswering(() => ({ serialise: asXml }))],
  each(places, (place, operation) => table(
    [`TRN-03/xml-where-asked-for-at-${place}`, `answers in XML where that is asked for (${place})`,
      sealing((sealed) => ({ ...called('application/xml')(sealed), body: Buffer.from(asXml('')) }), (sealed, request) => isMade(sealed) && request?.operation === operation && request.header('accept') === 'application/xml')],
    [`TRN-05/latin-1-where-asked-for-at-${place}`, `encodes its answers in ISO 8859-1 where that is asked for (${place})`,
      sealing((sealed) => called('application/json; charset=iso-8859-1')(inLatin1(sealed)), (_, request) => request?.operation === operation && inHeader('accept-charset', /^iso-8859-1$/i)(request))],
  )),
  ['TRN-03/broken', 'answers with JSON that is cut off', withAnswering(({ serialise }) => ({ serialise: (value) => serialise(value).slice(0, -1) }))],
  ['TRN-03/broken-errors', 'answers 400 with JSON that is cut off', sealing(cutOff, ({ status }) => status === 400)],
  ['TRN-03/broken-successes', 'answers with JSON that is cut off where it refuses nothing', sealing(cutOff, (sealed) => !isRefused(sealed))],
  ['TRN-03/broken-baskets', 'answers with JSON that is cut off where it creates a basket', sealing(cutOff, (sealed, request) => isMade(sealed) && request?.operation === 'createSigningBasket')],
  ['TRN-05/latin-1', 'encodes its answers in ISO 8859-1', sealing(inLatin1)],
  ['TRN-03/called-xml', 'says that its answers are XML', sealing(called('application/xml'))],
  each([['text', 'text/plain'], ['html', 'text/html']], (way, name) => [`TRN-03/called-${way}`, `says that its answers are ${name}`,
    sealing(header('Content-Type', (type) => (/json/.test(type) ? name : type))), advised]),
  ['TRN-05/charset-of-errors', 'says that its errors are encoded in ISO 8859-1', sealing(called('application/json; charset=iso-8859-1'), isRefused)],
  ['TRN-05/charset', 'says that its answers are encoded in ISO 8859-1', sealing(header('Content-Type', (type) => type.replace('utf-8', 'iso-8859-1')))],
  each([403, 422, 500], (status) => [`TRN-04/${status}-for-letters`, `answers ${status} to Norwegian letters, which it cannot process`, [inAscii, withRefusals(ruleOf('TRN-06'), { status })]]),
  each([
    ['nul', 'a NUL in a text', (request: BankRequest) => JSON.stringify(request.body).includes('\\u0000')],
    ['ultimate-debtor', 'an emoji in ultimateDebtor', inBody('ultimateDebtor', /🍕/u)],
    ['city', 'an emoji in the city of the creditor', inBody('creditorAddress.city', /🍕/u)],
    ['second-reference', 'an emoji in the second structured reference', inJson(/🍕/u, 'remittanceInformationStructuredArray')],
    ['single-reference', 'an emoji in the single structured reference', inBody('remittanceInformationStructured.reference', /🍕/u)],
    ['cyrillic-letters', 'Cyrillic letters', both(isDomestic, inJson(/[а-я]/iu))],
    ['euro-sign', 'the sign of the euro', both(isDomestic, inJson(/€/u))],
    ['letters-of-neighbours', 'letters of other languages in Europe', both(isDomestic, inJson(/[àäöüžť]/iu))],
    ['quotation-marks', 'quotation marks in a text', both(isDomestic, inText('"'))],
    ['apostrophes', 'apostrophes in a text', inText("'")],
    ['ampersands', 'ampersands in a text', inText('&')],
    ['backslashes', 'backslashes in a text', inText('\\')],
    ['dashes', 'dashes in a text', inText('–')],
    ['invisible-marks', 'invisible-marks in a text', inText('\u200d')],
    ['apostrophes-abroad', 'apostrophes in the text of a cross-border payment', both(isAbroad, inText("'"))],
    ['other-scripts-abroad', 'letters of other scripts in a cross-border payment', both(isAbroad, inJson(/[а-я\u4e00-\u9fff]/iu))],
    ['street-abroad', 'an emoji in the street of a creditor abroad', both(isAbroad, inBody('creditorAddress.street', /🍕/u))],
    ['information', 'an emoji in regulatoryReportingInformation', inBody('regulatoryReportingInformation', /🍕/u)],
  ], (way, what, isMet) => [`TRN-06/500-at-${way}`, `breaks down at ${what}`,
    // Before it says that it cannot process the character.
    { refuse: isMet, at: creations, as: breakdown, first: true }]),
  ['TRN-07/iso-8601', 'dates its answers by ISO 8601', date((value) => new Date(value).toISOString())],
  ['TRN-07/another-weekday', 'dates its answers with a day of the week that it is not', date((value) => value.replace(/^\w+/, (day) => (day === 'Mon' ? 'Tue' : 'Mon')))],
  each(['Expires', 'Last-Modified'], (name) => [`TRN-07/${name.toLowerCase()}`, `writes ${name} by ISO 8601`,
    sealing((response) => ({ ...response, headers: [...response.headers, [name, '2030-01-31T12:00:00+00:00']] }))]),
  ['TRN-07/without-weekday', 'dates its answers without the day of the week', date((value) => value.replace(/^\w+, /, ''))],
  ['TRN-07/1970', 'dates its answers 1970', date(() => new Date(0).toUTCString())],
  ['TRN-07/9999', 'dates its answers in the year 9999', date(() => 'Fri, 31 Dec 9999 23:59:59 GMT')],
  ['TRN-07/local-time', 'dates its answers in local time', date((value) => value.replace('GMT', '+0000'))],
  ['VER-02/one-only', 'takes one value of x-accept-fix', { refuse: inHeader(acceptFix, /,/) }, { alsoAt: atCreations }],
  ['VER-02/in-order-only', 'takes values of x-accept-fix in the order in which they were introduced only', { refuse: areInAnotherOrder }],
  ['VER-02/no-spaces', 'takes no spaces between values of x-accept-fix', { refuse: inHeader(acceptFix, / /) }],
  ['VER-08/not-all', 'does not know longer-names', { refuse: inHeader(acceptFix, 'longer-names') }, { alsoAt: atCreations }],
  ['VER-01/other-version', 'has moved its payments to /v2', withRoutes((route) => ({ ...route, path: route.path.replace('/v1/payments', '/v2/payments') }))],
);

/** It comes before all others: who takes the members of a number gets no further. */
const noNumber: Rule = {
  requirement: 'TRN-02',
  name: 'a body is no number',
  refuses: ({ body: sent }) =>
    typeof sent === 'number' ? { ...breakdown, text: 'Something went wrong. Try again later.' } : undefined,
};

const everywhereShown = Object.values(shownOperations);
const wantsGzip = inHeader('accept-encoding', /\bgzip\b/);

/** Answers to those who take gzip, as they go over the wire. */
const coded = (coding: string, write: (body: Buffer) => Buffer): DesignChange =>
  withSealed((sealed, request) =>
    request !== undefined && wantsGzip(request) && sealed.body.length > 0
      ? { ...sealed, headers: [...sealed.headers, ['Content-Encoding', coding]], body: write(sealed.body) }
      : sealed,
  );
const halfPacked = (bytes: Buffer): Buffer => {
  const packed = gzipSync(bytes);
  return packed.subarray(0, packed.length / 2);
};

const writes =
  (name: string) =>
  ({ headerNames }: BankRequest): boolean =>
    headerNames.includes(name);
const withCharset = inHeader('content-type', /;/);

/** By what a bank may know the client that came first, such as one that tests it. */
const program = (request: BankRequest) => request.header('user-agent');
const order = ({ headerNames }: BankRequest) =>
  headerNames.filter((name) => /^(?:date|user-agent|x-request-id|tpp-session-id)$/i.test(name)).join();
const page = (request: BankRequest) => request.header('tpp-redirect-uri')?.split('?')[0];

/** What a bank does to all other clients. */
const toOthers =
  (
    tell: (request: BankRequest) => string | undefined,
    change: (isAnother: (request: BankRequest) => boolean) => DesignChange,
  ): DesignChange =>
  (design) => {
    let known: string | undefined;
    return change((request) => {
      const told = tell(request);
      known ??= told;
      return told !== known;
    })(design);
  };

const hasZeros = ({ bytes }: BankRequest): boolean => bytes.includes(0);
const hasMark = ({ bytes }: BankRequest): boolean =>
  bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
const isPain = inBytes(/<CstmrCdtTrfInitn>/);

/** Correct requests that a bank does not take, because the first TPP wrote them otherwise, and wrong ones that it takes. */
// biome-ignore format: a table
const forms = table(
  ['TRN-14/lower-case', 'knows no header whose name is in lower case', { refuse: writes('x-request-id') }, { alsoAt: atAll }],
  ['TRN-14/upper-case', 'knows no header whose name is in upper case', { refuse: writes('SIGNATURE') }, { alsoAt: atAll }],
  ['TRN-14/mixed-case', 'knows no header whose name is in mixed case', { refuse: writes('sIgNaTuRe') }],
  ['TRN-14/charset', 'takes no charset in Content-Type', { refuse: withCharset, at: initiations }, { alsoAt: atCreations }],
  ['TRN-17/ipv4-only', 'takes no IPv6 address of a PSU', { refuse: inHeader('psu-ip-address', /:/) }, { alsoAt: atCreations }],
  ['TRN-14/not-packed', 'answers 406 to those who take packed answers', { refuse: wantsGzip, as: { status: 406, code: 'FORMAT_ERROR' } }, { alsoAt: atAll }],
  ['TRN-14/only-together', 'takes no charset in Content-Type from those who take packed answers', { refuse: both(wantsGzip, withCharset), at: initiations }],
  ['TRN-14/called-packed', 'says that an answer is gzip and sends it as it is', coded('gzip', (bytes) => bytes)],
  ['TRN-14/cut-off', 'sends half of a packed answer', coded('gzip', halfPacked)],
  ['TRN-14/another-coding', 'packs answers in a way that was not offered', coded('zstd', gzipSync)],
  each([['one-media-type', 'more than one media type', /,/], ['no-quality', 'how much each media type is wanted', /;q=/]], (way, what, form) =>
    [`TRN-14/${way}`, `takes no Accept that tells ${what}`, { refuse: inHeader('accept', form) }, { alsoAt: atAll }]),
  each([['query', 'a query', /\?/], ['percent-encoding', 'percent-encoding', /%/], ['fragment', 'a fragment', /#/], ['app', 'the scheme of an app', /^(?!http)/]], (way, what, form) =>
    [`TRN-12/${way}`, `takes no TPP-Redirect-URI with ${what}`, { refuse: inHeader('tpp-redirect-uri', form) }, { alsoAt: atCreations }]),
  ['TRN-15/uuids-only', 'takes no X-Request-ID that is no UUID', { refuse: inHeader('x-request-id', (id) => !isUuid(id)), at: everywhereShown }, { alsoAt: atAll }],
  ['TRN-15/as-long-as-a-uuid', 'takes no X-Request-ID that is longer than a UUID', { refuse: inHeader('x-request-id', /^.{37,}$/s), at: initiations }],
  ['TRN-15/no-numbers', 'takes no X-Request-ID that is a number', { refuse: inHeader('x-request-id', /^\d+$/), at: initiations }],
  // A session that is new asks for SCA, so these come first.
  ['TRN-16/plain-letters', 'takes no TPP-Session-ID with anything but small letters, digits and hyphens', { refuse: inHeader('tpp-session-id', /[^a-z\d-]/), at: creations, first: true }, { alsoAt: atPayments }],
  ['TRN-16/as-long-as-a-uuid', 'takes no TPP-Session-ID that is longer than a UUID', { refuse: inHeader('tpp-session-id', /^.{37,}$/s), at: creations, first: true }],
  // It behaves for the client which tests it, and for no other.
  each([['program', 'User-Agent', program], ['order', 'the order of headers', order], ['page', 'the page of TPP-Redirect-URI', page]], (way, what, tell) => [`TRN-18/known-by-${way}`, `takes an old Date, but not from the client that came first, which it knows by ${what}`,
    toOthers(tell, (isAnother) => overlooking(of('CLK-03'), isAnother)), { also: ['CLK-03'], alsoAt: [...atPayments, 'accounts'] }]),
  ['TRN-18/amounts-of-the-first', 'looks at the digits of amounts only from the client that came first, which it knows by its page',
    toOthers(page, (isAnother) => overlooking(of('AMT-02'), isAnother))],
  ['TRN-19/one-program', 'takes nothing from a client with another User-Agent than the first',
    toOthers(program, (isAnother) => refusing('TRN-19', [...creations, 'listAccounts'], isAnother, { status: 403, code: 'FORBIDDEN' })),
    { ...advised, alsoAt: [...atPayments, 'accounts'] }],
  // Bodies in other encodings, and messages of ISO 20022.
  ['TRN-04/by-number-alone', 'reads no byte beyond ASCII, and takes letters by their numbers', { refuse: ({ bytes }) => bytes.some((byte) => byte > 0x7f), at: creations }],
  ['TRN-13/utf-16', 'reads bodies in UTF-16 as well', { overlook: hasZeros }, { alsoAt: atCreations }],
  ['TRN-13/any-bytes', 'puts another letter in place of bytes that are no UTF-8', { overlook: not(hasZeros) }, { alsoAt: atPayments }],
  ['ERR-06/byte-order-mark', 'breaks down at a byte order mark', [overlooking(of('TRN-02'), hasMark), { refuse: hasMark, at: creations, as: breakdown }], { alsoAt: atPayments }],
  ['TRN-02/trailing-comma', 'takes a comma with nothing behind it', { overlook: inBytes(/,\}/) }, { alsoAt: atCreations }],
  ['TRN-02/comments', 'takes comments in JSON', { overlook: inBytes(/\/\*/) }, { alsoAt: atCreations }],
  ['TRN-02/single-quotes', 'takes single quotes around a name', { overlook: inBytes(/[{,]'\w+':/) }],
  ['TRN-02/no-quotes', 'takes a name without quotes', { overlook: inBytes(/[{,][a-z]\w*:/i) }],
  ['TRN-02/json-in-a-text', 'takes a text that holds the JSON of the payment', { overlook: (request) => typeof request.body === 'string' }],
  ['TRN-02/breaks-down-at-a-number', 'breaks down at a number in place of the payment',
    withRules((operation, rules) => (initiations.some((initiation) => initiation === operation) ? [noNumber, ...rules] : rules))],
  ['TRN-01/pain-001', 'takes a pain.001 of ISO 20022', { overlook: isPain, with: ['TRN-02'] }, { alsoAt: atPayments }],
  ['TRN-01/all-but-pain-001', 'takes XML that is no message of ISO 20022', { overlook: both(inBytes(/</), not(isPain)), with: ['TRN-02'] }, { alsoAt: atPayments }],
);

/** OpenSSL talks older versions at security level 0 only. */
const offering =
  (minVersion: SecureVersion, maxVersion?: SecureVersion): DesignChange =>
  (design) => ({
    ...design,
    tls: { minVersion, ciphers: 'DEFAULT@SECLEVEL=0', ...(maxVersion === undefined ? {} : { maxVersion }) },
  });

// biome-ignore format: a table
const onSockets = marked({ needsTls: true },
  ['TLS-01/none-above-1.1', 'offers no TLS above 1.1', offering('TLSv1', 'TLSv1.1')],
  ['TLS-01/pages-without', 'sends the PSU to a page without TLS', withScaLinks((href) => href.replace(/^https:/, 'http:')), advised],
  ['TLS-02/from-1.0', 'still offers TLS 1.0', offering('TLSv1')],
  ['TLS-02/from-1.1', 'still offers TLS 1.1', offering('TLSv1.1')],
);

export const transportDeviations = [...answers, ...forms, ...onSockets];
