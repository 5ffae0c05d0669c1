import { rmSync } from 'node:fs';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { RunnerTask } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import type {} from './tell-verdict.ts';

interface ProjectAllureOptions {
  readonly project: string;
  readonly resultsDir: string;
  /** Whether the tests tell Allure more than Vitest knows of them. */
  readonly isToldByTests?: boolean;
}

/**
 * allure-vitest for the tests of one project: two of them would wrap each other's runner. Of checks it tells the verdicts
 * that Vitest itself cannot tell apart.
 */
export default class ProjectAllureReporter extends AllureVitestReporter {
  readonly #project: string;
  readonly #resultsDir: string;
  readonly #isToldByTests: boolean;
  readonly #task: { current?: RunnerTask };

  constructor({ project, resultsDir, isToldByTests = false }: ProjectAllureOptions) {
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
    this.#isToldByTests = isToldByTests;
    this.#task = task;
  }

  /**
   * Tests that tell it nothing are left alone: it wraps their matchers and runners, its frames would stand in their stacks,
   * and it makes a text of every value that a matcher sees, whether that is reported or not.
   */
  override onInit(vitest: Vitest): void {
    const projects = vitest.projects.filter(({ name }) => this.#isToldByTests && name === this.#project);
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
