import type { Clock } from './clock.ts';

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
