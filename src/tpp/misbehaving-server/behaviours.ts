import { gzipSync } from 'node:zlib';
import type { HeaderLine } from '../exchange.ts';
import {
  type Behaviour,
  everything,
  late,
  type Outcome,
  type Reply,
  type Surroundings,
  some,
  type When,
} from './behaviour.ts';
import { wireBehaviours } from './wire-behaviours.ts';

/** Behaviours that send a sound answer with something else in it. */
const changed = (
  id: string,
  when: When,
  outcome: Outcome,
  change: (reply: Reply, surroundings: Surroundings) => Reply,
): Behaviour => ({ id, when, outcome, answer: change });

const withHeader = (reply: Reply, ...added: readonly HeaderLine[]): Reply => ({
  ...reply,
  headers: [
    ...reply.headers.filter(([name]) => !added.some(([other]) => other.toLowerCase() === name.toLowerCase())),
    ...added,
  ],
});

const withMember =
  (name: string, json: string) =>
  (reply: Reply): Reply => {
    const text = reply.body.toString('utf8').trimEnd();
    if (!text.startsWith('{') || !text.endsWith('}')) return reply;
    const rest = text.slice(1);
    return { ...reply, body: Buffer.from(`{"${name}":${json}${rest === '}' ? '' : ','}${rest}`) };
  };

let packedBomb: Buffer | undefined;
/** A hundred megabytes of spaces, made when it is first asked for. */
function bomb(): Buffer {
  packedBomb ??= gzipSync(Buffer.alloc(100_000_000, 0x20));
  return packedBomb;
}

const packed = (reply: Reply, body: Buffer): Reply => ({
  ...withHeader(reply, ['Content-Encoding', 'gzip']),
  body,
});

const bodies: readonly Behaviour[] = [
  changed('body/packed', everything, 'survived', (reply) => packed(reply, gzipSync(reply.body))),
  changed('body/says-it-is-packed', some, 'survived', (reply) =>
    withHeader(reply, ['Content-Encoding', 'gzip']),
  ),
  changed('body/packed-cut', some, 'survived', (reply) =>
    packed(reply, gzipSync(reply.body).subarray(0, -9)),
  ),
  changed('body/lost', some, 'survived', (reply) => ({ ...reply, body: Buffer.alloc(0) })),
  changed('body/gzip-bomb', { oneIn: 20 }, 'no-failure', (reply) => packed(reply, bomb())),
  changed('body/huge', { oneIn: 40 }, 'no-failure', (reply) => ({
    ...reply,
    body: Buffer.alloc(60_000_000, 0x20),
  })),
  changed(
    'body/deep-object',
    everything,
    'survived',
    withMember('x', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  ),
  changed(
    'body/deep-list',
    everything,
    'survived',
    withMember('x', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ),
  changed('body/long-message', everything, 'judged', withMember('psuMessage', `"${'m'.repeat(3_000_000)}"`)),
  changed('body/long-list', everything, 'survived', withMember('x', `[${'1,'.repeat(200_000)}1]`)),
  changed('body/many-members', everything, 'survived', (reply) =>
    withMember('x', `{${Array.from({ length: 30_000 }, (_, index) => `"m${index}":1`).join()}}`)(reply),
  ),
  changed(
    'body/prototype',
    everything,
    'survived',
    withMember('__proto__', '{"status":200,"isSuccess":true}'),
  ),
  changed('body/byte-order-mark', { oneIn: 20 }, 'judged', (reply) => ({
    ...reply,
    body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), reply.body]),
  })),
  changed('body/utf-16', { oneIn: 20 }, 'judged', (reply) => ({
    ...reply,
    body: Buffer.from(reply.body.toString('utf8'), 'utf16le'),
  })),
  changed('body/huge-number', everything, 'survived', withMember('x', `1${'0'.repeat(100_000)}`)),
  changed('body/half-a-surrogate', everything, 'survived', withMember('x', '"\\ud800"')),
  changed(
    'body/constructor',
    everything,
    'survived',
    withMember('constructor', '{"prototype":{"length":-1}}'),
  ),
  changed('body/encoded-unknown', some, 'judged', (reply) =>
    withHeader(reply, ['Content-Encoding', 'zstd, unknown']),
  ),
  changed('body/doubled-member', everything, 'survived', withMember('x', '1,"x":2')),
];

const page = '<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>nginx</body></html>';
const gateway = (status: number, when: When, outcome: Outcome, ...headers: readonly HeaderLine[]) =>
  changed(
    `gateway/${status}${nameOf(when)}${headers.map(([, value]) => `-${value}`).join('')}`,
    when,
    outcome,
    () => ({
      status,
      headers: [['Content-Type', 'text/html'], ...headers],
      body: Buffer.from(page),
    }),
  );

const nameOf = (when: When): string =>
  when === everything ? '-always' : 'after' in (when as object) ? '-late' : '';

const retryAfter = (value: string): HeaderLine => ['Retry-After', value];

