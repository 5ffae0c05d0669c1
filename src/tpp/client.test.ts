import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import { type ClientOptions, TppClient } from './client.ts';
import { type Exchange, type HeaderLine, NoAnswerError, type TroubleKind } from './exchange.ts';
import { type FakeTransport, fakeTransport, headerOf, responseOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';
import { TransportError } from './transport.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 512 });
});

afterEach(() => {
  vi.useRealTimers();
});

const psu = {
  id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
  sessionId: 'session-1',
  ipAddress: '192.0.2.10',
  redirectUri: 'https://tpp.example/redirect',
};
const addressing = { prefix: '/psd2', paths: {}, customHeaders: { 'X-API-Key': 'k' }, host: 'bank.example' };

function clientOf(transport: FakeTransport, options: Partial<ClientOptions> = {}): TppClient {
  return new TppClient({
    transport,
    pace: new Pace({ concurrency: 4, patienceMs: 1 }),
    identity: pki.tpp,
    psu,
    addressing,
    origin: 'https://bank.example',
    timeoutMs: 1000,
    retries: 2,
    patienceMs: 1,
    ...options,
  });
}

const lost = (kind: TroubleKind = 'reset') => {
  throw new TransportError(kind, `${kind} on the way`);
};

const payment: Call = { operation: 'createDomesticPayment', body: { creditorName: 'Bjørn' } };

describe('a call', () => {
  it('is sent as it was built, and its answer handed over', async () => {
    const transport = fakeTransport(() => responseOf(201, { paymentId: 'p1' }));
    const answer = await clientOf(transport).call(payment);
    expect(answer.status).toBe(201);
    expect(answer.text('paymentId')).toBe('p1');
    expect(answer.afterTrouble).toBe(false);
    const [request] = transport.requests;
    expect(request).toMatchObject({
      method: 'POST',
      target: '/psd2/v1/payments/norwegian-domestic-credit-transfers',
    });
    expect(request?.body?.toString('utf8')).toBe('{"creditorName":"Bjørn"}');
  });

  it('is asked again where its answer may have been cut, whosever the status is', async () => {
    const transport = fakeTransport((_, number) =>
      responseOf(429, number === 1 ? '{"tppMessages":[' : { tppMessages: [] }),
    );
    const answer = await clientOf(transport, { ownStatuses: new Set([429]) }).call(payment);
    expect(answer.member('tppMessages')).toEqual([]);
    expect(transport.requests).toHaveLength(2);
  });

  it('is recorded with everything that went over the wire', async () => {
    const transport = fakeTransport(() =>
      responseOf(400, 'no', [
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
      ]),
    );
    const recorded: [Exchange, Answer | undefined][] = [];
    const client = clientOf(transport).with({
      record: (exchange, answer) => recorded.push([exchange, answer]),
    });
    await client.call(payment, {}, 'with the fault');
    const [[exchange, answer] = []] = recorded;
    expect(recorded).toHaveLength(1);
    expect(answer?.status).toBe(400);
    expect(exchange).toMatchObject({
      purpose: 'with the fault',
      operation: 'createDomesticPayment',
      attempt: 1,
      request: {
        url: 'https://bank.example/psd2/v1/payments/norwegian-domestic-credit-transfers',
        body: '{"creditorName":"Bjørn"}',
      },
      response: { status: 400, body: 'no' },
    });
    expect(exchange?.request.headers).toEqual(transport.requests[0]?.headers);
    expect(exchange?.response?.headers.slice(1)).toEqual([
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
    ]);
  });

  it.each([200, 201, 301, 400, 401, 404, 500, 501])('takes %i for an answer', async (status) => {
    const transport = fakeTransport(() => responseOf(status));
    expect((await clientOf(transport).call(payment)).status).toBe(status);
    expect(transport.requests).toHaveLength(1);
  });
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
        ? responseOf(200)
        : number === 2
          ? responseOf(status, page)
          : responseOf(status === 400 ? 400 : 201),
    );
    const client = clientOf(transport);
    await client.call(payment);
    const answer = await client.call(payment);
    expect(answer.json).toEqual({});
    expect(transport.requests).toHaveLength(3);
  });

  it('may tell its errors in pages: they are asked for again while it answers others, once in a run', async () => {
    const transport = fakeTransport(({ method }, number) =>
      number === 1 || method === 'GET' ? responseOf(200) : responseOf(400, page),
    );
    const client = clientOf(transport);
    for (let index = 0; index < 3; index += 1) await client.call(payment);
    const methods = transport.requests.map(({ method }) => method);
    expect(methods).toEqual(['POST', 'POST', 'POST', 'GET', 'POST', 'GET', 'POST', 'POST']);
  });

  it('answers nobody: then a page that comes again is not taken for its own', async () => {
    const transport = fakeTransport((_, number) => (number === 1 ? responseOf(200) : responseOf(404, page)));
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
      pace: new Pace({ concurrency: 8, patienceMs: 2 }),
      retries: 9,
      patienceMs: 2,
    });
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => client.call(payment)));
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});

