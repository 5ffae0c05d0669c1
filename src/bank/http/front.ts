import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { RefusalAnswers } from '../design/refusal-kinds.ts';
import type { RawRequest, RawResponse } from '../design/route.ts';
import type { Dispatch } from './dispatch.ts';

export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
}

export interface FrontOptions {
  /** PEM; without it the bank speaks plain HTTP, for use behind something that does TLS. */
  readonly tls?: TlsOptions | undefined;
  readonly bodyLimitBytes: number;
  /** How long a TPP may take to send a request. */
  readonly requestTimeoutMs: number;
  /** Is told why a TLS handshake came to nothing. */
  readonly onFailedHandshake?: ((error: Error) => void) | undefined;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The bank on a socket. Everything that the interface says is said by `dispatch`; this is only transport. */
export function frontOf(
  dispatch: Dispatch,
  refusals: RefusalAnswers,
  options: FrontOptions,
): FastifyInstance {
  const server = createServer(options);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.setErrorHandler(
    async (error: { readonly code?: string; readonly statusCode?: number }, request, reply) => {
      const isFaultOfTheTpp = (error.statusCode ?? 500) < 500;
      if (!isFaultOfTheTpp) {
        return write(
          reply,
          await dispatch.unread(
            { status: 500, code: 'SYSTEM_ERROR', text: 'The bank failed.' },
            headOf(request),
          ),
        );
      }
      const answer =
        error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? refusals.bodyTooLarge : refusals.unreadableRequest;
      // The rest of a body that was not read must not be taken for the next request.
      reply.header('Connection', 'close');
      return write(
        reply,
        await dispatch.unread({ ...answer, text: 'The request cannot be read.' }, headOf(request)),
      );
    },
  );
  server.route({
    method: [...methods],
    url: '*',
    exposeHeadRoute: false,
    handler: async (request, reply) =>
      write(reply, await dispatch({ ...headOf(request), ...bodyOf(request) })),
  });
  server.setNotFoundHandler(async (request, reply) =>
    write(
      reply,
      await dispatch.unread(
        { ...refusals.pathUnknown, text: 'There is nothing at this path.' },
        headOf(request),
      ),
    ),
  );
  server.server.on('tlsClientError', (error: Error) => options.onFailedHandshake?.(error));
  const sockets = boundConnections(server.server);
  // Node ends only those connections that have got as far as HTTP: one that never starts TLS would keep the server.
  server.addHook('preClose', async () => {
    for (const socket of sockets) socket.destroy();
  });
  return server;
}

/** Whoever holds more connections than a client needs gets no further ones, and keeps nobody else out. */
const mostConnections = { ofAll: 1024, ofOneSource: 256 } as const;

/** Keeps all open connections, within bounds. The time of each is bounded by the time that a request may take. */
function boundConnections(server: HttpServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const bySource = new Map<string, number>();
  server.maxConnections = mostConnections.ofAll;
  server.on('connection', (socket: Socket) => {
    const source = socket.remoteAddress ?? '';
    const open = (bySource.get(source) ?? 0) + 1;
    bySource.set(source, open);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      const left = (bySource.get(source) ?? 1) - 1;
      if (left === 0) bySource.delete(source);
      else bySource.set(source, left);
    });
    if (open > mostConnections.ofOneSource) socket.destroy();
  });
  return sockets;
}

function createServer({ tls, bodyLimitBytes, requestTimeoutMs }: FrontOptions): FastifyInstance {
  const shared = {
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    // Long opaque ids are legal; what is too long for a header line is refused by Node.
    routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: false },
    forceCloseConnections: true,
  } as const;
  // Node looks for requests that are overdue at this interval only.
  const connectionsCheckingInterval = Math.max(50, Math.min(5000, requestTimeoutMs / 2));
  const timeouts = { connectionsCheckingInterval, headersTimeout: requestTimeoutMs };
  if (tls === undefined) return fastify({ ...shared, http: timeouts });
  const server = fastify({ ...shared, https: { ...timeouts, handshakeTimeout: requestTimeoutMs, ...tls } });
  return server as unknown as FastifyInstance<HttpServer>;
}

/** A request without its body. */
function headOf({ method, raw }: FastifyRequest): RawRequest {
  const tlsVersion = (raw.socket as Partial<TLSSocket>).getProtocol?.() ?? undefined;
  return {
    method,
    url: raw.url ?? '/',
    headers: pairsOf(raw.rawHeaders),
    ...(tlsVersion === undefined ? {} : { tlsVersion }),
    ...(raw.socket.remoteAddress === undefined ? {} : { source: raw.socket.remoteAddress }),
  };
}

function pairsOf(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

const bodyOf = ({ body }: FastifyRequest): { readonly body?: Buffer } =>
  Buffer.isBuffer(body) ? { body } : {};

function write(reply: FastifyReply, { status, headers, body, transfer }: RawResponse): FastifyReply {
  // Fastify would write header names in lower case and set a length.
  reply.hijack();
  if (transfer === 'reset') {
    reply.raw.destroy();
    return reply;
  }
  const length = transfer === 'chunked' ? [] : [['Content-Length', String(body.length)] as const];
  const hasBody = status !== 204 && status !== 304;
  reply.raw.writeHead(status, [...headers, ...(hasBody ? length : [])].flat());
  if (transfer === 'chunked') reply.raw.write(body.subarray(0, 1));
  reply.raw.end(transfer === 'chunked' ? body.subarray(1) : body);
  return reply;
}
