import type { HeaderLine } from './exchange.ts';
import type { WireResponse } from './transport.ts';

/**
 * Statuses by which something between us and the bank, or the bank as a whole, says that it cannot take a request now:
 * 408, 429, 502, 503, 504 (RFC 9110, RFC 6585), and those that delivery networks have added.
 */
const gatewayStatuses: ReadonlySet<number> = new Set([
  408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
]);

/** Whether a status says that the request has not come through to whom it was meant for. */
export const isOfGateway = (status: number): boolean => gatewayStatuses.has(status);

/** 429 and 503 ask for patience; the others say that something is broken. */
export const asksForPatience = (status: number): boolean => status === 429 || status === 503;

/** 429 Too Many Requests says nothing of the request, whoever gives it and however often: it was not looked at. */
export const saysOnlyNotNow = (status: number): boolean => status === 429;

const startsAsPage = /^\s*<(?:!doctype\s+html|html|head|body|title|h\d)\b/i;

/** Whether it is a web page: what a gateway, a firewall or a portal puts where the interface would send JSON. */
function isPage({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): boolean {
  const type = headerValue(headers, 'content-type') ?? '';
  return /^\s*text\/html\b/i.test(type) || startsAsPage.test(body.toString('utf8', 0, 200));
}

/**
 * Whether it may have been cut on the way unseen: JSON without an end, in a body that nothing but the end of the
 * connection ends (RFC 9112, section 8).
 */
export function mayBeCut({ headers, body }: Pick<WireResponse, 'headers' | 'body'>): boolean {
  const isFramed = ['content-length', 'transfer-encoding'].some((name) => headerValue(headers, name));
  return !isFramed && /^\s*[{[]/.test(body.toString('utf8', 0, 20)) && !isJson(body);
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells the answers of the bank from those of what stands before it. Most gateways give themselves away by the status.
 * A page does where the bank has answered that status in JSON before; a status that is new is asked for twice, since
 * a bank may tell its errors in HTML: the specification shows no error body.
 */
export class GatewayWatch {
  readonly #json = new Set<number>();
  readonly #pages = new Set<number>();

  /** `again` when the same request has been answered by a page of the same status just before. */
  isOnTheWay(response: WireResponse, again: boolean): boolean {
    const { status } = response;
    if (isOfGateway(status)) return true;
    // A bank that knows no better sends it so again.
    if (mayBeCut(response)) return !again;
    const isRedirect = status >= 300 && status < 400;
    if (!isPage(response) && !isRedirect) {
      this.#json.add(status);
      return false;
    }
    // Nothing is known of the interface yet: whoever asked first has to say what this is.
    if (this.#json.size === 0) return false;
    if (this.#json.has(status) || status < 400 || status >= 500) return true;
    if (again) this.#pages.add(status);
    return !this.#pages.has(status);
  }
}

export const headerValue = (headers: readonly HeaderLine[], name: string): string | undefined =>
  headers.find(([present]) => present.toLowerCase() === name)?.[1];

/** No single pause is longer, so that a run does not hang on one request. */
const longestMs = 15_000;

/** Who asks for more than this (a day, say) is not waited for: the request is tried as if nothing had been asked. */
const endlessMs = 120_000;

/** Pauses grow from attempt to attempt up to this many times the first one. */
const mostSteps = 5;

/**
 * Milliseconds to wait before the next attempt: what `Retry-After` says (RFC 9110, 10.2.3, seconds or a date), or a
 * pause that grows. What is no number of seconds and no date is ignored, and `0` is no leave to knock at once.
 */
export function retryDelay(
  headers: readonly HeaderLine[],
  attempt: number,
  patienceMs: number,
  now: number = Date.now(),
): number {
  const asked = askedFor(headerValue(headers, 'retry-after')?.trim(), now);
  const usual = patienceMs * Math.min(2 ** (attempt - 1), mostSteps);
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
