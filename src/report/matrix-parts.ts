import type { KillScores } from '../checks/kill-score.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { allureAnchor } from './allure-result.ts';
import { shortened } from './exchange-text.ts';
import { htmlText } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';
import type { DeviationState, RequirementResult, RequirementVerdict } from './requirement-results.ts';
import { readingsOf, readingText } from './requirement-results.ts';

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
    return `<tr id="${htmlText(requirement.id)}"><th scope="row">${htmlText(requirement.id)}</th><td class="wide">${htmlText(requirement.statement)}${reading}</td><td>${requirement.level}<small>${htmlText(requirement.profiles.join(', '))}</small></td><td>${verdictBadge(verdict)}${knownMark(result, outcome)}${unobservable}</td><td>${checkList(checks, header, report)}</td>${killCell(requirement.id, killScores)}</tr>`;
  });
  const headings = [
    'Id',
    'Statement',
    'Level, profiles',
    'Verdict',
    'Checks',
    ...(killScores === undefined ? [] : ['Kill score']),
  ];
  return table(`Requirements of ${section}`, headings, rows);
}

export function profileTable({ profiles }: Outcome): string {
  const rows = profiles.map(
    ({ id, title, version, verdict, judged, binding, broken, gaps, missingJourneys }) =>
      `<tr><th scope="row">${htmlText(id)}</th><td>${htmlText(title)}</td><td>${htmlText(version)}</td><td><span class="verdict ${verdict}">${verdict}</span></td><td class="number">${judged} of ${binding}</td><td class="wide">${anchors('Broken', broken)}${anchors('Not exercised', gaps)}${missingJourneys.length === 0 ? '' : `<small>Journeys not completed: ${htmlText(missingJourneys.join(', '))}</small>`}</td></tr>`,
  );
  return table(
    'Profiles',
    ['Profile', 'Title', 'Version', 'Verdict', 'Judged', 'What stands against it'],
    rows,
  );
}

const anchors = (name: string, ids: readonly string[]): string =>
  ids.length === 0
    ? ''
    : `<small>${name}: ${ids.map((id) => `<a href="#${htmlText(id)}">${htmlText(id)}</a>`).join(' ')}</small>`;

export function notBindingTable({ notBinding }: Outcome): string {
  const rows = notBinding.map(
    ({ what, kind, why }) =>
      `<tr><th scope="row">${htmlText(what)}</th><td>${kind}</td><td class="wide">${htmlText(why)}</td></tr>`,
  );
  return table('Not binding', ['What', 'Kind', 'Why'], rows);
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

/** The look of the matrix page: light and dark after the reader's system, and fit for paper. */
export const matrixStyle = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #586173; --line: #d9dee7; --ground: #f5f7fa; --card: #fff; --link: #1d4f91;
  --pass: #17693f; --pass-bg: #dcf3e6; --fail: #a32020; --fail-bg: #fbe0e0; --warning: #7d5200; --warning-bg: #fdf0d1;
  --inconclusive: #6b3fa0; --inconclusive-bg: #eee4fa; --none: #586173; --none-bg: #e8ebf0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a3adbd; --line: #333c4a; --ground: #12161d; --card: #1b212b; --link: #8ab4ff;
  --pass: #7fdcab; --pass-bg: #123524; --fail: #ff9d9d; --fail-bg: #471a1a; --warning: #f5c469; --warning-bg: #3d2c07;
  --inconclusive: #cdb0f5; --inconclusive-bg: #321f4d; --none: #a3adbd; --none-bg: #2a323f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main, header, footer { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 24px; top: 8px; }
header { padding-top: 36px; }
.eyebrow { margin: 0; color: var(--soft); font-size: 13px; letter-spacing: .04em; text-transform: uppercase; }
h1 { margin: 4px 0 12px; font-size: 30px; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 44px 0 12px; font-size: 21px; }
h3 { margin: 28px 0 8px; font-size: 16px; }
.overall { display: inline-block; padding: 5px 16px; border-radius: 18px; font-size: 17px; font-weight: 700; }
.overall.conformant, .verdict.conformant { background: var(--pass-bg); color: var(--pass); }
.overall.non-conformant, .verdict.non-conformant { background: var(--fail-bg); color: var(--fail); }
.overall.incomplete, .verdict.incomplete { background: var(--warning-bg); color: var(--warning); }
.overall.partial, .verdict.partial { background: var(--inconclusive-bg); color: var(--inconclusive); }
.links { margin: 14px 0; display: flex; flex-wrap: wrap; gap: 4px 20px; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 12px 24px; margin: 20px 0 0; padding: 18px 20px;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.facts dt { color: var(--soft); font-size: 12.5px; }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.remarks { margin: 0; padding-left: 20px; }
.problems { margin: 20px 0 0; padding: 14px 20px 14px 38px; background: var(--warning-bg); color: var(--warning); border-radius: 10px; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(112px, 1fr)); gap: 10px; margin: 20px 0 0; padding: 0; list-style: none; }
.counts li { padding: 10px 14px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; color: var(--soft); font-size: 13px; }
.counts b { display: block; color: var(--ink); font-size: 24px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.bar { display: flex; gap: 2px; height: 12px; margin: 10px 0 6px; border-radius: 6px; overflow: hidden; }
.bar span { min-width: 3px; }
.bar .pass { background: #2f9e66; } .bar .fail, .bar .error { background: #d64545; } .bar .warning { background: #dd9a1c; }
.bar .inconclusive { background: #9067cc; } .bar .not-applicable, .bar .not-tested { background: #98a2b3; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; }
caption { padding: 0 0 6px; text-align: left; color: var(--soft); font-size: 13px; }
th, td { padding: 8px 14px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-size: 12.5px; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
tr:target { outline: 3px solid var(--link); outline-offset: -3px; }
td.wide { width: 45%; min-width: 260px; overflow-wrap: anywhere; }
td.reason { min-width: 200px; overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td small { display: block; color: var(--soft); font-size: 13px; }
.verdict { display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: 13px; font-weight: 600; white-space: nowrap; }
.verdict.pass { background: var(--pass-bg); color: var(--pass); }
.verdict.fail, .verdict.error { background: var(--fail-bg); color: var(--fail); }
.verdict.warning { background: var(--warning-bg); color: var(--warning); }
.verdict.inconclusive { background: var(--inconclusive-bg); color: var(--inconclusive); }
.verdict.not-applicable, .verdict.not-tested, .verdict.plain { background: var(--none-bg); color: var(--none); }
.checks { display: flex; flex-wrap: wrap; gap: 0 12px; min-width: 150px; margin: 0; padding: 0; list-style: none; font-size: 13.5px; }
.checks li { white-space: nowrap; }
nav ul { columns: 320px; margin: 0; padding-left: 20px; }
nav .tally { color: var(--soft); font-size: 13px; }
nav .tally strong { color: var(--fail); }
.legend { display: grid; grid-template-columns: max-content 1fr; gap: 6px 14px; margin: 0; }
.legend dd { margin: 0; }
footer { margin: 48px auto 32px; color: var(--soft); font-size: 13px; }
@media print { body { background: #fff; font-size: 11px; } nav, .links { display: none; } .scroll { overflow: visible; } tr { break-inside: avoid; } }
`;
