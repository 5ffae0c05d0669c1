import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { runDuration, runRequests } from './journal.ts';

type Timed = Pick<CheckResult, 'id' | 'startedAt' | 'durationMs'>;

/**
 * How long the run was busy with each check, in milliseconds, by its id. Dozens are under way at once and mostly wait for
 * their turn, so that the time from start to verdict says little about one of them, and added up exceeds the run many
 * times. An instant is therefore divided among the checks that shared it: together they are as long as the run.
 */
export function sharesOfTime(results: readonly Timed[]): ReadonlyMap<string, number> {
  const shares = new Map(results.map(({ id }) => [id, 0]));
  /** What one that was under way from the start would have by then, for each that is under way: a stranger's may be many. */
  const underWay = new Map<string, number>();
  let share = 0;
  let before = 0;
  for (const { at, id, begins } of changesOf(results)) {
    if (underWay.size > 0) share += (at - before) / underWay.size;
    before = at;
    if (begins) underWay.set(id, underWay.get(id) ?? share);
    else {
      shares.set(id, (shares.get(id) ?? 0) + share - (underWay.get(id) ?? share));
      underWay.delete(id);
    }
  }
  return shares;
}

interface Change {
  readonly at: number;
  readonly id: string;
  readonly begins: boolean;
}

const changesOf = (results: readonly Timed[]): readonly Change[] =>
  results
    .map((result) => ({ id: result.id, ...intervalOf(result) }))
    .filter(({ start, stop }) => stop > start)
    .flatMap(({ id, start, stop }) => [
      { at: start, id, begins: true },
      { at: stop, id, begins: false },
    ])
    .toSorted((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));

/** From the start of a check to its verdict. A journal may come from anybody: what is no time is none. */
export function intervalOf({ startedAt, durationMs }: Timed): {
  readonly start: number;
  readonly stop: number;
} {
  const start = Date.parse(startedAt) || 0;
  const length = Number.isFinite(durationMs) ? Math.max(0, Math.round(durationMs)) : 0;
  return { start, stop: start + length };
}

/** The slot of each check among those that are under way at once, by its id, counted from 1: no two of a slot overlap. */
export function slotsOf(results: readonly Timed[]): ReadonlyMap<string, number> {
  const freeFrom: number[] = [];
  const inOrder = results
    .map((result) => ({ id: result.id, ...intervalOf(result) }))
    .toSorted((a, b) => a.start - b.start);
  return new Map(
    inOrder.map(({ id, start, stop }) => {
      const free = freeFrom.findIndex((from) => from <= start);
      const slot = free === -1 ? freeFrom.length : free;
      freeFrom[slot] = stop;
      return [id, slot + 1];
    }),
  );
}

/** What a run took, in a few words. A certification judges what a TPP sent, and draws nothing from a seed. */
export function effortOf(run: RunRecord): string {
  const requests = runRequests(run);
  const { side, seed } = run.header;
  return `${requests} ${requests === 1 ? 'request' : 'requests'} in ${(runDuration(run) / 1000).toFixed(1)} s${side === 'tpp' ? '' : `, seed ${seed}`}`;
}
