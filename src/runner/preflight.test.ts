import { beforeAll, describe, expect, it } from 'vitest';
import type { SigningIdentity } from '../signing/identity.ts';
import { createTestPki } from '../signing/test-pki.ts';
import { createTarget } from '../target/target.ts';
import { fakeTransport, headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { type Transport, TransportError } from '../tpp/transport.ts';
import { learnTheClock } from './preflight.ts';
import { createRunContext } from './run-context.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const clientOver = (transport: Transport) =>
  createRunContext({
    target: createTarget({
      baseUrl: 'https://bank.example/psd2',
      environment: 'sandbox',
      identity,
      accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
      pace: { concurrency: 4, timeoutMs: 1000, retries: 1 },
    }),
    seed: 7,
    runs: 1,
    transport,
    patienceMs: 1,
  }).client;

describe('the clock of the bank', () => {
  it('is known before the first check, even when the request for it is refused', async () => {
    const twoMinutesAhead = () => new Date(Date.now() + 120_000).toUTCString();
    const transport = fakeTransport(() => ({ ...responseOf(400), headers: [['Date', twoMinutesAhead()]] }));
    const client = clientOver(transport);
    await learnTheClock(client);
    await Promise.all([1, 2, 3].map(() => client.call({ operation: 'listAccounts' })));
    for (const request of transport.requests.slice(-3)) {
      const ahead = Date.parse(headerOf(request, 'Date') ?? '') - Date.now();
      expect(Math.abs(ahead - 120_000)).toBeLessThan(3000);
    }
  });

  it('is asked for once', async () => {
    const transport = fakeTransport(() => responseOf(200));
    const client = clientOver(transport);
    await learnTheClock(client);
    await learnTheClock(client);
    expect(transport.requests.map(({ target }) => target)).toEqual(['/psd2/v1/accounts']);
  });

  it('is ours when the bank takes our date and not the one that it writes', async () => {
    const isNow = (date: string | undefined) => Math.abs(Date.parse(date ?? '') - Date.now()) < 60_000;
    const transport = fakeTransport((request) => ({
      ...responseOf(isNow(headerOf(request, 'Date')) ? 200 : 400),
      headers: [['Date', new Date(Date.now() + 7_200_000).toUTCString()]],
    }));
    const client = clientOver(transport);
    await learnTheClock(client);
    expect((await client.call({ operation: 'listAccounts' })).status).toBe(200);
  });

  it('may stay unknown: the checks tell of the trouble', async () => {
    const transport = fakeTransport(() => {
      throw new TransportError('refused', 'nobody there');
    });
    await expect(learnTheClock(clientOver(transport))).resolves.toBeUndefined();
  });
});
