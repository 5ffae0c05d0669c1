import { runChecks } from '../checks/engine.ts';
import { placeChecks } from '../checks/judge.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { continueJournal } from '../report/journal.ts';
import { loadTarget } from '../target/load-target.ts';
import type { TppClient } from '../tpp/client.ts';
import { learnTheClock } from './learn-clock.ts';
import { loadSuites } from './load-suites.ts';
import { createRunContext } from './run-context.ts';
import type { RunPlan } from './run-plan.ts';

/** All checks of a run under way at once, whichever file of the test framework asks for a verdict first. */
export class Judging {
  readonly #verdicts = new Map<string, PromiseWithResolvers<CheckResult>>();
  #client: TppClient | undefined;

  constructor(plan: RunPlan) {
    for (const id of plan.planned) this.#verdicts.set(id, withResolvers());
    this.#run(plan).catch((error: unknown) => {
      for (const { reject } of this.#verdicts.values()) reject(error);
    });
  }

  /** The verdict of a planned check, when it falls. */
  verdictOf(id: string): Promise<CheckResult> {
    const verdict = this.#verdicts.get(id);
    return verdict === undefined
      ? Promise.reject(new Error(`The check ${id} is not planned.`))
      : verdict.promise;
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#client?.requests ?? 0;
  }

  async #run(plan: RunPlan): Promise<void> {
    const loaded = await loadTarget(plan.target, plan.overrides);
    const target = plan.psu === undefined ? loaded : { ...loaded, psu: { ...loaded.psu, ...plan.psu } };
    const runContext = createRunContext({ ...plan, target });
    this.#client = runContext.client;
    const journal = continueJournal(plan.out);
    const checks = placeChecks(await loadSuites()).filter(({ check }) => this.#verdicts.has(check.id));
    await learnTheClock(runContext.client);
    await runChecks(checks, runContext, (result) => {
      journal.result(result);
      this.#verdicts.get(result.id)?.resolve(result);
    });
    for (const [id, { reject }] of this.#verdicts) reject(new Error(`No suite has the check ${id}.`));
    journal.close();
    await runContext.close();
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers` is not in Node 20. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // A verdict that nobody waits for yet must not end the process.
  promise.catch(() => {});
  return { promise, resolve: (value) => settle?.resolve(value), reject: (reason) => settle?.reject(reason) };
}
