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

/** YYYY-MM-DDThh:mm:ss+00:00, the date-time form of payloads. */
export const isoDateTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
