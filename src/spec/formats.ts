import { dayMs } from './days.ts';
import type { JsonSchema } from './json.ts';
import type { RemedyName } from './remedies.ts';

/** One way to break a facet: a faulty value made of the right one; `undefined` takes the member away. */
export interface Violation {
  /** What is wrong then, as the end of a sentence about the field: `is missing`. */
  readonly label: string;
  readonly of: (right: unknown) => unknown;
  /** Its value has letters outside ASCII. */
  readonly isBeyondAscii?: true;
  /** There are many of its kind: to try it in one context will do. */
  readonly isOneOfMany?: true;
}

/** A violation that a deviation is named after: `PRS-01/missing`. */
export interface NamedViolation extends Violation {
  readonly way: string;
}

export const becomes = (label: string, value: unknown): Violation => ({ label, of: () => value });
export const becomesAs = (way: string, label: string, value: unknown): NamedViolation => ({
  way,
  label,
  of: () => value,
});
export const shown = (value: unknown): string => `is ${JSON.stringify(value)}`;

/** What typically goes wrong where a bank takes requests that break a demand, or answers so. */
export type FacetRemedies = { readonly [direction in 'request' | 'response']: RemedyName };

/**
 * A decimal number, as the checks expect it of banks and of TPPs. The reference bank reads amounts by a pattern of its
 * own, on purpose: an error in one of the two shows as a difference.
 */
export const amountPattern = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** ISO 8601: YYYY-MM-DD of a day that exists. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** RFC 9562, of any version: eight, four, four, four and twelve hexadecimal digits. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The day behind the last of the next February: who knows the lengths of months may still forget the leap years. */
function dayBehindFebruary(date: string): string {
  const year = Number(date.slice(0, 4)) + (date.slice(5) < '02-28' ? 0 : 1);
  return `${year}-02-${isCalendarDate(`${year}-02-29`) ? 30 : 29}`;
}

/** By number and name: who keeps the lengths of months in a list may have one of them wrong. */
export const monthsOfThirtyDays = [
  ['04', 'April'],
  ['06', 'June'],
  ['09', 'September'],
  ['11', 'November'],
] as const;

/** The next 31st of a month that has thirty days: a bank that counts on takes it for the first of another. */
const unrealDayIn =
  (month: string) =>
  (date: string): string =>
    `${Number(date.slice(0, 4)) + (date.slice(5, 7) > month ? 1 : 0)}-${month}-31`;

const nearestUnrealDay = (date: string): string =>
  monthsOfThirtyDays.map(([month]) => unrealDayIn(month)(date)).toSorted()[0] ?? '';

/** The fifth of the next month, written as people do. */
function withoutLeadingZeros(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return month === 12 ? `${year + 1}-1-5` : `${year}-${month + 1}-5`;
}

/** ISO 8601 knows two further forms of a date: by the day of the year, and by the day of the week. */
function byDayOfYear(date: string): string {
  const year = date.slice(0, 4);
  const days = Math.round((Date.parse(date) - Date.parse(`${year}-01-01`)) / dayMs) + 1;
  return `${year}-${String(days).padStart(3, '0')}`;
}

