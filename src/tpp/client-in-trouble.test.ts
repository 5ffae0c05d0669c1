import { setTimeout as realTime } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { clientOf, lost, payment } from './client.test.data.ts';
import type { ClientOptions } from './client.ts';
import { setDeadline } from './deadline.ts';
import { type Exchange, NoAnswerError } from './exchange.ts';
import { fakeTransport, headerOf, responseOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';
import { type Transport, TransportError } from './transport.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('a request that died on the way', () => {
  it.each(['reset', 'timeout', 'refused', 'dns', 'tls', 'protocol'] as const)(
    'is tried again after %s, freshly signed',
    async (kind) => {
      const transport = fakeTransport((_, number) => (number < 3 ? lost(kind) : responseOf(201)));
      const answer = await clientOf(transport).call(payment);
      expect(answer.status).toBe(201);
      expect(answer.afterTrouble).toBe(true);
      expect(transport.requests).toHaveLength(3);
      for (const name of ['X-Request-ID', 'Signature']) {
        expect(new Set(transport.requests.map((request) => headerOf(request, name))).size).toBe(3);
      }
      expect(new Set(transport.requests.map(({ body }) => body?.toString())).size).toBe(1);
    },
  );

  it('has the date of its last attempt', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z'), toFake: ['Date'] });
    const dates: (string | undefined)[] = [];
    const transport = fakeTransport((request, number) => {
      dates.push(headerOf(request, 'Date'));
      vi.setSystemTime(Date.parse('2026-03-02T10:00:30Z'));
      return number === 1 ? lost() : responseOf(201);
    });
    await clientOf(transport).call(payment);
    expect(dates).toEqual(['Mon, 02 Mar 2026 10:00:00 GMT', 'Mon, 02 Mar 2026 10:00:30 GMT']);
  });

  it('takes no time below nothing where the clock of the machine is set back meanwhile', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T10:00:00Z'), toFake: ['Date'] });
    const transport = fakeTransport((_, number) => {
      vi.setSystemTime(Date.now() - 5_000);
      return number === 1 ? lost() : responseOf(201);
    });
    const taken: number[] = [];
    const client = clientOf(transport).with({ record: ({ durationMs }) => taken.push(durationMs) });
    await client.call(payment);
    expect(taken).toHaveLength(2);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(0);
  });

  it('is recorded with each of its attempts', async () => {
    const recorded: [Exchange, Answer | undefined][] = [];
    const transport = fakeTransport((_, number) => (number === 1 ? lost() : responseOf(201)));
    const client = clientOf(transport).with({
      record: (exchange, answer) => recorded.push([exchange, answer]),
    });
    await client.call(payment);
    expect(
      recorded.map(([{ attempt, trouble }, answer]) => [attempt, trouble?.kind, answer?.status]),
    ).toEqual([
      [1, 'reset', undefined],
      [2, undefined, 201],
    ]);
    expect(client.requests).toBe(2);
  });

  it('is given up after the retries, and says so with its exchanges', async () => {
    const transport = fakeTransport(() => lost('timeout'));
    const error = await clientOf(transport)
      .call(payment)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ kind: 'timeout' });
    expect((error as NoAnswerError).exchanges.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect((error as NoAnswerError).message).toMatch(
      /in 3 attempts; the last one: timeout: timeout on the way/,
    );
    expect(transport.requests).toHaveLength(3);
  });

  it('is not tried again without retries', async () => {
    const transport = fakeTransport(() => lost());
    await expect(clientOf(transport, { retries: 0 }).call(payment)).rejects.toThrow(NoAnswerError);
    expect(transport.requests).toHaveLength(1);
  });

  it('gives its place in the pace back while it waits', async () => {
    const transport = fakeTransport((request, number) =>
      number === 1 ? lost() : responseOf(200, { target: request.target }),
    );
    const client = clientOf(transport, { pace: new Pace({ concurrency: 1 }), patienceMs: 60 });
    const order: string[] = [];
    await Promise.all([
      client.call(payment).then(() => order.push('troubled')),
      client.call({ operation: 'listAccounts' }).then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'troubled']);
  });
});

const page = '<!DOCTYPE html><title>Sorry</title>';
const created = responseOf(201, { paymentId: 'p1' });

