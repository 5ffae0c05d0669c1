import { describe, inject, TestRunner, test } from 'vitest';
import type { CheckResult } from '../checks/verdict.ts';
import { Judging } from './judging.ts';
import { loadSuite } from './load-suites.ts';

/** One for all files: they share a process, since the runner is configured without isolation. */
let judging: Judging | undefined;

/** A check that did not pass, as Vitest shows it. */
class Verdict extends Error {
  override readonly name: string;

  constructor({ verdict, reason }: CheckResult) {
    super(reason ?? verdict);
    this.name = verdict;
    // The stack would show this file; where to look is in the reason.
    this.stack = `${verdict}: ${this.message}`;
  }
}

/** Makes a test of each planned check of a suite. Suites know nothing of Vitest. */
export default class ConformanceRunner extends TestRunner {
  override async importFile(file: string, source: 'collect' | 'setup'): Promise<unknown> {
    if (source === 'setup') return super.importFile(file, source);
    const plan = inject('plan');
    judging ??= new Judging(plan);
    const verdicts = judging;
    const planned = new Set(plan.planned);
    const suite = await loadSuite(file);
    const checks = suite.checks.filter(({ id }) => planned.has(id));
    describe(suite.title, () => {
      for (const { id, title } of checks) {
        test.concurrent(`${id} ${title}`, { timeout: 0 }, async ({ task, skip }) => {
          const result = await verdicts.verdictOf(id);
          Object.assign(task.meta, { verdict: result.verdict, checkId: id, requests: verdicts.requests });
          if (result.verdict === 'not-applicable') skip(result.reason);
          if (result.verdict !== 'pass' && result.verdict !== 'warning') throw new Verdict(result);
        });
      }
    });
    return suite;
  }
}
