import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const allureResultsOf = (project: string, isToldByTests: boolean): [string, Record<string, unknown>] => [
  './src/vitest/allure-reporter.ts',
  { project, resultsDir: `reports/${project}/allure-results`, isToldByTests },
];

const conformance = 'src/vitest/conformance.test.ts';

/** The longest time that a test file allows any of its tests, in milliseconds. */
function longestTimeout({ moduleId }: TestSpecification): number {
  const times = readFileSync(moduleId, 'utf8').matchAll(/\b(\d{2,3})_000\b/g);
  return Math.max(0, ...[...times].map(([, seconds]) => Number(seconds) * 1000));
}

/** Begun last, a long file would keep one processor busy while the others have nothing left to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = new Map(files.map((file) => [file, longestTimeout(file)]));
    return (await super.sort(files)).toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // By default one less than there are processors. Here one more: some files wait for programs, browsers and the network.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      allureResultsOf('conformance', true),
      // Only in CI: who runs them by hand reads the terminal.
      ...(process.env['CI'] === undefined ? [] : [allureResultsOf('own-tests', false)]),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'own-tests',
          include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts'],
          exclude: [...configDefaults.exclude, conformance],
          // Banks and hosts of tests are on this machine, or nowhere; whole runs against them need not sign as slowly as real ones.
          env: { XS2A_PROXY: 'none', XS2A_SHORT_KEYS: 'yes' },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: [conformance],
          // As many at once as the engine has; requests wait for the pace.
          maxConcurrency: 48,
        },
      },
    ],
  },
});
