import { describe, expect, it } from 'vitest';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { answering } from './transaction-lists.test.data.ts';
import {
  bookedIn,
  bookingDayOf,
  bothShowsPendingOnes,
  idsChangedSince,
  innerDaysOf,
  mustBeOfDays,
  pageWithin,
  readAtOffset,
  transactionsIn,
} from './transaction-lists.ts';

describe('the transactions of a listing', () => {
  it('are found as in the framework, and without the object around them', () => {
    const lists = { booked: [1, 2], pending: [3] };
    expect(transactionsIn(answering({ transactions: lists }))).toEqual(lists);
    expect(transactionsIn(answering(lists))).toEqual(lists);
  });

  it('are told apart in one list of both by what each says', () => {
    const [booked, pending] = [{ status: 'BOOK' }, { bookingStatus: 'pending' }];
    expect(transactionsIn(answering({ transactions: [pending, booked] }))).toEqual({
      booked: [booked],
      pending: [pending],
    });
  });

  it('are none where a list is left out', () => {
    expect(transactionsIn(answering({ transactions: { pending: [] } }))).toEqual({ booked: [], pending: [] });
  });

  it.each([{ transactions: {} }, { transactions: { _links: {} }, account: {} }, { account: {} }, {}])(
    'are none where all lists are left out: %j',
    (json) => {
      expect(transactionsIn(answering(json))).toEqual({ booked: [], pending: [] });
    },
  );

  it('may be behind a link, and are not known then', () => {
    const json = { account: {}, _links: { download: { href: '/v1/transactions.xml' } } };
    expect(() => transactionsIn(answering(json))).toThrow(NotApplicable);
  });

  it('are counted where they are known', () => {
    expect(bookedIn(answering({ transactions: { booked: [1, 2], pending: [3] } }))).toBe(2);
    expect(bookedIn(answering({ entries: [1] }))).toBe(0);
  });

  it.each([
    [0, '0'],
    [1, '0'],
    [10, '0'],
    [11, '10'],
    [200, '10'],
  ])('are asked for by an offset that leaves some of them: of %i by %s', (listed, offset) => {
    expect(pageWithin(listed, { limit: '10', offset: '10' })).toEqual({ limit: '10', offset });
    expect(pageWithin(listed, { limit: '10' })).toEqual({ limit: '10' });
  });

  it.each([
    ['as transactions', { limit: '10', offset: '5' }, ['5/10']],
    ['as pages where there is none so late', { limit: '10', offset: '9' }, ['9/10', '9/1']],
    ['as nothing where there is none', { limit: '10' }, ['undefined/10']],
  ])('may be counted by an offset %s', async (_, query, expected) => {
    const sent: string[] = [];
    await readAtOffset(async ({ offset, limit }) => {
      sent.push(`${offset}/${limit}`);
      return answering({}, offset === '9' && limit === '10' ? 404 : 200);
    }, query);
    expect(sent).toEqual(expected);
  });

  it('are not judged in a shape that nobody knows', () => {
    expect(() => transactionsIn(answering({ entries: [] }))).toThrow(NotApplicable);
    expect(() => transactionsIn(answering(null))).toThrow(NotApplicable);
  });

  it('tell their day where it is a date', () => {
    expect(bookingDayOf({ bookingDate: '2026-08-01' })).toBe('2026-08-01');
    expect(bookingDayOf({ bookingDate: '2026-08-01T10:00:00+00:00' })).toBe('2026-08-01');
    expect(bookingDayOf({ bookingDate: '1 August' })).toBeUndefined();
    expect(bookingDayOf('2026-08-01')).toBeUndefined();
  });
});

describe('a booked transaction under another id', () => {
  const listed = (...booked: readonly unknown[]): Answer => answering({ transactions: { booked } });
  const bread = { bookingDate: '2026-11-10', transactionAmount: { amount: '-30.00', currency: 'NOK' } };
  const milk = { ...bread, bookingDate: '2026-11-11' };

  it('is told by what it had before', () => {
    const before = listed({ transactionId: 'T1', ...bread }, { transactionId: 'T2', ...milk });
    expect(idsChangedSince(before)(listed({ transactionId: 'T1', ...bread }))).toBeUndefined();
    expect(idsChangedSince(before)(listed({ transactionId: 'T9', ...milk }))).toBe('T2');
  });

  it('is none where several look alike, or the listing has a shape of its own', () => {
    const alike = listed({ transactionId: 'T1', ...bread }, { transactionId: 'T2', ...bread });
    expect(idsChangedSince(alike)(listed({ transactionId: 'T3', ...bread }))).toBeUndefined();
    expect(idsChangedSince(answering({ items: [] }))(answering({ items: [] }))).toBeUndefined();
  });
});

