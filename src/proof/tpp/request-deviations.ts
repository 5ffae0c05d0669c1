import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BehaviourChange, varying, withBody } from '../../certification/reference-tpp/behaviour.ts';
import type { Json, JsonObject } from '../../payloads/json.ts';
import { digestHeader } from '../../signing/digest.ts';
import { encodeWord } from '../../signing/encoded-word.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { signText } from '../../signing/signature.ts';
import { formatSignatureHeader, type SignatureParts } from '../../signing/signature-header.ts';
import { signingString } from '../../signing/signing-string.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import {
  abroad,
  adding,
  all,
  behaving,
  calling,
  changingSigned,
  digesting,
  field,
  home,
  keyId,
  namingByNationalId,
  ofStatus,
  rows,
  rowsWith,
  sending,
  signing,
  type TppDeviation,
  toABasket,
  writing,
} from './deviation.ts';

const signedBy = (
  identity: SigningIdentity,
  isMeant: (call: Call) => boolean = () => true,
): BehaviourChange => behaving({ identityFor: (call) => (isMeant(call) ? identity : undefined) });

const creates = ({ operation }: Call): boolean => operation.startsWith('create');
const reads = ({ operation }: Call): boolean => /Accounts|Balances/.test(operation);

const rewriting = (change: (header: string) => string): BehaviourChange =>
  writing((parts) => change(formatSignatureHeader(parts)));

/** The list of the signed headers as one text. */
const listing = (join: (names: readonly string[]) => string): BehaviourChange =>
  writing((parts) => formatSignatureHeader({ ...parts, headers: [join(parts.headers)] }));

const joining = (join: (lines: readonly string[]) => string): BehaviourChange =>
  signing({ text: (names, valueFor) => join(names.map((name) => `${name}: ${valueFor(name)}`)) });

const naming = (algorithm: string): BehaviourChange =>
  signing({ parts: (parts) => ({ ...parts, algorithm }) });

const signedWithSha512 = signing({ sign: (text, identity) => signText(text, identity, 'sha512') });

const notCovering = (left: string): BehaviourChange =>
  signing({ covered: (present) => present.filter((name) => name !== left) });

const dated = (date: (now: Date) => string | undefined): BehaviourChange =>
  sending({ Date: (was = '') => date(new Date(was)) });

const shifted = (seconds: number) => (now: Date) => new Date(now.getTime() + seconds * 1000).toUTCString();

