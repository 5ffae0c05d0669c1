import type { AnsweredRequest } from '../bank/http/dispatch.ts';
import { journeys } from '../certification/journeys.ts';
import type { RecordingStart } from '../certification/recording.ts';
import type { SeenExchange } from '../certification/seen-exchange.ts';
import { Session } from '../certification/session.ts';
import { type ObservedRequest, observe, type RequestRow } from './observed-request.ts';

/** So much is kept of the latest requests; what is older makes room. */
const kept = { requests: 10_000, bytes: 64 * 1024 * 1024, forJourneys: 500 } as const;

export interface RowFilter {
  /** The first digit of the status: `4`. */
  readonly status?: string;
  readonly path?: string;
  readonly requirement?: string;
}

const matches = (row: RequestRow, { status, path, requirement }: RowFilter): boolean =>
  (!status || String(row.status).startsWith(status)) &&
  (!path || row.path.toLowerCase().includes(path.toLowerCase())) &&
  (!requirement || (row.requirement ?? '').toLowerCase().startsWith(requirement.toLowerCase()));

/** The latest requests that the bank has answered, as many as fit. */
export class RequestBook {
  /** Lines stay when what they are about had to go. */
  readonly #rows = new Map<number, RequestRow>();
  readonly #requests = new Map<number, ObservedRequest>();
  readonly #listeners = new Set<(rows: readonly RequestRow[]) => void>();
  readonly #seen = new WeakMap<ObservedRequest, SeenExchange>();
  #bytes = 0;
  #last = 0;
  #replayOf: number | undefined;

  /** Keeps a request. Called before its answer is sent. */
  add(answered: AnsweredRequest, number: number = this.#last + 1): void {
    const observed = observe(answered, number, this.#replayOf);
    this.#replayOf = undefined;
    this.#last = number;
    this.#rows.set(number, observed.row);
    this.#requests.set(number, observed);
    this.#bytes += observed.bytes;
    this.#makeRoom();
    this.#tell([observed.row]);
  }

  get last(): number {
    return this.#last;
  }

  rows(filter: RowFilter = {}): readonly RequestRow[] {
    return [...this.#rows.values()].filter((row) => matches(row, filter));
  }

  row(number: number): RequestRow | undefined {
    return this.#rows.get(number);
  }

  request(number: number): ObservedRequest | undefined {
    return this.#requests.get(number);
  }

  clear(): void {
    this.#rows.clear();
    this.#requests.clear();
    this.#bytes = 0;
  }

  /** The next request that comes is a repetition of this one. */
  expectReplayOf(number: number): void {
    this.#replayOf = number;
  }

  onRows(listener: (rows: readonly RequestRow[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds out which of the latest requests belong to journeys that are complete, and tells what is new. `session` is
   * that of a certification; elsewhere the latest requests make one.
   */
  placeInJourneys(start: RecordingStart, session: Session = this.#latestSession(start)): void {
    const journeysOf = new Map<number, string[]>();
    for (const journey of journeys) {
      for (const { number } of journey.completedBy(session) ?? []) {
        journeysOf.set(number, [...(journeysOf.get(number) ?? []), journey.id]);
      }
    }
    const changed: RequestRow[] = [];
    for (const [number, ids] of journeysOf) {
      const row = this.#rows.get(number);
      const journey = ids.join(', ');
      if (row === undefined || row.journey === journey) continue;
      const placed = { ...row, journey };
      this.#rows.set(number, placed);
      changed.push(placed);
    }
    if (changed.length > 0) this.#tell(changed);
  }

  #latestSession(start: RecordingStart): Session {
    const session = new Session(start);
    const latest = [...this.#requests.values()].slice(-kept.forJourneys);
    for (const request of latest) {
      const seen = this.#seen.get(request) ?? session.read(request.recorded);
      this.#seen.set(request, seen);
      session.add(request.recorded, seen);
    }
    return session;
  }

  #makeRoom(): void {
    for (const number of this.#rows.keys()) {
      if (this.#rows.size <= kept.requests) break;
      this.#rows.delete(number);
    }
    for (const [number, { bytes }] of this.#requests) {
      if (this.#requests.size <= kept.requests && this.#bytes <= kept.bytes) break;
      this.#requests.delete(number);
      this.#bytes -= bytes;
    }
  }

  #tell(rows: readonly RequestRow[]): void {
    for (const listener of this.#listeners) listener(rows);
  }
}
