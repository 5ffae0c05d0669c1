import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { GrowingBytes } from '../../spec/growing-bytes.ts';
import type { RefusalAnswers } from '../design/refusal-kinds.ts';
import type { RawRequest, RawResponse } from '../design/route.ts';
import type { Dispatch } from './dispatch.ts';
import { OpenConnections } from './open-connections.ts';

export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
}

export type OnFailedConnection = (error: Error, source: string | undefined) => void;

export interface FrontOptions {
  /** PEM; without it the bank speaks plain HTTP, for use behind something that does TLS. */
  readonly tls?: TlsOptions | undefined;
  readonly bodyLimitBytes: number;
  /** How long a TPP may take to send a request. */
  readonly requestTimeoutMs: number;
  /** Is told why a connection came to nothing, in its TLS handshake or with what is no HTTP, and whence it came. */
  readonly onFailedConnection?: OnFailedConnection | undefined;
}

/** The bank on a socket. */
export interface Front {
  /** Answers the port. */
  listen(at: { readonly port: number; readonly host: string }): Promise<number>;
  close(): Promise<void>;
}

/** What the interface knows; anything else is nowhere to be found, whatever its path. */
const withBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methods = new Set(['GET', ...withBody]);

/** Everything that the interface says is said by `dispatch`; this is only transport. */
export function frontOf(dispatch: Dispatch, refusals: RefusalAnswers, options: FrontOptions): Front {
  const answerTo = async (request: IncomingMessage): Promise<RawResponse> => {
    const head = headOf(request);
    if (!methods.has(head.method)) {
      return dispatch.unread({ ...refusals.pathUnknown, text: 'There is nothing at this path.' }, head);
    }
    try {
      const body = await bodyOf(request, options.bodyLimitBytes);
      return await dispatch(body === undefined ? head : { ...head, body });
    } catch (error) {
      if (!(error instanceof UnreadableBody)) {
        return dispatch.unread({ status: 500, code: 'SYSTEM_ERROR', text: 'The bank failed.' }, head);
      }
      // Whoever went away in the middle has asked for nothing, and hears no answer.
      const heard = error.isBrokenOff ? undefined : head;
      return dispatch.unread({ ...refusals[error.kind], text: 'The request cannot be read.' }, heard);
    }
  };
  const servers: Server[] = [];
  const connections = new OpenConnections(mostConnections);
  const listenAt = async (port: number, host: string): Promise<Server> => {
    const server = createFront(options, (request, response) => {
      answerTo(request)
        .then((answer) => write(request, response, answer))
        // What cannot be written leaves nobody waiting for it.
        .catch(() => response.destroy());
    });
    connections.keepThoseOf(server);
    server.listen({ port, host });
    await once(server, 'listening');
    servers.push(server);
    return server;
  };
  return {
    async listen({ port, host }) {
      const { address, port: taken } = (await listenAt(port, host)).address() as AddressInfo;
      // Some clients know localhost as ::1, some as 127.0.0.1. A machine that names an address need not have it.
      const named = host === 'localhost' ? await lookup(host, { all: true }).catch(() => []) : [];
      for (const other of named.filter((one) => one.address !== address)) {
        await listenAt(taken, other.address).catch(() => {});
      }
      return taken;
    },
    async close() {
      const closed = servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
      connections.closeAll();
      await Promise.all(closed);
    },
  };
}

/** More than a client needs. The time of each is bounded by the time that a request may take. */
const mostConnections = { ofAll: 1024, ofOneSource: 256 } as const;

/** Longer than any client keeps a connection that it does not use, so that none is closed just as it is used again. */
const keepAliveTimeout = 72_000;

function createFront(
  { tls, requestTimeoutMs, onFailedConnection }: FrontOptions,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout,
    // Node looks for requests that are overdue at this interval only.
    connectionsCheckingInterval: Math.max(50, Math.min(5000, requestTimeoutMs / 2)),
  };
  const server =
    tls === undefined
      ? createServer(timeouts, answer)
      : createTlsServer({ ...timeouts, handshakeTimeout: requestTimeoutMs, ...tls }, answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Who is slow, or goes away, has sent nothing wrong.
    if (error.code?.startsWith('HPE_')) onFailedConnection?.(error, sourceOf(socket));
    refuseNonsense(error, socket);
  });
  server.on('timeout', closeWhereNothingCame);
  // Comes before the error of a client that Node makes of it: without a handshake no answer can be written.
  server.prependListener('tlsClientError', (error: Error, socket: TLSSocket) => {
    const source = sourceOf(socket);
    socket.destroy();
    onFailedConnection?.(error, source);
  });
  return server;
}

