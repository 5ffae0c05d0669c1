import { randomUUID } from 'node:crypto';
import {
  type BehaviourChange,
  offering,
  varying,
  withBody,
} from '../../certification/reference-tpp/behaviour.ts';
import { digestHeader } from '../../signing/digest.ts';
import { encodeWord } from '../../signing/encoded-word.ts';
import { formatSignatureHeader } from '../../signing/signature-header.ts';
import { creations } from '../../spec/products.ts';
import type { Call } from '../../tpp/call.ts';
import type { HeaderLine } from '../../tpp/exchange.ts';
import {
  abroad,
  all,
  behaving,
  calling,
  changingSigned,
  dialects,
  digesting,
  field,
  home,
  ignoring,
  keyId,
  namingByNationalId,
  presenting,
  type Row,
  sending,
  signing,
  type TppDialect,
  toABasket,
  writing,
} from './deviation.ts';
import { opensslSession } from './openssl-tpp.ts';

const sharedSession = randomUUID();
const sessionOfPerson = randomUUID();

const arranging = (order: (lines: readonly HeaderLine[]) => readonly HeaderLine[]): BehaviourChange =>
  varying({ afterSigning: ({ headers }) => headers.arrange(order) });

const inLowerCase = arranging((lines) => lines.map(([name, value]) => [name.toLowerCase(), value]));

const covering = (
  covered: (present: readonly string[]) => readonly string[],
  at?: readonly Call['operation'][],
): BehaviourChange => signing({ covered }, at);

const writingBytes = (write: (body: unknown) => string): BehaviourChange =>
  behaving({ bytes: (_, body) => Buffer.from(write(body)) });

const escaped = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Texts that speak of a KID, or hold a number that might be one, and stand for none. */
const harmlessTexts = [
  'KID mangler på faktura 10023',
  'Kid 18 og 26, sommerleir 2026',
  'OCR-lesing av 1234567 bilag',
  'Kidult 2345676 AS',
  'Kundenr 12345674',
  'Barnehage KID, avd. 3',
];

const speakingOfKids: BehaviourChange = (behaviour) => {
  let count = 0;
  return field(home, 'remittanceInformationUnstructured', (was) => {
    if (was === undefined) return undefined;
    count += 1;
    return harmlessTexts[count % harmlessTexts.length];
  })(behaviour);
};

const beginningAnew: BehaviourChange = (behaviour) => {
  const begun = new Map<string, string>();
  const beginning = ignoring((reason, _, { id }) => {
    const isTheEnd = reason === 'renewal' && id !== undefined && !begun.has(id);
    if (isTheEnd) begun.set(id, randomUUID());
    return isTheEnd;
  });
  return {
    ...beginning(behaviour),
    present: (psu, call) => {
      const sessionId = begun.get(psu.id ?? '');
      return { ...behaviour.present(psu, call), ...(sessionId === undefined ? {} : { sessionId }) };
    },
  };
};

/** Those that go through a part of the journeys. */
const offeringLess = (
  row: Row<BehaviourChange>,
  journeys: string,
  profiles: TppDialect['profiles'],
): readonly TppDialect[] =>
  dialects(row).map((each) => ({ ...each, journeys: journeys.split(' '), ...(profiles && { profiles }) }));

const paying = 'status refused-payment session-expiry failed-sca';

