import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { member } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';

const size = limits.transactionPageSize;

/** Every address of the listing that leads to transactions with a query: whatever the links are called. */
export function pageAddressesIn(value: unknown, depth = 6): readonly string[] {
  if (typeof value === 'string') return /\/transactions\/?\?/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'booked' && name !== 'pending')
    .flatMap(([, member]) => pageAddressesIn(member, depth - 1));
}

/** The link that the framework calls next. */
export function nextAddressIn(value: unknown, depth = 6): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const [address] = pageAddressesIn(member(value, 'next'));
  if (address !== undefined) return address;
  const inside = Object.values(value).map((inner: unknown) => nextAddressIn(inner, depth - 1));
  return inside.find((found) => found !== undefined);
}

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

/**
 * All paths start with /v1 (Endpoints), behind whatever the address of the bank has before it. A bank may leave out what
 * comes before, and then what it leaves out is open.
 */
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
