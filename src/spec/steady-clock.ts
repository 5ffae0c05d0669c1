/**
 * Milliseconds by a clock that only ever goes on: how long something took, and when its time is over. The clock of the
 * machine may be set while a run is under way, and a time below nothing, or of an hour more, would end up in its journal.
 */
export const steadyNow = (): number => Math.round(performance.now());
