import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Is closed when the test that opened it has ended. */
export function closing<T extends { close(): unknown }>(one: T): T {
  onTestFinished(async () => void (await one.close()));
  return one;
}

/** The port at which a server listens for as long as the test takes. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing({ close: () => new Promise((resolve) => server.close(resolve)) });
  return (server.address() as AddressInfo).port;
}

export interface TestProxy {
  readonly address: string;
  /** What it was asked for, in order. */
  readonly asked: readonly { readonly authority: string; readonly credentials: string | undefined }[];
  close(): Promise<void>;
}

/** An HTTP proxy that leads to one port of this machine, whatever it is asked for. */
export async function startProxy(
  port: number,
  statusOf: (request: IncomingMessage) => number = () => 200,
): Promise<TestProxy> {
  const asked: TestProxy['asked'][number][] = [];
  const open = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(501).end());
  server.on('connection', (socket: Socket) => open.add(socket));
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.push({ authority: request.url ?? '', credentials: request.headers['proxy-authorization'] });
    const status = statusOf(request);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) one.on('error', () => [socket, onward].map((end) => end.destroy()));
    open.add(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
