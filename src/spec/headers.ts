import { psuContexts, psuHttpMethods } from './code-lists.ts';
import { type Field, string } from './field.ts';
import type { HeaderProfile } from './operations.ts';
import { byProduct, everyProduct } from './products.ts';
import type { ProfileId } from './profiles.ts';

/**
 * Endpoints, Common request headers: one row per header. The requirement ids of a row are made of the
 * operation's prefix and the row's number, so the numbers are permanent.
 */
export interface HeaderRow {
  readonly name: string;
  readonly number: number;
  readonly required: readonly HeaderProfile[];
  readonly optional: readonly HeaderProfile[];
  /** What is demanded of its value, under a number of its own. */
  readonly type?: HeaderType;
  readonly note: string;
  /** What to send, where it is required. */
  readonly send?: string;
  /** Others than those of the operation. */
  readonly profiles?: readonly ProfileId[];
  /** Why no check can tell its absence from its presence. */
  readonly unobservable?: string;
}

export interface HeaderType {
  readonly number: number;
  readonly facet: 'values' | 'format';
  readonly field: Field;
}

/** What requirement ids of a column begin with. The number of the row follows: row 15 is HDN-15, HDC-15 and HDB-15. */
export const headerPrefixes = {
  ...byProduct('name', ({ headerPrefix }) => headerPrefix),
  basket: 'HDB',
  sandbox: 'HDS',
} as const satisfies Partial<Record<HeaderProfile, string>>;
export type SpecifiedProfile = keyof typeof headerPrefixes;
export const specifiedProfiles = Object.keys(headerPrefixes) as readonly SpecifiedProfile[];

const creation: readonly HeaderProfile[] = everyProduct.map(({ name }) => name);
const initiation: readonly HeaderProfile[] = [...creation, 'basket'];
const every: readonly HeaderProfile[] = [...initiation, 'sandbox'];

type Profiles = readonly HeaderProfile[];
const required = (
  number: number,
  name: string,
  profiles: Profiles,
  note: string,
  send: string,
): HeaderRow => ({ name, number, required: profiles, optional: [], note, send });
const optional = (number: number, name: string, profiles: Profiles, note: string): HeaderRow => ({
  name,
  number,
  required: [],
  optional: profiles,
  note,
});

const uuid = (number: number): HeaderType => ({
  number,
  facet: 'format',
  field: string('value', {}, { format: 'uuid' }),
});
const oneOf = (number: number, values: readonly string[], unlisted: readonly string[]): HeaderType => ({
  number,
  facet: 'values',
  field: string('value', {}, { values, unlisted }),
});

export const headerRows: readonly HeaderRow[] = [
  required(
    1,
    'x-accept-fix',
    initiation,
    'comma-separated list of early-adoption values',
    'amount-as-string',
  ),
  optional(2, 'Accept', every, 'content negotiation'),
  optional(3, 'Accept-Charset', every, 'content negotiation'),
  optional(4, 'Accept-Encoding', every, 'content negotiation'),
  optional(5, 'Accept-Language', every, 'content negotiation'),
  {
    ...optional(6, 'Host', every, 'host of the base address'),
    unobservable:
      'HTTP/1.1 itself demands Host (RFC 7230, 5.4), so a request without it tests the server, not the interface',
  },
  required(7, 'X-Request-ID', every, 'unique per call, chosen by the TPP', 'a new UUID'),
  required(
    8,
    'TPP-Session-ID',
    initiation,
    'governs the validity of SCA',
    'a UUID, the same until the next SCA',
  ),
  required(9, 'TPP-Redirect-URI', initiation, 'where the PSU is sent after SCA', 'https://… of the TPP'),
  optional(10, 'TPP-Redirect-Preferred', initiation, 'false asks for biometric authentication in an app'),
  optional(11, 'TPP-Brand-Logging-Information', creation, 'TPP brand shown to the PSU'),
  required(
    12,
    'Digest',
    creation,
    'Base64 SHA-256 or SHA-512 hash of the body',
    'SHA-256=<Base64 of the hash of the body>',
  ),
  required(
    13,
    'TPP-Signature-Certificate',
    every,
    'Base64 certificate used for signing',
    'the Base64 of its DER on one line',
  ),
  required(
    14,
    'Signature',
    every,
    'signature over the signing string',
    'keyId="…",algorithm="rsa-sha256",headers="…",signature="…"',
  ),
  {
    ...required(
      15,
      'PSU-ID',
      initiation,
      'identifies the PSU to the bank',
      'the UUID that came with the redirect after SCA',
    ),
    type: uuid(16),
  },
  optional(17, 'X-PSU-IDENTITY', creation, 'national identity number as an alternative to PSU-ID'),
  {
    ...optional(18, 'PSU-Corporate-ID', initiation, 'corporate agreement identifier'),
    profiles: ['corporate-psus'],
  },
  {
    ...optional(19, 'PSU-Context', creation, 'required for single-SCA payment initiation'),
    type: oneOf(20, psuContexts, ['BUSINESS', 'RETAIL']),
  },
  required(
    21,
    'PSU-IP-Address',
    initiation,
    'address of the PSU, who is present',
    'the address of the PSU, such as 192.0.2.10',
  ),
  optional(22, 'PSU-IP-Port', initiation, 'forwarded from the PSU request'),
  optional(23, 'PSU-User-Agent', initiation, 'forwarded from the PSU request'),
  optional(24, 'PSU-Accept', initiation, 'forwarded from the PSU request'),
  optional(25, 'PSU-Accept-Charset', initiation, 'forwarded from the PSU request'),
  optional(26, 'PSU-Accept-Encoding', initiation, 'forwarded from the PSU request'),
  optional(27, 'PSU-Accept-Language', initiation, 'forwarded from the PSU request'),
  optional(28, 'PSU-Geo-Location', initiation, 'forwarded from the PSU request'),
  {
    ...optional(29, 'PSU-HTTP-Method', initiation, 'method of the PSU request'),
    type: oneOf(30, psuHttpMethods, ['TRACE', 'HEAD', 'OPTIONS', 'FETCH']),
  },
  {
    ...optional(31, 'PSU-Device-ID', initiation, 'device of the PSU'),
    type: uuid(32),
  },
];

