/** The one source of time in the bank, so that hours and days can be tested in milliseconds. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that goes on, and can be set ahead or back. */
export interface AdjustableClock extends Clock {
  offsetSeconds: number;
}

export const adjustableClock = (clock: Clock = systemClock): AdjustableClock => ({
  offsetSeconds: 0,
  now() {
    return new Date(clock.now().getTime() + this.offsetSeconds * 1000);
  },
});

/** A clock that is off by some seconds, as clocks of banks are. */
export const shiftedClock = (clock: Clock, seconds: () => number): Clock => ({
  now: () => new Date(clock.now().getTime() + seconds() * 1000),
});

const dayInMilliseconds = 86_400_000;

/** YYYY-MM-DD in UTC (What the service does: ISO 8601). */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** YYYY-MM-DDThh:mm:ss+00:00, the date-time form of payloads. */
export const isoDateTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;

export const daysBefore = (date: Date, days: number): Date =>
  new Date(date.getTime() - days * dayInMilliseconds);

/** A day that exists, in the form YYYY-MM-DD. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && isoDate(date) === text;
}
