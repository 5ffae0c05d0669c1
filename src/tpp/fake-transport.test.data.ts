import type { Exchange, HeaderLine } from './exchange.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

/** A request as it is recorded while nobody has answered it. */
export const unanswered: Exchange = {
  id: 'x00001',
  purpose: 'control',
  operation: 'listAccounts',
  attempt: 1,
  startedAt: '2026-03-02T10:00:00.000Z',
  durationMs: 1,
  request: { method: 'GET', url: 'https://bank.example/v1/accounts', headers: [], body: '' },
};

/** A bank without sockets: each request is answered by a function, and kept. */
export interface FakeTransport extends Transport {
  readonly requests: readonly WireRequest[];
}

export function fakeTransport(
  answer: (request: WireRequest, number: number) => WireResponse | Promise<WireResponse>,
): FakeTransport {
  const requests: WireRequest[] = [];
  return {
    requests,
    send: async (request) => {
      requests.push(request);
      return answer(request, requests.length);
    },
    close: async () => {},
  };
}

export const responseOf = (
  status: number,
  body: unknown = {},
  headers: readonly HeaderLine[] = [],
): WireResponse => ({
  status,
  headers: [['Date', new Date().toUTCString()], ...headers],
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const headerOf = ({ headers }: WireRequest, name: string): string | undefined =>
  headers.find(([present]) => present.toLowerCase() === name.toLowerCase())?.[1];