const sourceOf = (socket: Duplex): string | undefined => (socket as Partial<Socket>).remoteAddress;

/**
 * Closes an idle connection, unless a request has come on it. Timers go by the clock and come before what is to be read:
 * when a machine wakes up every connection has been idle for too long, also one whose request lies there unread.
 */
export function closeWhereNothingCame(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

const nonsense: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Client Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Exceeded maximum allowed HTTP header size'],
};

/** For how long the rest of a request is read that was answered before its end. */
const lingerMs = 5000;

/**
 * What is no HTTP, or does not end, gets no further than the server, which cannot tell what it was about. The answer says
 * that it is the last one on its connection, and comes with the end of it: a connection that is closed while there is
 * something to be read is reset, and the answer may be lost with it (RFC 9112, 9.6).
 */
function refuseNonsense({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
  const [statusCode, message] = nonsense[code] ?? [400, 'Client Error'];
  const error = STATUS_CODES[statusCode];
  const body = JSON.stringify({ error, message, statusCode });
  const head = [
    `HTTP/1.1 ${statusCode} ${error}`,
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
    'Connection: close',
  ];
  // Of a request that has stopped coming there is nothing left to read. Nor is who reads no answer waited for.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => statusCode === 408 && socket.destroy());
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** A request without its body. */
function headOf({ method = '', url = '/', socket, rawHeaders }: IncomingMessage): RawRequest {
  const tlsVersion = (socket as Partial<TLSSocket>).getProtocol?.() ?? undefined;
  return {
    method,
    url: originForm(url),
    headers: pairsOf(rawHeaders),
    ...(tlsVersion === undefined ? {} : { tlsVersion }),
    ...(socket.remoteAddress === undefined ? {} : { source: socket.remoteAddress }),
  };
}

/** A client behind a proxy may send the whole address, which every server has to take (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

function pairsOf(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

/** A body that no rule ever sees. */
class UnreadableBody extends Error {
  readonly kind: 'bodyTooLarge' | 'unreadableRequest';

  readonly isBrokenOff: boolean;

  constructor(kind: UnreadableBody['kind'], isBrokenOff = false) {
    super(kind);
    this.kind = kind;
    this.isBrokenOff = isBrokenOff;
  }
}

/** RFC 9110, 8.3.1: what stands before the parameters. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Undefined where there is none. What is left of one that is not read Node takes away before the next request. */
async function bodyOf(request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const { method = '', headers } = request;
  if (!withBody.has(method)) return undefined;
  const type = headers['content-type'];
  const length = headers['content-length'];
  if (type === undefined) {
    if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
      return undefined;
  } else if (!mediaType.test(type)) {
    throw new UnreadableBody('unreadableRequest');
  }
  if (Number(length) > limitBytes) throw new UnreadableBody('bodyTooLarge');
  return readWhole(request, limitBytes);
}

/** By its events, since a loop over a stream ends the connection when it is left early. */
function readWhole(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length <= limitBytes) body.add(chunk);
      else reject(new UnreadableBody('bodyTooLarge'));
    });
    request.once('end', () => resolve(body.whole()));
    request.once('error', () => reject(new UnreadableBody('unreadableRequest', true)));
  });
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, transfer }: RawResponse,
): Promise<void> {
  if (transfer === 'reset') {
    response.destroy();
    return;
  }
  const length = transfer === 'chunked' ? [] : [['Content-Length', String(body.length)] as const];
  const hasBody = status !== 204 && status !== 304;
  // The bank tells the time itself, by its own clock; one that does not is not to be helped by Node.
  response.sendDate = false;
  response.writeHead(status, [...headers, ...(hasBody ? length : [])].flat());
  if (transfer === 'chunked') response.write(body.subarray(0, 1));
  const rest = transfer === 'chunked' ? body.subarray(1) : body;
  if (response.shouldKeepAlive || request.complete) {
    response.end(rest);
    return;
  }
  response.write(rest);
  await restOf(request);
  response.end();
}

/**
 * Where an answer is the last one on its connection, the end of it closes that: with the rest of the request unread, it
 * would be reset, and the answer be lost for who sends everything before reading (RFC 9112, 9.6).
 */
async function restOf(request: IncomingMessage): Promise<void> {
  if (request.destroyed) return;
  const closing = new AbortController();
  const lingering = setTimeout(() => closing.abort(), lingerMs).unref();
  await once(request.resume(), 'end', { signal: closing.signal }).catch(() => undefined);
  clearTimeout(lingering);
}
