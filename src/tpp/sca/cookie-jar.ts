import type { HeaderLine } from '../exchange.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The host that set it, or the domain that it named. */
  readonly domain: string;
  readonly wide: boolean;
  readonly path: string;
}

/** The cookies of one walk (RFC 6265, as far as pages of one bank need it). */
export class CookieJar {
  #cookies: readonly Cookie[] = [];

  keep(url: URL, headers: readonly HeaderLine[]): void {
    for (const [name, value] of headers) {
      if (name.toLowerCase() === 'set-cookie') this.#set(url, value);
    }
  }

  /** The Cookie header for an address; undefined when there is nothing to send. */
  headerFor({ hostname, pathname }: URL): string | undefined {
    const sent = this.#cookies.filter(
      ({ domain, wide, path }) =>
        (hostname === domain || (wide && hostname.endsWith(`.${domain}`))) &&
        (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)),
    );
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #set(url: URL, text: string): void {
    const [pair = '', ...rest] = text.split(';').map((part) => part.trim());
    const separator = pair.indexOf('=');
    if (separator < 1) return;
    const attributes = new Map(rest.map(attributeOf));
    const given = attributes.get('domain')?.replace(/^\./, '').toLowerCase();
    const isOurs = given !== undefined && (url.hostname === given || url.hostname.endsWith(`.${given}`));
    if (given !== undefined && given !== '' && !isOurs) return;
    const path = attributes.get('path');
    const cookie: Cookie = {
      name: pair.slice(0, separator),
      value: pair.slice(separator + 1),
      domain: isOurs ? given : url.hostname,
      wide: isOurs,
      path: path?.startsWith('/') ? path : folderOf(url.pathname),
    };
    const others = this.#cookies.filter(
      ({ name, domain, path: where }) =>
        name !== cookie.name || domain !== cookie.domain || where !== cookie.path,
    );
    this.#cookies = isOver(attributes) ? others : [...others, cookie];
  }
}

function attributeOf(part: string): [string, string] {
  const [name = '', ...value] = part.split('=');
  return [name.trim().toLowerCase(), value.join('=').trim()];
}

const folderOf = (pathname: string): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

/** A cookie whose time is over is meant to be forgotten. */
function isOver(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get('max-age');
  if (age !== undefined && age !== '') return Number(age) <= 0;
  const expires = Date.parse(attributes.get('expires') ?? '');
  return !Number.isNaN(expires) && expires <= Date.now();
}
