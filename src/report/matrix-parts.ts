import type { KillScores } from '../checks/kill-score.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { allureAnchor } from './allure-ids.ts';
import { shortened } from './exchange-text.ts';
import { htmlText } from './html-text.ts';
import type { DeviationState } from './known-deviations.ts';
import type { Outcome } from './outcome.ts';
import { readingsOf, readingText } from './reading-text.ts';
import type { RequirementResult, RequirementVerdict } from './requirement-results.ts';

export interface MatrixOptions {
  /** From a mutation run, by requirement id; adds a column. */
  readonly killScores?: KillScores;
  /** Whether a report page stands next to this one, for the links into it. */
  readonly report: boolean;
}

const verdictWords: Readonly<Record<RequirementVerdict, string>> = {
  pass: 'pass',
  fail: 'fail',
  warning: 'warning',
  'not-applicable': 'not applicable',
  inconclusive: 'inconclusive',
  error: 'error of this tool',
  'not-tested': 'not tested',
};

const stateWords: Readonly<Record<DeviationState, string>> = {
  happens: 'happens, accepted',
  'not-exercised': 'not exercised',
  gone: 'no longer happens',
  expired: 'past its date',
  'without-reason': 'without a reason',
  'unknown-requirement': 'unknown requirement',
};

export function verdictBadge(verdict: RequirementVerdict): string {
  return `<span class="verdict ${verdict}">${verdictWords[verdict]}</span>`;
}

/** A table that scrolls in itself on a narrow screen, with its headings bound to their cells. */
export function table(caption: string, headings: readonly string[], rows: readonly string[]): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  return `<div class="scroll"><table aria-label="${htmlText(caption)}"><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** The requirements of one section. */
export function requirementTable(
  section: string,
  results: readonly RequirementResult[],
  header: RunHeader,
  outcome: Outcome,
  { killScores, report }: MatrixOptions,
): string {
  const rows = results.map((result) => {
    const { requirement, verdict, checks } = result;
    const reading =
      requirement.interpretation === undefined
        ? ''
        : `<small>Reading: ${htmlText(readingText(requirement.interpretation, header))}</small>`;
    const unobservable = requirement.unobservable === undefined ? '' : '<small>cannot be observed</small>';
    return `<tr id="${htmlText(requirement.id)}"><th scope="row">${htmlText(requirement.id)}</th><td class="wide">${htmlText(requirement.statement)}${reading}</td><td>${requirement.level}</td><td>${verdictBadge(verdict)}${knownMark(result, outcome)}${unobservable}</td><td>${checkList(checks, header, report)}</td>${killCell(requirement.id, killScores)}</tr>`;
  });
  const headings = [
    'Id',
    'Statement',
    'Level',
    'Verdict',
    'Checks',
    ...(killScores === undefined ? [] : ['Kill score']),
  ];
  return table(`Requirements of ${section}`, headings, rows);
}

export function deviationTable({ knownDeviations }: Outcome): string {
  const rows = knownDeviations.map(
    ({ requirement, reason, until, state, problem }) =>
      `<tr><th scope="row">${htmlText(requirement)}</th><td class="wide">${htmlText(reason)}${problem === undefined ? '' : `<small>${htmlText(problem)}</small>`}</td><td>${htmlText(until ?? 'open')}</td><td><span class="verdict ${problem === undefined ? 'plain' : 'fail'}">${stateWords[state]}</span></td></tr>`,
  );
  return table('Known deviations', ['Requirement', 'Reason', 'Until', 'State'], rows);
}

export function interpretationTable(header: RunHeader): string {
  const rows = readingsOf(header).map(
    ({ id, question, taken }) =>
      `<tr><th scope="row">${htmlText(id)}</th><td class="wide">${htmlText(question)}</td><td>${htmlText(taken)}</td></tr>`,
  );
  return table('Interpretations', ['Interpretation', 'What is open', 'Reading taken'], rows);
}

/** What stands between the bank and conformance, with the words of the checks that found it. */
export function findingTable(
  caption: string,
  results: readonly RequirementResult[],
  outcome: Outcome,
): string {
  const rows = results.map((result) => {
    const { requirement, verdict, checks } = result;
    const reasons = checks.flatMap((check) =>
      check.verdict === verdict ? (check.reason ?? check.title) : [],
    );
    const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : '';
    return `<tr><th scope="row"><a href="#${htmlText(requirement.id)}">${htmlText(requirement.id)}</a></th><td>${requirement.level}</td><td class="wide">${htmlText(requirement.statement)}</td><td class="reason">${htmlText(shortened(reasons[0] ?? '', 400))}${more}</td><td>${verdictBadge(verdict)}${knownMark(result, outcome)}</td></tr>`;
  });
  return table(caption, ['Id', 'Level', 'Statement', 'What was seen', 'Verdict'], rows);
}

/** What was not judged: the reason of the checks says what to provide, the catalogue says what nobody can see. */
export function unjudgedTable(caption: string, rows: readonly Unjudged[]): string {
  return table(
    caption,
    ['Id', 'Level', 'Statement', 'Why'],
    rows.map(
      ({ result: { requirement }, why }) =>
        `<tr><th scope="row"><a href="#${htmlText(requirement.id)}">${htmlText(requirement.id)}</a></th><td>${requirement.level}</td><td class="wide">${htmlText(requirement.statement)}</td><td>${htmlText(why)}</td></tr>`,
    ),
  );
}

export interface Unjudged {
  readonly result: RequirementResult;
  readonly why: string;
}

function knownMark({ verdict, checks }: RequirementResult, { excused }: Outcome): string {
  const known =
    verdict === 'fail' && checks.every((check) => check.verdict !== 'fail' || excused.has(check.id));
  return known ? '<small>known deviation</small>' : '';
}

function checkList(checks: readonly CheckResult[], header: RunHeader, report: boolean): string {
  if (checks.length === 0) return '–';
  const passed = (check: CheckResult): number => (check.verdict === 'pass' ? 1 : 0);
  const items = checks
    .toSorted((a, b) => passed(a) - passed(b))
    .map((check) => {
      const { id, title, verdict } = check;
      const name = report
        ? `<a href="report.html${allureAnchor(header, check)}" title="${htmlText(title)}">${htmlText(id)}</a>`
        : `<span title="${htmlText(title)}">${htmlText(id)}</span>`;
      return `<li>${name}${verdict === 'pass' ? '' : ` ${verdictWords[verdict]}`}</li>`;
    });
  return `<ul class="checks">${items.join('')}</ul>`;
}

function killCell(id: string, killScores: KillScores | undefined): string {
  if (killScores === undefined) return '';
  const score = killScores.get(id);
  return `<td class="number">${score === undefined ? '–' : `${score.killed} of ${score.total}`}</td>`;
}