// biome-ignore format: a table
export const tppDialects: readonly TppDialect[] = [
  ...dialects(
    ['as-it-is', 'the reference TPP itself', all()],
    ['other-header-order', 'sends and signs its headers in another order', all(covering((present) => present.toReversed()), arranging((lines) => lines.toReversed()))],
    ['authorisations', 'starts an authorisation for each payment and basket, and sends the PSU to the link of that', behaving({ startsAuthorisations: true })],
    ['lower-case-names', 'writes header names in lower case', inLowerCase],
    ['sha-512', 'takes SHA-512 digests', digesting((body) => digestHeader(body, 'SHA-512'))],
    ['lower-case-digest', 'writes the algorithm of the digest in lower case', digesting((body) => digestHeader(body).replace('SHA', 'sha'))],
    ['two-digests', 'sends digests of both algorithms', digesting((body) => `${digestHeader(body)},${digestHeader(body, 'SHA-512')}`)],
    ['wrapped', 'wraps its Signature header although it is ASCII', writing((parts) => encodeWord(formatSignatureHeader(parts)))],
    ['wrapped-q', 'wraps it in the Q encoding of ISO-8859-1', writing((parts) => encodeWord(formatSignatureHeader(parts), 'iso-8859-1', 'Q'))],
    ['spaced-issuer', 'writes a space after each comma of its issuer', keyId((serial, issuer) => `SN=${serial},CA=${issuer.replaceAll(',', ', ')}`)],
    ['leading-zero', 'writes a zero before its serial number', keyId((serial, issuer) => `SN=00${serial},CA=${issuer}`)],
    ['numbered-issuer', 'names the parts of its issuer by their numbers, and quotes the first',
      keyId((serial, issuer) => `SN=${serial},CA=${issuer.replace(/CN=([^,]+)/, '2.5.4.3=\\"$1\\"').replace(',O=', ';oid.2.5.4.10=')}`)],
    ['request-target', 'signs the request target as well', covering((present) => ['(request-target)', ...present])],
    ['signs-more', 'signs headers of payments and baskets that need not be signed',
      covering((present) => ['tpp-session-id', ...present, 'psu-ip-address', 'x-accept-fix'], [...creations, ...toABasket])],
    ['signed-basket-digest', 'sends a signed digest with baskets', digesting((body) => digestHeader(body), toABasket)],
    ['more-headers', 'sends headers that nobody asked for', sending({
      'Accept-Language': 'nb-NO',
      'User-Agent': 'tpp/3.1',
      'PSU-User-Agent': 'Mozilla/5.0',
      'PSU-Geo-Location': 'GEO:59.91;10.75',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })],
    ['pretty-json', 'writes its JSON over several lines', writingBytes((body) => JSON.stringify(body, undefined, 2))],
    ['escaped-json', 'writes letters outside ASCII as escapes', writingBytes((body) => escaped(JSON.stringify(body)))],
    ['short-bic', 'writes BICs without their branch', all(...[home, abroad].map((creation) => field(creation, 'creditorAgent', (bic) => bic?.slice(0, 8))))],
    ['no-references', 'sends an empty list of structured references along with its text', withBody(home, (body) =>
      body.remittanceInformationUnstructured === undefined ? body : { ...body, remittanceInformationStructuredArray: [] })],
    ['speaks-of-kids', 'has customers who write of KIDs and of numbers', speakingOfKids],
    ['person-before-sca', 'begins a session with a payment that names its customer by X-PSU-IDENTITY alone, and passes SCA where it is answered 401',
      namingByNationalId({ 'PSU-Context': undefined, 'TPP-Session-ID': sessionOfPerson }, ({ body }) => body?.includes('"401.00"') === true)],
    ['no-session-on-reading', 'sends TPP-Session-ID where payments and baskets are created, and nowhere else',
      sending({ 'TPP-Session-ID': undefined }, ['readPaymentStatus', 'deletePayment', 'readBalances', 'readTransactions'])],
    ['new-session-after-the-end', 'begins a new session where the bank has ended one', beginningAnew],
    ['no-content-type-charset', 'names the charset of its JSON', sending({ 'Content-Type': 'application/json; charset=UTF-8' }, creations)],
    ['named-json', 'has a name of its own for what it writes in JSON', sending({ 'Content-Type': 'application/vnd.tpp.payment+json' }, [...creations, ...toABasket])],
    ['app-redirect', 'has the PSU sent back to an app', sending({ 'TPP-Redirect-URI': (was) => was && 'myapp://callback' })],
    ['state-in-redirect', 'gives every request a state of its own, which comes back to it', sending({ 'TPP-Redirect-URI': (was) => was && `${was}?state=${randomUUID()}` })],
    ['own-request-ids', 'has request ids that are no UUIDs', sending({ 'X-Request-ID': (was) => `tpp:${was?.slice(0, 23)}` })],
    ['ipv6', 'has a customer with an IPv6 address', presenting((psu) => ({ ...psu, ipAddress: '2001:db8::7' }))],
    ['early-status', 'asks for the status before the PSU has approved', behaving({ asksEarly: true })],
    ['polling', 'asks again and again while the PSU is at the bank', behaving({ polls: 2 })],
    ['patient', 'waits longer than it was asked to', (behaviour) => ({ ...behaviour, pauseAfter: (...about) => behaviour.pauseAfter(...about) + 5000 })],
    ['slow-clock', 'has a clock that is half a minute behind', sending({ Date: (was = '') => new Date(Date.parse(was) - 30_000).toUTCString() })],
    ['several-fixes', 'asks for several fixes', sending({ 'x-accept-fix': (was) => was && 'amount-as-string, longer-names' })],
    ['national-id', 'names its private customers by X-PSU-IDENTITY, and by PSU-ID where it reads', namingByNationalId()],
    ['national-id-in-session', 'names its private customers by X-PSU-IDENTITY alone, in a session in which they have passed SCA', namingByNationalId({ 'PSU-Context': undefined })],
    ['session-on-listing', 'sends its TPP-Session-ID with the sandbox listing', sending({ 'TPP-Session-ID': sharedSession }, ['listSandboxCustomers'])],
    ['shared-session', 'has one TPP-Session-ID for two customers', presenting((psu) => ({ ...psu, sessionId: sharedSession }))],
    ['drop-out', 'has customers who drop out before they get to the bank', behaving({ dropOuts: 2 })],
    ['company-drop-out', 'has a company whose people drop out of both of its payments',
      all(behaving({ corporatePayments: 2 }), ignoring((reason, _, { corporateId }) => reason === 'payment' && corporateId !== undefined))],
    ['signs-in-baskets', 'has every payment approved in a basket, and none by itself', behaving({ signsInBaskets: true })],
    ['pages', 'reads transactions in many pages', behaving({ pageSize: 5 })],
    ['spaced-certificate', 'writes a space after every 64 characters of its certificate',
      changingSigned({ 'TPP-Signature-Certificate': (was = '') => was.replace(/(.{64})(?=.)/g, '$1 ') })],
    ['encoded-path', 'percent-encodes hyphens and a letter of the path where it reads or deletes a payment',
      calling((target) => target.replaceAll('-', '%2d').replace(/s(?=tatus|$)/, '%73'), ['readPaymentStatus', 'readPayment', 'deletePayment'])],
    ['title-case-booleans', 'writes the booleans of its queries as Python does',
      calling((target, { operation }) => `${target.split('?', 1)[0]}?${operation === 'listSandboxCustomers' ? 'withAccounts=False' : 'allowLogicalDuplicate=True'}`,
        [...creations, 'listSandboxCustomers'])],
    ['no-repetition', 'never repeats a payment that was put off', behaving({ triesAgain: false })],
    ['signing-proxy', 'is a reverse proxy that signs whatever it is sent, and repeats nothing', all(
      behaving({ triesAgain: false }),
      sending({
        Via: '1.1 signing-proxy',
        'X-Forwarded-For': '192.0.2.10',
        'X-Forwarded-Proto': 'http',
        'Accept-Encoding': 'gzip, deflate, br',
        'x-accept-fix': 'amount-as-string',
      }),
      signing({ digest: (body) => digestHeader(body) }),
      inLowerCase,
    )],
  ),
  ...offeringLess(['accounts-only', 'reads accounts and nothing else', offering('accounts')], 'first-request accounts unattended', ['core', 'accounts']),
  ...offeringLess(['cross-border-only', 'pays across the border and nowhere else', offering('cross-border-payments')],
    `first-request ${paying} cross-border reporting`, ['core', 'cross-border-payments']),
  ...offeringLess(['euros-only', 'pays across the border in euros where others take NOK, and nowhere else', all(
    offering('cross-border-payments'),
    field(abroad, 'instructedAmount.currency', (was) => (was === 'NOK' ? 'EUR' : was)),
  )], `first-request ${paying} cross-border`, ['core', 'cross-border-payments']),
  ...offeringLess(['domestic-only', 'pays at home and nowhere else', offering('domestic-payments')],
    `first-request first-payment ${paying}`, ['core', 'domestic-payments']),
  { id: 'odd-issuer', title: 'has an issuer with a comma and letters outside ASCII', change: ({ others }) => behaving({ identityFor: () => others.oddIssuer }) },
  ...offeringLess(['openssl', 'another client altogether: node:https and the OpenSSL command line', all()],
    'first-request first-payment status sandbox-listing', undefined).map((openssl) => ({ ...openssl, certify: opensslSession })),
];
