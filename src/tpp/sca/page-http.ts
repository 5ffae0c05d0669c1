import { BlockList, isIPv6 } from 'node:net';
import { steadyNow } from '../../spec/steady-clock.ts';
import { isLoopback } from '../../target/pace.ts';
import { usualAppearance } from '../call.ts';
import { type Exchange, type HeaderLine, headerValue } from '../exchange.ts';
import { asksForPatience, isOfGateway, retryDelay } from '../gateway.ts';
import { type Pace, usualPatienceMs } from '../pace.ts';
import { recordedResponse } from '../recorded-response.ts';
import { type Transport, TransportError } from '../transport.ts';
import { lettersOf, readIn } from './page-letters.ts';
import { mostBeginnings, ScaWalkError, scaPage } from './sca-walker.ts';
import type { SentForm } from './sent-form.ts';

/** Where pages may be fetched from: what the PSU's browser sends there is a national identity number. */
interface PageAddresses {
  /** Of the interface, as the target file gives it. */
  readonly origin: string;
  /** Further hosts that the target file allows, each with its port unless that is the usual one. */
  readonly hosts: readonly string[];
}

/** Addresses of the machine's own network, where clouds keep credentials (RFC 3927, RFC 4291 section 2.5.6). */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** Why a page is not fetched from there; nothing where it may be. */
export function whyNotFetched(url: URL, { origin, hosts }: PageAddresses): string | undefined {
  // The user has named this origin, and the interface itself is called there, with or without TLS.
  if (url.origin === origin) return undefined;
  if (!/^https?:$/.test(url.protocol))
    return `${url.protocol} is no address that a browser could fetch a page from`;
  if (isLinkLocal(url.hostname)) return 'link-local addresses are never fetched';
  if (url.username !== '' || url.password !== '') return 'it carries a user name or a password';
  if (url.protocol !== 'https:' && !isLoopback(url.origin)) return 'it is not https';
  const named = hosts.map((host) => `${url.protocol}//${host}`);
  if (named.some((one) => URL.canParse(one) && new URL(one).host === url.host)) return undefined;
  // Another port of a host may be anybody's, and is another origin to a browser as well (RFC 6454, section 4).
  const what =
    url.hostname === new URL(origin).hostname
      ? `it is another origin than ${origin}, on the same host, and the target file does not allow`
      : 'the target file does not allow the host';
  return `${what} ${url.host} for SCA pages (add it to psu.scaHosts if it is the bank's)`;
}

function isLinkLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return linkLocal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

export interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: readonly HeaderLine[];
  readonly form?: SentForm;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly text: string;
  /** The letters that it is written in, and forms on it are sent in. */
  readonly letters: string;
  readonly exchange: Exchange;
}

/** One of several, and which of all that were sent it was. */
interface Attempt {
  readonly order: number;
  readonly answer: PageAnswer | TransportError;
}

/** Fetches the pages of the bank, which may stand on other hosts than its interface. */
export interface PageHttp {
  /** What pages are opened in, as it names itself; the usual one unless given. */
  readonly browser?: string;
  send(request: PageRequest): Promise<PageAnswer>;
  close(): Promise<void>;
}

export interface PageHttpOptions extends Pick<PageHttp, 'browser'> {
  readonly origin: PageAddresses['origin'];
  /** None but the bank's own by default. */
  readonly hosts?: PageAddresses['hosts'];
  /** The way to the interface; pages on the same host go it as well. */
  readonly transport: Transport;
  /** The way to another host. It trusts the same authorities, and shows no client certificate. */
  readonly transportTo: (origin: string) => Transport;
  readonly pace: Pace;
  readonly timeoutMs: number;
  /** The least pause before a further attempt. */
  readonly patienceMs?: number;
}

/** Asking for a page again changes nothing. */
const mostAttempts = 6;

/** So often more is a page asked for that is refused: 500 says of a request no more than that something broke down on the way. */
const againAfter = (status: number): number => (status === 500 ? 2 : 1);

/** A form that died on the way may have arrived; one that was put off has not. */
const mayRepeat = (method: PageRequest['method'], status: number | undefined): boolean =>
  method === 'GET' || (status !== undefined && asksForPatience(status));

/** Nothing, or what only programs read: no browser goes on from there, and gateways answer so. */
const isNoPage = ({ status, headers, text }: PageAnswer): boolean =>
  (status === 200 && text === '' && headerValue(headers, 'refresh') === undefined) ||
  (status < 300 && /\bjson\b/i.test(headerValue(headers, 'content-type') ?? ''));

/** A page that was begun; whether it is ended as well is up to the bank (HTML, optional tags). */
const isBegun = ({ status, text }: PageAnswer): boolean => status === 200 && /<html[\s>]/i.test(text);

const isEnded = ({ text }: PageAnswer): boolean => /<\/html\s*>/i.test(text);