const gateways: readonly Behaviour[] = [
  ...[425, 500, 502, 503, 504, 511, 520, 529, 598].map((status) => gateway(status, some, 'survived')),
  ...['1', '-1', 'soon', '86400', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT'].flatMap(
    (value) => [429, 503].map((status) => gateway(status, some, 'survived', retryAfter(value))),
  ),
  ...[429, 503].flatMap((status) => [
    gateway(status, everything, 'blocked'),
    gateway(status, everything, 'blocked', retryAfter('60')),
    gateway(status, late, 'gives-up'),
  ]),
  gateway(502, late, 'gives-up'),
  gateway(200, some, 'survived'),
  gateway(200, everything, 'blocked'),
  gateway(403, some, 'survived'),
  ...[200, 403, 404].map((status) =>
    changed(`gateway/${status}-text`, some, 'survived', () => ({
      status,
      headers: [['Content-Type', 'text/plain; charset=utf-8']],
      body: Buffer.from('404 page not found\n'),
    })),
  ),
  changed('gateway/200-empty', some, 'survived', () => ({
    status: 200,
    headers: [['Content-Length', '0']],
    body: Buffer.alloc(0),
  })),
  ...[200, 403, 404].map((status) =>
    changed(`gateway/${status}-json`, some, 'survived', () => ({
      status,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from('{"message":"no Route matched with those values"}'),
    })),
  ),
  ...(
    [
      [200, '{"status":"maintenance"}'],
      [400, '{"error":"upstream not ready"}'],
    ] as const
  ).map(([status, text]) =>
    changed(`gateway/${status}-not-ready`, some, 'survived', () => ({
      status,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.from(text),
    })),
  ),
  ...[301, 302, 307, 308].map((status) =>
    changed(`redirect/${status}`, some, 'survived', (_, { elsewhere }) => ({
      status,
      headers: [['Location', `${elsewhere}/taken`]],
      body: Buffer.from(page),
    })),
  ),
  changed('redirect/always', everything, 'blocked', (_, { elsewhere }) => ({
    status: 307,
    headers: [['Location', `${elsewhere}/taken`]],
    body: Buffer.alloc(0),
  })),
];

const dated = (id: string, date: string, outcome: Outcome): Behaviour =>
  changed(`date/${id}`, everything, outcome, (reply) => withHeader(reply, ['Date', date]));

const headers: readonly Behaviour[] = [
  dated('1970', 'Thu, 01 Jan 1970 00:00:00 GMT', { fails: ['TRN-07'] }),
  dated('9999', 'Fri, 31 Dec 9999 23:59:59 GMT', { fails: ['TRN-07'] }),
  dated('nonsense', 'yesterday', { fails: ['TRN-07'] }),
  changed('date/none', everything, 'no-failure', (reply) => ({
    ...reply,
    headers: reply.headers.filter(([name]) => name.toLowerCase() !== 'date'),
  })),
  changed('date/half-a-day-off', everything, 'no-failure', (reply) =>
    withHeader(reply, ['Date', new Date(Date.now() + 43_200_000).toUTCString()]),
  ),
  changed('header/leads-elsewhere', everything, 'survived', (reply, { elsewhere }) =>
    withHeader(
      reply,
      ['Alt-Svc', `h2="${elsewhere}"`],
      ['Refresh', `0; url=${elsewhere}`],
      ['Link', `<${elsewhere}>; rel=preload`],
    ),
  ),
  changed('header/twice', everything, 'survived', (reply) => ({
    ...reply,
    headers: [...reply.headers, ...reply.headers.filter(([name]) => /^(?:content-type|date)$/i.test(name))],
  })),
  changed('header/escapes', everything, 'survived', (reply) =>
    withHeader(
      reply,
      ['X-\u0041SPSP', '=?utf-8?B?G1sySg==?= \u009b2J'],
      ['Server', '::error::owned ##vso[task]'],
    ),
  ),
  changed('header/many-cookies', everything, 'survived', (reply) => ({
    ...reply,
    headers: [
      ...reply.headers,
      ...Array.from({ length: 50 }, (_, index): HeaderLine => ['Set-Cookie', `c${index}=${'k'.repeat(100)}`]),
    ],
  })),
];

/** What a bank writes into its messages; the JSON stays sound. */
const told = (id: string, text: (surroundings: Surroundings) => string): Behaviour =>
  changed(`text/${id}`, everything, 'survived', (reply, surroundings) => {
    // What a gateway says on the way is not told by the bank.
    const isOfTheBank = reply.headers.some(([, value]) => /^application\/(?:[\w.-]+\+)?json\b/i.test(value));
    if (reply.status < 400 || !isOfTheBank) return reply;
    const message = { category: 'ERROR', code: 'FORMAT_ERROR', text: text(surroundings).slice(0, 500) };
    return { ...reply, body: Buffer.from(JSON.stringify({ tppMessages: [message] })) };
  });

const texts: readonly Behaviour[] = [
  told('markup', () => '</script><script>fetch("https://evil.example")</script><img src=x onerror=alert(1)>'),
  told('terminal-escapes', () => '\u001b[2J\u001b]0;owned\u0007\u001b[31mCONFORMANT\r'),
  told('workflow-commands', () => '\n::error file=a::owned\n##vso[task.complete]'),
  told('turned-around', () => '\u202e\u2066evil\u2069\u0000\ufeff'),
  told('echo', ({ asked }) =>
    asked.filter((_, index) => /api-key|psu|session/i.test(asked[index - 1] ?? '')).join(' '),
  ),
];

export const behaviours: readonly Behaviour[] = [
  ...wireBehaviours,
  ...bodies,
  ...gateways,
  ...headers,
  ...texts,
];
