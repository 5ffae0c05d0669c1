import type { SecureVersion } from 'node:tls';
import { digestHeader } from '../../signing/digest.ts';
import { acceptFixes } from '../../spec/code-lists.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { creations, initiations, products } from '../../spec/products.ts';
import {
  type DesignChange,
  withAnswering,
  withRefusals,
  withRules,
  withSealed,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest, RawResponse, Rule } from '../design/route.ts';
import {
  advisedAgainst,
  alsoAt,
  at,
  atCreations,
  both,
  crossBorder,
  type Deviation,
  deviation,
  domestic,
  inBody,
  inHeader,
  refuses,
  refusing,
  rows,
  ruleOf,
} from './deviation.ts';

const sealing = (change: (response: RawResponse) => RawResponse): DesignChange =>
  withSealed((sealed, request) => (request?.operation === 'page' ? sealed : change(sealed)));

const withHeader =
  (name: string, change: (value: string) => string) =>
  (response: RawResponse): RawResponse => ({
    ...response,
    headers: response.headers.map(([header, value]) => [header, header === name ? change(value) : value]),
  });

const breaksDown = ({ name }: Rule): boolean => name === 'a deviation from TRN-06';

/** Letters outside ASCII cannot be processed. */
const inAscii: DesignChange = (design) => ({
  ...design,
  isProcessable: (text) => /^[\t\n\r\x20-\x7e]*$/.test(text),
});

const asXml = (body: unknown): string =>
  `<?xml version="1.0"?><answer>${JSON.stringify(body).length}</answer>`;

const fixes = (value: string | undefined): readonly string[] =>
  (value ?? '').split(',').map((fix) => fix.trim());

/** Signs in the name of the TPP that asked, with what is no signature. */
const forged = (digest: string | undefined): DesignChange =>
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

