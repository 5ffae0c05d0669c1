import { createHash } from 'node:crypto';
import {
  type Label,
  LabelName,
  Severity,
  Stage,
  Status,
  type StepResult,
  type TestResult,
} from 'allure-js-commons';
import type { CheckResult, RunHeader, Verdict } from '../checks/verdict.ts';
import type { Side } from '../spec/profiles.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import type { Exchange } from '../tpp/exchange.ts';
import {
  changedLines,
  exchangeLine,
  requestText,
  responseText,
  shortened,
  tellingExchange,
} from './exchange-text.ts';
import { htmlText } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';
import { deviationText, excusesOf, readingText } from './requirement-results.ts';
import { intervalOf } from './run-times.ts';

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
): TestResult {
  const category = categoryOf(result, outcome, header.side ?? 'bank');
  const requirements = outcome.requirements
    .map(({ requirement }) => requirement)
    .filter(({ id }) => result.requirements.includes(id));
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
    descriptionHtml: describeResult(result, requirements, header),
    labels: labels(result, requirements),
    links: requirements.map(({ id }) => ({
      name: `${id} in the matrix`,
      url: `requirements.html#${id}`,
      type: 'link',
    })),
    // Excluded from the history id, or every seed would start a trend of its own. A certification draws nothing.
    parameters: [
      ...(header.side === 'tpp'
        ? []
        : [
            { name: 'seed', value: String(header.seed), excluded: true },
            { name: 'cases', value: String(result.cases), excluded: true },
          ]),
      ...(result.counterexample === undefined
        ? []
        : [{ name: 'path', value: result.counterexample.path, excluded: true }]),
    ],
    steps: steps(result, attach),
    attachments: [],
    ...intervalOf(result),
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
    ...changedLines(result),
    ...(result.counterexample === undefined
      ? []
      : [`Smallest failing case: ${shortened(result.counterexample.value, 2000)}`]),
  ];
  const message = `${category.opening}${deviationReason(result, outcome)}: ${reason}\n\n${facts.join('\n')}`;
  return { message: `${shortened(message, 6000)}\n\nReproduce: ${result.reproduce}` };
}

function deviationReason(result: CheckResult, outcome: Outcome): string {
  const reasons = excusesOf(result, outcome).map(deviationText);
  return reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
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

/** Where all is well, the exchange that shows it is enough: the journal holds the others. */
function steps(result: CheckResult, attach: Attach): StepResult[] {
  const telling = tellingExchange(result);
  const isPlain = result.verdict === 'pass' || result.verdict === 'not-applicable';
  return result.exchanges.map((exchange) => {
    const shown = step(exchange, result.verdict === 'fail' && exchange === telling);
    return isPlain && exchange !== telling ? shown : { ...shown, attachments: messages(exchange, attach) };
  });
}

/** Always plain text: a bank that answers with HTML or script must not run anything in the report. */
function messages(exchange: Exchange, attach: Attach): StepResult['attachments'] {
  const attachment = (name: string, text: string) => ({ name, type: 'text/plain', source: attach(text) });
  return [attachment('Request', requestText(exchange)), attachment('Response', responseText(exchange))];
}

function step(exchange: Exchange, telling: boolean): StepResult {
  const start = Date.parse(exchange.startedAt);
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
    attachments: [],
    start,
    stop: start + exchange.durationMs,
  };
}

/**
 * The id of a result in this run. It follows from the run, so that building a report again changes nothing; the
 * start keeps apart a check that was judged twice.
 */
function allureUuid({ target, startedAt }: RunHeader, result: CheckResult): string {
  return hash(`${target.name} ${startedAt} ${result.id} ${result.startedAt}`);
}

/** What Allure makes of the id of a result; its page shows the result there. */
export function allureId(header: RunHeader, result: CheckResult): string {
  return hash(allureUuid(header, result));
}

/** By what Allure recognises a check in earlier runs: the hashes of its id, and of the parameters that count, which are none. */
export const allureHistoryId = (checkId: string): string => `${hash(checkId)}.${hash('')}`;

