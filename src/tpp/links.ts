import { isObject } from '../spec/json.ts';
import type { HeaderList } from './exchange.ts';

/** RFC 8288: some lead on by a header. By the names of the links. */
export const linksInHeader = (headers: Pick<HeaderList, 'get'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers.get('Link') ?? '').matchAll(/<([^>]*)>[^,]*?;\s*rel="?(\w+)/gi)].map(([, address, name]) => [
      name,
      address,
    ]),
  );

/** What a link in a list of links is called: there it says so itself, as in JSON Hyper-Schema. */
export const nameInList = (link: unknown): string | undefined =>
  isObject(link) ? ([link.rel, link.name].find((name) => typeof name === 'string') as string) : undefined;

/** The address of a link of that name, wherever JSON has it and in whichever of the forms that are known. */
export function linkIn(value: unknown, name: string, depth = 4): string | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    if ((isList ? nameInList(member) : key) !== name) continue;
    const address = addressOf(member);
    if (address !== undefined) return address;
  }
  for (const member of Object.values(value)) {
    const found = linkIn(member, name, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A link is an object, or its address alone; HAL has lists of them. An empty one leads nowhere. */
function addressOf(link: unknown): string | undefined {
  if (Array.isArray(link)) return link.map(addressOf).find((address) => address !== undefined);
  const address = isObject(link) ? link.href : link;
  return typeof address === 'string' && address !== '' ? address : undefined;
}
