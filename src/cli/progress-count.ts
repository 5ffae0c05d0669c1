import type { Verdict } from '../checks/verdict.ts';
import { verdictWords } from '../report/console.ts';

/** How far a run is at one moment. */
export interface Moment {
  readonly done: number;
  readonly total: number;
  readonly counts: ReadonlyMap<Verdict, number>;
  readonly elapsedMs: number;
  readonly requests: number;
  /** Of the last seconds; undefined before there is anything to go by. */
  readonly requestsPerSecond?: number;
  /** By how quickly verdicts have fallen so far; undefined while too few have. */
  readonly leftMs?: number;
}

/** Requests per second are those of so many milliseconds: more than there are between two lines of a log. */
const windowMs = 10_000;

/** Fewer verdicts say nothing about the others: the first ones wait for the slowest of many that began together. */
const enoughToTell = 0.1;

/** Counts verdicts and requests while a run goes on. Time is given to it, so that it can be tested. */
export class ProgressCount {
  readonly #total: number;
  readonly #counts = new Map<Verdict, number>();
  readonly #bySuite = new Map<string, Map<Verdict, number>>();
  #done = 0;
  #startedAt: number | undefined;
  #requests: () => number = () => 0;
  #samples: { readonly at: number; readonly requests: number }[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  get isUnderWay(): boolean {
    return this.#startedAt !== undefined;
  }

  start(now: number, requests: () => number): void {
    this.#startedAt = now;
    this.#requests = requests;
    this.#samples = [{ at: now, requests: requests() }];
  }

  stop(): void {
    this.#startedAt = undefined;
  }

  add(verdict: Verdict): void {
    this.#done += 1;
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
  }

  note(suite: string, verdict: Verdict): void {
    const counts = this.#bySuite.get(suite) ?? new Map<Verdict, number>();
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    this.#bySuite.set(suite, counts);
  }

  ofSuite(suite: string): ReadonlyMap<Verdict, number> {
    return this.#bySuite.get(suite) ?? new Map();
  }

  at(now: number): Moment {
    const requests = this.#requests();
    const elapsedMs = now - (this.#startedAt ?? now);
    this.#samples = [...this.#samples.filter(({ at }) => now - at <= windowMs), { at: now, requests }];
    const [first] = this.#samples;
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const done = this.#done;
    const leftMs = (elapsedMs / done) * (this.#total - done);
    return {
      done,
      total: this.#total,
      counts: this.#counts,
      elapsedMs,
      requests,
      ...(first === undefined || seconds < 0.5
        ? {}
        : { requestsPerSecond: Math.round((requests - first.requests) / seconds) }),
      ...(done < this.#total * enoughToTell || done === this.#total ? {} : { leftMs }),
    };
  }
}

/** `312 of 793  288 pass  2 fail  142 requests/s  about 0:12 left`, with less of it where there is less room. */
export function progressText(moment: Moment, width: number): string {
  const { done, total, counts, requests, requestsPerSecond, leftMs, elapsedMs } = moment;
  const fell = verdictWords.flatMap(({ verdict, heading }) =>
    counts.has(verdict) ? [`${counts.get(verdict)} ${heading}`] : [],
  );
  const head = `${String(done).padStart(String(total).length)} of ${total}`;
  const speed = requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests/s`];
  const time = leftMs === undefined ? [] : [`about ${shownTime(leftMs)} left`];
  const sent = done === 0 ? [`${requests} ${requests === 1 ? 'request' : 'requests'} sent`] : [];
  const full = [
    head,
    ...fell,
    ...sent,
    ...speed,
    ...time,
    ...(leftMs === undefined ? [shownTime(elapsedMs)] : []),
  ];
  const short = [head, ...fell, ...time];
  return (
    [full, short, [head, ...fell], [head]]
      .map((parts) => parts.join('  '))
      .find((text) => text.length <= width) ?? ''
  );
}

/** `0:07`, `12:30`, `1:02:05` */
export function shownTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
