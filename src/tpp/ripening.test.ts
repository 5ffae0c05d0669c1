import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from './answer.ts';
import type { Call, Psu } from './call.ts';
import { NoAnswerError } from './exchange.ts';
import { Ripening } from './ripening.ts';

const psu: Psu = { id: 'P-1', sessionId: 's', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' };
const createdAs = (id: string): Answer => ({ status: 201, text: () => id }) as unknown as Answer;
const aCreation: Call = { operation: 'createDomesticPayment' };
const createdIn = (ripening: Ripening, id: string): void => ripening.created(aCreation, psu, createdAs(id));
const basketOf = (...paymentIds: string[]): Call => ({
  operation: 'createSigningBasket',
  body: { paymentIds },
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One that sleeps by the clock of these tests. */
const aRipening = (): Ripening =>
  new Ripening((ms) => new Promise<void>((wake) => void setTimeout(wake, ms)));

async function msOf(waited: Promise<void>): Promise<number> {
  const begun = performance.now();
  let took = Number.NaN;
  const ended = waited.then(() => {
    took = performance.now() - begun;
  });
  await vi.runAllTimersAsync();
  await ended;
  return took;
}

describe('what a bank knows a moment later', () => {
  it('is not waited for where it knows everything at once', async () => {
    const ripening = aRipening();
    await ripening.learnSessions(async () => 0);
    createdIn(ripening, '1');
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    expect(await msOf(ripening.wait(basketOf('1'), psu))).toBe(0);
  });

  it('is a payment that is put into a basket, or read', async () => {
    const ripening = aRipening();
    ripening.paymentsTake(100);
    createdIn(ripening, '1');
    expect(await msOf(ripening.wait(basketOf('2'), psu))).toBe(0);
    const status: Call = { operation: 'readPaymentStatus', params: { paymentId: '1' } } as unknown as Call;
    const indented = Buffer.from(JSON.stringify(basketOf('1').body, null, 2));
    const waits = [basketOf('2', '1'), status, { ...basketOf(), body: indented }].map((call) =>
      ripening.wait(call, psu),
    );
    for (const ms of await Promise.all(waits.map(msOf))) expect(ms).toBe(150);
    expect(await msOf(ripening.wait(basketOf('1'), psu))).toBe(0);
    expect(await msOf(ripening.wait({ ...basketOf(), body: Buffer.from('no JSON') }, psu))).toBe(0);
  });

  it('is a session from the SCA that began it, however its PSU-ID is written, and no later approval', async () => {
    const ripening = aRipening();
    expect(await ripening.learnSessions(async () => 60)).toBe(60);
    expect(await ripening.learnSessions(async () => 9_999)).toBe(60);
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    const accounts: Call = { operation: 'listAccounts' };
    expect(await msOf(ripening.wait(accounts, { ...psu, sessionId: 't' }))).toBe(0);
    expect(await msOf(ripening.wait(accounts, psu))).toBe(90);
    ripening.begun({ psuId: 'p-1', sessionId: 's' });
    expect(await msOf(ripening.wait(accounts, psu))).toBe(0);
  });

  it('is learned of a new session where an old one was known at once', async () => {
    const ripening = aRipening();
    expect(await ripening.learnOldSession(async () => 0)).toBe(0);
    expect(await ripening.learnSessions(async () => 60)).toBe(60);
    const late = aRipening();
    expect(await late.learnOldSession(async () => 70)).toBe(70);
    expect(await late.learnSessions(async () => 0)).toBe(70);
  });

  it('is not learned of a bank that does not answer', async () => {
    const silent = Promise.reject(new NoAnswerError('timeout', 'none', []));
    expect(await aRipening().learnSessions(() => silent)).toBe(0);
  });
});

describe('what a part of a bank knows later than the others', () => {
  const answered = (status: number, code?: string): Answer =>
    ({ status, asksForSca: false, messages: code === undefined ? [] : [{ code }] }) as unknown as Answer;
  const asked = async (ripening: Ripening, first: Answer, then: Answer, call = basketOf('1'), who = psu) => {
    const begun = performance.now();
    const asking = ripening.again(call, who, first, async () => then);
    await vi.runAllTimersAsync();
    return { answer: await asking, ms: performance.now() - begun };
  };

  it.each([answered(404), answered(400, 'RESOURCE_UNKNOWN')])('is asked for again: %j', async (first) => {
    const ripening = aRipening();
    createdIn(ripening, '1');
    const taken = answered(201);
    expect(await asked(ripening, first, taken)).toEqual({ answer: taken, ms: 2500 });
    createdIn(ripening, '2');
    expect(await msOf(ripening.wait(basketOf('2'), psu))).toBe(3750);
  });

  it('is what was refused at first where it is refused again, and not asked for without end', async () => {
    const ripening = aRipening();
    const first = answered(404);
    for (let place = 0; place < 8; place += 1) {
      createdIn(ripening, String(place));
      const { answer, ms } = await asked(ripening, first, answered(404), basketOf(String(place)));
      expect(answer).toBe(first);
      expect(ms).toBe(place < 5 ? 2500 : 0);
    }
    expect(await msOf(ripening.wait(basketOf('7'), psu))).toBe(0);
  });

  it.each([answered(201), answered(400, 'FORMAT_ERROR'), answered(503)])(
    'is nothing that was refused for something else: %j',
    async (first) => {
      const ripening = aRipening();
      createdIn(ripening, '1');
      expect((await asked(ripening, first, answered(201))).ms).toBe(0);
      expect((await asked(ripening, answered(404), answered(201), basketOf('9'))).ms).toBe(0);
    },
  );

  it('is nothing that this PSU would not find in the whole of the bank', async () => {
    const ripening = aRipening();
    createdIn(ripening, '1');
    const unknown = answered(404);
    const statusIn = (product: string): Call => ({
      operation: 'readPaymentStatus',
      params: { product, paymentId: '1' },
    });
    const other = { ...psu, id: 'P-2' };
    for (const [call, who] of [
      [basketOf('1', '9'), psu],
      [basketOf('1'), other],
      [statusIn('norwegian-cross-border-credit-transfers'), psu],
    ] as const)
      expect((await asked(ripening, unknown, answered(200), call, who)).ms).toBe(0);
    expect(
      (await asked(ripening, unknown, unknown, statusIn('norwegian-domestic-credit-transfers'))).ms,
    ).toBe(2500);
    const deletion = {
      ...statusIn('norwegian-domestic-credit-transfers'),
      operation: 'deletePayment',
    } as const;
    const deleted = { ...answered(204), isSuccess: true } as Answer;
    expect(await ripening.again(deletion, psu, deleted, async () => unknown)).toBe(deleted);
    expect((await asked(ripening, unknown, answered(200))).ms).toBe(0);
  });
});
