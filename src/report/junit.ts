import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { changedLines, exchangeLine } from './exchange-text.ts';
import { withoutLinks, xmlAttribute, xmlText } from './harmless-text.ts';
import { runDuration } from './journal.ts';
import { type Outcome, plural } from './outcome.ts';
import { profileText } from './profile-results.ts';
import { excusesOf } from './requirement-results.ts';
import { sharesOfTime } from './run-times.ts';

/**
 * JUnit XML, one testsuite per suite. CI systems know four outcomes, so the six verdicts become:
 *
 * | verdict | JUnit | why |
 * |---|---|---|
 * | pass | passed | |
 * | warning | passed, with the reason in system-out | a should-level requirement breaks no build |
 * | fail | `<failure>` | |
 * | fail, excused by a known deviation | `<skipped>` with its reason | the gate stays green, the entry stays visible |
 * | inconclusive, error | `<error>` with that type | nothing was shown, and nothing unproven may look green |
 * | not-applicable | `<skipped>` with what is missing | |
 *
 * What concerns the whole run (interrupted, requirements not exercised) is a test case of its own, because a
 * cut-short run without a failure would otherwise upload as all green. The verdict on each profile is a property. Times
 * are shares of the run's time, since build servers add them up.
 */
export function junitXml(run: RunRecord, outcome: Outcome): string {
  const times = sharesOfTime(run.results);
  const suites = [...groupedBy(run.results, ({ suite }) => suite.id)].map(([id, results]) =>
    testSuite(id, results, outcome, times),
  );
  if (outcome.problems.length > 0) suites.push(runSuite(outcome));
  const { header } = run;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${xmlAttribute(`${header.tool.name}: ${header.target.name}`)}" time="${seconds(runDuration(run))}">
${propertiesOf(header, outcome)}${suites.join('\n')}
</testsuites>
`;
}

/** Properties of all suites together: what holds for the run belongs to no single one. */
function propertiesOf({ insecure, remarks = [] }: RunHeader, outcome: Outcome): string {
  const properties: readonly (readonly [string, string])[] = [
    ['verdict', outcome.verdict],
    ['judged', outcome.part === undefined ? 'the whole' : `a part: ${outcome.part}`],
    ...outcome.profiles.map((profile) => [`profile.${profile.id}`, profileText(profile)] as const),
    ...outcome.notBinding.map(({ what, why }) => [`notBinding.${what}`, why] as const),
    ...(insecure === true ? [['tls', 'the certificate of the bank was not verified'] as const] : []),
    ...remarks.map((remark) => ['remark', remark] as const),
  ];
  const lines = properties.map(
    ([name, value]) => `    <property name="${xmlAttribute(name)}" value="${xmlAttribute(value)}"/>`,
  );
  return `  <properties>\n${lines.join('\n')}\n  </properties>\n`;
}

type JunitOutcome = 'passed' | 'failure' | 'error' | 'skipped';

function junitOutcome(result: CheckResult, { excused }: Outcome): JunitOutcome {
  switch (result.verdict) {
    case 'pass':
    case 'warning':
      return 'passed';
    case 'fail':
      return excused.has(result.id) ? 'skipped' : 'failure';
    case 'inconclusive':
    case 'error':
      return 'error';
    case 'not-applicable':
      return 'skipped';
  }
}

type Times = ReadonlyMap<string, number>;

function testSuite(id: string, results: readonly CheckResult[], outcome: Outcome, times: Times): string {
  const count = (wanted: JunitOutcome): number =>
    results.filter((result) => junitOutcome(result, outcome) === wanted).length;
  const first = results[0];
  const attributes = [
    `name="${xmlAttribute(first === undefined ? id : `${id}: ${first.suite.title}`)}"`,
    `tests="${results.length}"`,
    `failures="${count('failure')}"`,
    `errors="${count('error')}"`,
    `skipped="${count('skipped')}"`,
    `time="${seconds(results.reduce((sum, result) => sum + (times.get(result.id) ?? 0), 0))}"`,
    ...(first === undefined ? [] : [`timestamp="${xmlAttribute(first.startedAt)}"`]),
  ];
  return `  <testsuite ${attributes.join(' ')}>
${results.map((result) => testCase(result, outcome, times)).join('\n')}
  </testsuite>`;
}

function testCase(result: CheckResult, outcome: Outcome, times: Times): string {
  const attributes = `classname="${xmlAttribute(result.suite.id.replaceAll('/', '.'))}" name="${xmlAttribute(`${result.id}: ${result.title}`)}" time="${seconds(times.get(result.id) ?? 0)}"`;
  const content = caseContent(result, outcome);
  return content.length === 0
    ? `    <testcase ${attributes}/>`
    : `    <testcase ${attributes}>\n${content.map((line) => `      ${line}`).join('\n')}\n    </testcase>`;
}

function caseContent(result: CheckResult, outcome: Outcome): readonly string[] {
  const message = xmlAttribute(withoutLinks(result.reason ?? result.title));
  const remarks = [
    ...(result.verdict === 'warning' ? [`warning: ${result.reason ?? ''}`] : []),
    ...result.notes,
  ];
  const systemOut =
    remarks.length === 0 ? [] : [`<system-out>${xmlText(withoutLinks(remarks.join('\n')))}</system-out>`];
  switch (junitOutcome(result, outcome)) {
    case 'passed':
      return systemOut;
    case 'skipped':
      return [
        `<skipped message="${xmlAttribute(withoutLinks(skipMessage(result, outcome)))}"/>`,
        ...systemOut,
      ];
    case 'failure':
      return [
        `<failure type="${result.level}" message="${message}">${evidence(result, outcome)}</failure>`,
        ...systemOut,
      ];
    case 'error':
      return [
        `<error type="${result.verdict}" message="${message}">${evidence(result, outcome)}</error>`,
        ...systemOut,
      ];
  }
}

function skipMessage(result: CheckResult, outcome: Outcome): string {
  if (result.verdict !== 'fail') return result.reason ?? 'not applicable';
  const reasons = excusesOf(result, outcome).map(({ requirement, reason }) => `${requirement}: ${reason}`);
  return `known deviation (${reasons.join('; ')}) ${result.reason ?? ''}`.trim();
}

function evidence(result: CheckResult, { requirements, causes }: Outcome): string {
  const cause = causes.find(({ checks }) => checks.includes(result));
  const statements = requirements
    .filter(({ requirement }) => result.requirements.includes(requirement.id))
    .map(({ requirement }) => `${requirement.id} (${requirement.level}): ${requirement.statement}`);
  const lines = [
    ...statements,
    ...(result.expected === undefined ? [] : [`Expected: ${result.expected}`]),
    ...(result.actual === undefined ? [] : [`Actual:   ${result.actual}`]),
    ...changedLines(result),
    ...(cause === undefined || cause.checks.length === 1
      ? []
      : [`Cause:    ${cause.sentence} (${plural(cause.checks.length, 'check')})`]),
    ...(cause?.remedies[0] === undefined ? [] : [`Remedy:   ${cause.remedies[0].remedy}`]),
    ...(result.counterexample === undefined ? [] : [`Smallest failing case: ${result.counterexample.value}`]),
    ...result.exchanges.map(exchangeLine),
  ];
  return xmlText(`${withoutLinks(lines.join('\n'))}\nReproduce: ${result.reproduce}`);
}

function runSuite(outcome: Outcome): string {
  const tag = outcome.verdict === 'non-conformant' ? 'failure' : 'error';
  const failures = tag === 'failure' ? 1 : 0;
  const problems = outcome.problems.map(withoutLinks);
  return `  <testsuite name="run" tests="1" failures="${failures}" errors="${1 - failures}" skipped="0" time="0.000">
    <testcase classname="run" name="the run as a whole is ${outcome.verdict}" time="0.000">
      <${tag} type="${outcome.verdict}" message="${xmlAttribute(problems[0] ?? '')}">${xmlText(problems.join('\n'))}</${tag}>
    </testcase>
  </testsuite>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
