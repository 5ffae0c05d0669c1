import { setTimeout as realTime } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from './call.ts';
import { askingOf, clientOf, listAccounts, lost, payment, reasonOf } from './client.test.data.ts';
import type { ClientOptions } from './client.ts';
import { setDeadline } from './deadline.ts';
import { NoAnswerError } from './exchange.ts';
import { headerOf, responseOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';
import { type Transport, TransportError } from './transport.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a request that died on the way', () => {
  it.each(['reset', 'timeout', 'refused', 'dns', 'tls', 'protocol'] as const)(
    'is tried again after %s, freshly signed',
    async (kind) => {
      const { call, requests, valuesOf } = askingOf((_, number) =>
        number < 3 ? lost(kind) : responseOf(201),
      );
      expect(await call()).toMatchObject({ status: 201, afterTrouble: true });
      for (const name of ['X-Request-ID', 'Signature']) expect(new Set(valuesOf(name)).size).toBe(3);
      expect(requests).toHaveLength(3);
      expect(new Set(requests.map(({ body }) => body?.toString())).size).toBe(1);
    },
  );

  it('has the date of its last attempt', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z'), toFake: ['Date'] });
    const { call, valuesOf } = askingOf((_, number) => {
      vi.setSystemTime(Date.parse('2026-03-02T10:00:30Z'));
      return number === 1 ? lost() : responseOf(201);
    });
    await call();
    expect(valuesOf('Date')).toEqual(['Mon, 02 Mar 2026 10:00:00 GMT', 'Mon, 02 Mar 2026 10:00:30 GMT']);
  });

  it('takes no time below nothing where the clock of the machine is set back meanwhile', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z'), toFake: ['Date'] });
    const { call, recorded } = askingOf((_, number) => {
      vi.setSystemTime(Date.now() - 5_000);
      return number === 1 ? lost() : responseOf(201);
    });
    await call();
    const taken = recorded.map(([{ durationMs }]) => durationMs);
    expect(taken).toHaveLength(2);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(0);
  });

  it('is recorded with each of its attempts', async () => {
    const { client, call, recorded } = askingOf((_, number) => (number === 1 ? lost() : responseOf(201)));
    await call();
    expect(
      recorded.map(([{ attempt, trouble }, answer]) => [attempt, trouble?.kind, answer?.status]),
    ).toEqual([
      [1, 'reset', undefined],
      [2, undefined, 201],
    ]);
    expect(client.requests).toBe(2);
  });

  it('is given up after the retries, and says so with its exchanges', async () => {
    const { call, requests } = askingOf(() => lost('timeout'));
    const error = await reasonOf(call());
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/in 3 attempts; the last one: timeout: timeout on the way/),
      exchanges: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }],
    });
    expect(requests).toHaveLength(3);
  });

  it('is not tried again without retries', async () => {
    const { call, requests } = askingOf(() => lost(), { retries: 0 });
    await expect(call()).rejects.toThrow(NoAnswerError);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['died', () => lost(), { patienceMs: 60 }],
    ['was put off', () => responseOf(503, {}, [['Retry-After', '1']]), {}],
  ])('gives its place in the pace back while it waits, since it %s', async (_, first, options) => {
    const { call } = askingOf((__, number) => (number === 1 ? first() : responseOf(200)), {
      pace: new Pace({ concurrency: 1 }),
      ...options,
    });
    const order: string[] = [];
    await Promise.all([
      call().then(() => order.push('troubled')),
      call(listAccounts).then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'troubled']);
  });
});

const page = '<!DOCTYPE html><title>Sorry</title>';
const created = responseOf(201, { paymentId: 'p1' });