// biome-ignore format: a table
export const transportDeviations: readonly Deviation[] = [
  ...rows(
    ['SIG-03/no-signature', 'signs its answers with a text that is no signature', forged(undefined)],
    ['SIG-03/other-digest', 'signs the digest of another body', forged(digestHeader(Buffer.from('another')))],
    ['TRN-03/xml', 'answers in XML', withAnswering(() => ({ serialise: asXml }))],
  ),
  ...([['domestic', domestic], ['cross-border', crossBorder], ['customers', ['listSandboxCustomers']], ['accounts', ['listAccounts']]] as const satisfies readonly (readonly [string, readonly BankOperation[]])[]).map(([what, operations]) =>
    deviation(`TRN-03/xml-where-asked-for-at-${what}`, `answers in XML where that is asked for (${what})`,
      withSealed((sealed, request) =>
        request !== undefined &&
        sealed.status < 300 &&
        operations.some((operation) => operation === request.operation) &&
        request.header('accept') === 'application/xml'
          ? { ...withHeader('Content-Type', () => 'application/xml')(sealed), body: Buffer.from(asXml('')) }
          : sealed))),
  ...rows(
    ['TRN-03/broken', 'answers with JSON that is cut off', withAnswering(({ serialise }) => ({ serialise: (body) => serialise(body).slice(0, -1) }))],
    ['TRN-03/broken-errors', 'answers 400 with JSON that is cut off',
      sealing((response) => response.status === 400 ? { ...response, body: response.body.subarray(0, -1) } : response)],
    ['TRN-03/broken-successes', 'answers with JSON that is cut off where it refuses nothing',
      sealing((response) => response.status < 400 ? { ...response, body: response.body.subarray(0, -1) } : response)],
    ['TRN-03/broken-baskets', 'answers with JSON that is cut off where it creates a basket',
      withSealed((sealed, request) =>
        request?.operation === 'createSigningBasket' && sealed.status < 300 ? { ...sealed, body: sealed.body.subarray(0, -1) } : sealed)],
    ['TRN-05/latin-1', 'encodes its answers in ISO 8859-1',
      sealing((response) => ({ ...response, body: Buffer.from(response.body.toString('utf8'), 'latin1') }))],
  ),
  ...([
    ['domestic', products.domestic.creation],
    ['cross-border', products.crossBorder.creation],
    ['customers', 'listSandboxCustomers'],
    ['accounts', 'listAccounts'],
  ] as const satisfies readonly (readonly [string, BankOperation])[]).map(([what, operation]) =>
    deviation(`TRN-05/latin-1-where-asked-for-at-${what}`, `encodes its answers in ISO 8859-1 where that is asked for (${what})`,
      withSealed((sealed, request) =>
        request?.operation === operation && /^iso-8859-1$/i.test(request.header('accept-charset') ?? '')
          ? {
              ...withHeader('Content-Type', () => 'application/json; charset=iso-8859-1')(sealed),
              body: Buffer.from(sealed.body.toString('utf8'), 'latin1'),
            }
          : sealed))),
  deviation('TRN-03/called-xml', 'says that its answers are XML', sealing(withHeader('Content-Type', () => 'application/xml'))),
  ...(['text/plain', 'text/html'] as const).map((name) =>
    ({
      ...deviation(
        `TRN-03/called-${name === 'text/html' ? 'html' : 'text'}`,
        `says that its answers are ${name}`,
        sealing(withHeader('Content-Type', (type) => (/json/.test(type) ? name : type))),
      ),
      isAdvisedAgainst: true as const,
    })),
  deviation('TRN-05/charset-of-errors', 'says that its errors are encoded in ISO 8859-1',
    sealing((response) => response.status < 400 ? response : withHeader('Content-Type', () => 'application/json; charset=iso-8859-1')(response))),
  deviation('TRN-05/charset', 'says that its answers are encoded in ISO 8859-1',
    sealing(withHeader('Content-Type', (type) => type.replace('utf-8', 'iso-8859-1')))),
  ...[403, 422, 500].map((status) =>
    deviation(`TRN-04/${status}-for-letters`, `answers ${status} to Norwegian letters, which it cannot process`,
      inAscii, withRefusals(ruleOf('TRN-06'), { status }))),
  ...([
    ['nul', 'a NUL in a text', ({ body }: BankRequest) => JSON.stringify(body).includes('\\u0000')],
    ['ultimate-debtor', 'an emoji in ultimateDebtor', inBody('ultimateDebtor', /🍕/u)],
    ['city', 'an emoji in the city of the creditor', inBody('creditorAddress.city', /🍕/u)],
    [
      'second-reference',
      'an emoji in the second structured reference',
      ({ body }: BankRequest) => /🍕/u.test(JSON.stringify(memberAt(body, 'remittanceInformationStructuredArray') ?? '')),
    ],
    ['single-reference', 'an emoji in the single structured reference', inBody('remittanceInformationStructured.reference', /🍕/u)],
    [
      'cyrillic-letters',
      'Cyrillic letters',
      ({ body, operation }: BankRequest) => operation === products.domestic.creation && /[а-я]/iu.test(JSON.stringify(body)),
    ],
    ['euro-sign', 'the sign of the euro', ({ body, operation }: BankRequest) => operation === products.domestic.creation && /€/u.test(JSON.stringify(body))],
    [
      'letters-of-neighbours',
      'letters of other languages in Europe',
      ({ body, operation }: BankRequest) => operation === products.domestic.creation && /[àäöüžť]/iu.test(JSON.stringify(body)),
    ],
    ['quotation-marks', 'quotation marks in a text', both(at(products.domestic.creation), inBody('remittanceInformationUnstructured', /"/))],
    ...([['apostrophes', "'"], ['ampersands', '&'], ['backslashes', '\\'], ['dashes', '–'], ['invisible-marks', '\u200d']] as const).map(([way, sign]) =>
      [way, `${way} in a text`, ({ body }: BankRequest) => textAt(body, 'remittanceInformationUnstructured')?.includes(sign) === true] as const),
    [
      'apostrophes-abroad',
      'apostrophes in the text of a cross-border payment',
      ({ body, operation }: BankRequest) =>
        operation === products.crossBorder.creation && textAt(body, 'remittanceInformationUnstructured')?.includes("'") === true,
    ],
    [
      'other-scripts-abroad',
      'letters of other scripts in a cross-border payment',
      ({ body, operation }: BankRequest) => operation === products.crossBorder.creation && /[а-я\u4e00-\u9fff]/iu.test(JSON.stringify(body)),
    ],
    ['street-abroad', 'an emoji in the street of a creditor abroad', both(at(products.crossBorder.creation), inBody('creditorAddress.street', /🍕/u))],
    ['information', 'an emoji in regulatoryReportingInformation', inBody('regulatoryReportingInformation', /🍕/u)],
  ] as const).map(([way, what, isMet]) =>
    deviation(
      `TRN-06/500-at-${way}`,
      `breaks down at ${what}`,
      refusing('TRN-06', creations, isMet, { status: 500, code: 'SYSTEM_ERROR' }),
      // Before it says that it cannot process the character.
      withRules((_, rules) => rules.toSorted((a, b) => Number(breaksDown(b)) - Number(breaksDown(a)))),
    )),
  deviation('TRN-07/iso-8601', 'dates its answers by ISO 8601', sealing(withHeader('Date', (date) => new Date(date).toISOString()))),
  deviation('TRN-07/another-weekday', 'dates its answers with a day of the week that it is not',
    sealing(withHeader('Date', (date) => date.replace(/^\w+/, (day) => (day === 'Mon' ? 'Tue' : 'Mon'))))),
  ...(['Expires', 'Last-Modified'] as const).map((name) =>
    deviation(`TRN-07/${name.toLowerCase()}`, `writes ${name} by ISO 8601`,
      sealing((response) => ({ ...response, headers: [...response.headers, [name, '2030-01-31T12:00:00+00:00']] })))),
  ...rows(
    ['TRN-07/without-weekday', 'dates its answers without the day of the week', sealing(withHeader('Date', (date) => date.replace(/^\w+, /, '')))],
    ['TRN-07/1970', 'dates its answers 1970', sealing(withHeader('Date', () => new Date(0).toUTCString()))],
    ['TRN-07/9999', 'dates its answers in the year 9999', sealing(withHeader('Date', () => 'Fri, 31 Dec 9999 23:59:59 GMT'))],
    ['TRN-07/local-time', 'dates its answers in local time', sealing(withHeader('Date', (date) => date.replace('GMT', '+0000')))],
  ),
  ...alsoAt(
    atCreations,
    refuses('VER-02/one-only', 'takes one value of x-accept-fix', initiations, (request) => fixes(request.header('x-accept-fix')).length > 1),
  ),
  refuses('VER-02/in-order-only', 'takes values of x-accept-fix in the order in which they were introduced only',
    initiations,
    (request) => {
      const given = fixes(request.header('x-accept-fix'));
      const known = acceptFixes.map(({ value }): string => value).filter((value) => given.includes(value));
      return given.length > 1 && known.length === given.length && given.join() !== known.join();
    }),
  refuses('VER-02/no-spaces', 'takes no spaces between values of x-accept-fix', initiations, (request) => (request.header('x-accept-fix') ?? '').includes(' ')),
  ...alsoAt(atCreations, refuses('VER-08/not-all', 'does not know longer-names', initiations, inHeader('x-accept-fix', 'longer-names'))),
  deviation('VER-01/other-version', 'has moved its payments to /v2',
    (design) =>
      ({
        ...design,
        adaptRoutes: (routes) =>
          design
            .adaptRoutes(routes)
            .map((route) => ({ ...route, path: route.path.replace('/v1/payments', '/v2/payments') })),
      })),
];

/** OpenSSL talks older versions at security level 0 only. */
const anyLevel = 'DEFAULT@SECLEVEL=0';

const offering =
  (minVersion: SecureVersion, maxVersion?: SecureVersion): DesignChange =>
  (design) => ({
    ...design,
    tls: { minVersion, ciphers: anyLevel, ...(maxVersion === undefined ? {} : { maxVersion }) },
  });

const onSockets = (of: Deviation): Deviation => ({ ...of, needsTls: true });

export const tlsDeviations: readonly Deviation[] = [
  deviation('TLS-01/none-above-1.1', 'offers no TLS above 1.1', offering('TLSv1', 'TLSv1.1')),
  ...advisedAgainst(
    deviation(
      'TLS-01/pages-without',
      'sends the PSU to a page without TLS',
      withAnswering(({ refusal: answerTo }) => ({
        refusal: ({ links: { scaRedirect, ...links } = {}, ...refusal }) =>
          answerTo(
            scaRedirect === undefined
              ? { ...refusal, links }
              : {
                  ...refusal,
                  links: {
                    ...links,
                    scaRedirect: { ...scaRedirect, href: scaRedirect.href.replace(/^https:/, 'http:') },
                  },
                },
          ),
      })),
    ),
  ),
  deviation('TLS-02/from-1.0', 'still offers TLS 1.0', offering('TLSv1')),
  deviation('TLS-02/from-1.1', 'still offers TLS 1.1', offering('TLSv1.1')),
].map(onSockets);
