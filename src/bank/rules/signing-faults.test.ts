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
  failuresOf,
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

/** Each breaks one requirement; the status is that of the specification where it fixes one. */
const faults: readonly (readonly [
  requirement: string,
  what: string,
  status: number,
  options: CallOptions,
])[] = [
  ['SIG-01', 'no Signature', 400, { signatureHeader: () => undefined }],
  ['SIG-02', 'a signature that is not Base64', 400, written(() => ({ signature: 'not base64!' }))],
  [
    'SIG-02',
    'a Date changed after signing',
    400,
    // Reckoned when it is sent: once these seconds have passed, it would be no change.
    { afterSigning: (request) => withHeader('Date', new Date(Date.now() + 30_000).toUTCString())(request) },
  ],
  [
    'SIG-02',
    'a PSU-Corporate-ID changed after signing',
    400,
    {
      ...afterwards('PSU-Corporate-ID', company.agreementId.toUpperCase(), company.agreementId),
      body: domesticPayment({ debtorAccount: company.debtorAccount }),
    },
  ],
  ['SIG-02', 'an X-Request-ID changed after signing', 400, afterwards('X-Request-ID', 'other')],
  [
    'SIG-02',
    'a TPP-Redirect-URI changed after signing',
    400,
    afterwards('TPP-Redirect-URI', 'https://evil.example/'),
  ],
  [
    'SGH-01',
    'another serial number',
    400,
    written(({ keyId }) => ({ keyId: keyId.replace(/SN=\w+/, 'SN=1234') })),
  ],
  ['SGH-01', 'a keyId of another form', 400, written(() => ({ keyId: 'my-key' }))],
  [
    'SGH-02',
    'another issuer',
    400,
    written(({ keyId }) => ({ keyId: keyId.replace('XS2A Test CA', 'Other CA') })),
  ],
  [
    'SGH-03',
    'a serial number in lower case',
    400,
    written(({ keyId }) => ({
      keyId: keyId.replace(/SN=\w+/, (serial) => `SN=${serial.slice(3).toLowerCase()}`),
    })),
  ],
  [
    'SGH-04',
    'parts in another order',
    400,
    rewritten((header) => header.replace(/^(keyId="[^"]*"),(.*)$/, '$2,$1')),
  ],
  ['SGH-05', 'no keyId', 400, withoutPart('keyId')],
  ['SGH-06', 'no algorithm', 400, withoutPart('algorithm')],
  ['SGH-07', 'no headers', 400, withoutPart('headers')],
  ['SGH-08', 'no signature', 400, withoutPart('signature')],
  ['SGH-09', 'another algorithm', 400, written(() => ({ algorithm: 'rsa-sha512' }))],
  ['SGH-12', 'a header that is no list of parts', 400, { signatureHeader: () => 'garbage' }],
  ['SGH-12', 'an empty header', 400, { signatureHeader: () => '=?utf-8?B?!!?=' }],
  [
    'SGH-13',
    'names in upper case',
    400,
    written(({ headers }) => ({ headers: headers.map((name) => name.toUpperCase()) })),
  ],
  [
    'SGH-13',
    'two spaces between names',
    400,
    rewritten((header) => header.replace('date digest', 'date  digest')),
  ],
  ['SGS-07', 'an unsigned Digest', 400, { signed: ['date', 'x-request-id', 'psu-id', 'tpp-redirect-uri'] }],
  ['SGS-08', 'an unsigned PSU-ID', 400, { signed: ['date', 'digest', 'x-request-id', 'tpp-redirect-uri'] }],
  [
    'SGS-09',
    'a signed header that is absent',
    400,
    { signed: ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri', 'psu-corporate-id'] },
  ],
  ['SGS-11', 'lines in another order', 400, signedText((lines) => lines.toReversed().join('\n'))],
  [
    'SGS-13',
    'another (request-target)',
    400,
    {
      signed: ['(request-target)', 'date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'],
      textToSign: (names, valueFor) =>
        names.map((name) => `${name}: ${valueFor(name).replace('post /v1', 'get /v1')}`).join('\n'),
    },
  ],
  ['SGS-14', 'lines joined by CR LF', 400, signedText((lines) => lines.join('\r\n'))],
  ['SGS-14', 'a newline at the end', 400, signedText((lines) => `${lines.join('\n')}\n`)],
  [
    'SGS-15',
    'no space after the colon',
    400,
    signedText((lines) => lines.map((line) => line.replace(': ', ':')).join('\n')),
  ],
  ['CLK-03', 'a Date 62 seconds behind', 400, secondsOff(-62)],
  ['CLK-04', 'a Date 62 seconds ahead', 400, secondsOff(62)],
  ['CLK-05', 'no Date', 400, { headers: { Date: undefined } }],
  ['CLK-06', 'a Date that is none', 400, { headers: { Date: '2026-03-03T10:00:00Z' } }],
  [
    'CRT-06',
    'a certificate that is none',
    400,
    { headers: { 'TPP-Signature-Certificate': 'bm8gY2VydGlmaWNhdGU=' } },
  ],
  ['HDN-13', 'no certificate', 400, { headers: { 'TPP-Signature-Certificate': undefined } }],
  ['HDN-12', 'no Digest', 400, { headers: { Digest: undefined } }],
  ['DIG-03', 'a Digest of another body', 400, { headers: { Digest: digestHeader(Buffer.from('{}')) } }],
  [
    'DIG-10',
    'a SHA-512 Digest of another body',
    400,
    { headers: { Digest: digestHeader(Buffer.from('{}'), 'SHA-512') } },
  ],
  [
    'DIG-05',
    'a Digest of the JSON written anew',
    400,
    { bytes: prettyBytes, headers: { Digest: digestHeader(bytes) } },
  ],
  ['DIG-06', 'an MD5 Digest', 400, { headers: { Digest: 'MD5=1B2M2Y8AsgTpgAmY7PhCfg==' } }],
  ['DIG-07', 'a Digest that is not Base64', 400, { headers: { Digest: 'SHA-256=%%%' } }],
];

describe('a fault in signing', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it('is refused by its requirement', async () => {
    const failures = await failuresOf(
      faults,
      ([requirement, what]) => `${requirement}, ${what}`,
      async ([requirement, _, status, options]) => {
        const answer = await bank.call(domesticPath, { body, ...options });
        expect([answer.status, bank.refusedBy()]).toEqual([status, requirement]);
      },
    );
    expect(failures).toEqual([]);
  });
});

describe('a signing TPP', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it.each<readonly [string, CallOptions]>([
    [
      'signs (request-target) as well',
      { signed: ['(request-target)', 'date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'] },
    ],
    [
      'signs in another order, which the headers part gives',
      { signed: ['tpp-redirect-uri', 'psu-id', 'x-request-id', 'digest', 'date'] },
    ],
    [
      'encodes the whole header',
      rewritten((header) => `=?utf-8?B?${Buffer.from(header).toString('base64')}?=`),
    ],
    ['takes a SHA-512 digest', { headers: { Digest: digestHeader(bytes, 'SHA-512') } }],
    [
      'writes the digest algorithm in lower case',
      { headers: { Digest: digestHeader(bytes).replace('SHA-256', 'sha-256') } },
    ],
    ['formats its JSON as it likes', { bytes: prettyBytes }],
    ['is 58 seconds late', secondsOff(-58)],
    ['is 58 seconds early', secondsOff(58)],
  ])('is accepted when it %s', async (_, options) => {
    const answer = await bank.call(domesticPath, { body, ...options });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });
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
    const bank = await bankUnderTest({ trustedAuthorities: [odd.certificatePem] });
    const identity = await odd.issueTpp({ key: bank.tpp.privateKey });
    expect(identity.certificate.issuer).toMatch(/\\,.*Å|Å.*\\,/);
    const rows: readonly (readonly [string, (issuer: string) => string, number])[] = [
      ['as RFC 2253 has it', (issuer) => issuer, 201],
      ['escaped twice', escapedAgain, 201],
      ['in pairs of hexadecimal digits', inHexPairs, 201],
      [
        'in pairs of hexadecimal digits in upper case',
        (issuer) => inHexPairs(issuer).replace(/\\[0-9a-f]{2}/g, (pair) => pair.toUpperCase()),
        201,
      ],
      ['in pairs of hexadecimal digits, escaped twice', (issuer) => escapedAgain(inHexPairs(issuer)), 201],
      ['with another letter in a pair', (issuer) => inHexPairs(issuer).replace('\\c3\\85', '\\c3\\86'), 400],
      ['escaped twice, of another', (issuer) => escapedAgain(issuer).replace('Bank', 'Banken'), 400],
    ];
    const failures = await failuresOf(
      rows,
      ([how]) => how,
      async ([, write, status]) => {
        const answer = await bank.call(domesticPath, { body, identity, ...namedBy(write) });
        expect([answer.status, bank.refusedBy()]).toEqual([status, status === 400 ? 'SGH-02' : undefined]);
      },
    );
    expect(failures).toEqual([]);
  });
});