describe('a bank that is not available', () => {
  it.each([408, 429, 502, 503, 504, 522])('and answers %i is asked again, freshly signed', async (status) => {
    // One retry: being put off is no trouble of the request, so it has attempts of its own.
    const { call, valuesOf } = askingOf((_, number) => responseOf(number < 4 ? status : 201), { retries: 1 });
    // A gateway may say 503 to a payment that was made; 429 says that nobody has looked at it.
    expect(await call()).toMatchObject({ status: 201, afterTrouble: status !== 429 });
    expect(new Set(valuesOf('X-Request-ID')).size).toBe(4);
  });

  it.each([200, 302, 400, 500])('sends pages with %i in place of JSON now and then', async (status) => {
    const answers = [created, responseOf(status, page), { ...created, status: status === 400 ? 400 : 201 }];
    const { call, requests } = askingOf((_, number) => answers[number - 1] ?? created);
    await call();
    expect((await call()).json).toEqual({ paymentId: 'p1' });
    expect(requests).toHaveLength(3);
  });

  it('may tell its errors in pages: they are asked for again while it answers others, once in a run', async () => {
    const { call, requests } = askingOf(({ method }, number) =>
      number === 1 || method === 'GET' ? created : responseOf(400, page),
    );
    for (let index = 0; index < 3; index += 1) await call();
    const methods = requests.map(({ method }) => method);
    expect(methods).toEqual(['POST', 'POST', 'POST', 'GET', 'POST', 'GET', 'POST', 'POST']);
  });

  it('answers nobody: then a page that comes again is not taken for its own', async () => {
    const { call } = askingOf((_, number) => (number === 1 ? created : responseOf(404, page)));
    await call();
    await expect(call()).rejects.toMatchObject({ name: 'NoAnswerError' });
  });

  it('may be something else altogether: a first page is handed over', async () => {
    const { call } = askingOf(() => responseOf(200, page));
    expect((await call()).bytes.toString()).toBe(page);
  });

  it('is given up after some attempts, with its last answer', async () => {
    const { call } = askingOf(({ method }) => responseOf(method === 'GET' ? 200 : 504, {}));
    expect(await reasonOf(call())).toMatchObject({
      name: 'NoAnswerError',
      kind: 'gateway',
      answer: { status: 504 },
      message: expect.stringContaining('504'),
    });
  });

  it('does not make the run wait for a bank that has never answered, whatever it asks for', async () => {
    const pace = new Pace({ concurrency: 1 });
    const waits: number[] = [];
    pace.wait = async (ms) => void waits.push(ms);
    const { call } = askingOf(() => responseOf(503, {}, [['Retry-After', '60']]), { pace, patienceMs: 200 });
    await expect(call()).rejects.toThrow('503');
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(5_000);
  });

  it('does not get more attempts in a mixture of troubles', async () => {
    const { call, requests } = askingOf(
      ({ method }, number) =>
        method === 'GET' ? responseOf(200) : number % 2 === 0 ? lost() : responseOf(503),
      { retries: 3 },
    );
    await call(listAccounts);
    await expect(call()).rejects.toThrow(NoAnswerError);
    expect(requests.filter(({ method }) => method === 'POST').length).toBeLessThan(10);
  });
});

