import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls';
import { type Doubt, setDeadline } from './deadline.ts';
import { BodyReader, type WireRequest } from './transport.ts';
import { openTunnel, slowAddresses } from './tunnel.ts';

export interface WireAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly rawHeaders: readonly (string | Buffer)[];
  readonly body: BodyReader;
}

/** What went wrong before there was a connection. */
export class UnsentError extends Error {}

/** Connections by Node itself: slower than undici, and patient with servers that say 100 Continue unasked. */
export interface NodeConnections {
  answerTo(request: WireRequest, timeoutMs: number, doubt?: Doubt): Promise<WireAnswer>;
  /** Closes the connections on which nothing is under way. */
  rest(): void;
  close(): void;
}

export function nodeConnections(
  origin: string,
  options: {
    readonly connections: number;
    readonly connectTimeoutMs: number;
    readonly tls?: object | undefined;
    readonly proxy?: string | undefined;
  },
): NodeConnections {
  const { protocol, hostname, port } = new URL(origin);
  const kept = { ...slowAddresses, keepAlive: true, maxSockets: options.connections };
  const isTls = protocol === 'https:';
  const agent = isTls ? new TlsAgent({ ...kept, ...options.tls }) : new Agent(kept);
  const { proxy, connectTimeoutMs } = options;
  if (proxy !== undefined)
    Object.assign(agent, { createConnection: byProxy(proxy, connectTimeoutMs, isTls) });
  const address = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, agent };
  const begin = ({ method, target, headers, body }: WireRequest): ClientRequest =>
    (isTls ? httpsRequest : httpRequest)({
      ...address,
      method,
      path: target,
      headers: [
        ...headers,
        ...(body === undefined ? [] : [['Content-Length', String(body.length)] as const]),
      ] as never,
    });
  return {
    answerTo: (request, timeoutMs, doubt) => answered(begin(request), request.body, timeoutMs, doubt),
    rest() {
      for (const idle of Object.values(agent.freeSockets)) for (const socket of idle ?? []) socket.destroy();
    },
    close: () => agent.destroy(),
  };
}

/** As an agent opens a connection: it is told when there is one. */
const byProxy =
  (proxy: string, timeoutMs: number, isTls: boolean) =>
  (
    options: ConnectionOptions & { readonly host: string; readonly port: number | string },
    done: (error: Error | null, socket?: Socket) => void,
  ): void => {
    openTunnel(proxy, { host: options.host, port: Number(options.port) }, timeoutMs).then(
      (socket) => done(null, isTls ? connectTls({ ...options, port: undefined, socket }) : socket),
      done,
    );
  };

const answered = (
  sending: ClientRequest,
  sent: Buffer | undefined,
  timeoutMs: number,
  doubt: Doubt | undefined,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    let isConnected = false;
    const callOff = setDeadline(timeoutMs, doubt, (error) => sending.destroy(error));
    sending.on('socket', (socket) => {
      // By way of a proxy it is connected from the start, and only the handshake may be to come.
      isConnected = sending.reusedSocket || !(socket.connecting || socket instanceof TLSSocket);
      // A connection that is used again and again would gather those who wait for it.
      if (isConnected) return;
      for (const event of ['connect', 'secureConnect'])
        socket.once(event, () => {
          isConnected = true;
        });
    });
    const fail = (error: Error): void => {
      callOff();
      reject(isConnected ? error : new UnsentError(error.message, { cause: error }));
    };
    sending.on('error', fail);
    sending.on('response', (response: IncomingMessage) => {
      const body = new BodyReader();
      const end = (): void => {
        callOff();
        resolve({ status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, body });
      };
      response.on('data', (chunk: Buffer) => {
        body.add(chunk);
        if (!body.isFull) return;
        end();
        sending.destroy();
      });
      response.on('end', end);
      response.on('error', fail);
    });
    sending.end(sent);
  });
