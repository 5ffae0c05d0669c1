import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { limits } from '../../src/spec/limits.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { linksInHeader, nameInList } from '../../src/tpp/links.ts';

const size = limits.transactionPageSize;

/** What the framework calls links to other pages, and what others make of these names: `nextPage`, `next_link`. */
const pageName = /^(?:first|next|prev(?:ious)?|last)(?:_?(?:page|link|url|href|uri))*$/i;
const nextName = /^next(?:_?(?:page|link|url|href|uri))*$/i;

/** What says which transactions are asked for, and not which page of them. */
const filterNames: ReadonlySet<string> = new Set(['bookingStatus', 'dateFrom', 'dateTo']);

/** A link to the listing itself, or to others of the account, such as the pending ones, is none between pages. */
const leadsToAPage = (name: string, address: string): boolean =>
  name !== 'self' &&
  (pageName.test(name) || [...parametersIn(address).keys()].some((parameter) => !filterNames.has(parameter)));

/** Addresses count from that of the request, which may be all but their query, or but the end of the path. */
const ofTransactions = /(?:(?:^|\/)transactions\/?|^)\?/;

/** A listing, and what leads from it to others: the shape of neither is shown. */
type Listing = Pick<Answer, 'json' | 'headers'>;

/** What is inside, by its names: a list of links names each in itself, or is called as a whole. */
const namedIn = (value: object, called: string): readonly (readonly [name: string, inside: unknown])[] =>
  Array.isArray(value)
    ? value.map((each: unknown) => [nameInList(each) ?? called, each])
    : Object.entries(value).map(([name, inside]) => [name === 'href' ? called : name, inside]);

function addressesIn(value: unknown, called = '', depth = 6): readonly string[] {
  if (typeof value === 'string')
    return ofTransactions.test(value) && leadsToAPage(called, value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return namedIn(value, called)
    .filter(([name]) => name !== 'booked' && name !== 'pending')
    .flatMap(([name, inside]) => addressesIn(inside, name, depth - 1));
}

function nextIn(value: unknown, depth = 6): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const named = namedIn(value, '');
  const [address] = named
    .filter(([name]) => nextName.test(name))
    .flatMap(([name, inside]) => addressesIn(inside, name, depth));
  if (address !== undefined) return address;
  return named.map(([, inside]) => nextIn(inside, depth - 1)).find((found) => found !== undefined);
}

/** Every address of the listing that leads to a page of transactions: whatever the links are called. */
export const pageAddressesIn = (listing: Listing): readonly string[] =>
  [listing.json, linksInHeader(listing.headers)].flatMap((links) => addressesIn(links));

/** The link that the framework calls next. */
export const nextAddressIn = (listing: Listing): string | undefined =>
  nextIn(listing.json) ?? nextIn(linksInHeader(listing.headers));

/** Behind a question mark, and before the place on a page that an address may name. */
const parametersIn = (address: string): URLSearchParams =>
  new URLSearchParams(/\?([^#]*)/.exec(address)?.[1]);

/** In whichever parameter, except offset: there it says where a page begins, and not how long it is. */
const carriesSize = (address: string): boolean =>
  [...parametersIn(address)].some(([name, value]) => name !== 'offset' && value === String(size));

export function mustCarrySize(addresses: readonly string[]): void {
  const without = addresses.find((address) => !carriesSize(address));
  if (without !== undefined)
    throw new ExpectationFailed(`a link to a page whose query has the value ${size}`, without);
}

/** All paths start with /v1 (Endpoints); what is left out before it is open (freedom wire/links). */
export function mustBeOfTheInterface(addresses: readonly string[]): void {
  const elsewhere = addresses.find(
    (address) => /^https?:\/\/[^?#]*\/accounts\//i.test(address) && !/^[^?#]*\/v1\//.test(address),
  );
  if (elsewhere !== undefined) throw new ExpectationFailed('a link to a page under /v1', elsewhere);
}

/** The account that the path of an address names. */
export function accountIn(address: string): string | undefined {
  const named = /\/accounts\/([^/?#]+)\/transactions/.exec(address)?.[1];
  return named === undefined ? undefined : (percentDecoded(named) ?? named);
}

export const queryOf = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(parametersIn(address));
