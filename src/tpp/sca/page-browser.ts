import { parseCookie } from 'undici';
import { isLoopback } from '../../target/pace.ts';
import { usualAppearance } from '../call.ts';
import { type HeaderLine, headerValue } from '../exchange.ts';
import { beginningOf } from '../limits.ts';
import type { FilledForm } from './filled-form.ts';
import { type HtmlPage, readHtmlPage, refreshIn } from './html-page.ts';
import { type PageAnswer, type PageHttp, type PageRequest, placeOf } from './page-http.ts';
import { knownLetters } from './page-letters.ts';
import { isReturnTo, looksLikeReturn, tellsOutcome } from './sca-return.ts';
import { type PageRecorder, ScaWalkError } from './sca-walker.ts';
import { sentForm, urlencoded } from './sent-form.ts';

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

/** Where following a link or sending a form has led: a page of the bank, or back to the TPP. */
export type Place =
  | {
      readonly at: 'page';
      readonly url: URL;
      readonly status: number;
      readonly contentType: string;
      readonly letters: string;
      readonly page: HtmlPage;
      /** There is nothing in it, and it does not go on by itself: whoever opens it sees an empty window. */
      readonly isBlank: boolean;
      /** It was only asked for, so that asking again changes nothing. */
      readonly isAsked: boolean;
    }
  | { readonly at: 'tpp'; readonly address: string };

export type Page = Extract<Place, { at: 'page' }>;

const mostRedirects = 15;
const redirects = new Set([301, 302, 303, 307, 308]);

/** A PSU's browser for one walk: it has cookies and follows redirects, and stops before it would reach the TPP. */
export class PageBrowser {
  readonly #http: PageHttp;
  readonly #redirectUri: string;
  readonly #record: PageRecorder;
  readonly #cookies = new CookieJar();

  constructor(http: PageHttp, redirectUri: string, record: PageRecorder = () => {}) {
    this.#http = http;
    this.#redirectUri = redirectUri;
    this.#record = record;
  }

  async open(address: string): Promise<Place> {
    const subject = 'The link scaRedirect';
    return this.#follow({ method: 'GET', url: addressOf(address, undefined, subject) }, address, subject);
  }

  /** Sends a form of a page. */
  async submit({ url, page, letters }: Extract<Place, { at: 'page' }>, form: FilledForm): Promise<Place> {
    // An empty action means the page itself, whatever its base is (HTML, form submission).
    const subject = `The form of the SCA page ${placeOf(url)}`;
    const action = form.action === '' ? new URL(url) : addressOf(form.action, baseOf(url, page), subject);
    const sentIn = knownLetters(form.letters) ?? letters;
    if (form.method === 'POST') {
      const sent = sentForm(form.pairs, sentIn, form.isMultipart);
      return this.#follow({ method: 'POST', url: action, form: sent }, action.href, subject, url);
    }
    action.search = urlencoded(form.pairs, sentIn);
    return this.#follow({ method: 'GET', url: action }, action.href, subject, url);
  }

  /** Asks for a page once more. */
  async reload({ url }: Extract<Place, { at: 'page' }>): Promise<Place> {
    return this.#follow({ method: 'GET', url }, url.href, `The SCA page ${placeOf(url)}`);
  }

  /** Follows a link of a page. */
  async click({ url, page }: Extract<Place, { at: 'page' }>, href: string): Promise<Place> {
    const subject = `A link of the SCA page ${placeOf(url)}`;
    // As with an empty action, nothing means the page itself.
    const address = href === '' ? new URL(url) : addressOf(href, baseOf(url, page), subject);
    return this.#follow({ method: 'GET', url: address }, address.href, subject, url);
  }

