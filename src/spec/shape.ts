import { isObject, member } from './json.ts';

/** Tells whether a value that came from anybody has the shape that it is used by. */
export type Guard = (value: unknown) => boolean;

export const text: Guard = (value) => typeof value === 'string';
/** `1.2.3`, `2026-03`: told in places where nothing else is expected. */
export const version: Guard = (value) => typeof value === 'string' && /^[\w.+-]{1,64}$/.test(value);
/** `signing/digest`, `TPP-16-PSU-ID`: our own words, which reports show as they are. */
export const id: Guard = (value) => typeof value === 'string' && /^[\w./-]{1,200}$/.test(value);
export const flag: Guard = (value) => typeof value === 'boolean';
export const number: Guard = (value) => typeof value === 'number' && Number.isFinite(value);
/** So many of something. */
export const count: Guard = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** A time that a clock can be moved by: no run lasts for years. */
export const duration: Guard = (value) => typeof value === 'number' && value >= 0 && value < 1e11;
/** Dates are put into other forms by the reports, and moved by durations, which one of no calendar does not survive. */
export const instant: Guard = (value) => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time >= 0 && time < latestInstant;
};
const latestInstant = Date.UTC(9000, 0);

export const oneOf =
  (...values: readonly unknown[]): Guard =>
  (value) =>
    values.includes(value);
export const listOf =
  (each: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(each);
export const mapOf =
  (each: Guard): Guard =>
  (value) =>
    isObject(value) && Object.values(value).every(each);
export const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);

/** Those members of an object; others may stand next to them. What it inherits is not its own. */
export const members =
  (guards: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    isObject(value) && Object.entries(guards).every(([name, guard]) => guard(member(value, name)));

/** The same for a type, of which no member can be forgotten when one is added. */
export const allMembers = <Shape>(
  guards: {
    readonly [Name in keyof Required<Shape>]: Guard;
  },
): Guard => members(guards);
