import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { probeTls } from './connection-probe.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

/** A server that does that with each connection; the number of them. */
async function listening(meet: (socket: Socket) => void) {
  const met = { connections: 0 };
  const own = createServer((socket) => {
    met.connections += 1;
    socket.on('error', () => {});
    meet(socket);
  });
  server = own;
  await new Promise<void>((ready) => own.listen(0, '127.0.0.1', ready));
  const { port } = own.address() as AddressInfo;
  return { met, baseUrl: `https://127.0.0.1:${port}` };
}

describe('a connection on which no request is sent', () => {
  it('is tried three times where the handshake is cut', async () => {
    const { met, baseUrl } = await listening((socket) => socket.destroy());
    await expect(probeTls({ baseUrl, proxy: undefined, timeoutMs: 5_000 }, {})).rejects.toThrow();
    expect(met.connections).toBe(3);
  });

  it('is tried once where nobody says anything for as long as an answer may take', async () => {
    const { met, baseUrl } = await listening(() => {});
    const way = { baseUrl, proxy: undefined, timeoutMs: 100 };
    await expect(probeTls(way, {})).rejects.toThrow('no handshake within 100 ms');
    expect(met.connections).toBe(1);
  });
});
