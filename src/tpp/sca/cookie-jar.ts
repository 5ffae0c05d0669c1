import { parseCookie } from 'undici';
import { isLoopback } from '../../target/pace.ts';
import type { HeaderLine } from '../exchange.ts';

interface KeptCookie {
  readonly name: string;
  readonly value: string;
  /** The host that set it, or the domain that it named. */
  readonly domain: string;
  readonly wide: boolean;
  readonly path: string;
  readonly secure: boolean;
}

/**
 * The cookies of one walk (RFC 6265). undici reads them; kept they are here, because the jar of tough-cookie brings
 * 4 MB of public suffixes along, and a walk only goes to hosts that the target file names.
 */
export class CookieJar {
  #cookies: readonly KeptCookie[] = [];

  keep(url: URL, headers: readonly HeaderLine[]): void {
    for (const [name, value] of headers) {
      if (name.toLowerCase() === 'set-cookie') this.#set(url, value);
    }
  }

  /** The Cookie header for an address; undefined when there is nothing to send. */
  headerFor({ protocol, origin, hostname, pathname }: URL): string | undefined {
    const sent = this.#cookies.filter(
      ({ domain, wide, path, secure }) =>
        (hostname === domain || (wide && hostname.endsWith(`.${domain}`))) &&
        (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)) &&
        (!secure || protocol === 'https:' || isLoopback(origin)),
    );
    return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #set(url: URL, text: string): void {
    const cookie = parseCookie(text);
    if (cookie === null || cookie.name === '') return;
    const given = cookie.domain?.toLowerCase() ?? '';
    const isOurs = given !== '' && (url.hostname === given || url.hostname.endsWith(`.${given}`));
    if (given !== '' && !isOurs) return;
    const kept: KeptCookie = {
      name: cookie.name,
      value: cookie.value,
      domain: isOurs ? given : url.hostname,
      wide: isOurs,
      path: cookie.path?.startsWith('/') ? cookie.path : folderOf(url.pathname),
      secure: cookie.secure === true,
    };
    const others = this.#cookies.filter(
      ({ name, domain, path }) => name !== kept.name || domain !== kept.domain || path !== kept.path,
    );
    this.#cookies = isOver(cookie) ? others : [...others, kept].slice(-mostCookies);
  }
}

/** RFC 6265 section 6.1: as many as a browser keeps of one domain. The oldest go first. */
const mostCookies = 50;

const folderOf = (pathname: string): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

/** A cookie whose time is over is meant to be forgotten. Max-Age comes before Expires. */
function isOver({
  maxAge,
  expires,
}: {
  readonly maxAge?: number;
  readonly expires?: Date | number;
}): boolean {
  if (maxAge !== undefined) return maxAge <= 0;
  return expires !== undefined && Number(expires) <= Date.now();
}
