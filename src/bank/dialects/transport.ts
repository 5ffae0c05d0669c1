import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { headerRows } from '../../spec/headers.ts';
import { isObject } from '../../spec/json.ts';
import { initiations } from '../../spec/products.ts';
import {
  allOf,
  alsoRefusing,
  anyOperation,
  byChoice,
  differing,
  first,
  perBank,
  withAnswering,
  withLatency,
  withRefusalAnswers,
  withSealed,
} from '../design/design-changes.ts';
import type { RefusalAnswer } from '../design/refusal-kinds.ts';
import { idsInBasket, inHeader, not } from '../design/requests.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import {
  afterwards,
  every,
  named,
  rewriting,
  sealing,
  serialising,
  withHeader,
  without,
} from '../design/wire-changes.ts';
import { declaring, itself, rows, topic, under } from './dialect.ts';

const jsonCalled = (type: string) =>
  rewriting('content-type', (value) => value.replace(/^application\/json;.*/, type));

const dateOffBy = (seconds: number) =>
  rewriting('date', (value) => new Date(Date.parse(value) + seconds * 1000).toUTCString());

/** Letters outside ASCII, and the hyphens of ids and dates. */
const escaped = (text: string): string =>
  text.replace(
    /[^\x20-\x7e]|(?<=[\da-f])-(?=[\da-f])/gi,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

/** Packs what goes to those who take it so, behind everything that signs or dates it. */
const packed = (coding: string, pack: (body: Buffer) => Buffer, name = coding) =>
  withSealed((sealed, request) => {
    const wanted = (request?.header('accept-encoding') ?? '').split(/[,;\s]+/);
    if (!wanted.includes(coding) || sealed.body.length === 0) return sealed;
    const headers = [...sealed.headers, ['Content-Encoding', name], ['Vary', 'Accept-Encoding']] as const;
    return { ...sealed, headers, body: pack(sealed.body) };
  });

const echoOfOthers = perBank(() => {
  let latest: string | undefined;
  return withSealed((sealed, request) => {
    if (request?.operation !== 'createCrossBorderPayment') return sealed;
    if (sealed.status < 400) latest = request.header('x-request-id');
    return { ...sealed, headers: withHeader(sealed.headers, 'x-request-id', (value) => latest ?? value) };
  });
});

// biome-ignore format: a table
export const headerDialects = rows(
  ['encoding/gzip', 'packs its answers for those who take gzip', topic, packed('gzip', (body) => gzipSync(body))],
  // RFC 9110, 8.4.1.3: recipients take it for the same.
  ['encoding/x-gzip', 'packs its answers for those who take gzip, by the older name of that', topic, packed('gzip', (body) => gzipSync(body), 'x-gzip')],
  ['encoding/deflate', 'packs its answers for those who take deflate', topic, packed('deflate', (body) => deflateSync(body))],
  ['encoding/brotli', 'packs its answers for those who take Brotli', topic, packed('br', (body) => brotliCompressSync(body))],
  ['header-names/lower-case', 'writes header names in lower case', topic, named((name) => name.toLowerCase())],
  ['header-names/upper-case', 'writes header names in upper case', topic, named((name) => name.toUpperCase())],
  ['headers/no-echo', 'does not repeat X-Request-ID', itself, without('x-request-id')],
  // Answers that are signed would not be any more: see responses/signed.
  ['headers/echo-of-others', 'repeats another X-Request-ID where it refuses cross-border payments: that of the last one it took',
    [itself, 'headers/no-echo', 'encoding'], echoOfOthers],
  // A clock that is off can only be told by the Date of the answers.
  ['headers/no-date', 'sends no Date', 'clock', without('date'), under({ clockReference: 'own-clock' })],
  ['headers/date-ahead', 'stands behind a gateway that writes Date, by a clock five seconds ahead of its own', 'clock', dateOffBy(5)],
  ['headers/date-behind', 'stands behind a gateway that writes Date, by a clock five seconds behind its own', 'clock', dateOffBy(-5)],
  // Redirects stay as they are: without Location there would be none.
  ['headers/no-location', 'sends neither Location nor ASPSP-SCA-Approach', itself,
    sealing((lines, { status }) => lines.filter(([name]) => (status >= 300 && status < 400) || !/^(?:location|aspsp-sca-approach)$/i.test(name)))],
  ['headers/many', 'sends many headers of its own, some of them twice', itself, sealing((lines) => [
    ...lines, ['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['Strict-Transport-Security', 'max-age=31536000'], ['X-Frame-Options', 'DENY'],
    ['Vary', 'Accept'], ['Vary', 'Accept-Language'], ['X-Rate-Limit-Remaining', '17'],
  ])],
  ['content-type/bare', 'sends application/json without a charset', topic, jsonCalled('application/json')],
  ['content-type/upper-case', 'writes the charset in quotes and in upper case', topic, jsonCalled('application/json;charset="UTF-8"')],
  ['content-type/parameters', 'sends application/json with parameters of its own', topic,
    jsonCalled('application/json;version=1.3; charset=utf-8;profile="https://bank.example/a,b;c"')],
  ['json/indented', 'indents its JSON', topic, serialising((_, body) => `${JSON.stringify(body, null, 4)}\r\n`)],
  ['json/escaped', 'escapes letters beyond ASCII in its JSON, and some of those within', topic, serialising(escaped)],
  ['json/reversed', 'writes the members of its objects in the opposite order', topic, serialising((_, body) => JSON.stringify(reversed(body)))],
  ['json/airy', 'writes white space around everything in its JSON', topic,
    serialising((_, body) => `\n\t ${JSON.stringify(body, null, '\t').replaceAll('": ', '" : ')} \r\n`)],
  ['content-type/hal', 'sends application/hal+json', topic, rewriting('content-type', (value) => value.replace(/^application\/json/, 'application/hal+json'))],
);

/** What stands before a bank looks at every request first, and knows nothing of the interface but its outside. */
const turningAway = (
  isOdd: (request: BankRequest) => boolean,
  status = 400,
  code: RefusalAnswer['code'] = 'FORMAT_ERROR',
) =>
  byChoice(anyOperation, (request) => (isOdd(request) ? { status, code, text: 'Turned away.' } : undefined), {
    name: 'nothing that the firewall finds odd',
    tried: first,
  });

const byClient = perBank(() => {
  const seen = new Set<string>();
  return withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      const client = request?.header('user-agent') ?? 'nobody';
      if (seen.size < seen.add(client).size) await sleep(3);
      const { headers, ...finished } = await finish(answer, request);
      return { ...finished, headers: { ...headers, 'X-Client': `${client.length}`, Vary: 'User-Agent' } };
    },
  }));
});

