import { rmSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * In CI the project's own tests leave Allure results beside their output. Elsewhere they do not: the reporter wraps every
 * matcher, and its frames would stand in the stack traces. It never cleans its folder, and old results read as retries.
 */
const ownResults = 'reports/own-tests/allure-results';
const inCi = process.env['CI'] !== undefined;
if (inCi) rmSync(ownResults, { recursive: true, force: true });

const ownReporter: [string, Record<string, unknown>] = [
  'allure-vitest/reporter',
  { resultsDir: ownResults, reportMatchers: false },
];

const conformance = 'src/vitest/conformance.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    isolate: false,
    reporters: [
      'default',
      [
        './src/vitest/allure-reporter.ts',
        { project: 'conformance', resultsDir: 'reports/vitest/allure-results' },
      ],
      ...(inCi ? [ownReporter] : []),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'own',
          include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts'],
          exclude: [...configDefaults.exclude, conformance],
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
