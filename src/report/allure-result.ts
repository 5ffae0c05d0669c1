import {
  type Label,
  LabelName,
  Severity,
  Stage,
  Status,
  type StepResult,
  type TestResult,
} from 'allure-js-commons';
import type { KillScores } from '../checks/kill-score.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { type Category, categoryOf } from './allure-categories.ts';
import { describeResult } from './allure-description.ts';
import { allureUuid } from './allure-ids.ts';
import { exchangeLine, requestText, responseText, shortened, tellingExchange } from './exchange-text.ts';
import type { Outcome } from './outcome.ts';

/** Stores a text and answers the name of its file; every call needs a name of its own, since Allure shows a file only once. */
export type Attach = (text: string) => string;

const severities: Readonly<Record<Level, Severity>> = {
  must: Severity.CRITICAL,
  should: Severity.NORMAL,
  advisory: Severity.MINOR,
};

/** One check as Allure knows it. */
export function allureResult(
  result: CheckResult,
  header: RunHeader,
  outcome: Outcome,
  attach: Attach,
  killScores?: KillScores,
): TestResult {
  const category = categoryOf(result, outcome);
  const requirements = outcome.requirements
    .map(({ requirement }) => requirement)
    .filter(({ id }) => result.requirements.includes(id));
  const start = Date.parse(result.startedAt);
  return {
    uuid: allureUuid(header, result),
    // From the check's id alone, so that the same check is recognised in every run and every version.
    testCaseId: result.id,
    historyId: result.id,
    fullName: `${result.suite.id}: ${result.id}`,
    name: `${result.id} ${result.title}`,
    titlePath: [...hierarchy(result)],
    status: category?.status ?? Status.PASSED,
    stage: Stage.FINISHED,
    statusDetails: category === undefined ? {} : statusDetails(result, requirements, category, outcome),
    descriptionHtml: describeResult(result, requirements, header, killScores),
    labels: labels(result, requirements),
    links: requirements.map(({ id }) => ({
      name: `${id} in the matrix`,
      url: `requirements.html#${id}`,
      type: 'link',
    })),
    // Excluded from the history id, or every seed would start a trend of its own.
    parameters: [
      { name: 'seed', value: String(header.seed), excluded: true },
      { name: 'cases', value: String(result.cases), excluded: true },
      ...(result.counterexample === undefined
        ? []
        : [{ name: 'path', value: result.counterexample.path, excluded: true }]),
    ],
    steps: steps(result, attach),
    attachments: [],
    start,
    stop: start + result.durationMs,
  };
}

/** The section of the specification, and the suite below it where its title says more. */
export function hierarchy({ suite }: Pick<CheckResult, 'suite'>): readonly string[] {
  return suite.section.at(-1) === suite.title ? suite.section : [...suite.section, suite.title];
}

/** Everything that a failure calls for in one block, since Allure shows it above all else. */
function statusDetails(
  result: CheckResult,
  requirements: readonly Requirement[],
  category: Category,
  outcome: Outcome,
): TestResult['statusDetails'] {
  const reason = result.verdict === 'pass' ? result.notes.join(' ') : (result.reason ?? result.title);
  const facts = [
    ...requirements.map(({ id, level, statement }) => `${id} (${level}): ${statement}`),
    ...(result.expected === undefined ? [] : [`Expected: ${result.expected}`]),
    ...(result.actual === undefined ? [] : [`Actual:   ${result.actual}`]),
    ...(result.counterexample === undefined
      ? []
      : [`Smallest failing case: ${shortened(result.counterexample.value, 2000)}`]),
  ];
  const message = `${category.opening}${deviationReason(result, outcome)}: ${reason}\n\n${facts.join('\n')}`;
  return { message: `${shortened(message, 6000)}\n\nReproduce: ${result.reproduce}` };
}

function deviationReason({ id, requirements }: CheckResult, { excused, knownDeviations }: Outcome): string {
  if (!excused.has(id)) return '';
  const reasons = knownDeviations
    .filter(({ requirement }) => requirements.includes(requirement))
    .map(({ reason, until }) => `${reason}${until === undefined ? '' : `, until ${until}`}`);
  return ` (${reasons.join('; ')})`;
}

function labels(result: CheckResult, requirements: readonly Requirement[]): Label[] {
  const [first, second, ...rest] = hierarchy(result);
  const place = [first, second, rest.length === 0 ? undefined : rest.join(' › ')];
  const suiteNames = [LabelName.PARENT_SUITE, LabelName.SUITE, LabelName.SUB_SUITE];
  const behaviourNames = [LabelName.EPIC, LabelName.FEATURE, LabelName.STORY];
  const named = (names: readonly LabelName[]): Label[] =>
    names.flatMap((name, index) => {
      const value = place[index];
      return value === undefined ? [] : [{ name, value }];
    });
  const tags = new Set([result.level, result.verdict, ...result.requirements]);
  return [
    ...named(suiteNames),
    ...named(behaviourNames),
    { name: LabelName.SEVERITY, value: severities[gravestLevel(result, requirements)] },
    ...[...tags].map((value) => ({ name: LabelName.TAG, value })),
  ];
}

function gravestLevel(result: CheckResult, requirements: readonly Requirement[]): Level {
  const levels: readonly Level[] = ['must', 'should', 'advisory'];
  return (
    levels.find((level) => requirements.some((requirement) => requirement.level === level)) ?? result.level
  );
}

function steps(result: CheckResult, attach: Attach): StepResult[] {
  const telling = result.verdict === 'fail' ? tellingExchange(result) : undefined;
  return result.exchanges.map((exchange) => step(exchange, exchange === telling, attach));
}

function step(exchange: Exchange, telling: boolean, attach: Attach): StepResult {
  const start = Date.parse(exchange.startedAt);
  // Always plain text: a bank that answers with HTML or script must not run anything in the report.
  const attachment = (name: string, text: string) => ({ name, type: 'text/plain', source: attach(text) });
  return {
    name: exchangeLine(exchange),
    status: telling ? Status.FAILED : exchange.response === undefined ? Status.BROKEN : Status.PASSED,
    stage: Stage.FINISHED,
    statusDetails:
      exchange.trouble === undefined
        ? {}
        : { message: `${exchange.trouble.kind}: ${exchange.trouble.message}` },
    steps: [],
    parameters: [],
    attachments: [
      attachment('Request', requestText(exchange)),
      attachment('Response', responseText(exchange)),
    ],
    start,
    stop: start + exchange.durationMs,
  };
}
