import { gzipSync } from 'node:zlib';
import { isUuid } from '../../spec/formats.ts';
import { creations, initiations } from '../../spec/products.ts';
import { allOf, type DesignChange, withRules, withSealed } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, Rule } from '../design/route.ts';
import {
  advisedAgainst,
  alsoAt,
  atAll,
  atCreations,
  atPayments,
  type Deviation,
  deviation,
  of,
  overlooking,
  overlooks,
  refuses,
  refusing,
} from './deviation.ts';

/** It comes before all others: who takes the members of a number gets no further. */
const noNumber: Rule = {
  requirement: 'TRN-02',
  name: 'a body is no number',
  refuses: ({ body }) =>
    typeof body === 'number'
      ? { status: 500, code: 'SYSTEM_ERROR', text: 'Something went wrong. Try again later.' }
      : undefined,
};

const everything: readonly BankOperation[] = [...initiations, 'listSandboxCustomers', 'listAccounts'];

const header = (name: string, isRefused: (value: string) => boolean) => (request: BankRequest) =>
  isRefused(request.header(name) ?? '');

const isPain = ({ bytes }: BankRequest): boolean => bytes.includes('<CstmrCdtTrfInitn>');

const wantsGzip = (request: BankRequest | undefined): boolean =>
  /\bgzip\b/.test(request?.header('accept-encoding') ?? '');

/** Answers to those who take gzip, as they go over the wire. */
const coded = (coding: string, write: (body: Buffer) => Buffer): DesignChange =>
  withSealed((sealed, request) =>
    wantsGzip(request) && sealed.body.length > 0
      ? { ...sealed, headers: [...sealed.headers, ['Content-Encoding', coding]], body: write(sealed.body) }
      : sealed,
  );

/** Before anything else is looked at: a session that is new asks for SCA. */
const refusingSessions = (isRefused: (id: string) => boolean): DesignChange =>
  allOf(
    refusing('TRN-16', creations, header('tpp-session-id', isRefused)),
    withRules((_, rules) => rules.toSorted((a, b) => Number(of('TRN-16')(b)) - Number(of('TRN-16')(a)))),
  );

/** Correct requests that a bank does not take, because the first TPP wrote them otherwise. */
// biome-ignore format: a table
const refusedForms: readonly Deviation[] = [
  ...alsoAt(
    atAll,
    refuses('TRN-14/lower-case', 'knows no header whose name is in lower case', everything, ({ headerNames }) => headerNames.includes('x-request-id')),
  ),
  ...alsoAt(
    atAll,
    refuses('TRN-14/upper-case', 'knows no header whose name is in upper case', everything, ({ headerNames }) => headerNames.includes('SIGNATURE')),
  ),
  refuses('TRN-14/mixed-case', 'knows no header whose name is in mixed case', everything, ({ headerNames }) => headerNames.includes('sIgNaTuRe')),
  ...alsoAt(atCreations, refuses('TRN-14/charset', 'takes no charset in Content-Type', initiations, header('content-type', (type) => type.includes(';')))),
  ...alsoAt(
    atCreations,
    refuses('TRN-17/ipv4-only', 'takes no IPv6 address of a PSU', initiations, header('psu-ip-address', (address) => address.includes(':'))),
  ),
  ...alsoAt(atAll, refuses('TRN-14/not-packed', 'answers 406 to those who take packed answers', everything, wantsGzip, { status: 406, code: 'FORMAT_ERROR' })),
  refuses('TRN-14/only-together', 'takes no charset in Content-Type from those who take packed answers',
    initiations, (request) => wantsGzip(request) && (request.header('content-type') ?? '').includes(';')),
  deviation('TRN-14/called-packed', 'says that an answer is gzip and sends it as it is', coded('gzip', (body) => body)),
  deviation('TRN-14/cut-off', 'sends half of a packed answer',
    coded('gzip', (body) => {
      const packed = gzipSync(body);
      return packed.subarray(0, packed.length / 2);
    })),
  ...([
    ['one-media-type', 'more than one media type', (accept: string) => accept.includes(',')],
    ['no-quality', 'how much each media type is wanted', (accept: string) => accept.includes(';q=')],
  ] as const).flatMap(([way, what, isRefused]) =>
    alsoAt(atAll, refuses(`TRN-14/${way}`, `takes no Accept that tells ${what}`, everything, header('accept', isRefused)))),
  deviation('TRN-14/another-coding', 'packs answers in a way that was not offered', coded('zstd', gzipSync)),
  ...([
    ['query', 'a query', (address: string) => address.includes('?')],
    ['percent-encoding', 'percent-encoding', (address: string) => address.includes('%')],
    ['fragment', 'a fragment', (address: string) => address.includes('#')],
    ['app', 'the scheme of an app', (address: string) => !address.startsWith('http')],
  ] as const).flatMap(([way, what, isRefused]) =>
    alsoAt(atCreations, refuses(`TRN-12/${way}`, `takes no TPP-Redirect-URI with ${what}`, initiations, header('tpp-redirect-uri', isRefused)))),
  ...alsoAt(
    atAll,
    refuses('TRN-15/uuids-only', 'takes no X-Request-ID that is no UUID',
      [...initiations, 'listSandboxCustomers', 'listAccounts'], header('x-request-id', (id) => !isUuid(id))),
  ),
  ...alsoAt(
    atPayments,
    deviation('TRN-16/plain-letters', 'takes no TPP-Session-ID with anything but small letters, digits and hyphens',
      refusingSessions((id) => /[^a-z\d-]/.test(id))),
  ),
  deviation('TRN-16/as-long-as-a-uuid', 'takes no TPP-Session-ID that is longer than a UUID', refusingSessions((id) => id.length > 36)),
  refuses('TRN-15/as-long-as-a-uuid', 'takes no X-Request-ID that is longer than a UUID', initiations, header('x-request-id', (id) => id.length > 36)),
  refuses('TRN-15/no-numbers', 'takes no X-Request-ID that is a number', initiations, header('x-request-id', (id) => /^\d+$/.test(id))),
];

