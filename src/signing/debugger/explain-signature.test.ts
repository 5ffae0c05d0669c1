import { constants, createHash, privateEncrypt, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestHeader } from '../digest.ts';
import { formatKeyId } from '../key-id.ts';
import { createTestPki, type TestPki } from '../test-pki.ts';
import { explainSignature } from './explain-signature.ts';
import type { ReceivedRequest } from './received-request.ts';

const body = Buffer.from(
  '{ "instructedAmount": {"amount":"125.50","currency":"NOK"},\n "creditorName":"Blåbær & Bjørk" }\n',
);
const target = '/psd2/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';
const values: Readonly<Record<string, string>> = {
  date: 'Sun, 08 Nov 2026 08:49:37 GMT',
  digest: digestHeader(body),
  'x-request-id': 'b463a960-1616-4df6-909f-f80884190c22',
  'psu-id': '7c1f3c8e-4f0e-4b57-9a8e-0d3f5a1c2b6d',
  'tpp-redirect-uri': 'https://tpp.example/back?state=a%20b',
  '(request-target)': `post ${target}`,
};
const names = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];

interface Changes {
  readonly names?: readonly string[];
  readonly text?: (lines: readonly string[]) => string | Buffer;
  readonly signed?: Readonly<Record<string, string>>;
  readonly sent?: Readonly<Record<string, string>>;
  readonly sign?: (text: Buffer) => Buffer;
  readonly write?: (signature: Buffer) => string;
  readonly signature?: (value: string) => string;
}

let pki: TestPki;
let stranger: TestPki;
beforeAll(async () => {
  [pki, stranger] = await Promise.all([createTestPki(), createTestPki()]);
});

function request(changes: Changes = {}): ReceivedRequest {
  const { certificate, privateKey } = pki.tpp;
  const listed = changes.names ?? names;
  const lines = listed.map((name) => `${name}: ${changes.signed?.[name] ?? values[name]}`);
  const text = (changes.text ?? ((all) => all.join('\n')))(lines);
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const signature = (changes.sign ?? ((data) => sign('sha256', data, privateKey)))(bytes);
  const written = (changes.write ?? ((made) => made.toString('base64')))(signature);
  const header = `keyId="${formatKeyId(certificate)}",algorithm="rsa-sha256",headers="${listed.join(' ')}",signature="${written}"`;
  const sent = { ...values, ...changes.sent };
  return {
    method: 'POST',
    target,
    headers: [
      ['Host', 'bank.example'],
      ...names.map((name): readonly [string, string] => [titleCase(name), sent[name] ?? '']),
      ['TPP-Signature-Certificate', certificate.base64],
      ['Signature', changes.signature?.(header) ?? header],
    ],
    body,
    remarks: [],
  };
}

const titleCase = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
const json: unknown = JSON.parse(body.toString());
const without = (name: string) => (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith(`${name}:`)).join('\n');

