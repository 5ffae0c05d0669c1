import { isoDate } from './days.ts';

/** Banking days in Norway: no bank executes a payment on the others, and a strict one refuses such a date. */

const hourMs = 60 * 60 * 1000;
const day = 24 * hourMs;

/** Easter Sunday by the anonymous Gregorian algorithm. */
function easter(year: number): Date {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return new Date(Date.UTC(year, month - 1, ((h + l - 7 * m + 114) % 31) + 1));
}

/** Days from Easter Sunday: Maundy Thursday, Good Friday, Easter Monday, Ascension Day, Whit Monday. */
const movable = [-3, -2, 1, 39, 50];
const fixed = ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26', '12-31'];

export function isBankingDay(date: Date): boolean {
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const text = isoDate(date);
  const sunday = easter(date.getUTCFullYear()).getTime();
  return (
    !fixed.includes(text.slice(5)) && !movable.some((days) => isoDate(new Date(sunday + days * day)) === text)
  );
}

/** Summer time in Norway: late in the evening by UTC, it is tomorrow there already. */
const aheadOfUtc = 2 * 60 * 60 * 1000;

/** The day that it is in Norway, summer time included. */
export function osloDate(moment: Date): string {
  // Sweden writes dates as ISO 8601 does. Made with the first date: it takes as long as loading a suite.
  osloDays ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' });
  return osloDays.format(moment);
}

let osloDays: Intl.DateTimeFormat | undefined;

/** The hour that it is in Norway, from 0 to 23. */
export function osloHour(moment: Date): number {
  osloHours ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Oslo',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return Number(osloHours.format(moment));
}

let osloHours: Intl.DateTimeFormat | undefined;

/** So many days after a day, or before it. */
export const dayAfter = (date: string, days: number): string =>
  isoDate(new Date(Date.parse(`${date}T00:00:00Z`) + days * day));

/** The next moment at which it is that hour in Norway, on a banking day that another one follows. */
export function nextBankingHour(now: Date, hour: number): Date {
  const full = Math.ceil(now.getTime() / hourMs) * hourMs;
  for (let time = full; ; time += hourMs) {
    const moment = new Date(time);
    const days = [osloDate(moment), dayAfter(osloDate(moment), 1)];
    if (osloHour(moment) === hour && days.every((date) => isBankingDay(new Date(`${date}T00:00:00Z`))))
      return moment;
  }
}

/** The next banking days after a moment, as ISO dates. Tomorrow is left out: the cut-off may have passed. */
export function bankingDaysAfter(now: Date, count: number): readonly string[] {
  const first = now.getTime() + aheadOfUtc + 2 * day;
  const key = `${isoDate(new Date(first))} ${count}`;
  if (latest?.key === key) return latest.days;
  const days: string[] = [];
  for (let time = first; days.length < count; time += day) {
    const date = new Date(time);
    if (isBankingDay(date)) days.push(isoDate(date));
  }
  latest = { key, days };
  return days;
}

/** So many of them are asked for: how far ahead a bank takes payments is not said. */
export const soonBankingDaysAfter = (now: Date): readonly string[] => bankingDaysAfter(now, 6);

/** Later ones of them: a transfer abroad takes some days, and a bank may want to know of it before. */
export function laterBankingDaysAfter(now: Date): readonly string[] {
  const later = soonBankingDaysAfter(now).slice(3);
  const common = later.filter((date) => !isHolidayAbroad(date));
  return common.length === 0 ? later : common;
}

/** Month, weekday from Sunday on, and which of these in the month it is, or the last one. */
const ofWeeks: readonly (readonly [month: number, weekday: number, which: number | 'last'])[] = [
  // The Federal Reserve: the days of Martin Luther King, of Washington, of the fallen, of labour, of Columbus; Thanksgiving.
  [1, 1, 3],
  [2, 1, 3],
  [5, 1, 'last'],
  [9, 1, 1],
  [10, 1, 2],
  [11, 4, 4],
  // Banks in England, next to the last Monday of May, and Midsummer Eve in Sweden as a rule.
  [5, 1, 1],
  [8, 1, 'last'],
  [6, 5, 3],
  [6, 5, 4],
];
const fixedAbroad = ['01-06', '06-05', '06-06', '06-19', '07-04', '07-05', '11-11', '12-28'];

/** Where most transfers go to: banks abroad may be closed, and no bank at home executes a payment there on such a day. */
function isHolidayAbroad(date: string): boolean {
  const [, month = 0, day = 0] = date.split('-').map(Number);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const isLast = dayAfter(date, 7).slice(5, 7) !== date.slice(5, 7);
  return (
    fixedAbroad.includes(date.slice(5)) ||
    ofWeeks.some(
      ([inMonth, on, which]) =>
        inMonth === month && on === weekday && (which === 'last' ? isLast : Math.ceil(day / 7) === which),
    )
  );
}

/** Every payment of a run asks for the same days. */
let latest: { readonly key: string; readonly days: readonly string[] } | undefined;
