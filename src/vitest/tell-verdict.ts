import { ContentType, LabelName, Status, type TestResult } from 'allure-js-commons';
import { getGlobalTestRuntime } from 'allure-js-commons/sdk/runtime';
import type { TestContext } from 'vitest';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { allureResult } from '../report/allure-result.ts';
import { judgeRun, type Outcome } from '../report/outcome.ts';
import { requirements } from '../spec/catalogue.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The verdict, for reporters: Vitest itself knows only passed, failed and skipped. */
    conformance?: {
      readonly id: string;
      readonly verdict: CheckResult['verdict'];
      readonly allure: { readonly status: Status; readonly statusDetails: TestResult['statusDetails'] };
    };
  }
}

/** A broken requirement, as Vitest shows it: with the difference of what was expected and what came. */
class CheckFailed extends Error {
  /** By this name Vitest and Allure tell a failure from a broken test. */
  override readonly name = 'AssertionError';
  readonly expected: string | undefined;
  readonly actual: string | undefined;

  constructor({ expected, actual }: CheckResult, message: string) {
    super(message);
    this.expected = expected;
    this.actual = actual;
    // The stack would show this file; where to look is in the message.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Ends a test as the check ended. */
export async function tellVerdict(
  result: CheckResult,
  header: RunHeader,
  { task, annotate, skip }: TestContext,
): Promise<void> {
  const outcome = judgeRun({ header, results: [result] }, requirements);
  const attached: string[] = [];
  const attach = (text: string): string => String(attached.push(text) - 1);
  const shown = allureResult(result, header, outcome, attach);
  const { status = Status.PASSED, statusDetails } = shown;
  task.meta.conformance = { id: result.id, verdict: result.verdict, allure: { status, statusDetails } };
  // Each exchange is two files, which nobody reads where all is well.
  const steps = result.verdict === 'pass' ? [] : shown.steps;
  await tellAllure({ ...shown, steps }, (index) => attached[Number(index)] ?? '');
  for (const note of result.notes) await annotate(note);
  const message = statusDetails.message ?? result.reason ?? result.title;
  switch (result.verdict) {
    case 'pass':
      return;
    case 'warning':
      await annotate(message, 'warning');
      return;
    case 'not-applicable':
    case 'inconclusive':
      return skip(result.reason);
    case 'fail':
      // What the target file declares with a reason and a date does not break a build; a run says the same.
      if (isExcused(result, outcome)) return skip(message);
      throw new CheckFailed(result, message);
    case 'error':
      throw new Error(message);
  }
}

const isExcused = ({ id }: CheckResult, { excused }: Outcome): boolean => excused.has(id);

/**
 * Says through allure-vitest, where that is at work, what our own reports say. Its suites come from the describes.
 */
async function tellAllure(
  { labels, links, testCaseId, historyId, descriptionHtml, parameters, steps }: TestResult,
  textOf: (source: string) => string,
): Promise<void> {
  if (!('allureTestRuntime' in globalThis)) return;
  const allure = getGlobalTestRuntime();
  if (testCaseId !== undefined) await allure.testCaseId(testCaseId);
  if (historyId !== undefined) await allure.historyId(historyId);
  if (descriptionHtml !== undefined) await allure.descriptionHtml(descriptionHtml);
  await allure.labels(...labels.filter(({ name }) => !suiteLabels.has(name)));
  await allure.links(...links);
  for (const { name, value } of parameters) await allure.parameter(name, value, { excluded: true });
  for (const step of steps) {
    await allure.step(step.name ?? 'Exchange', async () => {
      for (const { name, source } of step.attachments)
        await allure.attachment(name, textOf(source), { contentType: ContentType.TEXT });
    });
  }
}

const suiteLabels: ReadonlySet<string> = new Set([
  LabelName.PARENT_SUITE,
  LabelName.SUITE,
  LabelName.SUB_SUITE,
]);
