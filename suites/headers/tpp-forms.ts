import type { Variation } from '../../src/tpp/call.ts';
import { HeaderList } from '../../src/tpp/header-list.ts';
import type { RequestDraft } from '../../src/tpp/request-draft.ts';

/** One way in which a correct TPP may write something that can be written in several. */
export interface Form {
  /** The end of a sentence: `header names are in lower case`. Empty for the way that everybody writes it. */
  readonly label: string;
  /** A bank may not offer it, which TRN-12 tells. */
  readonly isOptional?: true;
  readonly change?: (draft: RequestDraft) => void;
  /** After signing: what is signed has names in lower case in any case. */
  readonly rename?: (name: string) => string;
}

const usual: Form = { label: '' };

const named = (label: string, rename: (name: string) => string): Form => ({ label, rename });
const setting = (header: string, label: string, write: (usual: string) => string): Form => ({
  label,
  change: ({ headers }) => {
    const value = headers.get(header);
    if (value !== undefined) headers.set(header, write(value));
  },
});

const mixed = (name: string): string =>
  [...name].map((letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('');

/** RFC 7230, 3.2: field names are case-insensitive, and HTTP/2 has them in lower case. */
const headerNames: readonly Form[] = [
  usual,
  named('header names are in lower case', (name) => name.toLowerCase()),
  named('header names are in upper case', (name) => name.toUpperCase()),
  named('header names are in mixed case', mixed),
];

const contentTypes: readonly Form[] = [
  usual,
  ...['application/json; charset=UTF-8', 'application/json;charset=utf-8'].map((type) =>
    setting('Content-Type', `Content-Type is ${type}`, () => type),
  ),
];

/** Addresses for documentation (RFC 3849, RFC 5737). */
const addresses: readonly Form[] = [
  usual,
  ...['2001:db8:85a3::8a2e:370:7334', '2001:0DB8:0000:0000:0000:0000:0000:0001', '198.51.100.7'].map(
    (address) => setting('PSU-IP-Address', `PSU-IP-Address is ${address}`, () => address),
  ),
];

const accepting = (codings: string): Form => ({
  label: `Accept-Encoding is ${codings}`,
  change: ({ headers }) => headers.set('Accept-Encoding', codings),
});
const encodings: readonly Form[] = [usual, accepting('gzip'), accepting('gzip, deflate, br')];

const redirecting = (label: string, addressOf: (usual: string) => string): Form => ({
  ...setting('TPP-Redirect-URI', label, addressOf),
  isOptional: true,
});

const withQuery = (address: string): string => `${address}${address.includes('?') ? '&' : '?'}state=4711`;

/** What TPP-Redirect-URI may be next to the address of a page. */
export const redirectForms: readonly Form[] = [
  redirecting('TPP-Redirect-URI has a query', withQuery),
  redirecting('TPP-Redirect-URI has a fragment', (address) => `${address.split('#')[0]}#after-sca`),
  redirecting('TPP-Redirect-URI has the scheme of an app', () => 'no.example.budget://after-sca'),
];

/** What can be written in several ways, each with its ways; the usual one first. */
export const formsByQuestion = {
  headerNames,
  contentTypes,
  addresses,
  encodings,
  redirects: [usual, ...redirectForms],
} as const satisfies Readonly<Record<string, readonly Form[]>>;

/** A request in all of these forms at once. */
export const inForms = (forms: readonly Form[]): Variation => ({
  beforeSigning: (draft) => {
    for (const { change } of forms) change?.(draft);
  },
  afterSigning: ({ headers }) => {
    const lines = new HeaderList(headers.lines()).lines();
    for (const { rename } of forms) {
      if (rename === undefined) continue;
      for (const [name] of lines) headers.remove(name);
      for (const [name, value] of lines) headers.add(rename(name), value);
    }
  },
});
