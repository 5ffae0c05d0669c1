import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import type { Exchange, HeaderLine } from '../tpp/exchange.ts';
import { terminalJson } from './harmless-text.ts';

/**
 * The evidence of a run as an HTTP archive (HAR 1.2), which browsers and proxies open. Each check is a page, its
 * exchanges are the entries of that page.
 */
export function harOf({ header, results }: RunRecord): string {
  const shown = results.filter(({ exchanges }) => exchanges.length > 0);
  const har = {
    log: {
      version: '1.2',
      creator: { name: header.tool.name, version: header.tool.version },
      pages: shown.map(({ id, title, startedAt, verdict }) => ({
        id,
        title: `${id} ${verdict}: ${title}`,
        startedDateTime: startedAt,
        pageTimings: {},
      })),
      entries: shown.flatMap((result) => result.exchanges.map((exchange) => entryOf(result, exchange))),
    },
  };
  return `${terminalJson(har, 1)}\n`;
}

function entryOf({ id }: CheckResult, exchange: Exchange): object {
  const { request, response, startedAt, durationMs, purpose, attempt, trouble } = exchange;
  const remarks = [
    purpose,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(trouble === undefined ? [] : [trouble.message]),
  ];
  return {
    pageref: id,
    startedDateTime: startedAt,
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers.map(pairOf),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body),
      ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: request.body } }),
    },
    // Without an answer the status is 0, as browsers have it.
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: (response?.headers ?? []).map(pairOf),
      content: {
        size: Buffer.byteLength(response?.body ?? ''),
        mimeType: typeOf(response?.headers ?? []),
        text: response?.body ?? '',
      },
      redirectURL: headerValue(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response === undefined ? -1 : Buffer.byteLength(response.body),
    },
    cache: {},
    // Only the whole is known: it is told as waiting.
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: remarks.filter((remark) => remark !== '').join(', '),
  };
}

const pairOf = ([name, value]: HeaderLine): object => ({ name, value });

const headerValue = (headers: readonly HeaderLine[], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

const typeOf = (headers: readonly HeaderLine[]): string =>
  headerValue(headers, 'content-type') ?? 'application/octet-stream';

const queryOf = (url: string): readonly object[] =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
