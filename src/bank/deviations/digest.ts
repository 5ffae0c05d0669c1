import { createHash } from 'node:crypto';
import { digestHeader, verifyDigest } from '../../signing/digest.ts';
import { isObject } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import type { DesignChange } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import {
  alsoAt,
  atPayments,
  type Deviation,
  deviation,
  inHeader,
  inOneContext,
  overlooks,
  refuses,
  rows,
} from './deviation.ts';

type Judge = BankDesign['judgeDigest'];

const judging =
  (change: (judge: Judge, header: string, request: BankRequest) => ReturnType<Judge>): DesignChange =>
  (design) => ({
    ...design,
    judgeDigest: (request) => change(design.judgeDigest, request.header('digest') ?? '', request),
  });

const alsoBy = (name: string, hash: string): DesignChange =>
  judging((judge, header, request) =>
    header === `${name}=${createHash(hash).update(request.bytes).digest('base64')}`
      ? 'verified'
      : judge(request),
  );

/** The digest of another text than the one that was sent. */
const alsoOf = (textOf: (bytes: Buffer, body: unknown) => string): DesignChange =>
  judging((judge, header, request) =>
    request.body !== undefined && header === digestHeader(Buffer.from(textOf(request.bytes, request.body)))
      ? 'verified'
      : judge(request),
  );

/** RFC 8785, 3.2.3: members in the order of their names, at every level. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

const unknown = (algorithm: RegExp): DesignChange =>
  judging((judge, header, request) => (algorithm.test(header) ? 'unknown-algorithm' : judge(request)));

// biome-ignore format: a table
export const digestDeviations: readonly Deviation[] = [
  ...alsoAt(atPayments, deviation('DIG-01/unknown', 'does not know SHA-256', unknown(/^sha-256=/i))),
  ...alsoAt(atPayments, deviation('DIG-02/unknown', 'does not know SHA-512', unknown(/^sha-512=/i))),
  ...alsoAt(
    atPayments,
    deviation('DIG-04/re-serialised', 'takes the digest over the JSON written anew',
      judging((judge, header, request) => {
        if (request.body === undefined || header === '') return judge(request);
        const bytes = Buffer.from(JSON.stringify(request.body));
        return verifyDigest(header, bytes).ok ? 'verified' : 'mismatch-sha-256';
      })),
  ),
  ...rows(
    ['DIG-05/either', 'takes the digest of the JSON written anew as well',
      judging((judge, header, request) => header === digestHeader(Buffer.from(JSON.stringify(request.body ?? null))) ? 'verified' : judge(request))],
    ['DIG-03/beginning-alone', 'takes any Digest of a body that is longer than what it reads at once',
      judging((judge, _, request) => (request.bytes.length > 16_384 ? 'verified' : judge(request)))],
    ['DIG-03/trimmed', 'takes the digest of the body without the white space around it as well', alsoOf((bytes) => bytes.toString('utf8').trim())],
    ['DIG-05/indented', 'takes the digest of the JSON written anew with indents as well', alsoOf((_, body) => JSON.stringify(body, undefined, 2))],
    ['DIG-05/canonical', 'takes the digest of the JSON in its canonical form as well', alsoOf((_, body) => JSON.stringify(sorted(body)))],
  ),
  ...([['beginning', (text) => text.slice(0, 16)], ['end', (text) => text.slice(-16)]] as const satisfies readonly (readonly [string, (text: string) => string])[]).flatMap(([part, partOf]) =>
    inOneContext(deviation(`DIG-03/by-its-${part}`, `compares the ${part} of a digest only`,
      judging((judge, header, request) => {
        const right = digestHeader(request.bytes);
        return header.length === right.length && partOf(header) === partOf(right)
          ? 'verified'
          : judge(request);
      })))),
  ...inOneContext(deviation('DIG-03/by-another-algorithm', 'looks at the digest and not at what it says that it was made with', alsoBy('SHA-256', 'sha512'))),
  ...rows(
    ['DIG-03/of-nothing', 'takes the digest of an empty body for that of any',
      judging((judge, header, request) => header === digestHeader(Buffer.alloc(0)) ? 'verified' : judge(request))],
    ['DIG-06/also-md5', 'takes a digest by MD5', alsoBy('MD5', 'md5')],
    ['DIG-06/also-sha1', 'takes a digest by SHA-1', alsoBy('SHA', 'sha1')],
  ),
  ...inOneContext(deviation('DIG-06/also-sha384', 'takes a digest by SHA-384', alsoBy('SHA-384', 'sha384'))),
  deviation('DIG-07/also-hexadecimal', 'takes a digest in hexadecimal',
    judging((judge, header, request) => header === `SHA-256=${createHash('sha256').update(request.bytes).digest('hex')}` ? 'verified' : judge(request))),
  ...alsoAt(atPayments, deviation('DIG-08/case-sensitive', 'knows the algorithm in upper case only', unknown(/^sha/))),
  overlooks('HDB-21/not-with-a-digest', 'demands no PSU-IP-Address of a basket with a Digest', inHeader('digest')),
  refuses('DIG-09/refused', 'refuses a signing basket with a Digest', ['createSigningBasket'], inHeader('digest')),
];