const knownHeaders = new Set([
  ...headerRows.map(({ name }) => name.toLowerCase()),
  ...['date', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'user-agent'],
]);
const knownParameters =
  /^(?:allowLogicalDuplicate|withAccounts|withAgreements|bookingStatus|dateFrom|dateTo|limit|offset)$/;

const sizeOf = ({ headers }: BankRequest): number =>
  [...headers].reduce((sum, [name, values]) => sum + name.length + values.join('').length + 4, 0);

// biome-ignore format: a table
export const firewallDialects = rows(
  ['firewall/user-agent', 'stands behind a firewall that turns away who does not say who asks', itself,
    turningAway(not(inHeader('user-agent', /./)), 403, 'FORBIDDEN')],
  ['firewall/known-clients', 'stands behind a firewall that takes its time with clients it has not seen, and tells each by which name it knows it', itself, byClient],
  ['firewall/known-headers', 'stands behind a firewall that knows the headers of the specification and of HTTP only', itself,
    turningAway(({ headers }) => [...headers.keys()].some((name) => !knownHeaders.has(name)))],
  ['firewall/client-id', 'stands behind a gateway that knows clients by a header of its own', 'firewall/known-headers',
    turningAway(not(inHeader('x-client-id', 'tpp-1')), 403, 'FORBIDDEN'), declaring({ customHeaders: { 'X-Client-Id': 'tpp-1' } })],
  ['firewall/known-parameters', 'stands behind a firewall that knows the parameters of the specification only', itself,
    turningAway(({ query }) => [...query.keys()].some((name) => !knownParameters.test(name)))],
  ['firewall/repeated-headers', 'stands behind a firewall that turns away a header which comes twice', itself,
    turningAway(({ headers }) => [...headers.values()].some(({ length }) => length > 1))],
  ['firewall/large-headers', 'stands behind a firewall that takes eight kibibytes of headers', itself,
    turningAway((request) => sizeOf(request) > 8 * 1024, 431)],
);

