import { rmSync } from 'node:fs';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { RunnerTask } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import type {} from './tell-verdict.ts';

/**
 * allure-vitest for the tests of one project: two of them would wrap each other's runner. Of checks it tells the verdicts
 * that Vitest itself cannot tell apart.
 */
export default class ProjectAllureReporter extends AllureVitestReporter {
  readonly #project: string;
  readonly #resultsDir: string;
  readonly #task: { current?: RunnerTask };

  constructor({ project, resultsDir }: { readonly project: string; readonly resultsDir: string }) {
    const task: { current?: RunnerTask } = {};
    super({
      resultsDir,
      reportMatchers: false,
      listeners: [
        {
          // It loses the note of a skipped test, and takes a warning for a pass.
          beforeTestResultWrite: (result) => {
            const { conformance } = task.current?.meta ?? {};
            if (conformance !== undefined) Object.assign(result, conformance.allure);
          },
        },
      ],
    });
    this.#project = project;
    this.#resultsDir = resultsDir;
    this.#task = task;
  }

  /** Other projects are left alone: it wraps their matchers and runners, and its frames would stand in their stacks. */
  override onInit(vitest: Vitest): void {
    const projects = vitest.projects.filter(({ name }) => name === this.#project);
    super.onInit(Object.create(vitest, { projects: { value: projects } }) as Vitest);
  }

  /** It never cleans its folder, and results of earlier runs would read as retries. */
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    if (specifications.some(({ project }) => project.name === this.#project)) {
      rmSync(this.#resultsDir, { recursive: true, force: true });
    }
  }

  override handleTask(task: RunnerTask): void {
    if (task.file.projectName !== this.#project) return;
    this.#task.current = task;
    super.handleTask(task);
  }
}
