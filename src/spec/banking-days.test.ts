import { describe, expect, it } from 'vitest';
import {
  bankingDaysAfter,
  dayAfter,
  isBankingDay,
  laterBankingDaysAfter,
  nextBankingHour,
  osloDate,
  osloHour,
} from './banking-days.ts';
import { daysBefore, isoDate } from './days.ts';

const isOpen = (date: string): boolean => isBankingDay(new Date(`${date}T12:00:00Z`));
const daysFrom = (date: string, days: number): string =>
  isoDate(daysBefore(new Date(`${date}T12:00:00Z`), -days));

describe('Easter', () => {
  // Sundays as the almanac has them, early and late ones among them.
  it.each([
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2028-04-16',
    '2029-04-01',
    '2030-04-21',
    '2035-03-25',
    '2038-04-25',
    '2049-04-18',
    '2076-04-19',
  ])('is on %s', (sunday) => {
    const closed = [-3, -2, 0, 1, 39, 50];
    for (const days of closed) expect(isOpen(daysFrom(sunday, days)), `${days} days from it`).toBe(false);
    const open = [-6, -5, -4, 2, 3, 4, 5, 38, 51];
    const fixed = /-(05-01|05-17)$/;
    for (const days of open) {
      const date = daysFrom(sunday, days);
      if (!fixed.test(date)) expect(isOpen(date), `${days} days from it`).toBe(true);
    }
  });
});

describe('banking days', () => {
  it.each([
    ['2026-01-01', 'New Year'],
    ['2026-05-01', 'Labour Day'],
    ['2027-05-17', 'Constitution Day'],
    ['2026-12-24', 'Christmas Eve'],
    ['2026-12-25', 'Christmas'],
    ['2025-12-26', 'Boxing Day'],
    ['2026-12-31', 'New Year’s Eve'],
    ['2026-03-07', 'a Saturday'],
    ['2026-03-08', 'a Sunday'],
  ])('%s is none: %s', (date) => {
    expect(isOpen(date)).toBe(false);
  });

  it.each(['2026-03-09', '2026-12-23', '2026-12-28', '2026-01-02'])('%s is one', (date) => {
    expect(isOpen(date)).toBe(true);
  });

  it('that come next are open, in order, and not before the day after tomorrow', () => {
    const days = bankingDaysAfter(new Date('2026-03-31T10:00:00Z'), 10);
    expect(days).toEqual([
      // Maundy Thursday to Easter Monday are closed.
      '2026-04-07',
      '2026-04-08',
      '2026-04-09',
      '2026-04-10',
      '2026-04-13',
      '2026-04-14',
      '2026-04-15',
      '2026-04-16',
      '2026-04-17',
      '2026-04-20',
    ]);
  });

  it('that a transfer abroad is asked for come later', () => {
    expect(laterBankingDaysAfter(new Date('2026-03-31T10:00:00Z'))).toEqual([
      '2026-04-10',
      '2026-04-13',
      '2026-04-14',
    ]);
  });

  it('leave out tomorrow in Norway, even when it is still yesterday by UTC', () => {
    // Half past midnight on Tuesday in Oslo.
    expect(bankingDaysAfter(new Date('2026-06-08T22:30:00Z'), 1)).toEqual(['2026-06-11']);
    expect(bankingDaysAfter(new Date('2026-06-08T12:00:00Z'), 1)).toEqual(['2026-06-10']);
  });
});

describe('the day in Oslo', () => {
  it.each([
    ['2026-11-15T22:59:59Z', '2026-11-15'],
    ['2026-11-15T23:00:00Z', '2026-11-16'],
    ['2026-07-01T21:59:59Z', '2026-07-01'],
    ['2026-07-01T22:00:00Z', '2026-07-02'],
    // The clocks go forward at one o'clock UTC, and back.
    ['2026-03-28T23:00:00Z', '2026-03-29'],
    ['2026-10-25T22:59:59Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
    ['2026-12-31T23:30:00Z', '2027-01-01'],
  ])('at %s is %s', (moment, day) => {
    expect(osloDate(new Date(moment))).toBe(day);
  });

  it('comes so many days before and after another', () => {
    expect([dayAfter('2026-03-01', -1), dayAfter('2026-12-31', 1), dayAfter('2026-11-15', 0)]).toEqual([
      '2026-02-28',
      '2027-01-01',
      '2026-11-15',
    ]);
  });
});

describe('the hour in Oslo', () => {
  it.each([
    ['2026-11-15T23:00:00Z', 0],
    ['2026-11-16T08:59:59Z', 9],
    ['2026-07-01T08:00:00Z', 10],
  ])('at %s is %d', (moment, hour) => {
    expect(osloHour(new Date(moment))).toBe(hour);
  });

  it.each([
    // A Friday is followed by no banking day, nor is the day before Maundy Thursday.
    ['2026-11-13T07:30:00Z', '2026-11-16T07:00:00.000Z'],
    ['2026-04-01T05:00:00Z', '2026-04-07T06:00:00.000Z'],
    ['2026-11-16T07:00:00Z', '2026-11-16T07:00:00.000Z'],
  ])('is eight after %s, on a banking day that another one follows, at %s', (now, next) => {
    expect(nextBankingHour(new Date(now), 8).toISOString()).toBe(next);
  });
});

describe('days of transfers abroad', () => {
  it.each([
    ['2026-11-19', '2026-11-26'],
    ['2026-10-05', '2026-10-12'],
    ['2027-05-24', '2027-05-31'],
    ['2026-06-30', '2026-07-04'],
    ['2026-08-24', '2026-08-31'],
    ['2027-01-12', '2027-01-18'],
  ])('asked for on %s are not %s, on which banks are closed where many of them go to', (now, holiday) => {
    const days = laterBankingDaysAfter(new Date(`${now}T10:00:00Z`));
    expect(days).not.toContain(holiday);
    expect(days).not.toEqual([]);
  });

  it('are there on every day of some years', () => {
    for (let day = 0; day < 1500; day += 1)
      expect(laterBankingDaysAfter(new Date(Date.UTC(2026, 0, 1 + day, 10)))).not.toEqual([]);
  });
});