const plainHeader = ({ keyId: id, algorithm, headers, signature }: SignatureParts): string =>
  `keyId="${id}",algorithm="${algorithm}",headers="${headers.join(' ')}",signature="${signature}"`;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function rfc850(now: Date): string {
  const [, day, month, year = '', time] = now.toUTCString().split(' ');
  return `${weekdays[now.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(now: Date): string {
  const [weekday = '', day = '', month, year, time] = now.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}

// biome-ignore format: a table
export const signingDeviations: readonly TppDeviation[] = [
  ...rowsWith(
    ['TPP-02/informer', 'signs payments with a certificate for account information', ({ others }) => signedBy(others.informerOnly, creates)],
    ['TPP-02/initiator', 'reads accounts with a certificate for payment initiation', ({ others }) => signedBy(others.initiatorOnly, reads)],
    ['TPP-02/neither', 'signs with a certificate for neither', ({ others }) => signedBy(others.withoutRole)],
    ['TPP-02/expired', 'signs with a certificate that has expired', ({ others }) => signedBy(others.expired)],
    ['TPP-02/untrusted', 'signs with a certificate of an authority that nobody trusts', ({ others }) => signedBy(others.untrusted)],
    ['TPP-03/other-key', 'signs with another key than that of its certificate', ({ bankSigner }) => signing({ sign: (text) => signText(text, bankSigner) })],
    ['TPP-13/raw', 'writes the letters of its issuer into the header as they are', ({ others }) => all(signedBy(others.oddIssuer), writing(plainHeader))],
    ['TPP-13/one-part', 'encodes the keyId alone',
      ({ others }) => all(signedBy(others.oddIssuer), writing((parts) => plainHeader({ ...parts, keyId: encodeWord(parts.keyId) })))],
    ['TPP-13/not-base64', 'marks the header as Base64 and does not encode it',
      ({ others }) => all(signedBy(others.oddIssuer), writing((parts) => `=?utf-8?B?${encodeURIComponent(plainHeader(parts))}?=`))],
  ),
  ...rows(
    ['TPP-03/unsigned-reading', 'does not sign what it only reads', changingSigned({ Signature: undefined }, ['readPaymentStatus', 'listSandboxCustomers'])],
    ['TPP-03/crlf', 'joins the lines of the signing string with CR and LF', joining((lines) => lines.join('\r\n'))],
    ['TPP-03/last-newline', 'ends the signing string with a newline', joining((lines) => `${lines.join('\n')}\n`)],
    ['TPP-03/no-space', 'leaves out the space after the colon', joining((lines) => lines.map((line) => line.replace(': ', ':')).join('\n'))],
    ['TPP-03/other-order', 'signs the lines in another order than it lists them', joining((lines) => lines.toReversed().join('\n'))],
    ['TPP-03/late-date', 'sets another Date after it has signed', changingSigned({ Date: (was = '') => shifted(-5)(new Date(was)) })],
    ['TPP-03/sha-512', 'signs with SHA-512 and calls it rsa-sha256', signedWithSha512],
    ['TPP-03/absent-header', 'lists a header that it does not send', signing({
      covered: (present) => [...present, 'tpp-brand-logging-information'],
      text: (names, valueFor) => signingString(names, (name) => valueFor(name) ?? ''),
    })],

    ['TPP-04/behind', 'has a clock that is two minutes behind', dated(shifted(-120))],
    ['TPP-04/ahead', 'has a clock that is an hour ahead', dated(shifted(3600))],
    ['TPP-04/iso', 'writes the Date as ISO 8601', dated((now) => now.toISOString())],
    ['TPP-04/missing', 'sends no Date', dated(() => undefined)],
    ['TPP-50/rfc-850', 'writes the Date in the form of RFC 850', dated(rfc850)],
    ['TPP-50/weekday', 'writes every Date as one of a Sunday or a Monday', dated((now) => now.toUTCString().replace(/^.../, now.getUTCDay() === 0 ? 'Mon' : 'Sun'))],
    ['TPP-50/asctime', 'writes the Date in the form of asctime', dated(asctime)],

    ['TPP-06/order', 'writes the algorithm before the keyId', writing((parts) =>
      `algorithm="${parts.algorithm}",keyId="${parts.keyId}",headers="${parts.headers.join(' ')}",signature="${parts.signature}"`)],
    ['TPP-06/no-algorithm', 'leaves out the algorithm', rewriting((header) => header.replace(/algorithm="[^"]*",/, ''))],
    ['TPP-06/no-headers', 'leaves out the list of headers', rewriting((header) => header.replace(/headers="[^"]*",/, ''))],
    ['TPP-06/unquoted', 'writes the parts without quotes', rewriting((header) => header.replaceAll('"', ''))],
    ['TPP-06/semicolons', 'joins the parts with semicolons', rewriting((header) => header.replaceAll('",', '";'))],
    ['TPP-06/scheme', 'writes the scheme Signature before the parts', rewriting((header) => `Signature ${header}`)],
    ['TPP-06/fifth-part', 'adds the part "created" of a later draft', rewriting((header) => header.replace(',headers=', ',created="1773655200",headers='))],
    ['TPP-06/twice', 'sends the header twice', adding('Signature', (first = '') => first)],

    ['TPP-07/other-serial', 'names the serial number of another certificate', keyId((_, issuer) => `SN=4B1D0C0FFEE0,CA=${issuer}`)],
    ['TPP-07/other-issuer', 'names its own company as issuer', keyId((serial) => `SN=${serial},CA=CN=Test TPP,O=Test TPP AS,C=SE`)],
    ['TPP-07/name', 'uses a name as keyId', keyId(() => 'test-tpp-2026')],
    ['TPP-07/swapped', 'writes CA before SN', keyId((serial, issuer) => `CA=${issuer},SN=${serial}`)],
    ['TPP-08/lower-case', 'writes the serial number in lower case', keyId((serial, issuer) => `SN=${serial.toLowerCase()},CA=${issuer}`)],
    ['TPP-08/decimal', 'writes the serial number in decimal', keyId((serial, issuer) => `SN=${BigInt(`0x${serial}`)},CA=${issuer}`)],
    ['TPP-08/colons', 'writes the serial number with colons', keyId((serial, issuer) => `SN=${serial.replace(/(..)(?=.)/g, '$1:')},CA=${issuer}`)],
    ['TPP-09/certificate-order', 'writes the issuer in the order of the certificate', keyId((serial, issuer) => `SN=${serial},CA=${issuer.split(',').toReversed().join(',')}`)],
    ['TPP-09/slashes', 'writes the issuer with slashes', keyId((serial, issuer) => `SN=${serial},CA=/${issuer.split(',').toReversed().join('/')}`)],
    ['TPP-10/java', 'calls the algorithm SHA256withRSA', naming('SHA256withRSA')],
    ['TPP-10/hs2019', 'calls the algorithm hs2019', naming('hs2019')],
    ['TPP-10/sha-512', 'signs with SHA-512 and says so', all(signedWithSha512, naming('rsa-sha512'))],
    ['TPP-11/title-case', 'lists the headers as they are written', listing((names) => names.join(' ').replace(/(^|[- ])[a-z]/g, (letter) => letter.toUpperCase()))],
    ['TPP-11/spaces', 'lists the headers with two spaces between them', listing((names) => names.join('  '))],
    ['TPP-11/commas', 'lists the headers with commas between them', listing((names) => names.join(','))],

    ['TPP-12/digest', 'does not sign the digest', notCovering('digest')],
    ['TPP-12/psu-id', 'does not sign the PSU-ID', notCovering('psu-id')],
    ['TPP-12/redirect', 'does not sign the redirect address', notCovering('tpp-redirect-uri')],
    ['TPP-12/date-alone', 'signs nothing but the date', signing({ covered: () => ['date'] })],
    ['TPP-12/psu-id-of-another', 'sends the PSU-ID of another next to the one that it has signed', adding('PSU-ID', withOne(randomUUID()))],
    ['TPP-12/redirect-elsewhere', 'sends another address to come back to next to the one that it has signed', adding('TPP-Redirect-URI', withOne('https://elsewhere.example/'))],

    ['TPP-14/reserialised', 'takes the digest of JSON that it writes anew', all(
      behaving({ bytes: (_, body) => Buffer.from(JSON.stringify(body, undefined, 2)) }),
      digesting((body) => digestHeader(Buffer.from(JSON.stringify(JSON.parse(body.toString()))))),
    )],
    ['TPP-14/hexadecimal', 'writes the digest in hexadecimal', digesting((body) => `SHA-256=${Buffer.from(digestHeader(body).slice(8), 'base64').toString('hex')}`)],
    ['TPP-14/md5', 'takes an MD5 digest', digesting(() => 'MD5=Q2hlY2sgSW50ZWdyaXR5IQ==')],
    ['TPP-14/second-wrong', 'sends two digests, of which the second is that of an empty body', digesting((body) => `${digestHeader(body)},${digestHeader(Buffer.alloc(0), 'SHA-512')}`)],
    ['TPP-14/empty', 'takes the digest of an empty body', digesting(() => digestHeader(Buffer.alloc(0)))],
  ),
];

/** Only next to a first line. */
function withOne(value: string): (first: string | undefined) => string | undefined {
  return (first) => first && value;
}

const away = (address: string): BehaviourChange =>
  sending({ 'PSU-IP-Address': (was) => was ?? address }, ['readBalances']);

const certificate = (
  change: (base64: string) => string,
  at?: readonly Call['operation'][],
): BehaviourChange => changingSigned({ 'TPP-Signature-Certificate': (was = '') => change(was) }, at);

const method = (name: string, at: readonly Call['operation'][]): BehaviourChange =>
  varying(
    {
      beforeSigning: (draft) => {
        draft.method = name;
      },
    },
    at,
  );

/** A UUID that follows from a text. */
function idFrom(text: string): string {
  const hex = Buffer.from(text).toString('hex').padEnd(64, '0').slice(20, 52);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

// biome-ignore format: a table
const redirects: readonly (readonly [way: string, what: string, value: string])[] = [
  ['relative', 'a relative TPP-Redirect-URI', '/redirect'],
  ['script', 'a script as TPP-Redirect-URI', 'javascript:alert(1)'],
  ['mail', 'the address of a mailbox as TPP-Redirect-URI', 'mailto:psu@tpp.example'],
  ['name', 'a name that leads nowhere as TPP-Redirect-URI', 'urn:example:tpp:redirect'],
  ['no-scheme', 'a TPP-Redirect-URI without its scheme', 'tpp.example/redirect'],
  ['no-host', 'a TPP-Redirect-URI without its host', 'https:///redirect'],
  ['template', 'a TPP-Redirect-URI whose host it forgot to fill in', 'https://{host}/redirect'],
  ['space', 'a TPP-Redirect-URI with a space in it', 'https://tpp.example/way back'],
  ['host-and-port', 'host and port as TPP-Redirect-URI, without a scheme', 'localhost:3000/redirect'],
];

// biome-ignore format: a table
const addresses: readonly (readonly [way: string, how: string, value: string])[] = [
  ['port', 'with a port', '192.0.2.10:51234'],
  ['list', 'with those of proxies', '192.0.2.10, 198.51.100.7'],
  ['brackets', 'in the brackets of an address', '[2001:db8::7]'],
  ['zone', 'with the name of an interface', 'fe80::1%eth0'],
];

// biome-ignore format: a table
export const headerDeviations: readonly TppDeviation[] = rows(
  ...redirects.map(([way, what, value]) => [`TPP-17/${way}`, `sends ${what}`, sending({ 'TPP-Redirect-URI': value }, initiations)] as const),
  ...addresses.map(([way, how, value]) => [`TPP-23/${way}`, `sends PSU-IP-Address ${how}`, sending({ 'PSU-IP-Address': value }, initiations)] as const),
  ['TPP-15/constant', 'sends the same X-Request-ID every time', sending({ 'X-Request-ID': randomUUID() })],
  ['TPP-15/retries', 'keeps the X-Request-ID when it tries a payment again',
    varying({ beforeSigning: ({ headers, body }) => headers.set('X-Request-ID', idFrom(body?.toString() ?? '')) }, [home])],
  ['TPP-16/request-id', 'sends no X-Request-ID when it reads', sending({ 'X-Request-ID': undefined }, ['readPaymentStatus', 'readBalances'])],
  ['TPP-16/request-id-of-payment', 'sends no X-Request-ID with payments', sending({ 'X-Request-ID': undefined }, creations)],
  ['TPP-16/session', 'sends no TPP-Session-ID with payments', sending({ 'TPP-Session-ID': undefined }, creations)],
  ['TPP-16/redirect', 'sends no TPP-Redirect-URI with baskets', sending({ 'TPP-Redirect-URI': undefined }, toABasket)],
  ['TPP-16/psu-id', 'sends no PSU-ID with payments', sending({ 'PSU-ID': undefined }, creations)],
  ['TPP-16/digest', 'sends no Digest', digesting(() => undefined)],
  ['TPP-16/certificate', 'sends no certificate when it lists customers', changingSigned({ 'TPP-Signature-Certificate': undefined }, ['listSandboxCustomers'])],
  ['TPP-18/method', 'sends PSU-HTTP-Method in lower case', sending({ 'PSU-HTTP-Method': 'post' }, creations)],
  ['TPP-18/context', 'sends a PSU-Context of its own', sending({ 'PSU-Context': 'PERSONAL' }, creations)],
  ['TPP-18/device', 'sends a PSU-Device-ID that is no UUID', sending({ 'PSU-Device-ID': 'pixel-9' }, creations)],
  ['TPP-18/psu-id', 'sends the name of its user as PSU-ID', sending({ 'PSU-ID': 'kari' }, creations)],
  ['TPP-18/second-device', 'sends the name of a device next to its PSU-Device-ID',
    all(changingSigned({ 'PSU-Device-ID': () => randomUUID() }, creations), adding('PSU-Device-ID', 'pixel-9', creations))],
  ['TPP-19/payments', 'sends no x-accept-fix with payments', sending({ 'x-accept-fix': undefined }, creations)],
  ['TPP-19/baskets', 'sends no x-accept-fix with baskets', sending({ 'x-accept-fix': undefined }, toABasket)],
  ['TPP-19/semicolons', 'writes semicolons between fixes', sending({ 'x-accept-fix': 'amount-as-string;longer-names' }, initiations)],
  ['TPP-19/array', 'writes fixes as an array of JSON', sending({ 'x-accept-fix': '["amount-as-string"]' }, initiations)],
  ['TPP-19/nothing', 'writes a list of no fixes', sending({ 'x-accept-fix': ', ,' }, initiations)],
  ['TPP-23/missing', 'sends no PSU-IP-Address with payments', sending({ 'PSU-IP-Address': undefined }, creations)],
  ['TPP-23/nobody', 'sends 0.0.0.0 when the PSU is away', away('0.0.0.0')],
  ['TPP-23/word', 'sends "batch" when the PSU is away', away('batch')],
  ['TPP-23/zeros', 'sends eight zeros when the PSU is away', away('0:0:0:0:0:0:0:0')],
  ['TPP-23/everybody', 'sends the address of everybody when the PSU is away', away('::ffff:255.255.255.255')],
  ['TPP-23/second', 'sends the address of a proxy next to that of the PSU', adding('PSU-IP-Address', '198.51.100.7', ['readTransactions'])],
  ['TPP-08/dashes', 'writes dashes between the bytes of its serial number', signing({
    parts: (parts) => ({ ...parts, keyId: parts.keyId.replace(/SN=(\w+)/, (_, serial: string) => `SN=${serial.replace(/(..)(?=.)/g, '$1-')}`) }),
  })],
  ['TPP-11/brackets', 'writes brackets around the list of signed headers', listing((names) => `(${names.join(' ')})`)],
  ['TPP-11/bars', 'writes bars between the signed headers', listing((names) => names.join('|'))],
  ['TPP-14/second-line', 'sends the digest of something else in a second line', adding('Digest', digestHeader(Buffer.from('{}')), creations)],
  ['TPP-25/second-type', 'calls its JSON XML in a second line', adding('Content-Type', 'application/xml', creations)],
  ['TPP-40/no-version', 'calls the listing without a version', calling((target) => target.replace('/v1', ''), ['listSandboxCustomers'])],
  ['TPP-40/other-version', 'asks for the status under /v2', calling((target) => target.replace('/v1', '/v2'), ofStatus)],
  ['TPP-43/yes', 'asks for duplicates with "yes"', calling((target) => `${target}?allowLogicalDuplicate=yes`, [home])],
  ['TPP-43/one', 'asks for accounts with 1', calling((target) => target.replace('withAccounts=true', 'withAccounts=1'), ['listSandboxCustomers'])],
  ['TPP-44/put', 'puts payments instead of posting them', method('PUT', creations)],
  ['TPP-44/post', 'posts where it only reads', method('POST', ofStatus)],
  ['TPP-45/status', 'asks for the status under the other product', calling((target) => target.replace(products.domestic.path, products.crossBorder.path), ofStatus)],
  ['TPP-45/service', 'asks for the status of a payment among bulk payments', calling((target) => target.replace('/payments/', '/bulk-payments/'), ofStatus)],
  ['TPP-45/none', 'asks for the status under no product at all', calling((target) => target.replace(`/${products.domestic.path}`, ''), ofStatus)],
  ['TPP-47/pem', 'sends the certificate with the lines of its PEM', certificate((base64) => `-----BEGIN CERTIFICATE----- ${base64} -----END CERTIFICATE-----`)],
  ['TPP-47/escaped-lines', 'sends the certificate as PEM, with percent signs for line breaks',
    certificate((base64) => encodeURIComponent(`-----BEGIN CERTIFICATE-----\n${base64}\n`))],
  ['TPP-47/encoded-pem', 'sends the Base64 of the PEM with baskets',
    certificate((base64) => Buffer.from(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`).toString('base64'), toABasket)],
  ['TPP-47/second-line', 'sends the certificate of its issuer in a second line', adding('TPP-Signature-Certificate', 'MIIB')],
  ['TPP-48/reading', 'sends X-PSU-IDENTITY when it reads accounts', sending({ 'X-PSU-IDENTITY': '01819010001' }, ['listAccounts', 'readBalances'])],
  ['TPP-49/missing', 'initiates payments with a single SCA and without PSU-Context',
    namingByNationalId({ 'PSU-Context': undefined, 'TPP-Session-ID': () => randomUUID() })],
  ['TPP-52/repeated', 'sends its TPP-Session-ID twice', varying({ beforeSigning: ({ headers }) => headers.add('TPP-Session-ID', headers.get('TPP-Session-ID') ?? '') })],
  ['TPP-54/context', 'sends PSU-Context with baskets', sending({ 'PSU-Context': 'PRIVATE' }, toABasket)],
  ['TPP-54/brand', 'sends its brand when it asks for a status', sending({ 'TPP-Brand-Logging-Information': 'Test TPP' }, ofStatus)],
  ['TPP-56/short', 'cuts the first digit of X-PSU-IDENTITY', sending({ 'X-PSU-IDENTITY': '1819010001' }, creations)],
  ['TPP-57/other-words', 'says no in TPP-Redirect-Preferred', sending({ 'TPP-Redirect-Preferred': 'no' }, creations)],
);

