import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Why a request to the console is not answered. */
export interface Denial {
  readonly status: 403 | 421;
  readonly text: string;
}

/** Where the finished reports are handed out. */
export const reportFolder = '/console/report';

export const newToken = (): string => randomBytes(24).toString('base64url');

/**
 * Who may speak to the console: whoever has its address with the token, at a name that is the console's own, from no
 * other page. The name keeps out pages that let their own name point here (DNS rebinding), the origin those that send
 * requests from elsewhere, the token everybody else on the machine.
 */
export class Guard {
  readonly #token: string;
  readonly #reportToken = newToken();
  readonly #host: string;
  #port = 0;

  constructor(token: string, host: string) {
    this.#token = token;
    this.#host = host;
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  /** Cookies are shared by all ports of a host, so that the port is part of the name. */
  get cookieName(): string {
    return `xs2a-console-${this.#port}`;
  }

  /**
   * Strict: no other site can make a browser send it. A report has an origin of its own, so that its links to other
   * reports come from elsewhere: what opens those is a token for the reports and nothing else, which a browser sends
   * along when somebody follows a link.
   */
  get cookies(): readonly string[] {
    return [
      `${this.cookieName}=${this.#token}; Path=/console; HttpOnly; SameSite=Strict`,
      `${this.#reportCookieName}=${this.#reportToken}; Path=${reportFolder}; HttpOnly; SameSite=Lax`,
    ];
  }

  get #reportCookieName(): string {
    return `${this.cookieName}-reports`;
  }

  /** Undefined where the request may be answered. Styles and scripts are the same for all and need no token. */
  denies(request: IncomingMessage, url: URL, isPublic: boolean): Denial | undefined {
    if (!this.#isOwnHost(request.headers.host)) {
      return { status: 421, text: 'This is not the name of the console. Use the address that was printed.' };
    }
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    // A link on another page may be followed here; a form there, which navigates as well, changes nothing.
    const isLink = request.headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET';
    const isForeign =
      (origin !== undefined && origin !== `http://${request.headers.host}`) ||
      ((site === 'cross-site' || site === 'same-site') && !isLink);
    if (isForeign) return { status: 403, text: 'Requests from other origins are refused.' };
    if (isPublic || this.#hasToken(request, url)) return undefined;
    return {
      status: 403,
      text: 'Open the address that was printed at the start: it carries a token. Programs send it as "Authorization: Bearer TOKEN".',
    };
  }

  #isOwnHost(header: string | undefined): boolean {
    const [, name, port] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::(\d+))?$/i.exec(header ?? '') ?? [];
    if (name === undefined || Number(port ?? 80) !== this.#port) return false;
    const bare = name.replace(/^\[|\]$/g, '').toLowerCase();
    if (['localhost', '127.0.0.1', '::1', this.#host.toLowerCase()].includes(bare)) return true;
    const isEverywhere = this.#host === '0.0.0.0' || this.#host === '::';
    // An address leads nobody astray; of names only this machine's own is known to be right.
    return isEverywhere && (isIP(bare) !== 0 || bare === hostname().toLowerCase());
  }

  #hasToken({ headers }: IncomingMessage, url: URL): boolean {
    const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
    const isReport = url.pathname.startsWith(`${reportFolder}/`);
    return (
      [bearer, cookieIn(headers.cookie, this.cookieName), url.searchParams.get('token')].some(
        (given) => typeof given === 'string' && isSame(given, this.#token),
      ) ||
      (isReport && isSame(cookieIn(headers.cookie, this.#reportCookieName) ?? '', this.#reportToken))
    );
  }
}

const cookieIn = (header: string | undefined, name: string): string | undefined =>
  (header ?? '')
    .split(/; */)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Takes the same time whatever the difference. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest());
