import type { LoadedSuite } from '../checks/check.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { type Journey, journeys, profilesFor } from './journeys.ts';
import { journeyCheckId, journeySuite, judgeSession } from './judge-session.ts';
import type { Session } from './session.ts';
import type { TppCheck } from './tpp-check.ts';

/** What is new since the last look. */
export interface News {
  readonly completed: readonly Journey[];
  /** Requirements that something was seen of for the first time. */
  readonly seen: readonly string[];
  readonly failed: readonly CheckResult[];
  /** Checks that failed before and do not any more: what was missing came later. */
  readonly settled: readonly string[];
}

/** Follows a certification while it goes on. Its last word is spoken at the end. */
export class Progress {
  readonly #session: Session;
  readonly #suites: readonly LoadedSuite<TppCheck>[];
  readonly #completed = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(session: Session, suites: readonly LoadedSuite<TppCheck>[]) {
    this.#session = session;
    this.#suites = suites;
  }

  async look(): Promise<News> {
    const results = await judgeSession(this.#session, this.#suites, '');
    const passed = new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
    const completed = journeys.filter(
      (journey) => passed.has(journeyCheckId(journey)) && !this.#completed.has(journey.id),
    );
    const judged = results.filter(
      ({ suite, verdict }) => suite.id !== journeySuite.id && ['pass', 'warning', 'fail'].includes(verdict),
    );
    const seen = new Set(
      judged.flatMap(({ requirements }) => requirements).filter((id) => !this.#seen.has(id)),
    );
    const failed = judged.filter(({ id, verdict }) => verdict !== 'pass' && !this.#failed.has(id));
    const failing = new Set(judged.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id));
    const settled = [...this.#failed].filter((id) => !failing.has(id));
    for (const { id } of completed) this.#completed.add(id);
    for (const id of seen) this.#seen.add(id);
    for (const { id } of failed) this.#failed.add(id);
    for (const id of settled) this.#failed.delete(id);
    return { completed, seen: [...seen], failed, settled };
  }

  isComplete(journey: Journey): boolean {
    return this.#completed.has(journey.id);
  }

  /** What `GET /certification` answers. */
  get state(): object {
    return {
      requests: this.#session.requests.length,
      profiles: profilesFor(this.#session),
      journeys: journeys.map(({ id, mandatoryIn, goal }) => ({
        id,
        mandatoryIn,
        complete: this.#completed.has(id),
        goal,
      })),
      requirementsSeen: [...this.#seen].toSorted(),
      failedChecks: [...this.#failed].toSorted(),
    };
  }
}
