import { rmSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/**
 * In CI the project's own tests leave Allure results beside their output. Elsewhere they do not: the reporter wraps every
 * matcher, and its frames would stand in the stack traces. It never cleans its folder, and old results read as retries.
 */
const allureResults = 'reports/own-tests/allure-results';
const inCi = process.env['CI'] !== undefined;
if (inCi) rmSync(allureResults, { recursive: true, force: true });

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: inCi
      ? ['default', ['allure-vitest/reporter', { resultsDir: allureResults, reportMatchers: false }]]
      : ['default'],
  },
});
