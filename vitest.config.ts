import { configDefaults, defineConfig } from 'vitest/config';

const allureResultsOf = (project: string): [string, Record<string, unknown>] => [
  './src/vitest/allure-reporter.ts',
  { project, resultsDir: `reports/${project}/allure-results` },
];

const conformance = 'src/vitest/conformance.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    // One less than there are processors by default, which leaves a core idle on a machine of two.
    maxWorkers: '100%',
    isolate: false,
    reporters: [
      'default',
      allureResultsOf('conformance'),
      // Only in CI: the reporter wraps every matcher, and its frames would stand in the stack traces.
      ...(process.env['CI'] === undefined ? [] : [allureResultsOf('own-tests')]),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'own-tests',
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
