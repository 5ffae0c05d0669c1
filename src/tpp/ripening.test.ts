import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import type { Call, Psu } from './call.ts';
import { NoAnswerError } from './exchange.ts';
import { Ripening } from './ripening.ts';

const psu: Psu = { id: 'P-1', sessionId: 's', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' };
const createdAs = (id: string): Answer => ({ status: 201, text: () => id }) as unknown as Answer;
const basketOf = (...paymentIds: string[]): Call => ({
  operation: 'createSigningBasket',
  body: { paymentIds },
});

async function msOf(waited: Promise<void>): Promise<number> {
  const begun = performance.now();
  await waited;
  return performance.now() - begun;
}

describe('what a bank knows a moment later', () => {
  it('is not waited for where it knows everything at once', async () => {
    const ripening = new Ripening();
    await ripening.learnSessions(async () => 0);
    ripening.created(createdAs('1'));
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    expect(await msOf(ripening.wait(basketOf('1'), psu))).toBeLessThan(20);
  });

  it('is a payment that is put into a basket, or read', async () => {
    const ripening = new Ripening();
    ripening.paymentsTake(100);
    ripening.created(createdAs('1'));
    expect(await msOf(ripening.wait(basketOf('2'), psu))).toBeLessThan(50);
    const status: Call = { operation: 'readPaymentStatus', params: { paymentId: '1' } } as unknown as Call;
    const indented = Buffer.from(JSON.stringify(basketOf('1').body, null, 2));
    const waits = [basketOf('2', '1'), status, { ...basketOf(), body: indented }].map((call) =>
      ripening.wait(call, psu),
    );
    for (const ms of await Promise.all(waits.map(msOf))) expect(ms).toBeGreaterThan(90);
    expect(await msOf(ripening.wait(basketOf('1'), psu))).toBeLessThan(50);
    expect(await msOf(ripening.wait({ ...basketOf(), body: Buffer.from('no JSON') }, psu))).toBeLessThan(50);
  });

  it('is a session from the SCA that began it, however its PSU-ID is written, and no later approval', async () => {
    const ripening = new Ripening();
    expect(await ripening.learnSessions(async () => 60)).toBe(60);
    expect(await ripening.learnSessions(async () => 9_999)).toBe(60);
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    const accounts: Call = { operation: 'listAccounts' };
    expect(await msOf(ripening.wait(accounts, { ...psu, sessionId: 't' }))).toBeLessThan(50);
    expect(await msOf(ripening.wait(accounts, psu))).toBeGreaterThan(50);
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    expect(await msOf(ripening.wait(accounts, psu))).toBeLessThan(50);
  });

  it('is learned of a new session where an old one was known at once', async () => {
    const ripening = new Ripening();
    expect(await ripening.learnOldSession(async () => 0)).toBe(0);
    expect(await ripening.learnSessions(async () => 60)).toBe(60);
    const late = new Ripening();
    expect(await late.learnOldSession(async () => 70)).toBe(70);
    expect(await late.learnSessions(async () => 0)).toBe(70);
  });

  it('is not learned of a bank that does not answer', async () => {
    const silent = Promise.reject(new NoAnswerError('timeout', 'none', []));
    expect(await new Ripening().learnSessions(() => silent)).toBe(0);
  });
});
