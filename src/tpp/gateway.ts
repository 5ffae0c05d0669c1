import { isObject } from '../spec/json.ts';
import { authorisationStarts, type OperationName } from '../spec/operations.ts';
import { type Exchange, type HeaderLine, headerValue } from './exchange.ts';
import { jsonOf } from './json-of-body.ts';
import { isDamaged, type WireResponse } from './transport.ts';

/**
 * Statuses by which something between us and the bank, or the bank as a whole, says that it cannot take a request now:
 * 407, 408, 421, 429, 502, 503, 504 (RFC 9110, RFC 6585), 425 (RFC 8470), and what load balancers say of a request that
 * was given up on the way, 460 (AWS) and 499 (nginx).
 */
const gatewayStatuses: ReadonlySet<number> = new Set([407, 408, 421, 425, 429, 460, 499, 502, 503, 504]);

/** From here on are those of portals (511), of delivery networks (520 to 530) and of proxies (598, 599). */
const firstOfOthers = 509;

/** Whether a status says that the request has not come through to whom it was meant for. */
export const isOfGateway = (status: number): boolean =>
  gatewayStatuses.has(status) || status >= firstOfOthers;

/** 429 and 503 ask for patience; the others say that something is broken. */
export const asksForPatience = (status: number): boolean => status === 429 || status === 503;

/** 429 Too Many Requests says nothing of the request, whoever gives it and however often: it was not looked at. */
export const saysOnlyNotNow = (status: number): boolean => status === 429;

/** Operations that do nothing but start SCA: how is not shown, and "an SCA redirect is returned" to a consent. */
export const startingSca: ReadonlySet<string> = new Set<OperationName>([
  ...authorisationStarts,
  'createConsent',
  'createBankOfferedConsent',
  'startUserFlow',
]);

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** 301 and 308 say of a path that it is elsewhere for good (RFC 9110), which no single SCA is. */
const isForGood = (status: number): boolean => status === 301 || status === 308;

/** Whether it may be the bank itself that sends the PSU to SCA by a redirect of HTTP. */
export const sendsToSca = (operation: string, { status, headers }: Told): boolean =>
  startingSca.has(operation) &&
  isRedirect(status) &&
  !isForGood(status) &&
  headerValue(headers, 'location') !== undefined;

interface Links {
  readonly scaRedirect?: { readonly href?: unknown } | null;
}

function linksIn({ body }: Told): Links | undefined {
  const told = jsonOf(body) as { readonly _links?: Links | null } | null | undefined;
  return told?._links ?? undefined;
}

/** Only the interface tells what can be done next with what it has made: no gateway does, wherever it sends a request. */
const hasLinks = (response: Told): boolean => typeof linksIn(response) === 'object';

/** Where the link to SCA leads that an answer has, if it has one: host and port. */
const hostOfSca = (response: Told): string | undefined =>
  hostOf(String(linksIn(response)?.scaRedirect?.href));

/** Undefined where an address is a path alone, and so at whoever was asked. */
function hostOf(address: string): string | undefined {
  try {
    return new URL(address).host;
  } catch {
    return undefined;
  }
}

const startsAsPage = /^\s*<(?:!doctype\s+html|html|head|body|title|h\d)\b/i;