describe('days between others', () => {
  const booked = (...days: readonly string[]) => days.map((bookingDate) => ({ bookingDate }));
  const now = new Date('2026-11-17T12:00:00Z');

  it('are those that a bank shows without asking for SCA again, where there are enough', () => {
    const old = booked('2025-01-02', '2025-03-04');
    const young = booked('2026-11-01', '2026-11-05', '2026-11-08', '2026-11-10');
    expect(innerDaysOf([...young, ...old], now)).toEqual({ dateFrom: '2026-11-05', dateTo: '2026-11-08' });
    const some = [...young.slice(0, 1), ...old, ...booked('2025-02-03')];
    expect(innerDaysOf(some, now)).toEqual({ dateFrom: '2025-02-03', dateTo: '2025-03-04' });
    expect(innerDaysOf(old, now)).toBeUndefined();
  });
});

describe('pending transactions', () => {
  const now = new Date('2026-11-17T12:00:00Z');
  const reading = (both: unknown, ...pending: readonly unknown[]) => {
    const left = [...pending];
    return bothShowsPendingOnes(
      async ({ bookingStatus }) =>
        answering(bookingStatus === 'both' ? both : left.length > 1 ? left.shift() : left[0]),
      now,
    );
  };
  const some = { pending: [{ valueDate: '2026-11-16', text: 'bread' }] };
  const page = Array.from({ length: 200 }, () => ({ bookingDate: '2026-11-01' }));
  const next = { next: { href: '/v1/accounts/1/transactions?limit=200&offset=200' } };

  it('are missed where bookingStatus pending alone gives some', async () => {
    await expect(reading({ booked: [] }, some)).rejects.toThrow(ExpectationFailed);
    await expect(reading([], some)).rejects.toThrow(ExpectationFailed);
    await expect(reading([{ status: 'BOOK' }], some)).rejects.toThrow(ExpectationFailed);
  });

  it('are missed where no page of both has any', async () => {
    const pages = (later: unknown) =>
      bothShowsPendingOnes(async ({ bookingStatus, offset }) => {
        if (bookingStatus === 'pending') return answering(some);
        return answering(offset === undefined ? { booked: page, _links: next } : later);
      }, now);
    await expect(pages({ booked: [] })).rejects.toThrow(ExpectationFailed);
    await expect(pages({ booked: [], ...some })).resolves.toBeUndefined();
    await expect(pages({ booked: page, _links: next })).resolves.toBeUndefined();
  });

  it.each([
    ['both gives some', { booked: [], pending: [1] }, [some]],
    ['nobody gives any', { booked: [] }, [{ pending: [] }]],
    ['they may be on another page', { booked: page }, [some]],
    ['they were booked in between', { booked: [] }, [some, { pending: [] }]],
    ['others came in between', { booked: [] }, [some, { pending: [{ text: 'milk' }] }]],
    ['they are of long ago', { booked: [] }, [{ pending: [{ valueDate: '2019-05-01' }] }]],
    ['a list does not tell which are pending', [{ text: 'bread' }], [some]],
    ['the listing has a shape of its own', { entries: [] }, [some]],
  ])('are not missed where %s', async (_, both, pending) => {
    await expect(reading(both, ...pending)).resolves.toBeUndefined();
  });
});

describe('transactions of some days', () => {
  const days = { dateFrom: '2026-11-03', dateTo: '2026-11-05' };
  const booked = (bookingDate: string, valueDate?: string) => ({ bookingDate, valueDate });

  it.each([
    ['by the day of the booking', [booked('2026-11-03', '2026-11-02'), booked('2026-11-05')]],
    ['by the day of value', [booked('2026-11-01', '2026-11-03'), booked('2026-11-04', '2026-11-05')]],
    ['none', []],
  ])('are chosen %s', (_, transactions) => {
    expect(() => mustBeOfDays(transactions, days)).not.toThrow();
  });

  it.each([
    ['of the bookings, and no other is told', [booked('2026-11-02'), booked('2026-11-04')]],
    ['of each kind', [booked('2026-11-02', '2026-11-04'), booked('2026-11-04', '2026-11-06')]],
    ['behind them', [booked('2026-11-06', '2026-11-06')]],
  ])('have none that is not, by days %s', (_, transactions) => {
    expect(() => mustBeOfDays(transactions, days)).toThrow(ExpectationFailed);
  });
});
