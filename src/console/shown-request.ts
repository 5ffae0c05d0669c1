import { requirementById } from '../spec/catalogue.ts';
import type { Exchange, HeaderLine } from '../tpp/exchange.ts';
import { Redactor } from '../tpp/redaction.ts';
import { adviceOn } from './advice.ts';
import type { ObservedRequest, RequestRow } from './observed-request.ts';

export interface ShownRefusal {
  readonly requirement: string;
  /** What the specification demands, in our words. */
  readonly statement?: string;
  readonly rule: string;
  readonly text: string;
  readonly path?: string;
  /** What to do about it. */
  readonly advice?: string;
}

export interface ShownMessage {
  readonly headers: readonly HeaderLine[];
  /** As it came; cut where it is long. */
  readonly body: string;
  /** Indented, where it is JSON. */
  readonly pretty?: string;
  /** How many characters are not shown. */
  readonly cut: number;
}

/** A request as it may be shown: redacted, and with every rule that refuses it. */
export interface ShownRequest {
  readonly row: RequestRow;
  readonly operation: string;
  readonly request: ShownMessage;
  readonly response: ShownMessage & { readonly status: number };
  readonly refusals: readonly ShownRefusal[];
}

const longestBody = 100_000;

/** Knows what the request itself shows to be secret. `showTestData` shows mocked people and their sessions, never keys. */
export function redactorOf(observed: ObservedRequest, showTestData: boolean): Redactor {
  const redactor = new Redactor(undefined, { showTestData });
  redactor.learn(exchangeOf(observed));
  return redactor;
}

export function shownRequest(observed: ObservedRequest, showTestData: boolean): ShownRequest {
  const redactor = redactorOf(observed, showTestData);
  const { request, response } = redactor.exchange(exchangeOf(observed));
  return {
    row: { ...observed.row, path: redactor.text(observed.row.path) },
    operation: observed.operation,
    request: messageOf(request.headers, request.body, redactor),
    response: {
      status: observed.response.status,
      ...messageOf(response?.headers ?? [], response?.body ?? '', redactor),
    },
    refusals: observed.refusals.map(({ requirement, rule, text, path, kind }) => {
      const statement = requirementById.get(requirement)?.statement;
      return {
        requirement,
        ...(statement === undefined ? {} : { statement }),
        rule,
        text: redactor.text(text),
        ...(path === undefined ? {} : { path }),
        ...(kind === undefined ? {} : { advice: adviceOn[kind] }),
      };
    }),
  };
}

function exchangeOf({ row, raw, operation, response }: ObservedRequest): Exchange {
  return {
    id: String(row.number),
    purpose: '',
    operation,
    attempt: 1,
    startedAt: row.at,
    durationMs: row.durationMs,
    request: {
      method: raw.method,
      url: raw.url,
      headers: raw.headers,
      body: textOf(raw.body),
    },
    response: { status: response.status, headers: response.headers, body: textOf(response.body) },
  };
}

/** Cut before anything looks at it: a body may have a megabyte, and each look costs time. */
const textOf = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? [])
    .subarray(0, longestBody * 4)
    .toString('utf8');

function messageOf(headers: readonly HeaderLine[], body: string, redactor: Redactor): ShownMessage {
  const shown = body.slice(0, longestBody);
  const pretty = indented(body);
  return {
    headers,
    body: shown,
    ...(pretty === undefined || pretty === body
      ? {}
      : { pretty: redactor.text(pretty).slice(0, longestBody) }),
    cut: body.length - shown.length,
  };
}

function indented(body: string): string | undefined {
  if (body === '' || body.length > longestBody) return undefined;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // No JSON, or nested deeper than it can be written.
    return undefined;
  }
}