const startsAsJson = /^\s*[{[]/;

/**
 * Whether it is a web page: what a gateway, a firewall or a portal puts where the interface would send JSON. JSON that only
 * calls itself one is an answer of the interface, with a Content-Type that is wrong.
 */
export function isPage({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): boolean {
  const start = body.toString('utf8', 0, 200);
  const type = headerValue(headers, 'content-type') ?? '';
  const callsItselfOne = /^\s*text\/html\b/i.test(type);
  return startsAsPage.test(start) || (callsItselfOne && !(startsAsJson.test(start) && isJson(body)));
}

/**
 * Whether it may have been cut on the way unseen: JSON without an end, since proxies that have lost the bank in the
 * middle of a body end it as it is, and some count its length anew; broken JSON in a body that nothing but the end of the
 * connection ends (RFC 9112, section 8); or a packed body that cannot be unpacked, since proxies pack and unpack.
 */
export function mayBeCut(response: Omit<WireResponse, 'status'>): boolean {
  const { headers, body } = response;
  if (isDamaged(response)) return !isJson(body);
  if (!startsAsJson.test(body.toString('utf8', 0, 20)) || isJson(body)) return false;
  const isFramed = ['content-length', 'transfer-encoding'].some((name) => headerValue(headers, name));
  return !isFramed || lacksItsEnd(body);
}

/** Whether something that was opened is never closed: a text, a list or an object. Each byte is looked at once. */
function lacksItsEnd(json: Buffer): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = String.fromCharCode(json[at] ?? 0);
    if (sign === '"') isInText = !isInText;
    else if (isInText) at += sign === '\\' ? 1 : 0;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
  }
  return isInText || depth > 0;
}

const isJson = (body: Buffer): boolean => jsonOf(body) !== undefined;

/** A text that is no JSON, as gateways give it that have lost the bank: "404 page not found". */
const isForeignText = ({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): boolean =>
  body.length > 0 && /^\s*(?:text\/|$)/i.test(headerValue(headers, 'content-type') ?? '') && !isJson(body);

/** 500 (RFC 9110) in a page or a text is as likely that of a gateway that has failed itself as 502 is. */
const isBreakdownOfOthers = (response: Told): boolean =>
  response.status === 500 && (isPage(response) || isForeignText(response));

/** What gateways say of themselves where they speak JSON: those of AWS, Kong, Azure, Apigee and Spring, and pages for maintenance. */
const membersOfGateways: ReadonlySet<string> = new Set([
  'message',
  'Message',
  'request_id',
  'requestId',
  'statusCode',
  'fault',
  'status',
  'error',
  'error_description',
  'timestamp',
  'path',
]);

/** An answer in JSON that has nothing in it but what gateways say: `{"message":"Forbidden"}`, or `{}` and 200. */
function isForeignJson({ status, body }: Told): boolean {
  if (!isSaidByGateways(status) || body.length === 0 || body.length > longestOfGateways) return false;
  const told = jsonOf(body);
  if (!isObject(told)) return false;
  const names = Object.keys(told);
  // A bank may refuse so; where it does what was asked, it has something to say.
  if (names.length === 0) return status === 200;
  return names.every((name) => membersOfGateways.has(name));
}

const longestOfGateways = 1000;

/** Portals and gateways say 200 or refuse; who says 201 has created something. */
const isSaidByGateways = (status: number): boolean => status === 200 || (status >= 400 && status < 500);

/**
 * Nothing where JSON is announced, or 200 and nothing more, as proxies say that have lost the answer: whatever is read in this
 * interface has a body.
 */
const isEmpty = ({ status, headers, body }: Told): boolean =>
  body.length === 0 &&
  (status === 200 || (status !== 204 && /\bjson\b/i.test(headerValue(headers, 'content-type') ?? '')));

const isUnlikeTheBank = (response: Told): boolean =>
  isEmpty(response) ||
  (isSaidByGateways(response.status) && isForeignText(response)) ||
  isForeignJson(response);

/** An answer, as far as it tells who gave it. */
type Told = Pick<WireResponse, 'status' | 'headers' | 'body' | 'packed'>;

/** What was asked for. */
type Asked = Pick<Exchange, 'operation'> & { readonly request: Pick<Exchange['request'], 'method'> };
const reading: Asked = { operation: 'listAccounts', request: { method: 'GET' } };

/** What became of requests that were answered by something that may not be the bank: once more the same, or not. */
interface Suspicion {
  confirmed: number;
  contradicted: number;
}

/**
 * So many requests have to be answered the same again for an odd answer to be the bank's, and so many times as many as
 * were not.
 */
const fewest = { confirmed: 2, timesContradicted: 4 } as const;

/**
 * Tells the answers of the bank from those of what stands before it. Most gateways give themselves away by the status.
 * A page, a text, and JSON as gateways write it, is asked for again, since a bank may tell its errors so, or some of them:
 * the specification shows no error body, and a code only for what is mixed in a basket. It is the bank's where it comes
 * again although the bank has been asked something else in between and has answered, nearly every time; a firewall that
 * refuses one request in a hundred, or a gateway that has lost the bank for a while, is found out by what comes next.
 */
export class GatewayWatch {
  /** Whether the interface has answered anything as it should. */
  #isKnown = false;
  readonly #suspicions = new Map<string, Suspicion>();
  /** Kinds of odd answers that said, before anything was known, that something is not there. */
  readonly #absentAtFirst: string[] = [];
  /** Where links of the bank to SCA have led. */
  readonly #scaHosts = new Set<string>();
  /** By odd answer, its kind, and when it came. */
  readonly #odd = new WeakMap<WireResponse, { readonly kind: string; readonly at: number }>();
  /** Counts what is sent and what comes. */
  #now = 0;
  /** When the latest request was sent that the bank has answered. */
  #answeredSince = 0;

  /** A request is sent now. */
  begin(): number {
    this.#now += 1;
    return this.#now;
  }

  /** `before` is what the same request was answered just before, `sent` what `begin` said when it was sent. */
  isOnTheWay(response: WireResponse, sent: number, before?: WireResponse, asked: Asked = reading): boolean {
    const { status } = response;
    const mayBeSca = sendsToSca(asked.operation, response);
    if (mayBeSca && (!this.#isKnown || this.#leadsToItsPages(response))) return false;
    if (isOfGateway(status) || isBreakdownOfOthers(response)) return true;
    const isCut = mayBeCut(response);
    // A bank that knows no better sends it so again.
    if (isCut && !this.#isKnown) return before?.status !== status;
    const isOfOthers = isPage(response) || (isRedirect(status) && !hasLinks(response));
    // What is said to a deletion is left to the bank, down to nothing at all; and asked again it could only refuse it.
    const isSaidFreely = asked.request.method === 'DELETE' && status < 300;
    const isOdd = isOfOthers || isCut || (!isSaidFreely && isUnlikeTheBank(response));
    if (!isOdd) {
      if (!this.#isKnown) this.#confirmWhatWasAbsent();
      this.#isKnown = true;
      this.#rememberPages(response);
      this.#answeredSince = Math.max(this.#answeredSince, sent);
      this.#compare(undefined, before);
      return false;
    }
    // Nothing is known of the interface yet: whoever asked first has to say what this is.
    if (!this.#isKnown) {
      // Once more, though, where it refuses: a mesh that is just starting says so of itself for a moment.
      const isRefused = !isOfOthers && status >= 400 && asked.request.method === 'GET';
      if (isRefused && before?.status !== status) return true;
      if (saysAbsent(status)) this.#absentAtFirst.push(kindOf(response));
      return false;
    }
    if (isOfOthers && !mayBeSca && (status < 400 || status >= 500)) return true;
    const kind = kindOf(response);
    this.#now += 1;
    this.#odd.set(response, { kind, at: this.#now });
    this.#compare(kind, before);
    const { confirmed, contradicted } = this.#suspicionOf(kind);
    return confirmed < fewest.confirmed || confirmed <= fewest.timesContradicted * contradicted;
  }

  /** Whether an odd answer has come again, and the bank has answered nobody since: once more would say nothing. */
  lacksEvidence(response: WireResponse, before: WireResponse | undefined): boolean {
    const odd = this.#odd.get(response);
    const isAgain = before !== undefined && this.#odd.get(before)?.kind === odd?.kind;
    return isAgain && odd !== undefined && this.#answeredSince < odd.at;
  }

  /** It was found out otherwise that such an answer is the bank's. */
  trust(response: Told): void {
    const suspicion = this.#suspicionOf(kindOf(response));
    suspicion.contradicted = 0;
    suspicion.confirmed = Math.max(fewest.confirmed, suspicion.confirmed);
  }

  /**
   * Who has paths that are not there, and then one that is, said so of them: a bank that offers payments only may have
   * nothing else that could be asked in between.
   */
  #confirmWhatWasAbsent(): void {
    for (const kind of this.#absentAtFirst) this.#suspicionOf(kind).confirmed += 1;
  }

  #rememberPages(response: Told): void {
    const host = hostOfSca(response);
    if (host !== undefined) this.#scaHosts.add(host);
  }

  /** A portal sends everybody to pages of its own; where the bank has its pages, its links tell. */
  #leadsToItsPages({ headers }: Told): boolean {
    const host = hostOf(headerValue(headers, 'location') ?? '');
    return host === undefined || this.#scaHosts.has(host);
  }

  #compare(kind: string | undefined, before: WireResponse | undefined): void {
    const odd = before === undefined ? undefined : this.#odd.get(before);
    if (odd === undefined) return;
    const suspicion = this.#suspicionOf(odd.kind);
    if (kind !== odd.kind) suspicion.contradicted += 1;
    // While the bank answers nobody, the same again says nothing; nor do answers that were still under way.
    else if (this.#answeredSince > odd.at) suspicion.confirmed += 1;
  }

  #suspicionOf(kind: string): Suspicion {
    const known = this.#suspicions.get(kind) ?? { confirmed: 0, contradicted: 0 };
    this.#suspicions.set(kind, known);
    return known;
  }
}

/** 404 Not Found, 405 Method Not Allowed (RFC 9110). */
const saysAbsent = (status: number): boolean => status === 404 || status === 405;

const kindOf = (response: Told): string => `${response.status} ${formOf(response)}`;

function formOf(response: Told): string {
  if (isRedirect(response.status)) return `to ${hostOf(headerValue(response.headers, 'location') ?? '')}`;
  if (isPage(response)) return 'page';
  if (mayBeCut(response)) return 'cut';
  if (isEmpty(response)) return 'empty';
  return isForeignJson(response) ? 'json' : 'text';
}

/** No single pause is longer, so that a run does not hang on one request. */
const longestMs = 15_000;

/** Who asks for more than this (a day, say) is not waited for: the request is tried as if nothing had been asked. */
const endlessMs = 120_000;

/** Pauses that nobody has asked for grow from attempt to attempt up to this many times the first one. */
export const longestUsualPause = 5;

/**
 * Milliseconds to wait before the next attempt: what `Retry-After` says (RFC 9110, 10.2.3, seconds or a date), or a
 * pause that grows. What is no number of seconds and no date is ignored, and `0` is no leave to knock at once. A date is one
 * of the bank's own clock, which the Date of the same answer tells.
 */
export function retryDelay(
  headers: readonly HeaderLine[],
  attempt: number,
  patienceMs: number,
  now: number = Date.now(),
): number {
  const told = Date.parse(headerValue(headers, 'date') ?? '');
  const asked = askedFor(headerValue(headers, 'retry-after')?.trim(), Number.isNaN(told) ? now : told);
  const usual = patienceMs * Math.min(2 ** (attempt - 1), longestUsualPause);
  if (asked === undefined || asked > endlessMs) return usual;
  return Math.min(Math.max(asked, patienceMs), longestMs);
}

function askedFor(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Date.parse takes "-5" and "1.5" for years and months: a date has a name of a month in it.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
