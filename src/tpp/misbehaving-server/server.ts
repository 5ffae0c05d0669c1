import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ServerCertificate } from '../../signing/certificate-authority.ts';
import type { HeaderLine } from '../exchange.ts';
import { type Transport, TransportError } from '../transport.ts';
import { type Behaviour, isDue, type Reply } from './behaviour.ts';

export interface MisbehavingServerOptions {
  readonly certificate: ServerCertificate;
  readonly otherCertificates: Readonly<Record<NonNullable<Behaviour['certificate']>, ServerCertificate>>;
  /** An address where nobody of ours has any business. */
  readonly elsewhere: string;
}

export interface MisbehavingServer {
  readonly port: number;
  /** The bank behind it. */
  bank: Transport | undefined;
  /** Behaves like this from now on; all connections of before are gone. */
  behave(behaviours: readonly Behaviour[]): Promise<void>;
  close(): Promise<void>;
}

/** Stands before a bank and hands on what is asked and answered, with the faults that it is told to have. */
export async function startMisbehavingServer(options: MisbehavingServerOptions): Promise<MisbehavingServer> {
  let behaviours: readonly Behaviour[] = [];
  let counts = { connections: 0, requests: 0 };
  let previous: Reply | undefined;
  let front: Server | undefined;
  const open = new Set<Socket>();
  const state: { bank: Transport | undefined } = { bank: undefined };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests += 1;
    const { requests } = counts;
    const sound = await askTheBank(state.bank, request);
    if (sound === undefined) {
      request.socket.destroy();
      return;
    }
    const surroundings = {
      socket: request.socket,
      elsewhere: options.elsewhere,
      asked: request.rawHeaders,
      previous,
    };
    let reply: Reply | undefined = sound;
    for (const behaviour of behaviours) {
      if (behaviour.answer === undefined || !isDue(behaviour.when, requests)) continue;
      reply = behaviour.answer(reply, surroundings);
      if (reply === undefined) return;
    }
    previous = sound;
    const withoutLength = reply.headers.filter(
      ([name]) => !/^(?:content-length|connection|transfer-encoding)$/i.test(name),
    );
    response.sendDate = false;
    response.writeHead(
      reply.status,
      [...withoutLength, ['Content-Length', String(reply.body.length)]].flat(),
    );
    response.end(reply.body);
  }

  function connected(https: HttpsServer, socket: Socket): void {
    counts.connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => {});
    if (behaviours.some(({ mostConnections = open.size }) => open.size > mostConnections)) {
      socket.destroy();
      return;
    }
    const taken = behaviours.find(
      ({ connect, when }) => connect !== undefined && isDue(when, counts.connections),
    );
    if (taken?.connect === undefined) https.emit('connection', socket);
    else taken.connect(socket);
  }

  async function listen(port: number): Promise<void> {
    const named = behaviours.find(({ certificate }) => certificate !== undefined)?.certificate;
    const { certificatePem, privateKeyPem } =
      named === undefined ? options.certificate : options.otherCertificates[named];
    const newestTls = behaviours.find((behaviour) => behaviour.newestTls !== undefined)?.newestTls;
    const https = createHttps(
      {
        cert: certificatePem,
        key: privateKeyPem,
        ...(behaviours.some(({ onlyHttp2 }) => onlyHttp2 === true) ? { ALPNProtocols: ['h2'] } : {}),
        ...(newestTls === undefined
          ? {}
          : { minVersion: 'TLSv1', maxVersion: newestTls, ciphers: 'DEFAULT@SECLEVEL=0' }),
      },
      (request, response) => void answer(request, response).catch(() => request.socket.destroy()),
    );
    https.on('tlsClientError', () => {});
    https.on('clientError', (_, socket) => socket.destroy());
    front = createServer((socket) => connected(https, socket));
    await new Promise<void>((resolve) => front?.listen(port, '127.0.0.1', resolve));
  }

  async function stop(): Promise<void> {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => {
      if (front === undefined) resolve();
      else front.close(() => resolve());
    });
    front = undefined;
  }

  await listen(0);
  const { port } = (front as unknown as Server).address() as AddressInfo;
  return {
    port,
    get bank() {
      return state.bank;
    },
    set bank(bank) {
      state.bank = bank;
    },
    async behave(next) {
      await stop();
      // Whoever writes to the connection itself would keep the others from changing the answer.
      behaviours = next.toSorted(
        (one, other) => Number(one.writesItself ?? 0) - Number(other.writesItself ?? 0),
      );
      counts = { connections: 0, requests: 0 };
      previous = undefined;
      if (!next.some(({ isDown }) => isDown === true)) await listen(port);
    },
    close: stop,
  };
}

async function askTheBank(bank: Transport | undefined, request: IncomingMessage): Promise<Reply | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers: HeaderLine[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (!/^(?:connection|content-length|transfer-encoding)$/i.test(name))
      headers.push([name, request.rawHeaders[index + 1] ?? '']);
  }
  try {
    return await bank?.send(
      {
        method: request.method ?? 'GET',
        target: request.url ?? '/',
        headers,
        body: body.length === 0 ? undefined : body,
      },
      10_000,
    );
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}
