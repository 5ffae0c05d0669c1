import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { askingOf, fakePsu, listAccounts, payment } from './client.test.data.ts';
import { type HeaderLine, NoAnswerError } from './exchange.ts';
import { responseOf } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';

const created = responseOf(201, { paymentId: 'p1' });

describe('a bank that is busy with another request of the session', () => {
  it('is asked again alone, and then by one request at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { call } = askingOf(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      const isBusy = underWay > 1;
      await new Promise((done) => setTimeout(done, 2));
      underWay -= 1;
      return isBusy ? responseOf(409) : created;
    });
    const many = async () => (await Promise.all([1, 2, 3, 4].map(() => call()))).map(({ status }) => status);
    expect(await many()).toEqual([201, 201, 201, 201]);
    most = 0;
    expect(await many()).toEqual([201, 201, 201, 201]);
    expect(most).toBe(1);
  });

  it.each([
    ['is told from one that means the request, which is believed after a while', 40, 40 + 12],
    ['is not doubted where the request was alone', 1, 1],
  ])('%s', async (_, calls, mostSent) => {
    const { call, requests } = askingOf(() => responseOf(409));
    const answers = await Promise.all(Array.from({ length: calls }, () => call()));
    expect(answers.every(({ status, afterTrouble }) => status === 409 && !afterTrouble)).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(mostSent);
  });
});

describe('a call', () => {
  it('keeps once what every request says in the same words', async () => {
    const { call } = askingOf(() => created);
    const [one, other] = [await call(), await call()];
    const lineOf = ({ exchange }: Answer, name: string): HeaderLine | undefined =>
      exchange.request.headers.find(([called]) => called === name);
    expect(lineOf(other, 'TPP-Session-ID')).toBe(lineOf(one, 'TPP-Session-ID'));
    expect(lineOf(other, 'X-Request-ID')).not.toEqual(lineOf(one, 'X-Request-ID'));
  });

  it('is sent as it was built, its answer handed over, and all that went over the wire recorded', async () => {
    const twice = [
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
    ] as const;
    const { client, requests, recorded } = askingOf(() => responseOf(201, { paymentId: 'p1' }, twice));
    const answer = await client.call(payment, {}, 'with the fault');
    expect(answer).toMatchObject({ status: 201, afterTrouble: false });
    expect(answer.text('paymentId')).toBe('p1');
    const target = '/psd2/v1/payments/norwegian-domestic-credit-transfers';
    expect(requests).toMatchObject([{ method: 'POST', target }]);
    expect(requests[0]?.body?.toString('utf8')).toBe('{"creditorName":"Bjørn"}');
    expect(recorded).toMatchObject([
      [
        {
          purpose: 'with the fault',
          operation: 'createDomesticPayment',
          attempt: 1,
          request: { url: `https://bank.example${target}`, body: '{"creditorName":"Bjørn"}' },
          response: { status: 201, body: '{"paymentId":"p1"}' },
        },
        { status: 201 },
      ],
    ]);
    expect(recorded[0]?.[0].request.headers).toEqual(requests[0]?.headers);
    expect(recorded[0]?.[0].response?.headers.slice(1)).toEqual(twice);
  });

  it('is asked again where its answer may have been cut, whosever the status is', async () => {
    const { call, requests } = askingOf(
      (_, number) => responseOf(429, number === 1 ? '{"tppMessages":[' : { tppMessages: [] }),
      { ownStatuses: new Set([429]) },
    );
    expect((await call()).member('tppMessages')).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ...[200, 201, 301, 400, 401, 404, 501].map((status) => [status, [status], 1] as const),
    // Where 500 comes again it is an answer, where it does not, a stumble.
    [500, [500, 500, 500, 500], 3],
    [400, [500, 400], 2],
  ] as const)('takes %i for an answer of %j', async (status, answers, sent) => {
    const { call, requests } = askingOf((_, number) => responseOf(answers[number - 1] ?? 200));
    expect((await call()).status).toBe(status);
    expect(requests).toHaveLength(sent);
  });
});

describe('an answer that is too large', () => {
  const long = Array.from({ length: 3000 }, () => 'b'.repeat(1000));

  /** Three megabytes each, and more of them than there is room for. */
  async function manyOf(listIn: (index: number) => readonly string[]): Promise<readonly Answer[]> {
    let sent = 0;
    const { client } = askingOf(() => responseOf(200, { list: listIn(sent++) }));
    const answers: Answer[] = [];
    for (let index = 0; index < 60; index += 1) answers.push(await client.call(listAccounts));
    return answers;
  }

  it('is recorded only in part, and says so', async () => {
    const { call } = askingOf(() => responseOf(201, { psuMessage: 'a'.repeat(3_000_000) }));
    const answer = await call();
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

it('a fault of our own is no trouble on the way: it is thrown at once, and the pace goes on', async () => {
  const { call, requests } = askingOf(
    () => {
      throw new RangeError('broken');
    },
    { pace: new Pace({ concurrency: 1 }) },
  );
  for (let time = 1; time <= 2; time += 1) await expect(call()).rejects.toThrow(RangeError);
  expect(requests).toHaveLength(2);
});

it('the bank’s clock is learnt from answers and used in the next request', async () => {
  const anHourAhead = (): HeaderLine => ['Date', new Date(Date.now() + 3_600_000).toUTCString()];
  const { client, call, valuesOf } = askingOf(() => ({ ...created, headers: [anHourAhead()] }));
  await call(listAccounts);
  await client.with({ psu: fakePsu }).call(listAccounts);
  const [before = Number.NaN, after = Number.NaN] = valuesOf('Date').map((date) => Date.parse(date ?? ''));
  expect(Math.abs(after - before - 3_600_000)).toBeLessThan(3000);
});

it('a variation changes the request before or after it is signed', async () => {
  const { client, requests, valuesOf } = askingOf(() => responseOf(400));
  await client.call(payment, {
    beforeSigning: ({ headers }) => headers.set('PSU-ID', 'before'),
    afterSigning: (draft) => {
      draft.headers.add('Date', 'doubled');
      draft.headers.remove('Signature');
      draft.body = Buffer.from([0xff, 0xfe]);
    },
  });
  expect(requests[0]?.headers.filter(([name]) => name === 'Date')).toHaveLength(2);
  expect(valuesOf('PSU-ID')).toEqual(['before']);
  expect(valuesOf('Signature')).toEqual([undefined]);
  expect(requests[0]?.body).toEqual(Buffer.from([0xff, 0xfe]));
});