/** By what a bank may know the client that came first, such as one that tests it. */
const knownBy = {
  program: ['User-Agent', (request: BankRequest) => request.header('user-agent')],
  order: [
    'the order of headers',
    ({ headerNames }: BankRequest) =>
      headerNames.filter((name) => /^(?:date|user-agent|x-request-id|tpp-session-id)$/i.test(name)).join(),
  ],
  page: [
    'the page of TPP-Redirect-URI',
    (request: BankRequest) => request.header('tpp-redirect-uri')?.split('?')[0],
  ],
} as const;

/** What a bank does to all other clients. */
const toOthers =
  (
    way: keyof typeof knownBy,
    change: (isAnother: (request: BankRequest) => boolean) => DesignChange,
  ): DesignChange =>
  (design) => {
    let first: string | undefined;
    return change((request) => {
      const told = knownBy[way][1](request);
      first ??= told;
      return told !== first;
    })(design);
  };

/** A bank that behaves for the client which tests it, and for no other. */
const onlyForTheFirst: readonly Deviation[] = [
  ...(['program', 'order', 'page'] as const).flatMap((way) =>
    alsoAt([...atPayments, 'accounts'], {
      ...deviation(
        `TRN-18/known-by-${way}`,
        `takes an old Date, but not from the client that came first, which it knows by ${knownBy[way][0]}`,
        toOthers(way, (isAnother) => overlooking(of('CLK-03'), isAnother)),
      ),
      also: ['CLK-03'],
    }),
  ),
  deviation(
    'TRN-18/amounts-of-the-first',
    'looks at the digits of amounts only from the client that came first, which it knows by its page',
    toOthers('page', (isAnother) => overlooking(of('AMT-02'), isAnother)),
  ),
  ...advisedAgainst(
    ...alsoAt(
      [...atPayments, 'accounts'],
      deviation(
        'TRN-19/one-program',
        'takes nothing from a client with another User-Agent than the first',
        toOthers('program', (isAnother) =>
          refusing('TRN-19', [...creations, 'listAccounts'], isAnother, { status: 403, code: 'FORBIDDEN' }),
        ),
      ),
    ),
  ),
];

const hasZeros = ({ bytes }: BankRequest): boolean => bytes.includes(0);
const hasMark = ({ bytes }: BankRequest): boolean =>
  bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));

/** Bodies in other encodings, and messages of ISO 20022. */
// biome-ignore format: a table
const encodings: readonly Deviation[] = [
  refuses('TRN-04/by-number-alone', 'reads no byte beyond ASCII, and takes letters by their numbers',
    creations, ({ bytes }) => bytes.some((byte) => byte > 0x7f)),
  ...alsoAt(atCreations, overlooks('TRN-13/utf-16', 'reads bodies in UTF-16 as well', hasZeros)),
  ...alsoAt(atPayments, overlooks('TRN-13/any-bytes', 'puts another letter in place of bytes that are no UTF-8', (request) => !hasZeros(request))),
  ...alsoAt(
    atPayments,
    deviation('ERR-06/byte-order-mark', 'breaks down at a byte order mark',
      overlooking(of('TRN-02'), hasMark), refusing('ERR-06', creations, hasMark, { status: 500, code: 'SYSTEM_ERROR' })),
  ),
  ...alsoAt(atCreations, overlooks('TRN-02/trailing-comma', 'takes a comma with nothing behind it', ({ bytes }) => bytes.includes(',}'))),
  ...alsoAt(atCreations, overlooks('TRN-02/comments', 'takes comments in JSON', ({ bytes }) => bytes.includes('/*'))),
  ...([['single-quotes', 'single quotes around a name', /[{,]'\w+':/], ['no-quotes', 'a name without quotes', /[{,][a-z]\w*:/i]] as const).map(([way, what, form]) => overlooks(`TRN-02/${way}`, `takes ${what}`, ({ bytes }) => form.test(bytes.toString('utf8')))),
  overlooks('TRN-02/json-in-a-text', 'takes a text that holds the JSON of the payment', ({ body }) => typeof body === 'string'),
  deviation('TRN-02/breaks-down-at-a-number', 'breaks down at a number in place of the payment',
    withRules((operation, rules) => initiations.some((initiation) => initiation === operation) ? [noNumber, ...rules] : rules)),
  ...alsoAt(atPayments, overlooks('TRN-01/pain-001', 'takes a pain.001 of ISO 20022', isPain, 'TRN-02')),
  ...alsoAt(
    atPayments,
    overlooks('TRN-01/all-but-pain-001', 'takes XML that is no message of ISO 20022', (request) => request.bytes.includes('<') && !isPain(request), 'TRN-02'),
  ),
];

export const tppFormDeviations: readonly Deviation[] = [...refusedForms, ...onlyForTheFirst, ...encodings];
