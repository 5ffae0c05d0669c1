import { expect, test } from 'vitest';
import type { Answer } from '../tpp/answer.ts';
import type { Call } from '../tpp/call.ts';
import { answerInPeriod, demandsPeriod, inKnownPeriod } from './asked-period.ts';

const now = new Date('2026-11-17T12:00:00Z');
const call: Call = {
  operation: 'readTransactions',
  params: { accountId: '1' },
  query: { bookingStatus: 'both' },
};

const answered = (status: number): Answer =>
  ({ status, isSuccess: status < 300, asksForSca: false, isAbsent: false }) as Answer;

/** A bank that takes what `takes` says, and what it was asked. */
function bank(takes: (query: Readonly<Record<string, string>>) => boolean) {
  const asked: Call[] = [];
  const send = async (sent: Call): Promise<Answer> => {
    asked.push(sent);
    return answered(takes(sent.query ?? {}) ? 200 : 400);
  };
  return { asked, send };
}

test('a period that a bank demands is found out once', async () => {
  const run = {};
  const { asked, send } = bank(({ dateFrom }) => dateFrom !== undefined);
  const answer = await answerInPeriod(run, call, await send(call), { now, send });
  expect([answer.status, asked.length, demandsPeriod(run)]).toEqual([200, 2, true]);
  expect(inKnownPeriod(run, call, now).query).toEqual({ bookingStatus: 'both', dateFrom: '2026-05-21' });
  expect(inKnownPeriod(run, call, now, 89).query).toMatchObject({ dateFrom: '2026-08-20' });
  expect(inKnownPeriod(run, { ...call, query: {} }, now).query).toEqual({});
});

test('what is taken of pending ones says nothing of the others', async () => {
  const run = {};
  const { send } = bank(
    ({ dateFrom, bookingStatus }) => dateFrom !== undefined || bookingStatus === 'pending',
  );
  const pending = { ...call, query: { bookingStatus: 'pending' } };
  await answerInPeriod(run, pending, await send(pending), { now, send });
  expect((await answerInPeriod(run, call, await send(call), { now, send })).status).toBe(200);
  expect(demandsPeriod(run)).toBe(true);
});

test('what was refused while others found it out is sent again with the period', async () => {
  const run = {};
  const { asked, send } = bank(({ dateFrom }) => dateFrom !== undefined);
  const refused = await send(call);
  await answerInPeriod(run, call, await send(call), { now, send });
  const before = asked.length;
  expect((await answerInPeriod(run, call, refused, { now, send })).status).toBe(200);
  expect(asked.length - before).toBe(1);
});

test('both ends are given where one is not enough', async () => {
  const run = {};
  const { send } = bank(({ dateFrom = '', dateTo = '' }) => dateFrom > '2026-08-01' && dateTo !== '');
  await answerInPeriod(run, call, await send(call), { now, send });
  expect(inKnownPeriod(run, call, now).query).toMatchObject({ dateFrom: '2026-08-20', dateTo: '2026-11-17' });
});

test('a bank that has taken one without a period is not asked again', async () => {
  const run = {};
  const { asked, send } = bank(() => true);
  await answerInPeriod(run, call, await send(call), { now, send });
  const answer = await answerInPeriod(run, call, answered(400), { now, send });
  expect([answer.status, asked.length, demandsPeriod(run)]).toEqual([400, 1, false]);
  expect(inKnownPeriod(run, call, now)).toBe(call);
});
