import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isObject } from '../../spec/json.ts';
import { type DesignChange, withAnswering, withSealed } from '../design/design-changes.ts';
import type { RawResponse } from '../design/route.ts';
import { alsoDeciding, type Dialect, deciding, declaring, dialect, independent } from './dialect.ts';

type Lines = RawResponse['headers'];

const sealing = (change: (headers: Lines) => Lines): DesignChange =>
  withSealed((sealed) => ({ ...sealed, headers: change(sealed.headers) }));

const jsonCalled = (type: string): DesignChange =>
  sealing((headers) =>
    headers.map(([name, value]) => [
      name,
      name.toLowerCase() === 'content-type' ? value.replace(/^application\/json;.*/, type) : value,
    ]),
  );

const named = (write: (name: string) => string) =>
  sealing((headers) => headers.map(([name, value]) => [write(name), value]));
const without = (...names: readonly string[]) =>
  sealing((headers) => headers.filter(([name]) => !names.includes(name.toLowerCase())));

/** Redirects stay as they are: without Location there would be none. */
const withoutUnlessRedirected = (...names: readonly string[]): DesignChange =>
  withSealed((sealed) =>
    sealed.status >= 300 && sealed.status < 400
      ? sealed
      : { ...sealed, headers: sealed.headers.filter(([name]) => !names.includes(name.toLowerCase())) },
  );

const serialising = (write: (text: string, body: unknown) => string): DesignChange =>
  withAnswering(({ serialise }) => ({ serialise: (body) => write(serialise(body), body) }));

/** Letters outside ASCII, and the hyphens of ids and dates. */
const escaped = (text: string): string =>
  text.replace(
    /[^\x20-\x7e]|(?<=[\da-f])-(?=[\da-f])/gi,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Packs what goes to those who take it so, behind everything that signs or dates it. */
const packed = (coding: string, pack: (body: Buffer) => Buffer, name = coding): DesignChange =>
  withSealed((sealed, request) => {
    const wanted = (request?.header('accept-encoding') ?? '').split(/[,;\s]+/);
    if (!wanted.includes(coding) || sealed.body.length === 0) return sealed;
    return {
      ...sealed,
      headers: [...sealed.headers, ['Content-Encoding', name], ['Vary', 'Accept-Encoding']],
      body: pack(sealed.body),
    };
  });

/** The Date of answers is not what requests are judged by. */
const dateOffBy = (seconds: number): DesignChange =>
  sealing((headers) =>
    headers.map(([name, value]) => [
      name,
      name.toLowerCase() === 'date' ? new Date(Date.parse(value) + seconds * 1000).toUTCString() : value,
    ]),
  );

/** As a bank one system of which notes the id of a request once it has let the request in. */
const echoOfOthers: DesignChange = (design) => {
  let latest: string | undefined;
  return withSealed((sealed, request) => {
    if (request?.operation !== 'createCrossBorderPayment') return sealed;
    if (sealed.status < 400) latest = request.header('x-request-id');
    const noted = latest;
    if (noted === undefined) return sealed;
    const renamed = sealed.headers.map(([name, value]): Lines[number] =>
      name.toLowerCase() === 'x-request-id' ? [name, noted] : [name, value],
    );
    return { ...sealed, headers: renamed };
  })(design);
};

export const headerDialects: readonly Dialect[] = [
  dialect(
    'encoding/gzip',
    'packs its answers for those who take gzip',
    packed('gzip', (body) => gzipSync(body)),
  ),
  dialect(
    'encoding/x-gzip',
    'packs its answers for those who take gzip, by the older name of that',
    // RFC 9110, 8.4.1.3: recipients take it for the same.
    packed('gzip', (body) => gzipSync(body), 'x-gzip'),
  ),
  dialect(
    'encoding/deflate',
    'packs its answers for those who take deflate',
    packed('deflate', (body) => deflateSync(body)),
  ),
  dialect(
    'encoding/brotli',
    'packs its answers for those who take Brotli',
    packed('br', (body) => brotliCompressSync(body)),
  ),
  dialect(
    'header-names/lower-case',
    'writes header names in lower case',
    named((name) => name.toLowerCase()),
  ),
  dialect(
    'header-names/upper-case',
    'writes header names in upper case',
    named((name) => name.toUpperCase()),
  ),
  independent('headers/no-echo', 'does not repeat X-Request-ID', without('x-request-id')),
  // Answers that are signed would not be any more: see responses/signed.
  alsoDeciding(
    'encoding',
    alsoDeciding(
      'headers/no-echo',
      independent(
        'headers/echo-of-others',
        'repeats another X-Request-ID where it refuses cross-border payments: that of the last one it took',
        echoOfOthers,
      ),
    ),
  ),
  // A clock that is off can only be told by the Date of the answers.
  declaring(
    { interpretations: { clockReference: 'own-clock' } },
    deciding('clock', dialect('headers/no-date', 'sends no Date', without('date'))),
  ),
  ...[5, -5].map((seconds) =>
    deciding(
      'clock',
      independent(
        `headers/date-${seconds > 0 ? 'ahead' : 'behind'}`,
        `stands behind a gateway that writes Date, by a clock five seconds ${seconds > 0 ? 'ahead of' : 'behind'} its own`,
        dateOffBy(seconds),
      ),
    ),
  ),
  independent(
    'headers/no-location',
    'sends neither Location nor ASPSP-SCA-Approach',
    withoutUnlessRedirected('location', 'aspsp-sca-approach'),
  ),
  independent(
    'headers/many',
    'sends many headers of its own, some of them twice',
    sealing((headers) => [
      ...headers,
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Strict-Transport-Security', 'max-age=31536000'],
      ['X-Frame-Options', 'DENY'],
      ['Vary', 'Accept'],
      ['Vary', 'Accept-Language'],
      ['X-Rate-Limit-Remaining', '17'],
    ]),
  ),
  dialect('content-type/bare', 'sends application/json without a charset', jsonCalled('application/json')),
  dialect(
    'content-type/upper-case',
    'writes the charset in quotes and in upper case',
    jsonCalled('application/json;charset="UTF-8"'),
  ),
  dialect(
    'content-type/parameters',
    'sends application/json with parameters of its own',
    jsonCalled('application/json;version=1.3; charset=utf-8;profile="https://bank.example/a,b;c"'),
  ),
  dialect(
    'json/indented',
    'indents its JSON',
    serialising((_, body) => `${JSON.stringify(body, null, 4)}\r\n`),
  ),
  dialect(
    'json/escaped',
    'escapes letters beyond ASCII in its JSON, and some of those within',
    serialising(escaped),
  ),
  dialect(
    'json/reversed',
    'writes the members of its objects in the opposite order',
    serialising((_, body) => JSON.stringify(reversed(body))),
  ),
  dialect(
    'json/airy',
    'writes white space around everything in its JSON',
    serialising((_, body) => `\n\t ${JSON.stringify(body, null, '\t').replaceAll('": ', '" : ')} \r\n`),
  ),
  dialect(
    'content-type/hal',
    'sends application/hal+json',
    sealing((headers) =>
      headers.map(([name, value]) => [
        name,
        name.toLowerCase() === 'content-type'
          ? value.replace(/^application\/json/, 'application/hal+json')
          : value,
      ]),
    ),
  ),
];

/** Every object with its members from the last to the first. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