describe('a bank that is not available', () => {
  it.each([408, 429, 502, 503, 504, 522])('and answers %i is asked again, freshly signed', async (status) => {
    const transport = fakeTransport((_, number) => responseOf(number < 4 ? status : 201));
    // One retry: being put off is no trouble of the request, so it has attempts of its own.
    const answer = await clientOf(transport, { retries: 1 }).call(payment);
    expect(answer.status).toBe(201);
    // A gateway may say 503 to a payment that was made; 429 says that nobody has looked at it.
    expect(answer.afterTrouble).toBe(status !== 429);
    expect(new Set(transport.requests.map((request) => headerOf(request, 'X-Request-ID'))).size).toBe(4);
  });

  it.each([200, 302, 400, 500])('sends pages with %i in place of JSON now and then', async (status) => {
    const transport = fakeTransport((_, number) =>
      number === 1
        ? created
        : number === 2
          ? responseOf(status, page)
          : { ...created, status: status === 400 ? 400 : 201 },
    );
    const client = clientOf(transport);
    await client.call(payment);
    const answer = await client.call(payment);
    expect(answer.json).toEqual({ paymentId: 'p1' });
    expect(transport.requests).toHaveLength(3);
  });

  it('may tell its errors in pages: they are asked for again while it answers others, once in a run', async () => {
    const transport = fakeTransport(({ method }, number) =>
      number === 1 || method === 'GET' ? created : responseOf(400, page),
    );
    const client = clientOf(transport);
    for (let index = 0; index < 3; index += 1) await client.call(payment);
    const methods = transport.requests.map(({ method }) => method);
    expect(methods).toEqual(['POST', 'POST', 'POST', 'GET', 'POST', 'GET', 'POST', 'POST']);
  });

  it('answers nobody: then a page that comes again is not taken for its own', async () => {
    const transport = fakeTransport((_, number) => (number === 1 ? created : responseOf(404, page)));
    const client = clientOf(transport);
    await client.call(payment);
    await expect(client.call(payment)).rejects.toMatchObject({ name: 'NoAnswerError' });
  });

  it('may be something else altogether: a first page is handed over', async () => {
    const transport = fakeTransport(() => responseOf(200, page));
    expect((await clientOf(transport).call(payment)).bytes.toString()).toBe(page);
  });

  it('keeps waiting only the request that it put off', async () => {
    const order: string[] = [];
    const transport = fakeTransport((_, number) =>
      number === 1 ? responseOf(503, {}, [['Retry-After', '1']]) : responseOf(200),
    );
    const client = clientOf(transport, { pace: new Pace({ concurrency: 1 }) });
    await Promise.all([
      client.call(payment).then(() => order.push('put off')),
      client.call({ operation: 'listAccounts' }).then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'put off']);
  });

  it('is given up after some attempts, with its last answer', async () => {
    const transport = fakeTransport((request) => responseOf(request.method === 'GET' ? 200 : 504, {}));
    const error = await clientOf(transport)
      .call(payment)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'NoAnswerError', kind: 'gateway', answer: { status: 504 } });
    expect((error as Error).message).toContain('504');
  });

  it('does not make the run wait for a bank that has never answered, whatever it asks for', async () => {
    const transport = fakeTransport(() => responseOf(503, {}, [['Retry-After', '60']]));
    const pace = new Pace({ concurrency: 1 });
    const waits: number[] = [];
    pace.wait = async (ms) => void waits.push(ms);
    await expect(clientOf(transport, { pace, patienceMs: 200 }).call(payment)).rejects.toThrow('503');
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(5_000);
  });

  it('does not get more attempts in a mixture of troubles', async () => {
    const transport = fakeTransport((request, number) =>
      request.method === 'GET' ? responseOf(200) : number % 2 === 0 ? lost() : responseOf(503),
    );
    const client = clientOf(transport, { retries: 3 });
    await client.call({ operation: 'listAccounts' });
    await expect(client.call(payment)).rejects.toThrow(NoAnswerError);
    expect(transport.requests.filter(({ method }) => method === 'POST').length).toBeLessThan(10);
  });
});

