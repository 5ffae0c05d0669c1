import type { Exchange, HeaderLine } from '../exchange.ts';
import { asksForPatience, isOfGateway } from '../gateway.ts';
import { cutText, limits } from '../limits.ts';
import type { Pace } from '../pace.ts';
import { retryDelay } from '../retry-after.ts';
import { type Transport, TransportError } from '../transport.ts';
import { type PageAddresses, whyNotFetched } from './page-addresses.ts';
import { ScaWalkError } from './sca-walker.ts';

export interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: readonly HeaderLine[];
  /** A form, as application/x-www-form-urlencoded. */
  readonly body?: string;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly text: string;
  readonly exchange: Exchange;
}

/** Fetches the pages of the bank, which may stand on other hosts than its interface. */
export interface PageHttp {
  send(request: PageRequest): Promise<PageAnswer>;
  close(): Promise<void>;
}

export interface PageHttpOptions {
  readonly origin: PageAddresses['origin'];
  /** None but the bank's own by default. */
  readonly hosts?: PageAddresses['hosts'];
  /** The way to the interface; pages on the same host go it as well. */
  readonly transport: Transport;
  /** The way to another host. It trusts the same authorities, and shows no client certificate. */
  readonly transportTo: (origin: string) => Transport;
  readonly pace: Pace;
  readonly timeoutMs: number;
}

/** Asking for a page again changes nothing. */
const mostAttempts = 6;

/** The least pause before a further attempt. */
const patienceMs = 200;

/** A form that died on the way may have arrived; one that was put off has not. */
const mayRepeat = (method: PageRequest['method'], status: number | undefined): boolean =>
  method === 'GET' || (status !== undefined && asksForPatience(status));

export function pageHttp({
  origin,
  hosts = [],
  transport,
  transportTo,
  pace,
  timeoutMs,
}: PageHttpOptions): PageHttp {
  const others = new Map<string, Transport>();
  const wayTo = (host: string): Transport => {
    if (host === origin) return transport;
    const way = others.get(host) ?? transportTo(host);
    others.set(host, way);
    return way;
  };
  let sent = 0;

  const attempt = (request: PageRequest, number: number): Promise<PageAnswer> =>
    pace.run(async () => {
      const { method, url, headers, body } = request;
      sent += 1;
      const started = Date.now();
      const response = await wayTo(url.origin).send(
        {
          method,
          target: url.pathname + url.search,
          headers: [['Host', url.host], ...headers],
          body: body === undefined ? undefined : Buffer.from(body),
        },
        timeoutMs,
      );
      const text = response.body.toString('utf8');
      const exchange: Exchange = {
        id: `p${String(sent).padStart(5, '0')}`,
        purpose: 'SCA page',
        operation: 'other',
        attempt: number,
        startedAt: new Date(started).toISOString(),
        durationMs: Date.now() - started,
        request: { method, url: url.href, headers, body: body ?? '' },
        response: {
          status: response.status,
          headers: response.headers,
          body: cutText(text, limits.shownBody),
        },
      };
      return { status: response.status, headers: response.headers, text, exchange };
    });

  return {
    async send(request) {
      const refusal = whyNotFetched(request.url, { origin, hosts });
      if (refusal !== undefined) {
        throw new ScaWalkError('off-limits', `${placeOf(request.url)} was not fetched: ${refusal}.`);
      }
      for (let number = 1; ; number += 1) {
        const answer = await attempt(request, number).catch((error: unknown) => {
          if (error instanceof TransportError) return error;
          throw error;
        });
        const isLost = answer instanceof TransportError;
        if (!isLost && !isOfGateway(answer.status)) return answer;
        const { method, url } = request;
        if (number >= mostAttempts || !mayRepeat(method, isLost ? undefined : answer.status)) {
          const said = isLost ? answer.message : `${answer.status}, as a gateway answers`;
          throw new ScaWalkError(
            'unreachable',
            `The SCA page ${placeOf(url)} gave no answer to ${method}: ${said}.`,
          );
        }
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
