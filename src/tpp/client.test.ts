import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { clientOf, fakePsu, payment } from './client.test.data.ts';
import { type Exchange, type HeaderLine, NoAnswerError } from './exchange.ts';
import { fakeTransport, headerOf, responseOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';

describe('a bank that is busy with another request of the session', () => {
  const busyUnlessAlone = () => {
    let underWay = 0;
    let most = 0;
    const transport = fakeTransport(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      const isBusy = underWay > 1;
      await new Promise((done) => setTimeout(done, 2));
      underWay -= 1;
      return isBusy ? responseOf(409, {}) : responseOf(201, { paymentId: 'p1' });
    });
    return { transport, mostUnderWay: () => most, forget: () => (most = 0) };
  };

  it('is asked again alone, and then by one request at a time', async () => {
    const bank = busyUnlessAlone();
    const client = clientOf(bank.transport);
    const many = async () =>
      (await Promise.all([1, 2, 3, 4].map(() => client.call(payment)))).map(({ status }) => status);
    expect(await many()).toEqual([201, 201, 201, 201]);
    bank.forget();
    expect(await many()).toEqual([201, 201, 201, 201]);
    expect(bank.mostUnderWay()).toBe(1);
  });

  it('is told from one that means the request, which is believed after a while', async () => {
    const transport = fakeTransport(async () => responseOf(409, {}));
    const client = clientOf(transport);
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.call(payment)));
    expect(answers.every(({ status, afterTrouble }) => status === 409 && !afterTrouble)).toBe(true);
    expect(transport.requests.length).toBeLessThanOrEqual(40 + 12);
  });

  it('is not doubted where the request was alone', async () => {
    const transport = fakeTransport(() => responseOf(409, {}));
    await clientOf(transport).call(payment);
    expect(transport.requests).toHaveLength(1);
  });
});

describe('a call', () => {
  it('keeps once what every request says in the same words', async () => {
    const client = clientOf(fakeTransport(() => responseOf(201, { paymentId: 'p1' })));
    const [one, other] = [await client.call(payment), await client.call(payment)];
    const lineOf = ({ exchange }: Answer, name: string): HeaderLine | undefined =>
      exchange.request.headers.find(([called]) => called === name);
    expect(lineOf(other, 'TPP-Session-ID')).toBe(lineOf(one, 'TPP-Session-ID'));
    expect(lineOf(other, 'X-Request-ID')).not.toEqual(lineOf(one, 'X-Request-ID'));
  });

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

  it.each([200, 201, 301, 400, 401, 404, 501])('takes %i for an answer', async (status) => {
    const transport = fakeTransport(() => responseOf(status));
    expect((await clientOf(transport).call(payment)).status).toBe(status);
    expect(transport.requests).toHaveLength(1);
  });

  it('takes 500 for an answer where it comes again, and for a stumble where it does not', async () => {
    const breaking = fakeTransport(() => responseOf(500));
    expect((await clientOf(breaking).call(payment)).status).toBe(500);
    expect(breaking.requests).toHaveLength(3);
    const stumbling = fakeTransport((_, attempt) => responseOf(attempt === 1 ? 500 : 400));
    expect((await clientOf(stumbling).call(payment)).status).toBe(400);
    expect(stumbling.requests).toHaveLength(2);
  });
});

describe('an answer that is too large', () => {
  const long = Array.from({ length: 3000 }, () => 'b'.repeat(1000));

  /** Three megabytes each, and more of them than there is room for. */
  async function manyOf(listIn: (index: number) => readonly string[]): Promise<readonly Answer[]> {
    let sent = 0;
    const client = clientOf(fakeTransport(() => responseOf(200, { list: listIn(sent++) })));
    const answers: Answer[] = [];
    for (let index = 0; index < 60; index += 1)
      answers.push(await client.call({ operation: 'listAccounts' }));
    return answers;
  }

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
    const answers = await manyOf((index) => [String(index), ...long]);
    const kept = answers.reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(kept).toBeLessThan(140 * 1024 * 1024);
    expect(answers[0]?.json).toBeDefined();
    expect(() => answers.at(-1)?.json).toThrow(NoAnswerError);
  });

  it('takes its room once where it comes again and again', async () => {
    const answers = await manyOf(() => long);
    expect(new Set(answers.map(({ bytes }) => bytes)).size).toBe(1);
    expect(answers.at(-1)?.json).toEqual({ list: long });
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
    await client.with({ psu: fakePsu }).call({ operation: 'listAccounts' });
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
