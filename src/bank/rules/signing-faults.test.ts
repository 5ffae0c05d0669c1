import { sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  createTwinOfIssuer,
  subjectWithCommaAndNorwegianLetters,
} from '../../signing/certificate-authority.ts';
import { digestHeader } from '../../signing/digest.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { formatSignatureHeader, type SignatureParts } from '../../signing/signature-header.ts';
import { dayMs } from '../../spec/days.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  type CallOptions,
  company,
  domesticPath,
  domesticPayment,
  testPki,
  withHeader,
} from '../bank-under-test.test.data.ts';

const written = (change: (parts: SignatureParts) => Partial<SignatureParts>): CallOptions => ({
  signatureHeader: (parts) => formatSignatureHeader({ ...parts, ...change(parts) }),
});
const rewritten = (change: (header: string) => string): CallOptions => ({
  signatureHeader: (parts) => change(formatSignatureHeader(parts)),
});
const withoutPart = (name: string): CallOptions =>
  rewritten((header) => header.replace(new RegExp(`,?${name}="(?:[^"\\\\]|\\\\.)*"`), '').replace(/^,/, ''));
const signedText = (change: (lines: readonly string[]) => string): CallOptions => ({
  textToSign: (names, valueFor) => change(names.map((name) => `${name}: ${valueFor(name)}`)),
});
const afterwards = (name: string, value: string, before?: string): CallOptions => ({
  ...(before === undefined ? {} : { headers: { [name]: before } }),
  afterSigning: withHeader(name, value),
});
// Reckoned when the request is made: on a busy machine seconds pass between this table and its tests.
const secondsOff = (seconds: number): CallOptions => ({
  get headers() {
    return { Date: new Date(Date.now() + seconds * 1000).toUTCString() };
  },
});
const body = domesticPayment();
const bytes = Buffer.from(JSON.stringify(body));
const prettyBytes = Buffer.from(JSON.stringify(body, null, 1));

const signed = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];
const digest = (value: string | undefined): CallOptions => ({ headers: { Digest: value } });
const certificate = (value: string | undefined): CallOptions => ({
  headers: { 'TPP-Signature-Certificate': value },
});
const date = (value: string | undefined): CallOptions => ({ headers: { Date: value } });
const withKeyId = (change: (keyId: string) => string) => written(({ keyId }) => ({ keyId: change(keyId) }));