describe('where requests may move money', () => {
  it.each([
    ['a timeout', () => lost('timeout')],
    ['a reset', () => lost('reset')],
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
    ['a refused connection', payment, () => lost('refused')],
    ['429', payment, () => responseOf(429)],
    ['a timeout of a request that reads', { operation: 'listAccounts' } as Call, () => lost('timeout')],
  ])('what cannot have been carried out is: after %s', async (_, call, answer) => {
    const transport = fakeTransport((_request, number) => (number === 1 ? answer() : responseOf(200)));
    await clientOf(transport, { repeatsWrites: false }).call(call);
    expect(transport.requests).toHaveLength(2);
  });
});

describe('an answer that is too large', () => {
  it('is recorded only in part, and says so', async () => {
    const transport = fakeTransport(() => responseOf(201, { psuMessage: 'a'.repeat(3_000_000) }));
    const answer = await clientOf(transport).call(payment);
    expect(answer.exchange.response?.body.length).toBeLessThan(20_000);
    expect(answer.exchange.response?.body).toContain('[cut: the body has 3000017 bytes]');
    // Longer than any limit, so that its length can still be judged.
    expect(answer.text('psuMessage')?.length).toBe(16_384);
    expect(answer.bytes.length).toBeLessThan(20_000);
  });

  it('takes no more room than a run has, however many there are', async () => {
    const many = JSON.stringify({ list: Array.from({ length: 3000 }, () => 'b'.repeat(1000)) });
    const transport = fakeTransport(() => responseOf(200, many));
    const client = clientOf(transport);
    const answers: Answer[] = [];
    for (let index = 0; index < 60; index += 1)
      answers.push(await client.call({ operation: 'listAccounts' }));
    const kept = answers.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(kept).toBeLessThan(140 * 1024 * 1024);
    expect(answers[0]?.json).toBeDefined();
    expect(() => answers.at(-1)?.json).toThrow(NoAnswerError);
  });
});

describe('a fault of our own', () => {
  it('is no trouble on the way: it is thrown at once, and the pace goes on', async () => {
    const transport = fakeTransport(() => {
      throw new RangeError('broken');
    });
    const client = clientOf(transport, { pace: new Pace({ concurrency: 1 }) });
    await expect(client.call(payment)).rejects.toThrow(RangeError);
    await expect(client.call(payment)).rejects.toThrow(RangeError);
    expect(transport.requests).toHaveLength(2);
  });
});

describe('the bank’s clock', () => {
  it('is learnt from answers and used in the next request', async () => {
    const anHourAhead = (): HeaderLine => ['Date', new Date(Date.now() + 3_600_000).toUTCString()];
    const transport = fakeTransport(() => ({ status: 200, headers: [anHourAhead()], body: Buffer.alloc(0) }));
    const client = clientOf(transport);
    await client.call({ operation: 'listAccounts' });
    await client.with({ psu }).call({ operation: 'listAccounts' });
    const [before = Number.NaN, after = Number.NaN] = transport.requests.map((request) =>
      Date.parse(headerOf(request, 'Date') ?? ''),
    );
    expect(Math.abs(after - before - 3_600_000)).toBeLessThan(3000);
  });
});

describe('a variation', () => {
  it('changes the request before or after it is signed', async () => {
    const transport = fakeTransport(() => responseOf(400));
    const client = clientOf(transport);
    await client.call(payment, {
      beforeSigning: ({ headers }) => headers.set('PSU-ID', 'before'),
      afterSigning: (draft) => {
        draft.headers.add('Date', 'doubled');
        draft.headers.remove('Signature');
        draft.body = Buffer.from([0xff, 0xfe]);
      },
    });
    const [request] = transport.requests;
    expect(request?.headers.filter(([name]) => name === 'Date')).toHaveLength(2);
    expect(headerOf(request ?? { headers: [], method: '', target: '', body: undefined }, 'PSU-ID')).toBe(
      'before',
    );
    expect(request?.headers.some(([name]) => name === 'Signature')).toBe(false);
    expect(request?.body).toEqual(Buffer.from([0xff, 0xfe]));
  });
});