const behindMs = 1_000;

/** The one that is behind takes every other basket from the second on: nobody learns of it from the first one. */
const oneMachineBehind = perBank(() => {
  const isItsTurn = every(2);
  const isNew = (request: BankRequest, { payments, clock }: BankState): boolean =>
    idsInBasket(request).some(
      (id) => (payments.get(String(id))?.createdAt.getTime() ?? 0) > clock.now().getTime() - behindMs,
    );
  return alsoRefusing(
    ['createSigningBasket'],
    (request, state) => isItsTurn() && isNew(request, state),
    404,
    'RESOURCE_UNKNOWN',
  );
});

const slowingDown = (count: number) =>
  perBank(() => {
    const isDue = every(count);
    const tooMany = {
      status: 429,
      code: 'ACCESS_EXCEEDED',
      text: 'Too many requests.',
      headers: { 'Retry-After': '0' },
    } as const;
    return byChoice(anyOperation, () => (isDue() ? tooMany : undefined), {
      hasEffects: true,
      name: 'not too many requests at once',
      tried: first,
    });
  });

/** The bank looks at one payment or basket of a session at a time, and turns away another that comes meanwhile. */
const oneOfASession = perBank(() => {
  const busy = new Set<string>();
  const at = new WeakMap<BankRequest, string>();
  const turningAwayOthers = byChoice(
    initiations,
    (request) => {
      const session = request.header('tpp-session-id') ?? '';
      if (busy.has(session)) return { status: 409, code: 'CONFLICT', text: 'Another request is under way.' };
      busy.add(session);
      at.set(request, session);
      return undefined;
    },
    { hasEffects: true, name: 'one request of a session at a time', tried: first },
  );
  const ending = withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      const session = request && at.get(request);
      if (session !== undefined) {
        await sleep(1);
        busy.delete(session);
      }
      return finish(answer, request);
    },
  }));
  return allOf(turningAwayOthers, ending);
});

const offBy = (clockOffsetSeconds: number) => differing({ clockOffsetSeconds });

// biome-ignore format: a table
export const troubleDialects = rows(
  ['trouble/429', 'asks to slow down now and then', topic, slowingDown(97)],
  ['trouble/429-without-retry-after', 'asks to slow down, and does not say until when', topic,
    [slowingDown(103), withRefusalAnswers(({ headers: _, ...answer }) => answer)]],
  ['trouble/503', 'is overloaded now and then', topic, afterwards(101, () => ({ status: 503, headers: { 'Retry-After': '0' } }))],
  ['trouble/resets', 'loses a connection now and then', topic, afterwards(43, (answer) => ({ ...answer, transfer: 'reset' }))],
  ['machines/one-behind', 'has a machine that hears of payments late, and answers every other basket', topic, oneMachineBehind],
  ['busy/session', 'takes one payment or basket of a session at a time', topic, oneOfASession],
  ['latency/some', 'answers after some milliseconds', itself, withLatency(3)],
  ['transfer/chunked', 'sends its answers in chunks', topic, afterwards(1, (answer) => ({ ...answer, transfer: 'chunked' }))],
  ['clock/ahead', 'has a clock that is five minutes ahead', topic, offBy(300)],
  ['clock/behind', 'has a clock that is five minutes behind', topic, offBy(-300)],
  ['clock/next-day', 'has a clock that is half a day ahead', topic, offBy(12 * 3600)],
  ['prefix/psd2', 'stands behind a path prefix', itself, [], { prefix: '/psd2/sandbox' }],
  // Whether Digest is that of the packed bytes is nobody's question here.
  ['responses/signed', 'signs its responses', 'encoding', [], { signsResponses: true }],
);
