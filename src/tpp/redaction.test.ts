import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange, HeaderLine } from './exchange.ts';
import { clearlyBelowQuadratic, growthOf } from './growth.test.data.ts';
import { Redactor } from './redaction.ts';

const psuId = '7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11';
const sessionId = '2a5c1c52-6a0e-4f0f-9f2c-6a9a3d1f6c77';
const secrets = {
  psu: {
    id: psuId,
    sessionId,
    nationalId: '01819010001',
    form: { fields: { otp: '987654' } },
    corporate: { nationalId: '05829210160', corporateId: 'enc!!H6fD==' },
  },
  customHeaders: { 'X-API-Key': 'the key/of+the-sandbox', 'X-Tenant': '7', 'X-Short': 'k3y' },
  accounts: { debtor: { bban: '95360573002' } },
};
const pem = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----';
const certificate = `MIIC${'Ab3+/'.repeat(60)}==`;
const signature = `Zm9v${'Cd4/'.repeat(80)}`;

const exchange: Exchange = {
  id: 'x00001',
  purpose: 'control',
  operation: 'createDomesticPayment',
  attempt: 1,
  startedAt: '2026-03-02T10:00:00.000Z',
  durationMs: 12,
  request: {
    method: 'POST',
    url: 'https://bank.example/v1/payments?psu=01819010001&withAccounts=true',
    headers: [
      ['Date', 'Mon, 02 Mar 2026 10:00:00 GMT'],
      ['X-PSU-IDENTITY', '01819010001'],
      ['PSU-ID', psuId],
      ['TPP-Session-ID', 'b7f0c2d4-1111-4222-8333-444455556666'],
      ['tpp-signature-certificate', certificate],
      ['Signature', `keyId="SN=1A2B,CA=CN=Test CA",algorithm="rsa-sha256",signature="${signature}"`],
      ['x-api-key', 'the key/of+the-sandbox'],
      ['X-Tenant', '7'],
      ['Cookie', 'session=cookie-value-1'],
      ['Authorization', 'Bearer t0ken'],
    ],
    body: `{"creditorName":"01819010001","key":"${pem}"}`,
  },
  response: {
    status: 400,
    headers: [
      ['Set-Cookie', 'session=cookie-value-2; Path=/'],
      ['X-Echo', 'the key/of+the-sandbox for 05829210160'],
      ['Location', '/login?ticket=one-time-ticket&context=PRIVATE#state=st4te'],
    ],
    body: `unknown: 05829210160 with the key/of+the-sandbox, 7 times\n${pem} ${certificate} b7f0c2d4-1111-4222-8333-444455556666`,
  },
};

const redactor = () => new Redactor(secrets);
const answeredWith = (headers: readonly HeaderLine[], body = '') =>
  redactor().exchange({ ...exchange, response: { status: 200, headers, body } }).response;
/** What is shown of a form that was sent, and of the answer to it. */
const sentAs = (type: string, body: string, answer = '') =>
  redactor().exchange({
    ...exchange,
    request: { ...exchange.request, headers: [['Content-Type', type]], body },
    response: { status: 200, headers: [], body: answer },
  });
const shown = JSON.stringify(redactor().exchange(exchange));

it('hides the other customer of the target file', () => {
  const other = {
    id: 'other-psu-1',
    sessionId: 'other-session',
    nationalId: '12848510058',
    corporateId: 'of-others',
  };
  const text = new Redactor({ psu: { other }, customHeaders: {} }).text(Object.values(other).join(' '));
  for (const value of Object.values(other)) expect(text).not.toContain(value);
});