export const headerId = (profile: SpecifiedProfile, number: number): string =>
  `${headerPrefixes[profile]}-${String(number).padStart(2, '0')}`;

/** The requirement on the presence of a header: `HDN-15` for PSU-ID of a domestic payment. */
export function headerRequirement(profile: SpecifiedProfile, name: string): string {
  const row = headerRows.find((each) => each.name === name);
  if (row === undefined) throw new Error(`The header table has no row ${name}.`);
  return headerId(profile, row.number);
}

/** What is sent for a header: `x-accept-fix: amount-as-string`; undefined where any TPP knows it. */
export const sentHeader = ({ name, send }: HeaderRow): string | undefined => send && `${name}: ${send}`;

/** The same of a requirement on the presence of a header. */
export const sentFor = (id: string): string | undefined =>
  headerRows
    .filter(({ number }) => specifiedProfiles.some((profile) => headerId(profile, number) === id))
    .map(sentHeader)[0];

export const requiredHeaders = (profile: HeaderProfile): readonly string[] =>
  headerRows.filter((row) => row.required.includes(profile)).map((row) => row.name);

export const optionalHeaders = (profile: HeaderProfile): readonly string[] =>
  headerRows.filter((row) => row.optional.includes(profile)).map((row) => row.name);

/** Values that a TPP could send in headers without a list of values; the first of them is the most usual. */
export const headerSamples: Readonly<Record<string, readonly string[]>> = {
  Accept: ['application/json', '*/*', 'application/json;charset=utf-8', 'application/*'],
  'Accept-Charset': ['utf-8', 'UTF-8, *;q=0.5'],
  'Accept-Encoding': ['identity'],
  'Accept-Language': ['nb-NO,nb;q=0.9,en;q=0.8', 'en', 'de-AT, *;q=0.1'],
  'TPP-Redirect-Preferred': ['true', 'false'],
  'TPP-Brand-Logging-Information': ['Nordic Budget', 'Spar-Trygt.no'],
  'PSU-IP-Port': ['49152'],
  // As long as that of the telephone of a PSU.
  'PSU-User-Agent': [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ],
  'PSU-Accept': ['text/html,application/xhtml+xml', 'text/html;q=0.9, */*;q=0.8'],
  'PSU-Accept-Charset': ['utf-8'],
  'PSU-Accept-Encoding': ['gzip, deflate, br'],
  'PSU-Accept-Language': ['nb-NO,nb;q=0.9,en;q=0.8', 'en'],
  // On the other side of the earth.
  'PSU-Geo-Location': ['GEO:59.911491;10.757933', 'GEO:-34.603700;-58.381600'],
  // RFC 9562, 4: capital letters are taken as well; and some are made of the time.
  'PSU-Device-ID': ['5b8a7c1e-3f52-4d0b-9a4e-6f1c2d3e4b5a', 'C232AB00-9414-11EC-B3C8-9F6BDECED846'],
};