describe('a bank that has gone', () => {
  const paceOf = (concurrency: number, patienceMs: number) => ({
    pace: new Pace({ concurrency, patienceMs }),
    patienceMs,
  });
  /** Why those failed that did, of so many payments at once. */
  const failuresOf = async (call: () => Promise<unknown>, payments: number): Promise<readonly Error[]> => {
    const settled = await Promise.allSettled(Array.from({ length: payments }, () => call()));
    return settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  };

  it.each([
    ['503', () => responseOf(503)],
    ['429', () => responseOf(429)],
    ['timeout', () => lost('timeout')],
  ])(
    'is noticed on all connections, asked one request at a time, and given up: %s',
    async (named, answer) => {
      const { call, requests } = askingOf(
        (_, number) => (number <= 20 ? responseOf(200) : answer()),
        paceOf(16, 2),
      );
      const reasons = await failuresOf(call, 400);
      expect(reasons.length).toBeGreaterThanOrEqual(380);
      const stopped = reasons.filter(({ message }) => message.startsWith('The bank has stopped answering'));
      expect(stopped.length).toBeGreaterThan(300);
      expect(stopped[0]?.message).toContain(named);
      expect(requests.length).toBeLessThan(120);
    },
  );

  it('is used as before when it comes back', async () => {
    const { call } = askingOf(
      (_, number) => (number > 5 && number < 30 ? lost('refused') : responseOf(200)),
      { ...paceOf(8, 10), retries: 9 },
    );
    expect(await failuresOf(call, 60)).toEqual([]);
  });

  it.each([
    [
      'is waited for as long as the target file says, and that is told',
      3600,
      8000,
      0,
      [
        expect.stringMatching(/^The bank answers nobody any more \(refused.*up to 8 s \(/),
        expect.stringMatching(/^The bank answers again, after [3-9] s\.$/),
      ],
    ],
    ['is not waited for any longer, and a short silence is not worth telling', 60_000, 500, 18, []],
  ])('%s', { timeout: 20_000 }, async (_, silentMs, outageMs, unanswered, told) => {
    const end = Date.now() + silentMs;
    const said: string[] = [];
    const { call } = askingOf(
      (__, number) => (number > 2 && Date.now() < end ? lost('refused') : responseOf(200)),
      { ...paceOf(8, 20), retries: 5, outageMs, onOutage: (text) => said.push(text) },
    );
    expect(await failuresOf(call, 20)).toHaveLength(unanswered);
    expect(said).toEqual(told);
  });
});

describe('where requests may move money', () => {
  const once = { repeatsWrites: false };
  it.each([
    ['a timeout', () => lost('timeout')],
    ['a reset', () => lost('reset')],
    ['a refused connection', () => lost('refused')],
    ['an alert of TLS', () => lost('tls')],
    ['trouble with a proxy', () => lost('proxy')],
    ['504', () => responseOf(504)],
    ['503', () => responseOf(503)],
  ])('a payment is never sent again after %s', async (_, answer) => {
    const { call, requests } = askingOf(answer, once);
    const error = await reasonOf(call());
    expect(error).toBeInstanceOf(NoAnswerError);
    expect((error as Error).message).toContain('It was not sent again');
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['429', payment, () => responseOf(429)],
    ['a timeout of a request that reads', listAccounts, () => lost('timeout')],
  ])('what cannot have been carried out is: after %s', async (_, asked, answer) => {
    const { call, requests } = askingOf((__, number) => (number === 1 ? answer() : responseOf(200)), once);
    await call(asked);
    expect(requests).toHaveLength(2);
  });

  it('a payment is not sent again either where what came is the answer to another request', async () => {
    const ids: (string | undefined)[] = [];
    const { call, requests } = askingOf((request) => {
      ids.push(headerOf(request, 'X-Request-ID'));
      const late = request.method === 'POST' ? -2 : -1;
      return { ...responseOf(400), headers: [['X-Request-ID', ids.at(late) ?? '']] };
    }, once);
    for (let reading = 1; reading <= 3; reading += 1) await call(listAccounts);
    await expect(call()).rejects.toThrow('It was not sent again');
    expect(requests).toHaveLength(4);
  });

  it('a refusal that looks like that of a gateway is asked for again, until it is known to be the bank’s', async () => {
    const isPayment = ({ method }: { readonly method: string }): boolean => method === 'POST';
    const { call, requests } = askingOf(
      (request) =>
        isPayment(request) ? responseOf(400, { message: 'Not valid' }) : responseOf(200, { accounts: [] }),
      once,
    );
    await call(listAccounts);
    expect(await call()).toMatchObject({ status: 400, afterTrouble: false });
    const sent = requests.filter(isPayment).length;
    expect(sent).toBeGreaterThan(1);
    await call();
    expect(requests.filter(isPayment)).toHaveLength(sent + 1);
  });
});

describe('a request that is lost among others that are answered', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });

  const firstLost = async (options: Partial<ClientOptions>, call: Call) => {
    let isLosing = false;
    const transport: Transport = {
      send: ({ method }, timeoutMs, doubt) =>
        new Promise((resolve, reject) => {
          if (!isLosing || method !== 'POST') resolve(responseOf(200));
          else setDeadline(timeoutMs, doubt, ({ message }) => reject(new TransportError('timeout', message)));
          if (method === 'POST') isLosing = false;
        }),
      close: async () => {},
    };
    const client = clientOf(transport, { timeoutMs: 10_000, ...options });
    const waited = async (sending: Promise<unknown>): Promise<number> => {
      const begun = Date.now();
      let isOver = false;
      void sending
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
      while (!isOver) {
        await realTime(5);
        await vi.advanceTimersByTimeAsync(50);
      }
      return Date.now() - begun;
    };
    for (let number = 0; number < 8; number += 1) await waited(client.call(call));
    isLosing = true;
    return waited(client.call(call));
  };

  it('is sent again before its time is over', async () => {
    expect(await firstLost({}, payment)).toBeLessThan(5_000);
  });

  it('is waited for to the end where it may move money', async () => {
    expect(await firstLost({ repeatsWrites: false }, payment)).toBeGreaterThanOrEqual(10_000);
  });
});

describe('a bank that has no accounts, and says so as gateways do', () => {
  it('is asked for by what it has answered before', async () => {
    const link = { scaRedirect: { href: 'https://bank.example/sca', verbs: ['GET'] } };
    const { call } = askingOf(({ target }) =>
      target.includes('/user')
        ? responseOf(401, { _links: link })
        : responseOf(404, { message: 'no Route matched with those values' }),
    );
    await call({ operation: 'startUserFlow' });
    for (let time = 1; time <= 3; time += 1) expect((await call(listAccounts)).status).toBe(404);
  });
});
