import { createHash } from 'node:crypto';
import type { DigestAlgorithm } from '../digest.ts';

/** A body as somebody may have written it before it was hashed. */
export interface BodyWriting {
  readonly id: string;
  /** `the compact JSON` */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Longer bodies are not written anew: nobody debugs them, and every writing costs memory. */
const longestRewritten = 256 * 1024;

/**
 * The body in the ways in which libraries write the same JSON, and as editors and shells change it. The received bytes
 * are not among them, and no two are the same.
 */
export function bodyWritings(body: Buffer): readonly BodyWriting[] {
  if (body.length > longestRewritten) return [];
  const text = body.toString('utf8');
  const writings: readonly (readonly [id: string, name: string, text: string | Buffer | undefined])[] = [
    ...jsonWritings(text),
    ['body-empty', 'an empty body', ''],
    ['body-newline-added', 'the body with a line break after it', Buffer.concat([body, Buffer.from('\n')])],
    ['body-crlf-added', 'the body with CRLF after it', Buffer.concat([body, Buffer.from('\r\n')])],
    ['body-newline-removed', 'the body without the line break at its end', withoutLastBreaks(text)],
    ['body-trimmed', 'the body without white space around it', text.trim()],
    ['body-crlf', 'the body with CRLF for its line breaks', text.replace(/\r?\n/g, '\r\n')],
    ['body-lf', 'the body with LF for its line breaks', text.replace(/\r\n/g, '\n')],
    [
      'body-no-breaks',
      'the body without its line breaks, as curl --data sends a file',
      text.replace(/[\r\n]/g, ''),
    ],
    ['body-latin1', 'the body in ISO-8859-1', Buffer.from(text, 'latin1')],
    ['body-utf8-twice', 'the body encoded as UTF-8 twice', Buffer.from(body.toString('latin1'), 'utf8')],
    ['body-utf16', 'the body in UTF-16', Buffer.from(text, 'utf16le')],
    ['body-bom', 'the body with a byte order mark', `\ufeff${text}`],
    ['body-base64', 'the Base64 of the body', body.toString('base64')],
  ];
  const seen = new Set([body.toString('base64')]);
  return writings.flatMap(([id, name, written]) => {
    if (written === undefined) return [];
    const bytes = typeof written === 'string' ? Buffer.from(written, 'utf8') : written;
    const key = bytes.toString('base64');
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ id, name, bytes }];
  });
}

/** By hand, because a pattern looks for the end from every line break inside the body anew. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '\n') end -= text.charAt(end - 2) === '\r' ? 2 : 1;
  return text.slice(0, end);
}

type JsonWriting = readonly [id: string, name: string, text: string | undefined];

function jsonWritings(text: string): readonly JsonWriting[] {
  try {
    const value: unknown = JSON.parse(text);
    const compact = JSON.stringify(value);
    return [
      ['json-compact', 'the compact JSON', compact],
      ['json-indented-2', 'the JSON indented by two spaces', JSON.stringify(value, null, 2)],
      ['json-indented-4', 'the JSON indented by four spaces', JSON.stringify(value, null, 4)],
      ['json-indented-tab', 'the JSON indented by tabs', JSON.stringify(value, null, '\t')],
      [
        'json-spaced',
        'the JSON with a space after each comma and colon, as Python writes it',
        spaced(compact),
      ],
      [
        'json-spaced-ascii',
        'the JSON as json.dumps of Python writes it, in ASCII',
        escapedToAscii(spaced(compact)),
      ],
      ['json-ascii', 'the compact JSON with letters as \\u escapes', escapedToAscii(compact)],
      ['json-slashes', 'the compact JSON with \\/ for /, as PHP writes it', compact.replaceAll('/', '\\/')],
      [
        'json-html',
        'the compact JSON with \\u003c, \\u003e and \\u0026, as Go and Gson write it',
        htmlEscaped(compact),
      ],
      ['json-sorted', 'the compact JSON with its members sorted', JSON.stringify(sorted(value))],
    ];
  } catch {
    // It is no JSON, or nested deeper than it can be written.
    return [];
  }
}

/** A space after the commas and colons that stand outside of strings. */
const spaced = (compact: string): string =>
  compact.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (found) => (found.startsWith('"') ? found : `${found} `));

const escapedToAscii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const htmlEscaped = (text: string): string =>
  text.replace(/[<>&]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

const hashNames: Readonly<Record<DigestAlgorithm, string>> = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' };

const hash = (bytes: Buffer, algorithm: DigestAlgorithm): Buffer =>
  createHash(hashNames[algorithm]).update(bytes).digest();

/** A Digest header as somebody may write it. */
export interface DigestWriting {
  readonly id: string;
  /** `the Digest of the compact JSON` */
  readonly name: string;
  readonly value: string;
}

/** The right one first: the received bytes, as RFC 3230 writes them; then the usual other ones. */
export function digestWritings(body: Buffer, others: readonly BodyWriting[]): readonly DigestWriting[] {
  const algorithms = ['SHA-256', 'SHA-512'] as const;
  const right = algorithms.map((algorithm) => ({
    id: 'digest-other-algorithm',
    name: `the ${algorithm} of the body`,
    value: `${algorithm}=${hash(body, algorithm).toString('base64')}`,
  }));
  const forms = algorithms.flatMap((algorithm) => {
    const bytes = hash(body, algorithm);
    const base64 = bytes.toString('base64');
    const form = (name: string, value: string): DigestWriting => ({ id: 'digest-other-form', name, value });
    return [
      form(`${algorithm.toLowerCase()} in lower case`, `${algorithm.toLowerCase()}=${base64}`),
      form(`${algorithm} written without its hyphen`, `${algorithm.replace('-', '')}=${base64}`),
      form(`the ${algorithm} without its name before it`, base64),
      form(`the ${algorithm} in hexadecimal`, `${algorithm}=${bytes.toString('hex')}`),
      form(`the ${algorithm} in hexadecimal, without its name`, bytes.toString('hex')),
      form(
        `the Base64 of the hexadecimal ${algorithm}`,
        `${algorithm}=${Buffer.from(bytes.toString('hex')).toString('base64')}`,
      ),
      form(`the ${algorithm} in base64url`, `${algorithm}=${bytes.toString('base64url')}`),
      form(`the ${algorithm} without the = at its end`, `${algorithm}=${base64.replace(/=+$/, '')}`),
      form(
        `the ${algorithm} between colons, as Content-Digest has it`,
        `${algorithm.toLowerCase()}=:${base64}:`,
      ),
    ];
  });
  const ofOthers = others.flatMap(({ id, name, bytes }) =>
    algorithms.map((algorithm) => ({
      id: `digest-of-${id}`,
      name: `the ${algorithm} of ${name}`,
      value: `${algorithm}=${hash(bytes, algorithm).toString('base64')}`,
    })),
  );
  return [...right, ...forms, ...ofOthers];
}