/** Each breaks one requirement, and is answered 400. */
const faults: readonly (readonly [requirement: string, what: string, options: CallOptions])[] = [
  ['SIG-01', 'no Signature', { signatureHeader: () => undefined }],
  ['SIG-02', 'a signature that is not Base64', written(() => ({ signature: 'not base64!' }))],
  [
    'SIG-02',
    'a Date changed after signing',
    // Reckoned when it is sent: once these seconds have passed, it would be no change.
    { afterSigning: (request) => withHeader('Date', new Date(Date.now() + 30_000).toUTCString())(request) },
  ],
  [
    'SIG-02',
    'a PSU-Corporate-ID changed after signing',
    {
      ...afterwards('PSU-Corporate-ID', company.agreementId.toUpperCase(), company.agreementId),
      body: domesticPayment({ debtorAccount: company.debtorAccount }),
    },
  ],
  ['SIG-02', 'an X-Request-ID changed after signing', afterwards('X-Request-ID', 'other')],
  ['SIG-02', 'a redirect changed after signing', afterwards('TPP-Redirect-URI', 'https://evil.example/')],
  ['SGH-01', 'another serial number', withKeyId((keyId) => keyId.replace(/SN=\w+/, 'SN=1234'))],
  ['SGH-01', 'a keyId of another form', withKeyId(() => 'my-key')],
  ['SGH-02', 'another issuer', withKeyId((keyId) => keyId.replace('XS2A Test CA', 'Other CA'))],
  [
    'SGH-03',
    'a serial number in lower case',
    withKeyId((keyId) => keyId.replace(/SN=\w+/, (serial) => `SN=${serial.slice(3).toLowerCase()}`)),
  ],
  [
    'SGH-04',
    'parts in another order',
    rewritten((header) => header.replace(/^(keyId="[^"]*"),(.*)$/, '$2,$1')),
  ],
  ['SGH-05', 'no keyId', withoutPart('keyId')],
  ['SGH-06', 'no algorithm', withoutPart('algorithm')],
  ['SGH-07', 'no headers', withoutPart('headers')],
  ['SGH-08', 'no signature', withoutPart('signature')],
  ['SGH-09', 'another algorithm', written(() => ({ algorithm: 'rsa-sha512' }))],
  ['SGH-12', 'a header that is no list of parts', { signatureHeader: () => 'garbage' }],
  ['SGH-12', 'an empty header', { signatureHeader: () => '=?utf-8?B?!!?=' }],
  [
    'SGH-13',
    'names in upper case',
    written(({ headers }) => ({ headers: headers.map((name) => name.toUpperCase()) })),
  ],
  [
    'SGH-13',
    'two spaces between names',
    rewritten((header) => header.replace('date digest', 'date  digest')),
  ],
  ['SGS-07', 'an unsigned Digest', { signed: signed.filter((name) => name !== 'digest') }],
  ['SGS-08', 'an unsigned PSU-ID', { signed: signed.filter((name) => name !== 'psu-id') }],
  ['SGS-09', 'a signed header that is absent', { signed: [...signed, 'psu-corporate-id'] }],
  ['SGS-11', 'lines in another order', signedText((lines) => lines.toReversed().join('\n'))],
  [
    'SGS-13',
    'another (request-target)',
    {
      signed: ['(request-target)', ...signed],
      ...signedText((lines) => lines.join('\n').replace('post /v1', 'get /v1')),
    },
  ],
  ['SGS-14', 'lines joined by CR LF', signedText((lines) => lines.join('\r\n'))],
  ['SGS-14', 'a newline at the end', signedText((lines) => `${lines.join('\n')}\n`)],
  [
    'SGS-15',
    'no space after the colon',
    signedText((lines) => lines.map((line) => line.replace(': ', ':')).join('\n')),
  ],
  ['CLK-03', 'a Date 62 seconds behind', secondsOff(-62)],
  ['CLK-04', 'a Date 62 seconds ahead', secondsOff(62)],
  ['CLK-05', 'no Date', date(undefined)],
  ['CLK-06', 'a Date that is none', date('2026-03-03T10:00:00Z')],
  ['CRT-06', 'a certificate that is none', certificate('bm8gY2VydGlmaWNhdGU=')],
  ['HDN-13', 'no certificate', certificate(undefined)],
  ['HDN-12', 'no Digest', digest(undefined)],
  ['DIG-03', 'a Digest of another body', digest(digestHeader(Buffer.from('{}')))],
  ['DIG-10', 'a SHA-512 Digest of another body', digest(digestHeader(Buffer.from('{}'), 'SHA-512'))],
  ['DIG-05', 'a Digest of the JSON written anew', { bytes: prettyBytes, ...digest(digestHeader(bytes)) }],
  ['DIG-06', 'an MD5 Digest', digest('MD5=1B2M2Y8AsgTpgAmY7PhCfg==')],
  ['DIG-07', 'a Digest that is not Base64', digest('SHA-256=%%%')],
];

let bank: BankUnderTest;
beforeAll(async () => {
  bank = await bankUnderTest();
});
const outcome = (options: CallOptions, at = bank): Promise<string> =>
  at.outcomeOf(at.call(domesticPath, { body, ...options }));

it.each(faults)('%s: %s is refused', async (requirement, _, options) => {
  expect(await outcome(options)).toBe(`400 ${requirement}`);
});

it.each<[string, CallOptions]>([
  ['signs (request-target) as well', { signed: ['(request-target)', ...signed] }],
  ['signs in another order, which the headers part gives', { signed: signed.toReversed() }],
  [
    'encodes the whole header',
    rewritten((header) => `=?utf-8?B?${Buffer.from(header).toString('base64')}?=`),
  ],
  ['takes a SHA-512 digest', digest(digestHeader(bytes, 'SHA-512'))],
  ['writes the digest algorithm in lower case', digest(digestHeader(bytes).replace('SHA-256', 'sha-256'))],
  ['formats its JSON as it likes', { bytes: prettyBytes }],
  ['is 58 seconds late', secondsOff(-58)],
  ['is 58 seconds early', secondsOff(58)],
])('a signing TPP is accepted when it %s', async (_, options) => {
  expect(await outcome(options)).toBe('201');
});

describe('an issuer in keyId', () => {
  /** As OpenSSL prints letters outside ASCII (RFC 2253 section 2.4). */
  const inHexPairs = (name: string): string =>
    name.replace(/[^\x20-\x7e]/g, (letter) =>
      [...Buffer.from(letter)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
    );
  const namedBy = (write: (issuer: string) => string): CallOptions => ({
    signatureHeader: (parts) => {
      const [, serial = '', issuer = ''] = /^(SN=[^,]+,CA=)(.+)$/.exec(parts.keyId) ?? [];
      // Written as it is: the point is what stands between the quotes.
      const header = `keyId="${serial}${write(issuer)}",algorithm="${parts.algorithm}",headers="${parts.headers.join(' ')}",signature="${parts.signature}"`;
      return `=?utf-8?B?${Buffer.from(header).toString('base64')}?=`;
    },
  });
  const escapedAgain = (name: string): string => name.replace(/["\\]/g, '\\$&');

  it('is understood in whichever way its letters are escaped, and only that issuer', async () => {
    const odd = await createCertificateAuthority({
      modulusLength: 1024,
      subject: subjectWithCommaAndNorwegianLetters,
    });
    const its = await bankUnderTest({ trustedAuthorities: [odd.certificatePem] });
    const identity = await odd.issueTpp({ key: its.tpp.privateKey });
    expect(identity.certificate.issuer).toMatch(/\\,.*Å|Å.*\\,/);
    const rows: readonly (readonly [string, (issuer: string) => string, string])[] = [
      ['as RFC 2253 has it', (issuer) => issuer, '201'],
      ['escaped twice', escapedAgain, '201'],
      ['in pairs of hexadecimal digits', inHexPairs, '201'],
      [
        'in pairs of hexadecimal digits in upper case',
        (issuer) => inHexPairs(issuer).replace(/\\[0-9a-f]{2}/g, (pair) => pair.toUpperCase()),
        '201',
      ],
      ['in pairs of hexadecimal digits, escaped twice', (issuer) => escapedAgain(inHexPairs(issuer)), '201'],
      [
        'with another letter in a pair',
        (issuer) => inHexPairs(issuer).replace('\\c3\\85', '\\c3\\86'),
        '400 SGH-02',
      ],
      ['escaped twice, of another', (issuer) => escapedAgain(issuer).replace('Bank', 'Banken'), '400 SGH-02'],
    ];
    for (const [how, write, expected] of rows)
      expect(await outcome({ identity, ...namedBy(write) }, its), how).toBe(expected);
  });
});

describe('a certificate', () => {
  let ca: CertificateAuthority;
  beforeAll(async () => {
    ({ ca } = await testPki());
  });

  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  type Issued = Parameters<CertificateAuthority['issueTpp']>[0];
  const issue = (options: Issued, by = ca) => by.issueTpp({ key: bank.tpp.privateKey, ...options });
  it.each<[string, string, () => Promise<SigningIdentity>]>([
    ['has expired', '403 CRT-02', () => issue({ notBefore: inDays(-60), notAfter: inDays(-2) })],
    ['is not valid yet', '403 CRT-03', () => issue({ notBefore: inDays(2), notAfter: inDays(60) })],
    [
      'is from an authority of the same name',
      '403 CRT-01',
      async () => issue({}, await createTwinOfIssuer(ca.certificate)),
    ],
    ['is of an AISP', '403 CRT-04', () => issue({ roles: ['PSP_AI'] })],
    ['is of a PISP', '201', () => issue({ roles: ['PSP_PI'] })],
    [
      'is not that of the key that signs',
      '400 CRT-07',
      async () => ({ ...(await ca.issueTpp()), certificate: bank.tpp.certificate }),
    ],
  ])('that %s is judged by %s', async (_, expected, identity) => {
    expect(await outcome({ identity: await identity() })).toBe(expected);
  });

  it('is not enough for a signature with another hash', async () => {
    const afterSigning: CallOptions['afterSigning'] = (request) => {
      const header = (name: string) =>
        request.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
      const names = /headers="([^"]*)"/.exec(header('signature'))?.[1]?.split(' ') ?? [];
      const text = names.map((name) => `${name}: ${header(name)}`).join('\n');
      const signature = sign('sha512', Buffer.from(text), bank.tpp.privateKey).toString('base64');
      const changed = header('signature').replace(/signature="[^"]*"/, `signature="${signature}"`);
      return withHeader('Signature', changed)(request);
    };
    expect(await outcome({ afterSigning })).toBe('400 SGH-14');
  });

  it('has to be registered where production checks are on', async () => {
    const strict = await bankUnderTest({ registry: ['PSDNO-FSA-999999'] });
    expect(await outcome({}, strict)).toBe('403 CRT-08');
    const registered = await bankUnderTest({ registry: [bank.tpp.certificate.authorisationNumber ?? ''] });
    expect(await outcome({}, registered)).toBe('201');
  });
});
