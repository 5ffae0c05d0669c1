import { requirementsOf } from '../checks/check.ts';
import type { Journey } from './journey.ts';
import { journeys } from './journeys.ts';
import { findingFor } from './judge-session.ts';
import type { Session } from './session.ts';
import type { LoadedTppSuite, TppCheck } from './tpp-check.ts';

/** What is new since the last look. */
export interface News {
  readonly completed: readonly Journey[];
  /** Requirements that something was seen of for the first time. */
  readonly seen: readonly string[];
  readonly failed: readonly { readonly check: TppCheck; readonly actual: string }[];
}

/** Follows a certification while it goes on. Its last word is spoken at the end, by `judgeSession`. */
export class Progress {
  readonly #session: Session;
  readonly #checks: readonly TppCheck[];
  readonly #completed = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #failed = new Set<string>();

  constructor(session: Session, suites: readonly LoadedTppSuite[]) {
    this.#session = session;
    this.#checks = suites.flatMap(({ checks }) => checks);
  }

  look(): News {
    const completed = journeys.filter(
      ({ id, completedBy }) => !this.#completed.has(id) && completedBy(this.#session) !== undefined,
    );
    const judged = this.#checks.map((check) => ({ check, finding: findingFor(check, this.#session) }));
    const seen = judged
      .filter(({ finding }) => finding.verdict === 'pass' || finding.verdict === 'fail')
      .flatMap(({ check }) => requirementsOf(check))
      .filter((id, index, ids) => ids.indexOf(id) === index && !this.#seen.has(id));
    const failed = judged.flatMap(({ check, finding }) =>
      finding.verdict === 'fail' && !this.#failed.has(check.id) ? [{ check, actual: finding.actual }] : [],
    );
    for (const { id } of completed) this.#completed.add(id);
    for (const id of seen) this.#seen.add(id);
    for (const { check } of failed) this.#failed.add(check.id);
    return { completed, seen, failed };
  }

  isComplete(journey: Journey): boolean {
    return this.#completed.has(journey.id);
  }

  /** What `GET /certification` answers. */
  get state(): object {
    return {
      requests: this.#session.requests.length,
      journeys: journeys.map(({ id, mandatory, goal }) => ({
        id,
        mandatory,
        complete: this.#completed.has(id),
        goal,
      })),
      requirementsSeen: [...this.#seen].toSorted(),
      failedChecks: [...this.#failed].toSorted(),
    };
  }
}