describe('a bank that has gone', () => {
  it.each([
    ['503', () => responseOf(503)],
    ['429', () => responseOf(429)],
    ['timeout', () => lost('timeout')],
  ])(
    'is noticed on all connections, asked one request at a time, and given up: %s',
    async (named, answer) => {
      const transport = fakeTransport((_, number) => (number <= 20 ? responseOf(200) : answer()));
      const client = clientOf(transport, {
        pace: new Pace({ concurrency: 16, patienceMs: 2 }),
        patienceMs: 2,
      });
      const settled = await Promise.allSettled(Array.from({ length: 400 }, () => client.call(payment)));
      const reasons = settled.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as Error] : [],
      );
      expect(reasons.length).toBeGreaterThanOrEqual(380);
      const stopped = reasons.filter(({ message }) => message.startsWith('The bank has stopped answering'));
      expect(stopped.length).toBeGreaterThan(300);
      expect(stopped[0]?.message).toContain(named);
      expect(transport.requests.length).toBeLessThan(120);
    },
  );

  it('is used as before when it comes back', async () => {
    const transport = fakeTransport((_, number) =>
      number > 5 && number < 30 ? lost('refused') : responseOf(200),
    );
    const client = clientOf(transport, {
      pace: new Pace({ concurrency: 8, patienceMs: 10 }),
      retries: 9,
      patienceMs: 10,
    });
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => client.call(payment)));
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  const silentFor = async (ms: number, outageMs: number) => {
    const end = Date.now() + ms;
    const transport = fakeTransport((_, number) =>
      number > 2 && Date.now() < end ? lost('refused') : responseOf(200),
    );
    const said: string[] = [];
    const client = clientOf(transport, {
      pace: new Pace({ concurrency: 8, patienceMs: 20 }),
      patienceMs: 20,
      retries: 5,
      outageMs,
      onOutage: (text) => said.push(text),
    });
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => client.call(payment)));
    return { said, lost: settled.filter(({ status }) => status === 'rejected').length };
  };

  it('is waited for as long as the target file says, and that is told', async () => {
    const { said, lost: unanswered } = await silentFor(3600, 8000);
    expect(unanswered).toBe(0);
    expect(said).toEqual([
      expect.stringMatching(/^The bank answers nobody any more \(refused.*up to 8 s \(/),
      expect.stringMatching(/^The bank answers again, after [3-9] s\.$/),
    ]);
  }, 20_000);

  it('is not waited for any longer, and a short silence is not worth telling', async () => {
    const { said, lost: unanswered } = await silentFor(60_000, 500);
    expect(unanswered).toBe(18);
    expect(said).toEqual([]);
  }, 20_000);
});

describe('where requests may move money', () => {
  it.each([
    ['a timeout', () => lost('timeout')],
    ['a reset', () => lost('reset')],
    ['a refused connection', () => lost('refused')],
    ['an alert of TLS', () => lost('tls')],
    ['trouble with a proxy', () => lost('proxy')],
    ['504', () => responseOf(504)],
    ['503', () => responseOf(503)],
  ])('a payment is never sent again after %s', async (_, answer) => {
    const transport = fakeTransport(answer);
    const error = await clientOf(transport, { repeatsWrites: false })
      .call(payment)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect((error as Error).message).toContain('It was not sent again');
    expect(transport.requests).toHaveLength(1);
  });

  it.each([
    ['429', payment, () => responseOf(429)],
    ['a timeout of a request that reads', { operation: 'listAccounts' } as Call, () => lost('timeout')],
  ])('what cannot have been carried out is: after %s', async (_, call, answer) => {
    const transport = fakeTransport((_request, number) => (number === 1 ? answer() : responseOf(200)));
    await clientOf(transport, { repeatsWrites: false }).call(call);
    expect(transport.requests).toHaveLength(2);
  });

  it('a payment is not sent again either where what came is the answer to another request', async () => {
    const ids: (string | undefined)[] = [];
    const transport = fakeTransport((request) => {
      ids.push(headerOf(request, 'X-Request-ID'));
      const late = request.method === 'POST' ? -2 : -1;
      return { ...responseOf(400), headers: [['X-Request-ID', ids.at(late) ?? '']] };
    });
    const client = clientOf(transport, { repeatsWrites: false });
    for (let reading = 1; reading <= 3; reading += 1) await client.call({ operation: 'listAccounts' });
    await expect(client.call(payment)).rejects.toThrow('It was not sent again');
    expect(transport.requests).toHaveLength(4);
  });

  it('a refusal that looks like that of a gateway is asked for again, until it is known to be the bank’s', async () => {
    const isPayment = ({ method }: { readonly method: string }): boolean => method === 'POST';
    const transport = fakeTransport((request) =>
      isPayment(request) ? responseOf(400, { message: 'Not valid' }) : responseOf(200, { accounts: [] }),
    );
    const client = clientOf(transport, { repeatsWrites: false });
    await client.call({ operation: 'listAccounts' });
    expect(await client.call(payment)).toMatchObject({ status: 400, afterTrouble: false });
    const sent = transport.requests.filter(isPayment).length;
    expect(sent).toBeGreaterThan(1);
    await client.call(payment);
    expect(transport.requests.filter(isPayment)).toHaveLength(sent + 1);
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
    const transport = fakeTransport(({ target }) =>
      target.includes('/user')
        ? responseOf(401, { _links: link })
        : responseOf(404, { message: 'no Route matched with those values' }),
    );
    const client = clientOf(transport);
    await client.call({ operation: 'startUserFlow' });
    for (let time = 1; time <= 3; time += 1)
      expect((await client.call({ operation: 'listAccounts' })).status).toBe(404);
  });
});
