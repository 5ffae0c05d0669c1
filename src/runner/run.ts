import { join } from 'node:path';
import { createVitest, type Reporter } from 'vitest/node';
import { suiteFiles } from './load-suites.ts';
import { codeRoot, packageRoot } from './package.ts';
import type { RunPlan } from './run-plan.ts';

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

/** Runs the planned checks under Vitest, in one process beside this one. Verdicts go into the journal as they fall. */
export async function runUnderVitest(
  plan: RunPlan,
  listener: RunListener,
  signal?: AbortSignal,
): Promise<RunOutcome> {
  const problems: string[] = [];
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
  const vitest = await createVitest(
    'test',
    {
      root: packageRoot,
      dir: join(codeRoot, 'suites'),
      include: ['**/*.suite.{js,ts}'],
      exclude: [],
      config: false,
      watch: false,
      pool: 'forks',
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
  );
  const stop = (): void => void vitest.cancelCurrentRun('keyboard-input');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const specifications = suiteFiles().flatMap((file) =>
      vitest.projects.map((project) => project.createSpecification(file)),
    );
    await vitest.runTestSpecifications(specifications, true);
  } finally {
    signal?.removeEventListener('abort', stop);
    await vitest.close();
  }
  return { problems, requests };
}
