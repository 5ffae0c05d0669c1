import { constants, createHash, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import type { TestPki } from '../certificate-authority.ts';
import { digestHeader } from '../digest.ts';
import { formatKeyId } from '../signature-header.ts';
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
export const names = ['date', 'digest', 'x-request-id', 'psu-id', 'tpp-redirect-uri'];

export interface Changes {
  readonly names?: readonly string[];
  readonly text?: (lines: readonly string[]) => string | Buffer;
  readonly signed?: Readonly<Record<string, string>>;
  readonly sent?: Readonly<Record<string, string>>;
  readonly sign?: (text: Buffer, key: KeyObject) => Buffer;
  readonly write?: (signature: Buffer) => string;
  readonly signature?: (value: string) => string;
}

/** A request as the TPP of a test PKI sends it, with what it does otherwise than it should. */
export function requestOf({ tpp }: TestPki, changes: Changes = {}): ReceivedRequest {
  const { certificate, privateKey } = tpp;
  const listed = changes.names ?? names;
  const lines = listed.map((name) => `${name}: ${changes.signed?.[name] ?? values[name]}`);
  const text = (changes.text ?? ((all) => all.join('\n')))(lines);
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const signature = (changes.sign ?? ((data, key) => sign('sha256', data, key)))(bytes, privateKey);
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
export const json: unknown = JSON.parse(body.toString());
const without = (name: string) => (lines: readonly string[]) =>
  lines.filter((line) => !line.startsWith(`${name}:`)).join('\n');

/** What a TPP does wrong, and the mistakes that have to be found. */
export const mistakes: readonly (readonly [
  what: string,
  changes: Changes,
  ids: readonly string[],
  said: RegExp,
])[] = [
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
  ['SHA-512', { sign: (data, key) => sign('sha512', data, key) }, ['other-hash'], /RSA-SHA512/],
  ['SHA-1', { sign: (data, key) => sign('sha1', data, key) }, ['other-hash'], /RSA-SHA1/],
  [
    'PSS',
    {
      sign: (data, key) => sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING }),
    },
    ['pss-padding'],
    /PSS/,
  ],
  [
    'a bare hash',
    { sign: (data, key) => privateEncrypt(key, createHash('sha256').update(data).digest()) },
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
      text: (lines) => lines.map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())).join('\r\n'),
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

/** The same as a file holds it. */
export const rawTextOf = ({ method, target: path, headers, body: sent }: ReceivedRequest): Buffer =>
  Buffer.concat([
    Buffer.from(
      [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join(
        '\r\n',
      ),
      'latin1',
    ),
    sent ?? Buffer.alloc(0),
  ]);
