import { anotherThan, ipv6Of, psuHeaders, stateOf } from '../payloads/appearance.ts';
import { serialisations } from '../payloads/serialisations.ts';
import { digestHeader } from '../signing/digest.ts';
import { encodeWord, isEncodedWord } from '../signing/encoded-word.ts';
import { acceptFixes } from '../spec/code-lists.ts';
import { headerRows, headerSamples, optionalHeaders, requiredHeaders } from '../spec/headers.ts';
import { operations } from '../spec/operations.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import type { ContextValue } from './context-value.ts';
import type { Subject } from './subject.ts';

/** Where a Digest is required; a basket has none by default. */
export const sha512: ContextValue = {
  dimension: 'digest',
  label: 'with a SHA-512 Digest',
  fits: ({ product }) =>
    product !== undefined && requiredHeaders(operations[product.creation].headers).includes('Digest'),
  signing: { digest: (body) => digestHeader(body, 'SHA-512') },
};

/** It is not listed for baskets, and signed where it is there: whoever looks at it then may look at nothing else. */
export const basketDigest: ContextValue = {
  dimension: 'digest',
  label: 'with a Digest',
  fits: ({ product, hasNoBody }, { readings }) =>
    product === undefined && hasNoBody !== true && readings.basketDigest === 'optional',
  signing: { digest: (body) => digestHeader(body) },
  onlyForFaults: true,
};

/** Those that say who the PSU is are no mere addition, and the others stand in every request. */
const leftAlone = ['X-PSU-IDENTITY', 'PSU-Corporate-ID', 'PSU-Context', 'Host', 'Accept'];

/** Adds every optional header of the operation. */
export function addOptionalHeaders({ operation, headers }: RequestDraft): void {
  if (operation === 'other') return;
  const ofPsu = psuHeaders(headers.get('User-Agent') ?? '', headers.get('PSU-IP-Address') ?? '');
  for (const name of optionalHeaders(operations[operation].headers)) {
    const listed = headerRows.find((row) => row.name === name)?.type?.field.values ?? [];
    const sample = ofPsu[name] ?? (headerSamples[name] ?? listed)[0];
    if (sample !== undefined && !leftAlone.includes(name)) headers.set(name, sample);
  }
}

export const allHeaders: ContextValue = {
  dimension: 'headers',
  label: 'with every optional header',
  fits: () => true,
  beforeSigning: addOptionalHeaders,
};

/** Who creates something says where the PSU is, and where to send the PSU afterwards. */
const isInitiation = ({ hasNoBody }: Subject): boolean => hasNoBody !== true;

export const fromIpv6: ContextValue = {
  dimension: 'address',
  label: 'with an IPv6 address as PSU-IP-Address',
  fits: isInitiation,
  beforeSigning({ headers }) {
    const address = headers.get('PSU-IP-Address');
    if (address !== undefined) headers.set('PSU-IP-Address', ipv6Of(address));
  },
  // The specification does not say which addresses there are.
  onlyForFaults: true,
};

/** A TPP knows by it what the PSU comes back from. */
export const backToAQuery: ContextValue = {
  dimension: 'redirect',
  label: 'with a query in TPP-Redirect-URI',
  fits: isInitiation,
  beforeSigning({ headers }) {
    const address = headers.get('TPP-Redirect-URI');
    if (address !== undefined && !/[?#]/.test(address)) {
      headers.set('TPP-Redirect-URI', `${address}?state=${stateOf(address)}`);
    }
  },
  // Freedom: sca/redirect-addresses.
  onlyForFaults: true,
};

/** Freedom: sca/by-app. The default is true. */
export const inTheApp: ContextValue = {
  dimension: 'preference',
  label: 'with TPP-Redirect-Preferred false',
  fits: isInitiation,
  beforeSigning({ headers }) {
    if (!headers.has('TPP-Redirect-Preferred')) headers.set('TPP-Redirect-Preferred', 'false');
  },
  // What it leads to is the bank's own: a check of its own asks whether it is taken.
  onlyForFaults: true,
};

/** Behind each of them may be a part of the bank of its own (Versioning). */
export const severalFixes: ContextValue = {
  dimension: 'fixes',
  label: 'with several values of x-accept-fix',
  fits: isInitiation,
  beforeSigning({ headers }) {
    const given = headers.get('x-accept-fix');
    const more = acceptFixes.map(({ value }) => value).filter((value) => value !== given);
    if (given !== undefined && !given.includes(',')) headers.set('x-accept-fix', [given, ...more].join(','));
  },
  // Whether they are taken, checks of their own ask.
  onlyForFaults: true,
};

/** A bank that knows the suite by how it looks might behave for the suite alone. */
export const fromAnotherClient: ContextValue = {
  dimension: 'client',
  label: 'from another HTTP client',
  fits: () => true,
  // The order of headers, and what is passed on of the PSU, go with it.
  beforeSigning: ({ headers }) => {
    const userAgent = headers.get('User-Agent');
    if (userAgent !== undefined) headers.set('User-Agent', anotherThan({ userAgent }).userAgent);
  },
  // Which clients a bank turns away is not said; a check of its own is about that.
  onlyForFaults: true,
};

/** RFC 7230, 3.2: names of headers have no case, and those who come over HTTP/2 write them so. */
export const lowerCaseNames: ContextValue = {
  dimension: 'names',
  label: 'with header names in lower case',
  fits: () => true,
  afterSigning({ headers }) {
    const lines = [...headers.lines()];
    for (const [name] of lines) headers.remove(name);
    for (const [name, value] of lines) headers.add(name.toLowerCase(), value);
  },
};

export const withCharset: ContextValue = {
  dimension: 'mediaType',
  label: 'with a charset in Content-Type',
  fits: () => true,
  beforeSigning({ headers }) {
    if (headers.has('Content-Type')) headers.set('Content-Type', 'application/json; charset=UTF-8');
  },
};

export const formattings: readonly ContextValue[] = serialisations.map(({ label, write }) => ({
  dimension: 'formatting',
  label: `so that ${label}`,
  fits: ({ hasNoBody }) => hasNoBody !== true,
  write,
}));

/** Those with white space, which is what banks are most likely to stumble over. */
export const spacious = formattings.filter(({ write }) => /\s/.test(write?.({ member: '' }) ?? ''));

/** The specification asks for it where a value is not ASCII, and does not say that others are taken so as well. */
export const encodedSignature: ContextValue = {
  dimension: 'signature',
  label: 'with an encoded Signature header',
  fits: () => true,
  writeSignature: (value) => (isEncodedWord(value) ? value : encodeWord(value)),
  onlyForFaults: true,
};
