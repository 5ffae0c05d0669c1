import { createTestPki } from '../signing/certificate-authority.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { type ClientOptions, TppClient } from './client.ts';
import type { Exchange, TroubleKind } from './exchange.ts';
import { fakeTransport, headerOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';
import { type Transport, TransportError, type WireRequest } from './transport.ts';

/** A small key: nobody verifies what it signs. */
const pki = await createTestPki({ modulusLength: 512 });

export const fakePsu = {
  id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
  sessionId: 'session-1',
  ipAddress: '192.0.2.10',
  redirectUri: 'https://tpp.example/redirect',
};
const addressing = { prefix: '/psd2', paths: {}, customHeaders: { 'X-API-Key': 'k' }, host: 'bank.example' };

export function clientOf(transport: Transport, options: Partial<ClientOptions> = {}): TppClient {
  return new TppClient({
    transport,
    pace: new Pace({ concurrency: 4, patienceMs: 1 }),
    identity: pki.tpp,
    psu: fakePsu,
    addressing,
    origin: 'https://bank.example',
    timeoutMs: 1000,
    retries: 2,
    patienceMs: 1,
    ...options,
  });
}

export const lost = (kind: TroubleKind = 'reset') => {
  throw new TransportError(kind, `${kind} on the way`);
};

export const payment: Call = { operation: 'createDomesticPayment', body: { creditorName: 'Bjørn' } };
export const listAccounts: Call = { operation: 'listAccounts' };

/** A client of a bank without sockets: what it asks, what is sent for it, and what is recorded. */
export function askingOf(answer: Parameters<typeof fakeTransport>[0], options: Partial<ClientOptions> = {}) {
  const { requests, ...transport } = fakeTransport(answer);
  const recorded: [Exchange, Answer | undefined][] = [];
  const client = clientOf(transport, options).with({
    record: (exchange, answered) => recorded.push([exchange, answered]),
  });
  const call = (asked: Call = payment) => client.call(asked);
  return {
    client,
    call,
    requests,
    recorded,
    valuesOf: (name: string) => requests.map((sent: WireRequest) => headerOf(sent, name)),
  };
}

export const reasonOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