/** What a TPP does wrong, and the mistakes that have to be found. */
const mistakes: readonly (readonly [what: string, changes: Changes, ids: readonly string[], said: RegExp])[] =
  [
    [
      'another order',
      { text: (lines) => lines.toSorted().toReversed().join('\n') },
      ['other-order'],
      /in the order x-request-id/,
    ],
    [
      'names in capitals',
      {
        text: (lines) => lines.map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())).join('\n'),
      },
      ['names-upper-case'],
      /in capitals/,
    ],
    [
      'names as sent',
      { text: (lines) => lines.map((line) => line.replace(/^[^:]+/, titleCase)).join('\n') },
      ['names-as-sent'],
      /as in the request/,
    ],
    [
      'no space',
      { text: (lines) => lines.map((line) => line.replace(': ', ':')).join('\n') },
      ['space-missing'],
      /no space after the colon/,
    ],
    ['CRLF', { text: (lines) => lines.join('\r\n') }, ['crlf'], /CRLF/],
    [
      'a newline at the end',
      { text: (lines) => `${lines.join('\n')}\n` },
      ['trailing-newline'],
      /newline after the last line/,
    ],
    [
      '(request-target) added',
      { text: (lines) => [`(request-target): ${values['(request-target)']}`, ...lines].join('\n') },
      ['request-target-added'],
      /\(request-target\) is added at the beginning/,
    ],
    [
      'host added',
      { text: (lines) => [...lines, 'host: bank.example'].join('\n') },
      ['line-added'],
      /a line host is added at the end/,
    ],
    [
      'another Date',
      { signed: { date: 'Sun, 08 Nov 2026 08:49:35 GMT' } },
      ['date-other-time'],
      /2 seconds earlier/,
    ],
    ['the digest left out', { text: without('digest') }, ['line-left-out'], /the line digest is left out/],
    ['only the date', { text: ([date = '']) => date }, ['lines-left-out'], /the line date alone/],
    [
      'the digest of compact JSON',
      { signed: { digest: digestHeader(Buffer.from(JSON.stringify(json))) } },
      ['digest-of-json-compact'],
      /SHA-256 of the compact JSON/,
    ],
    [
      'the digest of indented JSON',
      { signed: { digest: digestHeader(Buffer.from(JSON.stringify(json, null, 2))) } },
      ['digest-of-json-indented-2'],
      /indented by two spaces/,
    ],
    [
      'the digest of an empty body',
      { signed: { digest: digestHeader(Buffer.alloc(0)) } },
      ['digest-of-body-empty'],
      /an empty body/,
    ],
    [
      'the digest with SHA-512',
      { signed: { digest: digestHeader(body, 'SHA-512') } },
      ['digest-other-algorithm'],
      /SHA-512 of the body/,
    ],
    [
      'the digest in hexadecimal',
      { signed: { digest: `SHA-256=${createHash('sha256').update(body).digest('hex')}` } },
      ['digest-other-form'],
      /hexadecimal/,
    ],
    ['base64url', { write: (made) => made.toString('base64url') }, ['base64url'], /base64url/],
    ['no padding', { write: (made) => made.toString('base64').replace(/=+$/, '') }, ['base64-unpadded'], /=/],
    [
      'wrapped Base64',
      { write: (made) => made.toString('base64').replace(/.{64}/g, '$& ') },
      ['base64-wrapped'],
      /line breaks and spaces/,
    ],
    ['hexadecimal', { write: (made) => made.toString('hex') }, ['hexadecimal'], /hexadecimal/],
    [
      'Base64 twice',
      { write: (made) => Buffer.from(made.toString('base64')).toString('base64') },
      ['base64-twice'],
      /twice/,
    ],
    ['SHA-512', { sign: (data) => sign('sha512', data, pki.tpp.privateKey) }, ['other-hash'], /RSA-SHA512/],
    ['SHA-1', { sign: (data) => sign('sha1', data, pki.tpp.privateKey) }, ['other-hash'], /RSA-SHA1/],
    [
      'PSS',
      {
        sign: (data) =>
          sign('sha256', data, { key: pki.tpp.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }),
      },
      ['pss-padding'],
      /PSS/,
    ],
    [
      'a bare hash',
      { sign: (data) => privateEncrypt(pki.tpp.privateKey, createHash('sha256').update(data).digest()) },
      ['no-digest-info'],
      /bare RSA/,
    ],
    [
      'hashed twice',
      { text: (lines) => createHash('sha256').update(lines.join('\n')).digest() },
      ['hashed-twice'],
      /hashed twice/,
    ],
    [
      'the hash in hexadecimal',
      { text: (lines) => createHash('sha256').update(lines.join('\n')).digest('hex') },
      ['signed-hex-hash'],
      /hexadecimal hash/,
    ],
    [
      'the Base64 of the string',
      { text: (lines) => Buffer.from(lines.join('\n')).toString('base64') },
      ['signed-base64'],
      /Base64 of the signing string/,
    ],
    ['UTF-16', { text: (lines) => Buffer.from(lines.join('\n'), 'utf16le') }, ['utf16le'], /UTF-16/],
    [
      'bytes of a letter',
      {
        sent: { 'tpp-redirect-uri': 'https://tpp.example/p\u00e5' },
        signed: { 'tpp-redirect-uri': 'https://tpp.example/p\u00e5' },
        text: (lines) => Buffer.from(lines.join('\n'), 'latin1'),
      },
      ['latin1'],
      /letters outside ASCII/,
    ],
    [
      'the target without its query',
      {
        names: ['(request-target)', ...names],
        signed: { '(request-target)': values['(request-target)']?.split('?')[0] ?? '' },
      },
      ['request-target-other'],
      /without the query/,
    ],
    [
      'the target without its prefix',
      {
        names: ['(request-target)', ...names],
        signed: { '(request-target)': values['(request-target)']?.replace('/psd2', '') ?? '' },
      },
      ['request-target-other'],
      /without the path prefix/,
    ],
    [
      'a decoded address',
      { signed: { 'tpp-redirect-uri': 'https://tpp.example/back?state=a b' } },
      ['value-decoded'],
      /percent-encoding taken off/,
    ],
    [
      'CRLF and capitals',
      {
        text: (lines) =>
          lines.map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())).join('\r\n'),
      },
      ['names-upper-case', 'crlf'],
      /in capitals, and the lines are joined with CRLF/,
    ],
    [
      'no digest, a newline at the end',
      { text: (lines) => `${without('digest')(lines)}\n` },
      ['line-left-out', 'trailing-newline'],
      /left out, and/,
    ],
  ];