describe('an exchange that is shown', () => {
  it.each([
    ['national identity numbers', '01819010001'],
    ['national identity numbers of corporate users', '05829210160'],
    ['ids of PSUs', psuId],
    ['ids of sessions, repeated in the answer as well', 'b7f0c2d4-1111'],
    ['certificates, repeated in the answer as well', 'Ab3+/Ab3'],
    ['signatures', 'Cd4/Cd4'],
    ['values of custom headers, repeated by the bank as well', 'of+the-sandbox'],
    ['cookies of requests', 'cookie-value-1'],
    ['cookies of responses', 'cookie-value-2'],
    ['tokens', 't0ken'],
    ['keys', 'MIIB'],
    ['parameters of redirects', 'one-time-ticket'],
    ['fragments of redirects', 'st4te'],
  ])('has no %s', (_, secret) => {
    expect(JSON.stringify(exchange)).toContain(secret);
    expect(shown).not.toContain(secret);
  });

  it('keeps everything else, and says what was redacted', () => {
    const redacted = redactor().exchange(exchange);
    expect(redacted).toMatchObject({ id: 'x00001', response: { status: 400 } });
    expect(redacted.request.url).toBe(
      'https://bank.example/v1/payments?psu=[national-id#1, redacted]&withAccounts=true',
    );
    expect(redacted.request.headers).toEqual([
      ['Date', 'Mon, 02 Mar 2026 10:00:00 GMT'],
      ['X-PSU-IDENTITY', '[national-id#1, redacted]'],
      ['PSU-ID', '[psu-id#1, redacted]'],
      ['TPP-Session-ID', '[session#2, redacted]'],
      ['tpp-signature-certificate', '[certificate#1 of 306 characters, redacted]'],
      [
        'Signature',
        'keyId="SN=1A2B,CA=CN=Test CA",algorithm="rsa-sha256",signature="[signature#1 of 324 characters, redacted]"',
      ],
      ['x-api-key', '[custom-header#1 of 22 characters, redacted]'],
      ['X-Tenant', '[custom-header#3 of 1 character, redacted]'],
      ['Cookie', '[cookie#1 of 22 characters, redacted]'],
      ['Authorization', '[authorisation#1 of 12 characters, redacted]'],
    ]);
    expect(redacted.response?.headers.at(-1)?.[1]).toBe(
      '/login?ticket=[parameter#1 of 15 characters, redacted]&context=PRIVATE#state=[parameter#2 of 5 characters, redacted]',
    );
    expect(redacted.response?.body).toBe(
      'unknown: [national-id#2, redacted] with [custom-header#1 of 22 characters, redacted], 7 times\n' +
        '[key#1 of 58 characters, redacted] [certificate#1 of 306 characters, redacted] [session#2, redacted]',
    );
  });

  it('is the same when it is redacted once more', () => {
    const one = redactor();
    const once = one.exchange(exchange);
    expect(one.exchange(once)).toEqual(once);
    expect(one.value(once)).toEqual(once);
    expect(new Redactor().value(once)).toEqual(once);
  });

  it('leaves the recorded exchange as it was', () => {
    redactor().exchange(exchange);
    expect(exchange.request.headers[1]).toEqual(['X-PSU-IDENTITY', '01819010001']);
  });

  it('hides secrets in the words of the transport', () => {
    const { response: _, ...unanswered } = exchange;
    const redacted = redactor().exchange({
      ...unanswered,
      trouble: { kind: 'reset', message: 'lost /psu/01819010001' },
    });
    expect(redacted.trouble?.message).toBe('lost /psu/[national-id#1, redacted]');
    expect(redacted).not.toHaveProperty('response');
  });

  it('hides all that was filled into a form, and the code where the page repeats it', () => {
    const redacted = sentAs(
      'application/x-www-form-urlencoded',
      'nationalId=01819010001&otp=246813&context=PRIVATE&password=hunter2%21x9&empty=',
      '<p>Wrong: 246813, hunter2!x9',
    );
    expect(redacted.request.body.replaceAll(/ of \d+ characters/g, '')).toBe(
      'nationalId=[national-id#1, redacted]&otp=[form-field#2, redacted]&context=[form-field#3, redacted]&password=[form-field#4, redacted]&empty=',
    );
    expect(redacted.response?.body).not.toMatch(/246813|hunter2/);
  });

  it('hides all that was filled into a form of several parts, however it is written', () => {
    const part = (name: string, value: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const parts = [
      part('nationalId', '01819010001'),
      part('otp', '246813'),
      part('note', 'a\r\n\r\nhunter2'),
    ];
    const redacted = sentAs('multipart/form-data; boundary=b', `${parts.join('')}--b--\r\n`);
    expect(redacted.request.body).toContain('name="otp"');
    expect(redacted.request.body).not.toMatch(/246813|hunter2|01819010001/);
    expect(redacted.request.body.endsWith('\r\n--b--\r\n')).toBe(true);
  });
});

describe('text that is shown', () => {
  const spaced = ['018190 10001', '01 81 90 10001', '018190-10001', '01\u00a081\u00a090\u00a010001'];
  const encoded = [
    '%30%31819010001',
    '018190%2010001',
    '018190+10001',
    '%2530%2531819010001',
    '&#48;&#x31;819010001',
  ];

  it.each<readonly [string, string, string]>([
    ['two blocks of PEM', `a ${pem} b ${pem} c`, 'a # b # c'],
    ['PEM that was cut', `a ${pem.slice(0, 40)}`, 'a #'],
    ['a beginning of PEM inside a block', `a -----BEGIN X-----\n${pem} c`, 'a # c'],
    ['PEM in JSON', `{"a":"${pem.replaceAll('\n', '\\n')}"}`, '{"a":"#"}'],
    ['PEM in Base64', `a ${Buffer.from(pem.repeat(3)).toString('base64')} b`, 'a # b'],
    [
      'PEM in small letters',
      `a ${pem.replaceAll(/(BEGIN|END)[ A-Z]*/g, (mark) => mark.toLowerCase())} b`,
      'a # b',
    ],
    ['PEM in a form', `a ${pem.replaceAll(' ', '+')} b`, 'a # b'],
    ['a key of SSH', 'a ---- BEGIN SSH2 PRIVATE KEY ----\nkey\n---- END SSH2 PRIVATE KEY ---- b', 'a # b'],
    [
      'a key as a JWK',
      `{"kty":"RSA","n":"AQAB","d": "${'aB3-'.repeat(10)}"}`,
      '{"kty":"RSA","n":"AQAB","d": "#"}',
    ],
    ['a certificate without PEM', `a ${certificate} b`, 'a # b'],
    ['a certificate in hexadecimal', `a ${Buffer.from(certificate, 'base64').toString('hex')} b`, 'a # b'],
    ['a certificate in lines', `a ${certificate.replaceAll(/.{64}/g, '$&\n')} b`, 'a # b'],
    ['a certificate in an address', `a?c=${encodeURIComponent(certificate)}&d`, 'a?c=#&d'],
    [
      'a certificate in Base64 for addresses',
      `a ${certificate.replaceAll('+', '-').replaceAll('/', '_')} b`,
      'a # b',
    ],
    ['a signature', `a signature="${signature}" b`, 'a signature="#" b'],
    ['a signature in JSON', `{"signature": "${signature}"}`, '{"signature": "#"}'],
    ['a number that nobody told of', 'a 01819010192 b', 'a # b'],
    ['a number next to letters', 'psu01819010192x', 'psu#x'],
    ...spaced.map((id) => [`a spaced number, ${id}`, `a ${id} b`, 'a # b'] as const),
    ...encoded.map((id) => [`an encoded number, ${id}`, `a ${id} b`, 'a # b'] as const),
    ...[
      ...['018191.10103', '018191/10103', '018191\n10103', '018191_10103'],
      ...['01.81.91 10103', '01.81.91-10103', '01/81/91/10103', '01-81-91.10103'],
    ].map((id) => [`a number of a stranger in halves, ${JSON.stringify(id)}`, `a ${id} b`, 'a # b'] as const),
    [
      'a code that opens a door',
      'https://tpp.example/?code=SplxlOBeZQ7&context=x',
      'https://tpp.example/?code=#&context=x',
    ],
    [
      'a header line of an echo',
      'GET /\nTPP-Session-ID: 7b1a-of-strangers\nAge: 1',
      'GET /\nTPP-Session-ID: #\nAge: 1',
    ],
    ['a cookie line of an echo', 'GET /\nCookie: theme=dark; id=abc\nAge: 1', 'GET /\nCookie: #\nAge: 1'],
    ['a short value of a custom header', 'key k3y!', 'key #!'],
    ['an encoded value', 'a the%20key%2Fof%2Bthe-sandbox b', 'a # b'],
    ['an id with signs', 'a enc!!H6fD== or enc%21%21H6fD%3D%3D b', 'a # or # b'],
    ['a one-time code of the target file', 'wrong 987654.', 'wrong #.'],
    ['an id in capitals', `a ${psuId.toUpperCase()} b`, 'a # b'],
    ['a password in an address', 'at https://me:pass@bank.example/a', 'at https://#@bank.example/a'],
    [
      'members with secret names',
      '{"otp":"123","password":"a b","access_token":"x","pin":1234}',
      '{"otp":"#","password":"#","access_token":"#","pin":#}',
    ],
    [
      'members with longer names',
      '{"x-auth-token":"abc","x_client_secret":"d","tokenType":"e"}',
      '{"x-auth-token":"#","x_client_secret":"#","tokenType":"e"}',
    ],
    [
      'parameters with secret names',
      'psu-id=abc&tpp-session-id=d&context=PRIVATE',
      'psu-id=#&tpp-session-id=#&context=PRIVATE',
    ],
    [
      'parameters of a link',
      '<a href="https://b.example/?t=1&status=401">',
      '<a href="https://b.example/?t=#&status=401">',
    ],
    ['a token in place of a number', 'https://b.example/?offset=eyJhIjox', 'https://b.example/?offset=#'],
    ['parameters of an app', 'bankid:///?autostarttoken=1-2', 'bankid:///?autostarttoken=#'],
  ])('hides %s', (_, text, expected) => {
    expect(
      redactor()
        .text(text)
        .replaceAll(/\[[a-z-]+#\d+[^\]]*redacted\]/g, '#'),
    ).toBe(expected);
  });

  it.each([
    'nothing to hide',
    'an end without a beginning: -----END PRIVATE KEY----- b',
    'account 95360573002 and number 12345678901',
    'account 9536.05.73002 and amount 123456.78901',
    'https://tpp.example/?code=PSU_CREDENTIALS_INVALID&status=401',
    'Authorization\nCookie: none\nPSU-ID: required\nPassword: the one of 2026 is not known',
    '{"d":"2026-03-02","k":"short"}',
    'k3ys and 1987654',
    'a kid 012345678901234',
    'signature="short" and PSU-ID: must be a UUID',
    `Digest: SHA-512=${'Q'.repeat(86)}==`,
    'https://bank.example/v1/accounts?withAccounts=true&bookingStatus=both',
    'https://bank.example/v1/accounts/a/transactions?limit=10&offset=200',
    '2026-03-02T10:00:00.000Z 192.168.100.101',
    '{"born":"018190","number":"10002"}',
    '{"place":"10001","born":"018191"}',
    'a=30 and b=31&c=32',
  ])('is itself where it says %j', (text) => {
    expect(redactor().text(text)).toBe(text);
  });

  it('has one pseudonym for one secret, however it is written', () => {
    const one = new Redactor();
    expect(one.text('01819010192 and 018190 10001, 018190+10192')).toBe(
      '[national-id#1, redacted] and [national-id#2, redacted], [national-id#1, redacted]',
    );
    expect(one.value({ a: ['018190%2010001'] })).toEqual({ a: ['[national-id#2, redacted]'] });
    expect(one.value({ '01819010001': 'a' })).toEqual({ '[national-id#2, redacted]': 'a' });
  });

  it.each(['X-Auth-Token', 'X-CSRF-Token', 'X-Amz-Security-Token', 'Api-Key', 'X-Client-Secret', 'Sid'])(
    'hides what a header %s holds, since its name says that it is secret, and where a body repeats it',
    (name) => {
      const told = answeredWith([[name, 'opens-the-door-1']], 'opens-the-door-1');
      expect(told?.headers[0]?.[1]).toContain('redacted]');
      expect(told?.body).not.toContain('door');
    },
  );

  it('shows what is no secret by the name of its header, and hides secrets in the names of headers', () => {
    expect(answeredWith([['Token-Type', 'plain']])?.headers).toEqual([['Token-Type', 'plain']]);
    expect(JSON.stringify(answeredWith([['X-01819010001', 'customer']]))).not.toContain('01819010001');
  });

  it('shows mocked people where that was asked for, and never keys', () => {
    const open = new Redactor(secrets, { showTestData: true });
    expect(open.text(`01819010001 ${psuId} ${sessionId} https://b.example/?t=1`)).toBe(
      `01819010001 ${psuId} ${sessionId} https://b.example/?t=1`,
    );
    const told = JSON.stringify(open.exchange(exchange)) + open.text(`${pem} ${certificate} otp=123456`);
    expect(told).toContain('01819010001');
    for (const key of ['MIIB', 'Ab3+/Ab3', 'Cd4/Cd4', 'of+the-sandbox', 't0ken', 'cookie-value', '123456']) {
      expect(told).not.toContain(key);
    }
  });

  it('hides what has become known since, in a text and an exchange that were shown before', () => {
    const own = new Redactor();
    const text = 'the word is horse-battery-1';
    const once = own.exchange({ ...exchange, purpose: text });
    expect(own.text(text)).toBe(text);
    expect(own.value({ exchanges: [once] }).exchanges[0]).toBe(once);
    own.know('password', 'horse-battery-1');
    expect(own.text(text)).not.toContain('horse');
    expect(JSON.stringify(own.value({ exchanges: [once] }))).not.toContain('horse');
  });

  it('hides the last of many cookies where a body repeats it', () => {
    const one = redactor();
    const cookieOf = (number: number): string => `v1.${number}+of/the-same-length==`;
    for (let number = 0; number < 500; number += 1) {
      const headers: readonly HeaderLine[] = [['Set-Cookie', `flow=${cookieOf(number)}; Path=/`]];
      one.learn({ ...exchange, response: { status: 200, headers, body: '' } });
    }
    expect(one.text(`You came with ${cookieOf(499)}.`)).toMatch(
      /^You came with \[cookie#\d+ .*redacted\]\.$/,
    );
  });

  it('never shows a number of the form, wherever it stands', () => {
    const around = fc.string({
      unit: fc.constantFrom('a', ' ', '-', '%', '2', '&', '=', '\\', '"', '/', '?'),
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const text = `${before.replace(/\d$/, 'x').replace(/\d[ +-]$/, 'x')}x01819010192x${after}`;
        expect(new Redactor().text(text)).not.toContain('01819010192');
      }),
    );
  });

  it.each([
    ...['-----BEGIN A-----', '-----BEGIN ', '-----BEGIN A-----x-----END ', '-----END A-----', '-'],
    ...['MII', 'MIIA\n', `MII${'A'.repeat(64)} `, 'signature=', 'signature="a', '1', '1 ', '01819010001 '],
    ...['http://', 'http://a?', 'http://a?b=c&', '?a=', '//a', '%', '%41', '&#48;', '\\u0041', '&amp;'],
    ...['=30', '&#48', '\\x30', '%u0041', '\u200b', '\uff10', '0a_', '12345678 ', '"018190",'],
    ...['psu-id', 'psu-id=', '"psu-id":"', 'a-', 'aaaaaaaaaaaaaaaatoken', '[', psuId],
    ...['QUFB', 'QUFBQUFBQUFBQUFBQUFB\n', 'UVVGQg', '48,', '48, ', '30 ', '\\\\', '\\060', '<b>a</b>'],
    ...['1<', '1<a', '1&a', '\n \t', 'cookie: ', '\npsu-id: ', '3082', '123456.', '"d":"'],
  ])('takes work that grows as the text does, made of %j', (part) => {
    const one = redactor();
    const redact = (size: number) => one.text(part.repeat(size));
    expect(growthOf(redact, 1_000)).toBeLessThan(clearlyBelowQuadratic);
  });
});