const bytes = (write: (body: JsonObject) => Buffer): BehaviourChange =>
  behaving({
    bytes: ({ operation }, body) => (operation === 'createSigningBasket' ? undefined : write(body)),
  });

const calledOtherwise = (contentType: string): BehaviourChange =>
  sending({ 'Content-Type': contentType }, creations);

const inArray = (creation: Call['operation']): BehaviourChange =>
  behaving({
    bytes: ({ operation }, body) =>
      operation === creation ? Buffer.from(JSON.stringify([body])) : undefined,
  });

/** Where the field is sent at all. */
const instead = (value: Json) => (was: Json | undefined) => (was === undefined ? undefined : value);

const amount = 'instructedAmount.amount';
const text = 'remittanceInformationUnstructured';
const texts = 'remittanceInformationStructuredArray';
const code = 'regulatoryReportingCode';
const information = 'regulatoryReportingInformation';

/** What a payment with a KID says in another field. */
const kidIn = (other: string, write: (reference: JsonObject) => Json): BehaviourChange =>
  withBody(home, ({ [texts]: references, ...body }) => {
    if (references === undefined) return body;
    const [first = {}] = references as readonly JsonObject[];
    return { ...body, [other]: write(first) };
  });

const kids: readonly (readonly [way: string, how: string, before: string, behind?: string])[] = [
  ['text', 'as a text', ''],
  ['named', 'as a text, behind "KID"', 'KID: '],
  ['numbered', 'as a text, behind "KID nr"', 'KID nr. '],
  ['abbreviated', 'as a text, behind "KID.nr"', 'KID.nr '],
  ['among-words', 'in the middle of a text', 'Faktura 12, KID ', ', takk'],
  ['named-behind', 'in a text that calls it so behind it', 'Strøm ', ' (KID)'],
];