/** The id of a run among the earlier runs of its target. */
export function runUuid({ target, startedAt }: RunHeader): string {
  return hash(`${target.name} ${target.baseUrl} ${startedAt}`);
}

// MD5 because Allure uses it for its own ids; nothing here is secret.
function hash(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** A group of results that call for the same kind of action. */
export interface Category {
  readonly name: string;
  readonly status: Status;
  /** What the message of its results begins with, which is how Allure tells them apart. */
  readonly opening: string;
}

/** What is no plain pass is not counted as one, and fails nothing: Allure knows a fifth status, which its SDK does not name. */
const unknown = 'unknown' as Status;

const categories = {
  broken: { name: 'Requirement broken', status: Status.FAILED, opening: 'Requirement broken' },
  known: { name: 'Known deviation, accepted', status: Status.FAILED, opening: 'Known deviation' },
  inconclusive: { name: 'Inconclusive: try again', status: Status.BROKEN, opening: 'Inconclusive' },
  error: { name: 'Error of this tool', status: Status.BROKEN, opening: 'Error of this tool' },
  missing: {
    name: 'Not judged: the target file lacks something',
    status: Status.SKIPPED,
    opening: 'Not applicable',
  },
  notOffered: { name: 'Not offered, and no gap', status: Status.SKIPPED, opening: 'Not offered' },
  leftOpen: { name: 'Left open by a reading, and no gap', status: Status.SKIPPED, opening: 'Left open' },
  notSeen: { name: 'Not shown by the TPP', status: Status.SKIPPED, opening: 'Not seen' },
  warning: { name: 'Warning: should be met, and is not', status: unknown, opening: 'Warning' },
  otherReason: { name: 'Refused for another reason', status: Status.PASSED, opening: 'Passed, but' },
} as const satisfies Record<string, Category>;

/** In the order in which an auditor reads them. */
export const allCategories: readonly Category[] = Object.values(categories);

const byVerdict: Readonly<Record<Exclude<Verdict, 'pass' | 'not-applicable'>, Category>> = {
  fail: categories.broken,
  warning: categories.warning,
  inconclusive: categories.inconclusive,
  error: categories.error,
};

/** What Allure calls a verdict. */
export const statusOf = (verdict: Verdict): Status =>
  verdict === 'pass'
    ? Status.PASSED
    : verdict === 'not-applicable'
      ? Status.SKIPPED
      : byVerdict[verdict].status;

/** The category of a result; a plain pass has none. */
function categoryOf(result: CheckResult, { excused }: Outcome, side: Side): Category | undefined {
  if (excused.has(result.id)) return categories.known;
  if (result.verdict === 'not-applicable') return unjudgedCategory(result, side);
  if (result.verdict !== 'pass') return byVerdict[result.verdict];
  return result.pointsElsewhere === true ? categories.otherReason : undefined;
}

function unjudgedCategory({ leftOpen, notOffered }: CheckResult, side: Side): Category {
  if (leftOpen === true) return categories.leftOpen;
  if (notOffered === true) return categories.notOffered;
  return side === 'tpp' ? categories.notSeen : categories.missing;
}

/** What is demanded, and how to see it again; what came stands in the message above. */
function describeResult(
  { notes, reproduce }: CheckResult,
  requirements: readonly Requirement[],
  header: RunHeader,
): string {
  return [
    ...requirements.map((requirement) => describeRequirement(requirement, header)),
    ...(notes.length === 0
      ? []
      : [`<ul>${notes.map((note) => `<li>${htmlText(shortened(note, 2000))}</li>`).join('')}</ul>`]),
    `<pre><code>${htmlText(shortened(reproduce, 8000))}</code></pre>`,
  ].join('\n');
}

function describeRequirement(
  { id, level, section, statement, interpretation }: Requirement,
  header: RunHeader,
): string {
  const place = section.map(htmlText).join(' › ');
  const reading =
    interpretation === undefined ? '' : `<br>Reading: ${htmlText(readingText(interpretation, header))}`;
  return `<p><strong>${htmlText(id)}</strong> (${level}) ${htmlText(statement)}<br><em>${place}</em>${reading}</p>`;
}
