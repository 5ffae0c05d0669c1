import { join } from 'node:path';
import { createVitest, ForksPoolWorker, type PoolOptions, type Reporter } from 'vitest/node';
import { keepSignals } from './keep-signals.ts';
import { suiteFiles } from './load-suites.ts';
import { codeRoot, packageRoot } from './package.ts';
import type { RunPlan } from './run-plan.ts';
import { aborted, untilAborted } from './until-aborted.ts';

/** What a run tells while it goes on. */
export interface RunListener {
  /** A check was judged. */
  readonly judged: (id: string, verdict: string, title: string) => void;
}

export interface RunOutcome {
  /** Errors of the framework itself: a suite that could not be loaded, a process that died. */
  readonly problems: readonly string[];
  readonly requests: number;
}

/** Runs the planned checks under Vitest, in one process next to this one. Verdicts go into the journal as they fall. */
export async function runUnderVitest(
  plan: RunPlan,
  listener: RunListener,
  signal?: AbortSignal,
): Promise<RunOutcome> {
  const problems: string[] = [];
  const workers: ForksPoolWorker[] = [];
  let requests = 0;
  const reporter: Reporter = {
    onTestCaseResult(testCase) {
      const meta = testCase.meta() as { verdict?: string; checkId?: string; requests?: number };
      const { verdict, checkId } = meta;
      requests = Math.max(requests, meta.requests ?? 0);
      if (verdict !== undefined && checkId !== undefined) listener.judged(checkId, verdict, testCase.name);
    },
    onTestRunEnd(modules, unhandled) {
      const errors = [...unhandled, ...modules.flatMap((module) => module.errors())];
      problems.push(...errors.map((error) => error.stack ?? error.message));
    },
  };
  const vitest = await keepSignals(() =>
    createVitest(
      'test',
      {
        root: packageRoot,
        dir: join(codeRoot, 'suites'),
        include: ['**/*.suite.{js,ts}'],
        exclude: [],
        config: false,
        watch: false,
        // Vitest's own processes, kept at hand: an interrupted run ends them instead of waiting for their tests.
        pool: {
          name: 'conformance',
          createPoolWorker: (options: PoolOptions) => {
            const worker = new ForksPoolWorker(options);
            workers.push(worker);
            return worker;
          },
        },
        isolate: false,
        fileParallelism: false,
        maxConcurrency: 10_000,
        testTimeout: 0,
        reporters: [reporter],
        runner: join(codeRoot, 'src/runner/vitest-runner.js'),
        provide: { plan },
        passWithNoTests: true,
        // The code is compiled: Node imports it as it is, and every file sees the same modules.
        server: { deps: { external: [/\/src\//, /\/suites\//] } },
        cache: false,
      } as never,
      {
        configFile: false,
        envDir: false,
        logLevel: 'error',
        cacheDir: join(plan.out, '.cache'),
        server: { watch: null },
      } as never,
    ),
  );
  const specifications = suiteFiles().flatMap((file) =>
    vitest.projects.map((project) => project.createSpecification(file)),
  );
  const outcome = await untilAborted(vitest.runTestSpecifications(specifications, true), signal);
  if (outcome === aborted) {
    await Promise.allSettled(workers.map((worker) => worker.stop()));
    // It would wait for its tests, and complain of the process that is gone; nobody listens any more.
    return { problems: [], requests };
  }
  await vitest.close();
  return { problems, requests };
}
