import type { HeaderLine } from '../exchange.ts';
import { CookieJar } from './cookie-jar.ts';
import type { FilledForm } from './filled-form.ts';
import { type HtmlPage, readHtmlPage } from './html-page.ts';
import type { PageAnswer, PageHttp, PageRequest } from './page-http.ts';
import { isReturnTo, looksLikeReturn } from './sca-return.ts';
import { type PageRecorder, ScaWalkError } from './sca-walker.ts';

/** Where following a link or sending a form has led: a page of the bank, or back to the TPP. */
export type Place =
  | {
      readonly at: 'page';
      readonly url: URL;
      readonly status: number;
      readonly contentType: string;
      readonly page: HtmlPage;
    }
  | { readonly at: 'tpp'; readonly address: string };

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
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new ScaWalkError(
        'stuck',
        `The link scaRedirect is no address that a browser could open: ${address}`,
      );
    }
    return this.#follow({ method: 'GET', url: new URL(address) }, address);
  }

  /** Sends a form of a page. */
  submit({ url, page }: Extract<Place, { at: 'page' }>, form: FilledForm): Promise<Place> {
    const base = new URL(page.base ?? '', url);
    // An empty action means the page itself, whatever its base is (HTML, form submission).
    const action = new URL(form.action === '' ? url : form.action, base);
    const body = new URLSearchParams(
      form.pairs.map(([name, value]): [string, string] => [name, value]),
    ).toString();
    if (form.method === 'POST') return this.#follow({ method: 'POST', url: action, body }, action.href);
    action.search = body;
    return this.#follow({ method: 'GET', url: action }, action.href);
  }

  /** Follows a link of a page. */
  click({ url, page }: Extract<Place, { at: 'page' }>, href: string): Promise<Place> {
    const address = new URL(href, new URL(page.base ?? '', url));
    return this.#follow({ method: 'GET', url: address }, address.href);
  }

  /** `written` is the address as the bank wrote it, which is what the TPP would see. */
  async #follow(first: Omit<PageRequest, 'headers'>, written: string): Promise<Place> {
    let request = first;
    let address = written;
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      if (isReturnTo(this.#redirectUri, request.url.href)) return { at: 'tpp', address };
      // On its own host a bank may pass on what it likes.
      if (request.url.origin !== first.url.origin && looksLikeReturn(request.url.href)) {
        throw new ScaWalkError(
          'astray',
          `The bank sent the PSU to ${request.url.origin}${request.url.pathname} and not to TPP-Redirect-URI (${this.#redirectUri}).`,
          address,
        );
      }
      const answer = await this.#send(request);
      const location = headerOf(answer, 'location');
      if (!redirects.has(answer.status) || location === undefined) {
        return {
          at: 'page',
          url: request.url,
          status: answer.status,
          contentType: headerOf(answer, 'content-type') ?? '',
          page: readHtmlPage(answer.text),
        };
      }
      address = URL.canParse(location) ? location : new URL(location, request.url).href;
      request = redirected(request, answer.status, new URL(address));
    }
    throw new ScaWalkError(
      'stuck',
      `The SCA page ${first.url.origin}${first.url.pathname} redirects without end.`,
    );
  }

  async #send(request: Omit<PageRequest, 'headers'>): Promise<PageAnswer> {
    const cookie = this.#cookies.headerFor(request.url);
    const headers: HeaderLine[] = [
      ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
      ['Accept-Language', 'en,nb;q=0.8'],
      ['User-Agent', 'xs2a-conformance'],
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
      ...(request.body === undefined
        ? []
        : ([
            ['Content-Type', 'application/x-www-form-urlencoded'],
            ['Origin', request.url.origin],
          ] as const)),
    ];
    const answer = await this.#http.send({ ...request, headers });
    this.#record(answer.exchange);
    this.#cookies.keep(request.url, answer.headers);
    return answer;
  }
}

const headerOf = ({ headers }: PageAnswer, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** 307 and 308 keep method and body; after the others a browser asks with GET (RFC 7231, 6.4). */
function redirected(
  request: Omit<PageRequest, 'headers'>,
  status: number,
  url: URL,
): Omit<PageRequest, 'headers'> {
  return status === 307 || status === 308 ? { ...request, url } : { method: 'GET', url };
}