describe('a certificate', () => {
  let bank: BankUnderTest;
  let ca: CertificateAuthority;
  beforeAll(async () => {
    ({ ca } = await testPki());
    bank = await bankUnderTest();
  });

  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  it.each<readonly [string, string | undefined, number, () => Promise<SigningIdentity>]>([
    [
      'has expired',
      'CRT-02',
      403,
      () => ca.issueTpp({ key: bank.tpp.privateKey, notBefore: inDays(-60), notAfter: inDays(-2) }),
    ],
    [
      'is not valid yet',
      'CRT-03',
      403,
      () => ca.issueTpp({ key: bank.tpp.privateKey, notBefore: inDays(2), notAfter: inDays(60) }),
    ],
    [
      'is from an authority of the same name',
      'CRT-01',
      403,
      async () => (await createTwinOfIssuer(ca.certificate)).issueTpp({ key: bank.tpp.privateKey }),
    ],
    ['is of an AISP', 'CRT-04', 403, () => ca.issueTpp({ key: bank.tpp.privateKey, roles: ['PSP_AI'] })],
    ['is of a PISP', undefined, 201, () => ca.issueTpp({ key: bank.tpp.privateKey, roles: ['PSP_PI'] })],
  ])('that %s is judged by %s', async (_, requirement, status, issue) => {
    const answer = await bank.call(domesticPath, { body, identity: await issue() });
    expect([answer.status, bank.refusedBy()]).toEqual([status, requirement]);
  });

  it('whose key did not sign is refused with 400', async () => {
    const other = await ca.issueTpp();
    const answer = await bank.call(domesticPath, {
      body,
      identity: { ...other, certificate: bank.tpp.certificate },
    });
    expect([answer.status, bank.refusedBy()]).toEqual([400, 'CRT-07']);
  });

  it('is not enough for a signature with another hash', async () => {
    const answer = await bank.call(domesticPath, {
      body,
      textToSign: (names, valueFor) => names.map((name) => `${name}: ${valueFor(name)}`).join('\n'),
      signatureHeader: (parts) => formatSignatureHeader(parts),
      afterSigning: (request) => {
        const header = (name: string) =>
          request.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
        const names = /headers="([^"]*)"/.exec(header('signature'))?.[1]?.split(' ') ?? [];
        const text = names.map((name) => `${name}: ${header(name)}`).join('\n');
        const signature = sign('sha512', Buffer.from(text), bank.tpp.privateKey).toString('base64');
        return withHeader(
          'Signature',
          header('signature').replace(/signature="[^"]*"/, `signature="${signature}"`),
        )(request);
      },
    });
    expect([answer.status, bank.refusedBy()]).toEqual([400, 'SGH-14']);
  });

  it('has to be registered where production checks are on', async () => {
    const strict = await bankUnderTest({ registry: ['PSDNO-FSA-999999'] });
    expect((await strict.call(domesticPath, { body })).status).toBe(403);
    expect(strict.refusedBy()).toBe('CRT-08');
    const registered = await bankUnderTest({ registry: [bank.tpp.certificate.authorisationNumber ?? ''] });
    expect((await registered.call(domesticPath, { body })).status).toBe(201);
  });
});