function byDayOfWeek(date: string): string {
  const time = Date.parse(date);
  const day = new Date(time).getUTCDay() || 7;
  // A week is one of the year that its Thursday is in.
  const thursday = new Date(time + (4 - day) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}-${day}`;
}

/** The day before the first of the next month, for whoever counts on from nothing. */
function dayZero(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return month === 12 ? `${year + 1}-01-00` : `${year}-${String(month + 1).padStart(2, '0')}-00`;
}

/** `Tue, 17 Nov 2026`, without the day of the week. */
const inWords = (date: string): string => new Date(date).toUTCString().slice(5, 16);

/** Each is near the date that is right: one that is far away may be refused for that reason. */
const notDates: readonly [label: string, write: (date: string) => string][] = [
  ['is the day behind the last of a February', dayBehindFebruary],
  ['is the 31st of a month that has thirty days', nearestUnrealDay],
  ['is in a thirteenth month', (date) => `${date.slice(0, 4)}-13-01`],
  ['has its day first', (date) => date.split('-').reverse().join('.')],
  ['has no hyphens', (date) => date.replaceAll('-', '')],
  ['has a time', (date) => `${date}T00:00:00+00:00`],
  ['has a year of two digits', (date) => date.slice(2)],
  ['has no leading zeros', withoutLeadingZeros],
];

/** Forms that one reader or another takes for a date, or that none does. */
const otherForms: readonly (readonly [label: string, write: (date: string) => string])[] = [
  ['has a Z behind it', (date) => `${date}Z`],
  ['has an offset behind it', (date) => `${date}+01:00`],
  ['has a time without an offset', (date) => `${date}T00:00:00`],
  ['has a time with a Z behind it', (date) => `${date}T00:00:00Z`],
  ['has slashes', (date) => date.replaceAll('-', '/')],
  ['has a day of three digits', (date) => date.replace(/-(\d\d)$/, '-0$1')],
  ['has a space behind it', (date) => `${date} `],
  // The end of a pattern is that of a line to some languages.
  ['has the end of a line behind it', (date) => `${date}\n`],
  ['tells the day of the year', byDayOfYear],
  ['tells the day of the week', byDayOfWeek],
  ['is the day zero of a month', dayZero],
  ['is in a month zero', (date) => `${date.slice(0, 4)}-00-15`],
  ['is the 32nd of a month', (date) => `${date.slice(0, 8)}32`],
  ['is a year alone', (date) => date.slice(0, 4)],
  ['is a month alone', (date) => date.slice(0, 7)],
  ['has a sign before it', (date) => `+${date}`],
  ['has its month first', (date) => date.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1')],
  ['has its day first, and hyphens', (date) => date.split('-').reverse().join('-')],
  ['has dots', (date) => date.replaceAll('-', '.')],
  ['has its month in words', inWords],
  ['has a time behind a space', (date) => `${date} 00:00:00`],
  ['is a number of seconds', (date) => String(Date.parse(date) / 1_000)],
  // Patterns of some languages take them for digits.
  [
    'is in digits of full width',
    (date) => date.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ],
  // Far away, and so perhaps refused for that: whoever takes it takes every fourth year for a leap year.
  ['is a 29th of February in 2100', () => '2100-02-29'],
  ...monthsOfThirtyDays.map(([month, name]) => [`is a 31st of ${name}`, unrealDayIn(month)] as const),
];

interface Format {
  readonly noun: string;
  readonly accepts: (text: string) => boolean;
  readonly schema: JsonSchema;
  readonly request: readonly Violation[];
  readonly response: readonly NamedViolation[];
  readonly interpretation?: string;
  readonly remedies: FacetRemedies;
}

/** The forms that a text can have. */
const table = {
  amount: {
    noun: 'a plain decimal number with the minor units of its currency',
    accepts: (text) => amountPattern.test(text),
    schema: { pattern: amountPattern.source },
    // The form of an amount that is sent depends on its currency: checks of their own send other forms.
    request: [],
    response: [
      becomesAs('comma', 'is written with a comma', '50,00'),
      becomesAs('exponent', 'is written with an exponent', '5.0e1'),
    ],
    interpretation: 'amountForm',
    remedies: { request: 'amountAsNumber', response: 'feesApart' },
  },
  date: {
    noun: 'an ISO 8601 date (YYYY-MM-DD)',
    accepts: isCalendarDate,
    schema: { format: 'date' },
    request: [
      ...notDates.map(([label, write]) => ({ label, of: (right: unknown) => write(String(right)) })),
      ...otherForms.map(([label, write]) => ({
        label,
        of: (right: unknown) => write(String(right)),
        isOneOfMany: true as const,
      })),
    ],
    response: [becomesAs('unreal-day', 'is the 30th of February', '2031-02-30')],
    remedies: { request: 'neverParsed', response: 'internalModel' },
  },
  uuid: {
    noun: 'a UUID',
    accepts: isUuid,
    schema: { format: 'uuid' },
    request: ['12345', 'not-a-uuid'].map((value) => becomes(shown(value), value)),
    response: [becomesAs('no-uuid', 'is "12345"', '12345')],
    remedies: { request: 'neverParsed', response: 'internalModel' },
  },
} satisfies Readonly<Record<string, Format>>;

export type FieldFormat = keyof typeof table;
export const formats: Readonly<Record<FieldFormat, Format>> = table;

/** Exactly so many characters, as words of a name would be. White space never ends it: some banks trim that. */
export function textOfLength(length: number, alphabet: 'ascii' | 'norwegian'): string {
  const pattern = alphabet === 'ascii' ? 'Nordic Trading Company ' : 'Bjørnstjerne Ærlig Ås ';
  const text = [...pattern.repeat(Math.ceil(length / pattern.length) + 1)].slice(0, length);
  if (text.at(-1) === ' ') text[text.length - 1] = 'e';
  return text.join('');
}

/** Schemes that run, read, call or name something instead of leading to the TPP: nobody arrives there with parameters. */
const schemesOfNoPlace = new Set([
  'mailto:',
  'tel:',
  'sms:',
  'urn:',

  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
]);

/** What no URI holds (RFC 3986, section 2), though browsers forgive it. */
const neverInUris = /[\s"<>\\]/;

/** A web address without a host is none (RFC 9110, section 4.2), though browsers take the next part of it for one. */
const withoutHost = /^\s*https?:(?!\/\/[^/?#])/i;

/** `https://{host}/back`: a template that nobody has filled in. Browsers take braces for letters of a name. */
const bracesForHost = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#]*[{}]/i;

/** `localhost:3000/back`: a host and its port, before which the scheme is missing. Browsers take the host for one. */
const hostAndPort = /^\s*[a-z][a-z0-9.-]*:\d{2,5}(?:[/?#]|\s*$)/i;

/** An absolute address, of a web page or of an app (`myapp://callback`). */
export function isRedirectUri(text: string): boolean {
  return (
    URL.canParse(text) &&
    !neverInUris.test(text.trim()) &&
    !withoutHost.test(text) &&
    !bracesForHost.test(text) &&
    !hostAndPort.test(text) &&
    !schemesOfNoPlace.has(new URL(text).protocol)
  );
}

/** A boolean in a query. In which case the two words are written is not said, and a client in Python writes True. */
export const isBooleanWord = (text: string): boolean => /^(?:true|false)$/i.test(text);

/** Whether a boolean in a query says no. */
export const isFalse = (text: string | null): boolean => text?.toLowerCase() === 'false';