export function pageHttp({
  origin,
  hosts = [],
  transport,
  transportTo,
  pace,
  timeoutMs,
  patienceMs = usualPatienceMs,
  browser = usualAppearance.browser,
}: PageHttpOptions): PageHttp {
  const others = new Map<string, Transport>();
  const wayTo = (host: string): Transport => {
    if (host === origin) return transport;
    const way = others.get(host) ?? transportTo(host);
    others.set(host, way);
    return way;
  };
  let sent = 0;
  /** Forms one after another that died on the way: who loses each of them is not worth another beginning. */
  let lostInARow = 0;
  /** What had been sent when the last of them was lost: one trouble takes all forms with it that are out at that time. */
  let sentBeforeLoss = 0;
  const countLoss = (order: number): void => {
    if (order <= sentBeforeLoss) return;
    sentBeforeLoss = sent;
    lostInARow += 1;
  };
  /** Whether the bank ends its pages: then one without its end may have been cut on the way. */
  let endsPages: boolean | undefined;
  const mayBeCut = (answer: PageAnswer): boolean => {
    if (!isBegun(answer)) return false;
    if (isEnded(answer)) endsPages ??= true;
    return endsPages === true && !isEnded(answer);
  };
  /** A page was asked for as often as may be, and nothing came: until something does, one look each is enough. */
  let isSilent = false;

  const attempt = (request: PageRequest, number: number): Promise<Attempt> =>
    pace.run(async () => {
      const { method, url, form } = request;
      const headers: readonly HeaderLine[] = [
        ...request.headers,
        ...(form === undefined ? [] : [['Content-Type', form.type] as const]),
      ];
      pace.spend();
      sent += 1;
      const order = sent;
      const startedAt = new Date().toISOString();
      const started = steadyNow();
      const response = await wayTo(url.origin)
        .send(
          {
            method,
            target: url.pathname + url.search,
            headers: [['Host', url.host], ...headers],
            body: form?.body,
          },
          isSilent || lostInARow >= mostBeginnings ? pace.patienceWith(timeoutMs) : timeoutMs,
        )
        .catch((error: unknown) => {
          if (error instanceof TransportError) return error;
          throw error;
        });
      if (response instanceof TransportError) return { order, answer: response };
      isSilent = false;
      const letters = lettersOf(response.body, headerValue(response.headers, 'content-type') ?? '');
      const text = readIn(letters, response.body);
      const exchange: Exchange = {
        id: `p${String(order).padStart(5, '0')}`,
        purpose: scaPage,
        operation: 'other',
        attempt: number,
        startedAt,
        durationMs: steadyNow() - started,
        request: { method, url: url.href, headers, body: form?.body.toString('utf8') ?? '' },
        response: recordedResponse(response),
      };
      return {
        order,
        answer: { status: response.status, headers: response.headers, text, letters, exchange },
      };
    });

  return {
    browser,
    async send(request) {
      const refusal = whyNotFetched(request.url, { origin, hosts });
      if (refusal !== undefined) {
        throw new ScaWalkError('off-limits', `${placeOf(request.url)} was not fetched: ${refusal}.`);
      }
      let hasDied = false;
      let cut: PageAnswer | undefined;
      for (let number = 1; ; number += 1) {
        const { order, answer } = await attempt(request, number);
        const isLost = answer instanceof TransportError;
        const isUnsent = isLost && answer.isUnsent;
        if (isUnsent) pace.notConnected();
        const { method, url } = request;
        if (!isLost && !isOfGateway(answer.status)) {
          // A firewall before the pages may have refused it, or a proxy lost it: the bank itself says so again.
          const isNone = isNoPage(answer);
          const isCut = method === 'GET' && mayBeCut(answer);
          if (cut !== undefined) {
            if (isCut) endsPages = false;
            return isCut || answer.status < 400 ? answer : cut;
          }
          if (isCut && number === 1) {
            cut = answer;
            await pace.wait(patienceMs);
            continue;
          }
          if (method === 'GET' && (isNone || answer.status >= 400) && number <= againAfter(answer.status)) {
            await pace.wait(number * patienceMs);
            continue;
          }
          if (hasDied && answer.status >= 400 && lostInARow + 1 < mostBeginnings) {
            countLoss(order);
            throw new ScaWalkError(
              'lost',
              `The SCA page ${placeOf(url)} died on the way and was asked for again, and then answered ${answer.status}: it may be shown once only.`,
            );
          }
          if (method === 'POST') {
            if (isNone && lostInARow + 1 < mostBeginnings) {
              countLoss(order);
              throw new ScaWalkError(
                'lost',
                `The SCA page ${placeOf(url)} answered its form with no page, as a gateway may.`,
              );
            }
            if (!isNone) lostInARow = 0;
          }
          return answer;
        }
        const mayBeRepeated = isUnsent || mayRepeat(method, isLost ? undefined : answer.status);
        if (number >= (isSilent ? 1 : mostAttempts) || !mayBeRepeated) {
          if (!mayBeRepeated) countLoss(order);
          else isSilent = isLost;
          const said = isLost ? answer.message.replace(/\.$/, '') : `${answer.status}, as a gateway answers`;
          throw new ScaWalkError(
            !mayBeRepeated && lostInARow < mostBeginnings ? 'lost' : 'unreachable',
            `The SCA page ${placeOf(url)} gave no answer to ${method}: ${said}.`,
          );
        }
        hasDied ||= isLost && !isUnsent;
        await pace.wait(retryDelay(isLost ? [] : answer.headers, number, patienceMs));
      }
    },
    async close() {
      await Promise.all([...others.values()].map((way) => way.close()));
    },
  };
}

/** An address without its parameters, which may be secret. Of other schemes than http the origin is empty. */
export const placeOf = ({ protocol, host, pathname }: URL): string =>
  `${protocol}//${host}${pathname}`.slice(0, 200);