describe('explainSignature', () => {
  it('finds nothing wrong with a right signature', () => {
    const explained = explainSignature(request());
    expect(explained).toMatchObject({
      verdict: 'verified',
      findings: [],
      digest: { headerIs: 'the body as it was received' },
    });
    expect(explained.signingString.map(([name]) => name)).toEqual(names);
  });

  it('takes a right signature over (request-target)', () => {
    expect(explainSignature(request({ names: ['(request-target)', ...names] })).findings).toEqual([]);
  });

  it('names each usual mistake, and what to do about it', () => {
    const wrong = mistakes.flatMap(([what, changes, ids, said]) => {
      const explained = explainSignature(request(changes));
      const found = explained.signed?.mistakes.map(({ id }) => id) ?? explained.findings.map(({ id }) => id);
      const isRight =
        explained.verdict === 'refused' &&
        found.join() === ids.join() &&
        said.test(explained.summary) &&
        explained.findings.every(({ remedy }) => remedy !== '');
      return isRight ? [] : [`${what}: ${found.join()} – ${explained.summary}`];
    });
    expect(wrong).toEqual([]);
  });

  it('tells of a signature with another key', () => {
    const explained = explainSignature(
      request({ sign: (data) => sign('sha256', data, stranger.tpp.privateKey) }),
    );
    expect(explained.findings.map(({ id }) => id)).toEqual(['other-key']);
  });

  it('says how a Digest of re-serialised JSON came about', () => {
    const digest = digestHeader(Buffer.from(JSON.stringify(json)));
    const explained = explainSignature(request({ sent: { digest }, signed: { digest } }));
    expect(explained.findings).toMatchObject([{ id: 'digest-of-json-compact', requirement: 'DIG-05' }]);
    expect(explained.digest.headerIs).toBe('the SHA-256 of the compact JSON');
  });

  it('gives both hashes where it finds no mistake', () => {
    const explained = explainSignature(request({ text: () => 'something else' }));
    expect(explained.findings.map(({ id }) => id)).toEqual(['other-text']);
    expect(explained.hashes?.signed).toBe(
      `sha256: ${createHash('sha256').update('something else').digest('hex')}`,
    );
  });

  const keyIds: readonly (readonly [string, (keyId: string) => string, string, RegExp])[] = [
    [
      'lower case',
      (keyId) => keyId.replace(/SN=[^,]+/, (found) => `SN=${found.slice(3).toLowerCase()}`),
      'key-id-serial',
      /upper-case/,
    ],
    [
      'decimal',
      (keyId) => keyId.replace(/SN=([^,]+)/, (_, hex: string) => `SN=${BigInt(`0x${hex}`)}`),
      'key-id-serial',
      /decimal/,
    ],
    [
      'another serial',
      (keyId) => keyId.replace(/SN=[^,]+/, 'SN=1234'),
      'key-id-serial',
      /another certificate/,
    ],
    ['another issuer', (keyId) => keyId.replace(/CA=.*/, 'CA=CN=Nobody'), 'key-id-issuer', /not the issuer/],
    [
      'reversed issuer',
      (keyId) =>
        keyId.replace(/CA=(.*)/, (_, name: string) => `CA=${name.split(',').toReversed().join(',')}`),
      'key-id-issuer',
      /most specific/,
    ],
  ];

  it('compares the keyId with the certificate', () => {
    const wrong = keyIds.flatMap(([what, change, id, said]) => {
      const { findings } = explainSignature(
        request({
          signature: (value) =>
            value.replace(/keyId="([^"]*)"/, (_, keyId: string) => `keyId="${change(keyId)}"`),
        }),
      );
      const isRight = findings.length === 1 && findings[0]?.id === id && said.test(findings[0].problem);
      return isRight ? [] : [`${what}: ${JSON.stringify(findings)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('shows serial number and issuer in the notations of common tools', () => {
    const { certificate } = explainSignature(request());
    expect(certificate?.serialDecimal).toBe(BigInt(`0x${certificate?.serialHex}`).toString());
    expect(certificate?.issuer.java).toBe(certificate?.issuer.rfc2253.replaceAll(',', ', '));
  });

  it('keeps within bounds, whatever is sent', () => {
    const hostile: readonly string[] = [
      `keyId="${'a'.repeat(100_000)}"`,
      `headers="${'x '.repeat(5000)}"`,
      'keyId=,,,,"""\\\\',
      `=?utf-8?B?${'A'.repeat(9000)}?=`,
      `keyId="SN=1,CA=${','.repeat(5000)}",algorithm="a",headers="date",signature="AA=="`,
    ];
    for (const value of hostile) {
      const explained = explainSignature(request({ signature: () => value }));
      expect(explained.verdict).toBe('refused');
    }
    const deep = Buffer.from('['.repeat(200_000));
    expect(explainSignature({ ...request(), body: deep }).verdict).toBe('refused');
  });
});
