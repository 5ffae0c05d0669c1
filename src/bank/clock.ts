/** The one source of time in the bank, so that hours and days can be tested in milliseconds. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that tests move by hand. It starts at the given moment and stands still until moved. */
export interface MovableClock extends Clock {
  advance(seconds: number): void;
}

export function movableClock(start: Date = new Date()): MovableClock {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}

/** A clock that is off by some seconds, as clocks of banks are. */
export const shiftedClock = (clock: Clock, seconds: number): Clock =>
  seconds === 0 ? clock : { now: () => new Date(clock.now().getTime() + seconds * 1000) };