  /** `written` is the address as the bank wrote it, which is what the TPP would see; `from` the page that leads there. */
  async #follow(
    first: Omit<PageRequest, 'headers'>,
    written: string,
    whatLeadsThere: string,
    from?: URL,
  ): Promise<Place> {
    let request = first;
    let address = written;
    let subject = whatLeadsThere;
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      if (isReturnTo(this.#redirectUri, request.url.href)) return { at: 'tpp', address };
      // On its own host a bank may pass on what it likes.
      if (request.url.origin !== first.url.origin && looksLikeReturn(request.url.href))
        throw this.#astray(request.url, address);
      if (!/^https?:$/.test(request.url.protocol)) throw notOpened(subject, address);
      const answer = await this.#send(request, from);
      const location = headerValue(answer.headers, 'location');
      // Nothing is there that could pass it on: it was to be the address of the TPP.
      if (hop > 0 && answer.status === 404 && tellsOutcome(request.url.href))
        throw this.#astray(request.url, address);
      if (!redirects.has(answer.status) || location === undefined) {
        const page = shownPage(answer, request.url);
        return {
          at: 'page',
          url: request.url,
          status: answer.status,
          contentType: headerValue(answer.headers, 'content-type') ?? '',
          letters: answer.letters,
          page,
          isAsked: request.method === 'GET',
          isBlank: answer.text.trim() === '' && page.refresh === undefined,
        };
      }
      subject = `A redirect of the SCA page ${placeOf(request.url)}`;
      const next = addressOf(location, request.url, subject);
      address = URL.canParse(location) ? location : next.href;
      // At the TPP the walk ends, and nothing is sent any more.
      request = isReturnTo(this.#redirectUri, next.href)
        ? { method: 'GET', url: next }
        : redirected(request, answer.status, next);
    }
    throw new ScaWalkError('stuck', `The SCA page ${placeOf(first.url)} redirects without end.`);
  }

  #astray(url: URL, address: string): ScaWalkError {
    const text = `The bank sent the PSU to ${placeOf(url)} and not to TPP-Redirect-URI (${this.#redirectUri}).`;
    return new ScaWalkError('astray', text, address);
  }

  async #send(request: Omit<PageRequest, 'headers'>, from?: URL): Promise<PageAnswer> {
    const cookie = this.#cookies.headerFor(request.url);
    const headers: HeaderLine[] = [
      ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
      ['Accept-Language', 'en,nb;q=0.8'],
      ['User-Agent', this.#http.browser ?? usualAppearance.browser],
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
      ...whereFrom(request, from),
    ];
    const answer = await this.#http.send({ ...request, headers });
    this.#record(answer.exchange);
    this.#cookies.keep(request.url, answer.headers);
    return answer;
  }
}

/**
 * Banks tell their own forms from those of others by these. No more than the origin of the page, as with the policy
 * strict-origin: the rest of its address may be secret.
 */
function whereFrom({ form }: Omit<PageRequest, 'headers'>, from: URL | undefined): readonly HeaderLine[] {
  if (from === undefined) return [];
  const referer: HeaderLine = ['Referer', `${from.origin}/`];
  return form === undefined ? [referer] : [['Origin', from.origin], referer];
}

/** A page as a browser shows it: what goes on by a header, and frames of the same host. Others count or advertise. */
function shownPage(answer: PageAnswer, url: URL): HtmlPage {
  const page = readHtmlPage(answer.text);
  const base = baseOf(url, page);
  return {
    ...page,
    refresh: page.refresh ?? refreshIn(headerValue(answer.headers, 'refresh') ?? ''),
    frames: page.frames.filter(
      (source) => source !== '' && URL.canParse(source, base.href) && new URL(source, base).host === url.host,
    ),
  };
}

/** Where relative addresses of a page start from; a base that is no address counts as none (HTML, the base element). */
const baseOf = (url: URL, { base }: HtmlPage): URL =>
  base !== undefined && URL.canParse(base, url.href) ? new URL(base, url) : url;

/** What a page calls an address, as one. */
function addressOf(written: string, base: URL | undefined, subject: string): URL {
  if (URL.canParse(written, base?.href)) return new URL(written, base);
  throw notOpened(subject, written);
}

/** Apps of identity providers have schemes of their own, such as bankid:. */
const notOpened = (subject: string, written: string): ScaWalkError =>
  new ScaWalkError(
    'stuck',
    `${subject} leads to ${JSON.stringify(beginningOf(written, 100))}, which is no address that a browser could open.`,
  );

/** 307 and 308 keep method and body; after the others a browser asks with GET (RFC 7231, 6.4). */
function redirected(
  request: Omit<PageRequest, 'headers'>,
  status: number,
  url: URL,
): Omit<PageRequest, 'headers'> {
  if (status !== 307 && status !== 308) return { method: 'GET', url };
  if (request.form !== undefined && url.host !== request.url.host) {
    throw new ScaWalkError(
      'off-limits',
      `The SCA page ${placeOf(request.url)} answered ${status} to have the form sent again to ${placeOf(url)}: what was filled in for one host is not sent to another.`,
    );
  }
  return { ...request, url };
}