// biome-ignore format: a table
export const bodyDeviations: readonly TppDeviation[] = rows(
  ['TPP-25/xml', 'sends XML', all(bytes(() => Buffer.from('<Document/>')), calledOtherwise('application/xml'))],
  ['TPP-25/latin-1', 'writes JSON in ISO-8859-1', bytes((body) => Buffer.from(JSON.stringify(body), 'latin1'))],
  ['TPP-25/comma', 'leaves a comma at the end of its JSON', bytes((body) => Buffer.from(JSON.stringify(body).replace(/\}$/, ',}')))],
  ['TPP-25/packed', 'packs its JSON', bytes((body) => gzipSync(JSON.stringify(body)))],
  ['TPP-25/form', 'calls its JSON a form', calledOtherwise('application/x-www-form-urlencoded')],
  ['TPP-26/address', 'sends no address of the creditor', field(home, 'creditorAddress', undefined)],
  ['TPP-26/agent', 'names no bank for a currency account', field(home, 'creditorAgent', undefined)],
  ['TPP-26/array', 'sends a payment in an array', inArray(home)],
  ['TPP-26/country', 'sends an address without country', field(home, 'creditorAddress.country', undefined)],
  ['TPP-26/currency', 'pays in a currency that is not listed', field(home, 'creditorAccount.currency', 'nok')],
  ['TPP-26/date', 'writes the date of execution as 31.12.2030', field(home, 'requestedExecutionDate', '31.12.2030')],
  ['TPP-26/empty-text', 'sends an empty text', field(home, text, instead(''))],
  ['TPP-26/name', 'sends a name of 71 characters', field(home, 'creditorName', 'N'.repeat(71))],
  ['TPP-26/null-agent', 'writes null for the bank of a currency account', field(home, 'creditorAgent', instead(null))],
  ['TPP-26/number', 'sends account numbers as numbers', field(home, 'creditorAccount.bban', 86011117947)],
  ['TPP-26/purpose', 'sends a purpose that is not listed', field(home, 'purposeCode', 'GDDS')],
  ['TPP-26/text', 'sends a text of 141 characters', field(home, text, instead('x'.repeat(141)))],
  ['TPP-27/account', 'pays to an account without a number', all(field(abroad, 'creditorAccount.bban', undefined), field(abroad, 'creditorAccount.iban', undefined))],
  ['TPP-27/array', 'sends a payment in an array', inArray(abroad)],
  ['TPP-27/date', 'writes the date of execution as 31.12.2030', field(abroad, 'requestedExecutionDate', '31.12.2030')],
  ['TPP-27/empty-account', 'pays to an account whose number is empty', all(field(abroad, 'creditorAccount.bban', undefined), field(abroad, 'creditorAccount.iban', ''))],
  ['TPP-27/information', 'sends 141 characters of regulatory information', field(abroad, information, instead('x'.repeat(141)))],
  ['TPP-27/name', 'sends no name of the creditor', field(abroad, 'creditorName', undefined)],
  ['TPP-27/number', 'sends regulatory codes as numbers', field(abroad, code, instead(14))],
  ['TPP-27/purpose', 'sends a purpose that is not listed', field(abroad, 'purposeCode', 'GDDS')],
  ['TPP-28/comma', 'writes a comma in amounts', field(home, amount, (sum = '') => sum.replace('.', ','))],
  ['TPP-28/negative', 'sends negative amounts', field(home, amount, (sum) => `-${sum}`)],
  ['TPP-28/no-decimals', 'sends amounts without decimals', field(home, amount, (sum = '') => sum.replace(/\..*/, ''))],
  ['TPP-28/number', 'sends amounts as numbers', field(home, amount, (sum) => Number(sum))],
  ['TPP-28/yen', 'sends yen with decimals', field(abroad, amount, (sum = '') => (sum.includes('.') ? sum : `${sum}.00`))],
  ['TPP-29/both', 'sends a text next to the KID', withBody(home, (body) => (body[texts] === undefined ? body : { ...body, [text]: 'Invoice' }))],
  ['TPP-30/both', 'names an account next to the card', all(
    field(home, 'debtorAccount.other', { identification: '95379010017', schemeNameProprietary: 'creditCardAccount' }),
    field(home, 'debtorAccount.bban', '95360573002'),
  )],
  ['TPP-30/neither', 'names no account of the debtor', all(field(home, 'debtorAccount.bban', undefined), field(home, 'debtorAccount.other', undefined))],
  ['TPP-31/blank-information', 'sends regulatory information of a space', field(abroad, information, instead(' '))],
  ['TPP-31/code', 'sends no regulatory code', field(abroad, code, undefined)],
  ['TPP-31/information', 'sends no regulatory information', field(abroad, information, undefined)],
  ['TPP-31/null-code', 'writes null for the regulatory code', field(abroad, code, instead(null))],
  ['TPP-32/agent', 'names no bank for a BBAN abroad', field(abroad, 'creditorAgent', undefined)],
  ...kids.map(([way, how, before, behind = '']) =>
    [`TPP-33/${way}`, `writes the KID ${how}`, kidIn(text, ({ reference }) => `${before}${String(reference)}${behind}`)] as const),
  ['TPP-34/single', 'sends the KID as a single object', kidIn('remittanceInformationStructured', (first) => first)],
  ['TPP-53/domestic', 'writes null where a domestic payment has no purpose', field(home, 'purposeCode', null)],
  ['TPP-55/name', 'names the bank abroad by its name', field(abroad, 'creditorAgent', instead('Bank of Tokyo'))],
  ['TPP-55/routing-number', 'names the bank of a currency account by a number', field(home, 'creditorAgent', instead('021000021'))],
);
