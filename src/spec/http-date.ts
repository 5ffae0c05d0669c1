/** RFC 7231 section 7.1.1.1: IMF-fixdate, and the two obsolete forms that recipients still have to understand. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const forms = [
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT$`,
  ),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
];

/** Whether a date has the one form that senders write (RFC 7231 section 7.1.1.1). */
export const isFixDate = (text: string): boolean => forms[0]?.test(text) ?? false;

export const formatHttpDate = (date: Date): string => date.toUTCString();

/** Undefined for what is no date. `now` places the two-digit years of RFC 850. */
export function parseHttpDate(text: string, now: Date): Date | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return dateOf(groups, now);
  }
  return undefined;
}

function dateOf(groups: Readonly<Record<string, string | undefined>>, now: Date): Date | undefined {
  const number = (name: string): number => Number(groups[name]);
  const monthIndex = months.indexOf(groups.month ?? '');
  const year = groups.year?.length === 2 ? fullYear(number('year'), now) : number('year');
  const date = new Date(
    Date.UTC(year, monthIndex, number('day'), number('hour'), number('minute'), number('second')),
  );
  // Date.UTC rolls over: 31 Feb would become a day of March, 24:00:00 the next day.
  const isReal =
    date.getUTCMonth() === monthIndex &&
    date.getUTCDate() === number('day') &&
    date.getUTCHours() === number('hour') &&
    date.getUTCMinutes() === number('minute');
  return isReal ? date : undefined;
}

/** A two-digit year that would lie more than 50 years ahead is in the past (RFC 7231 section 7.1.1.1). */
function fullYear(twoDigits: number, now: Date): number {
  const year = Math.floor(now.getUTCFullYear() / 100) * 100 + twoDigits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}
