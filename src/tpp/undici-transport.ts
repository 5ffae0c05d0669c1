import type { Dispatcher, Pool } from 'undici';
import { type Doubt, setDeadline } from './deadline.ts';
import { headerValue, type TroubleKind } from './exchange.ts';
import { HeaderReader } from './header-reader.ts';
import { type NodeConnections, nodeConnections, UnsentError, type WireAnswer } from './node-transport.ts';
import { proxyConnector } from './proxy-connector.ts';
import {
  BodyReader,
  type Transport,
  TransportError,
  type WireRequest,
  type WireResponse,
} from './transport.ts';
import { proxyErrorCode, slowAddresses } from './tunnel.ts';

export interface UndiciTransportOptions {
  readonly origin: string;
  readonly connections: number;
  readonly connectTimeoutMs?: number;
  /** How long a connection may idle before another takes its place. A bank may close one at any time, and loses what is just sent. */
  readonly idleMs?: number;
  /** The HTTP proxy by which the bank is reached. */
  readonly proxy?: string | undefined;
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly rejectUnauthorized?: boolean;
  };
}

export const usualConnectTimeoutMs = 10_000;
const usualIdleMs = 4_000;

/** Keep-alive connections to one bank. */
export function undiciTransport({
  origin,
  connections,
  connectTimeoutMs = usualConnectTimeoutMs,
  idleMs,
  proxy,
  tls,
}: UndiciTransportOptions): Transport {
  const reader = new HeaderReader();
  let opened: Promise<Pool> | undefined;
  /** Once the bank has said 100 Continue unasked, on which undici hangs up. */
  let patient: NodeConnections | undefined;
  const answer: AnswerTo = async (request, timeoutMs, doubt) => {
    if (patient !== undefined) return patient.answerTo(request, timeoutMs, doubt);
    opened ??= open();
    try {
      return await answerTo(await opened, request, timeoutMs, doubt);
    } catch (error) {
      if (!saysContinue(error)) throw error;
      patient ??= nodeConnections(origin, { connections, tls, proxy, connectTimeoutMs });
      throw Object.assign(new Error('the bank said 100 Continue unasked'), { code: 'UND_ERR_SOCKET' });
    }
  };
  // Loaded with the first request: many commands send none.
  const open = async (): Promise<Pool> => {
    const { default: ConnectionPool } = await import('undici/lib/dispatcher/pool.js');
    const ways = { ...slowAddresses, ...tls, timeout: connectTimeoutMs };
    return new ConnectionPool(origin, {
      connections,
      pipelining: 1,
      connect: proxy === undefined ? ways : await byProxy(proxy, ways),
      keepAliveTimeout: idleMs ?? usualIdleMs,
      // Whatever the bank says of its own patience.
      ...(idleMs === undefined ? {} : { keepAliveMaxTimeout: idleMs }),
    });
  };
  return {
    send: (...asked) => send(answer, reader, ...asked),
    rest: async () => {
      patient?.rest();
      const pool = opened;
      opened = undefined;
      await (await pool)?.close();
    },
    close: async () => {
      patient?.close();
      await (await opened)?.destroy();
    },
  };
}

const byProxy = async (
  proxy: string,
  ways: Parameters<typeof proxyConnector>[1],
): Promise<ReturnType<typeof proxyConnector>> =>
  proxyConnector(proxy, ways, (await import('undici/lib/core/connect.js')).default);

type AnswerTo = (...asked: Parameters<Transport['send']>) => Promise<WireAnswer>;

/** RFC 9110, 15.2: a client takes such an answer whether or not it has asked for it. For undici it is a bad one. */
const saysContinue = (error: unknown): boolean =>
  codeOf(error) === 'UND_ERR_SOCKET' && error instanceof Error && error.message === 'bad response';

async function send(
  answer: AnswerTo,
  reader: HeaderReader,
  ...asked: Parameters<AnswerTo>
): Promise<WireResponse> {
  try {
    const { status, rawHeaders, body } = await answer(...asked);
    const headers = reader.lines(rawHeaders);
    return { status, headers, ...(await body.end(headerValue(headers, 'content-encoding'))) };
  } catch (error) {
    // A request that cannot be written at all is our own fault, and no trouble on the way.
    if (codeOf(error) === 'UND_ERR_INVALID_ARG') throw error instanceof UnsentError ? error.cause : error;
    throw error instanceof UnsentError ? asTransportError(error.cause, true) : asTransportError(error);
  }
}

/** Without the stream and the signal of `request`: for answers of a few hundred bytes they cost more than all the rest. */
const answerTo = (
  pool: Pool,
  request: WireRequest,
  timeoutMs: number,
  doubt: Doubt | undefined,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const body = new BodyReader();
    let started: Omit<WireAnswer, 'body'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    const giveUp = (error: Error): void => {
      givenUp = error;
      controller?.abort(error);
    };
    const callOff = setDeadline(timeoutMs, doubt, (error) => {
      reject(error);
      giveUp(error);
    });
    const answered = (): void => {
      callOff();
      if (started === undefined) reject(new Error('The answer ended before it began.'));
      else resolve({ ...started, body });
    };
    pool.dispatch(
      {
        method: request.method as 'GET',
        path: request.target,
        headers: request.headers.flat(),
        body: request.body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      {
        onRequestStart: (starting) => {
          controller = starting;
          if (givenUp !== undefined) starting.abort(givenUp);
        },
        onResponseStart: ({ rawHeaders }, status) => {
          // Of 1xx there may be any number before the answer itself.
          if (status >= 200) started = { status, rawHeaders: inTurn(rawHeaders) };
        },
        onResponseData: (_, chunk) => {
          body.add(chunk);
          if (!body.isFull) return;
          answered();
          giveUp(new Error('More than is read.'));
        },
        onResponseEnd: answered,
        onResponseError: (_, error) => {
          callOff();
          reject(controller === undefined ? new UnsentError(error.message, { cause: error }) : error);
        },
      },
    );
  });

/** undici hands over names and values in turn, where it has read them itself. */
const inTurn = (raw: Dispatcher.DispatchController['rawHeaders']): readonly (string | Buffer)[] =>
  Array.isArray(raw)
    ? raw
    : Object.entries(raw ?? {}).flatMap(([name, value = []]) =>
        [value].flat().flatMap((single) => [name, single]),
      );

const kindByCode: Readonly<Record<string, TroubleKind>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_ABORTED: 'timeout',
  [proxyErrorCode]: 'proxy',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
};

const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;

function asTransportError(error: unknown, isUnsent = false): TransportError {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new TransportError('timeout', error.message, { cause: error });
  const code = codeOf(error);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    return new TransportError('protocol', 'what answers there does not speak TLS', { cause: error });
  }
  if (/NO_APPLICATION_PROTOCOL$/.test(code)) {
    return new TransportError('protocol', 'what answers there takes no HTTP/1.1, only another protocol', {
      cause: error,
    });
  }
  // OpenSSL ends its sentences with a line break.
  const message = (error instanceof Error ? error.message : String(error)).trim();
  const kind = tlsCode.test(code) ? 'tls' : (kindByCode[code] ?? 'protocol');
  return new TransportError(kind, message === '' ? code : message, { cause: error, isUnsent });
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : '';
}
