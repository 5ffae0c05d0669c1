import type { RunRecord, Verdict } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Side } from '../spec/requirement.ts';
import { htmlText } from './harmless-text.ts';
import { runDuration, runRequests } from './journal.ts';
import {
  deviationTable,
  findingTable,
  interpretationTable,
  type MatrixOptions,
  matrixStyle,
  notBindingTable,
  profileTable,
  requirementTable,
  type Unjudged,
  unjudgedTable,
  verdictBadge,
} from './matrix-parts.ts';
import type { Outcome } from './outcome.ts';
import type { RequirementResult, RequirementVerdict } from './requirement-results.ts';

const verdictOrder: readonly RequirementVerdict[] = [
  'pass',
  'fail',
  'warning',
  'inconclusive',
  'error',
  'not-applicable',
  'not-tested',
];

const meanings: Readonly<Record<RequirementVerdict, string>> = {
  pass: 'Every check of it that applies held.',
  fail: 'At least one check found it broken.',
  warning: 'It should be met, or is advice, and was not.',
  inconclusive: 'Transport, overload or a refused control left it open.',
  error: 'A check broke down; that says nothing about the target.',
  'not-applicable': 'The target does not offer what its checks need, or the TPP has not shown it.',
  'not-tested': 'No check of this run cites it.',
};

/** The page `requirements.html`: every requirement with its verdict, and what was not judged and why. It needs no script. */
export function requirementMatrix(run: RunRecord, outcome: Outcome, options: MatrixOptions): string {
  const { header } = run;
  const sections = [
    ...groupedBy(outcome.requirements, ({ requirement }) => requirement.section[0] ?? 'Other'),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Requirements — ${htmlText(header.target.name)}: ${outcome.verdict}</title>
<style>${matrixStyle}</style>
</head>
<body>
<a class="skip" href="#requirements">Skip to the requirements</a>
<header>
<p class="eyebrow">${htmlText(header.tool.name)} · requirement matrix</p>
<h1>${htmlText(header.target.name)}</h1>
<p class="overall ${outcome.verdict}">${outcome.verdict}${outcome.interrupted ? ' (interrupted)' : ''}</p>
${links(options)}
${facts(run, outcome)}
${problems(outcome)}
${remarks(run)}
</header>
<main>
${profiles(outcome)}
<h2>Checks</h2>
${checkCounts(outcome)}
<h2>Requirements</h2>
${requirementCounts(outcome.requirements, header.side ?? 'bank')}
${findings(outcome)}
${deviations(outcome)}
<h2>Contents</h2>
${contents(sections)}
<div id="requirements">
${sections.map(([title, results], index) => section(`section-${index}`, title, results, run, outcome, options)).join('\n')}
</div>
${notJudged(outcome)}
${interpretations(run)}
<h2 id="verdicts">What the verdicts mean</h2>
<dl class="legend">${verdictOrder.map((verdict) => `<dt>${verdictBadge(verdict)}</dt><dd>${meanings[verdict]}</dd>`).join('')}</dl>
</main>
<footer>Written by ${htmlText(header.tool.name)} ${htmlText(header.tool.version)} from the journal of the run. It loads nothing and runs no script.</footer>
</body>
</html>
`;
}

function links({ report }: MatrixOptions): string {
  const page = report ? '<a href="report.html">Report with every exchange</a>' : '';
  return `<p class="links">${page}<a href="summary.json">summary.json</a><a href="junit.xml">junit.xml</a></p>`;
}

function facts(run: RunRecord, { part }: Outcome): string {
  const { header } = run;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Base URL', header.target.baseUrl],
    ['Environment', header.target.environment],
    ['Started', header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')],
    ['Duration', `${(runDuration(run) / 1000).toFixed(1)} s, ${runRequests(run)} requests`],
    ['Tool', `${header.tool.name} ${header.tool.version}`],
    ['Catalogue', header.catalogue],
    ['Seed', `${header.seed}, ${header.runs} cases per property`],
    ['Only a part was judged', part],
    ['Certificate of the bank', header.insecure === true ? 'not verified (tls.insecure)' : undefined],
  ];
  const entries = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`<div><dt>${name}</dt><dd>${htmlText(value)}</dd></div>`],
  );
  return `<dl class="facts">${entries.join('')}</dl>`;
}

function problems({ problems: sentences }: Outcome): string {
  if (sentences.length === 0) return '';
  return `<ul class="problems">${sentences.map((sentence) => `<li>${htmlText(sentence)}</li>`).join('')}</ul>`;
}

function remarks({ header }: RunRecord): string {
  if (header.remarks === undefined) return '';
  const items = header.remarks.map((remark) => `<li>${htmlText(remark)}</li>`).join('');
  return `<h2>Remarks before the first check</h2><ul class="remarks">${items}</ul>`;
}

function profiles(outcome: Outcome): string {
  const others =
    outcome.notBinding.length === 0 ? '' : `<h3>Not binding, and no gap</h3>${notBindingTable(outcome)}`;
  return `<h2 id="profiles">Profiles</h2><p>Each includes the requirements of core. The verdict of the run is the worst of them.</p>${profileTable(outcome)}${others}`;
}

function checkCounts({ counts, excused }: Outcome): string {
  const shown: readonly Verdict[] = ['pass', 'fail', 'warning', 'inconclusive', 'error', 'not-applicable'];
  const items = shown.map((verdict) => `<li><b>${counts[verdict]}</b>${verdict.replace('-', ' ')}</li>`);
  const known = excused.size === 0 ? '' : `<li><b>${excused.size}</b>excused failures</li>`;
  return `<ul class="counts">${items.join('')}${known}</ul>`;
}

/** One bar for the whole catalogue; its text says the same to those who do not see it. */
function requirementCounts(results: readonly RequirementResult[], side: Side): string {
  const tallies = verdictOrder
    .map((verdict) => ({ verdict, count: results.filter((result) => result.verdict === verdict).length }))
    .filter(({ count }) => count > 0);
  const parts = tallies.map(
    ({ verdict, count }) => `<span class="${verdict}" style="flex: ${count}"></span>`,
  );
  const words = tallies.map(({ verdict, count }) => `${count} ${verdict.replace('-', ' ')}`);
  return `<div class="bar" aria-hidden="true">${parts.join('')}</div><p>${results.length} requirements bind a ${side === 'tpp' ? 'TPP' : 'bank'}: ${words.join(', ')}.</p>`;
}

function contents(sections: readonly (readonly [string, readonly RequirementResult[]])[]): string {
  const items = sections.map(([title, results], index) => {
    const held = results.filter(({ verdict }) => verdict === 'pass').length;
    const broken = results.filter(({ verdict }) => verdict === 'fail').length;
    const fail = broken === 0 ? '' : `, <strong>${broken} fail</strong>`;
    return `<li><a href="#section-${index}">${htmlText(title)}</a> <span class="tally">${held} of ${results.length} pass${fail}</span></li>`;
  });
  const more = [
    '<li><a href="#profiles">Profiles</a></li>',
    '<li><a href="#not-judged">What was not judged, and why</a></li>',
    '<li><a href="#interpretations">Interpretations</a></li>',
    '<li><a href="#verdicts">What the verdicts mean</a></li>',
  ];
  return `<nav aria-label="Contents"><ul>${[...items, ...more].join('')}</ul></nav>`;
}

function findings(outcome: Outcome): string {
  const found = (verdict: RequirementVerdict): readonly RequirementResult[] =>
    outcome.requirements.filter((result) => result.verdict === verdict);
  const broken = found('fail');
  const warned = found('warning');
  return [
    broken.length === 0
      ? ''
      : `<h2>Broken requirements</h2>${findingTable('Broken requirements', broken, outcome)}`,
    warned.length === 0 ? '' : `<h2>Warnings</h2>${findingTable('Warnings', warned, outcome)}`,
  ].join('');
}

function deviations(outcome: Outcome): string {
  if (outcome.knownDeviations.length === 0) return '';
  return `<h2>Known deviations</h2>${deviationTable(outcome)}`;
}

function interpretations({ header }: RunRecord): string {
  if (Object.keys(header.interpretations).length === 0) return '';
  return `<h2 id="interpretations">Interpretations</h2><p>Where the specification is silent or contradicts itself, these readings were taken.</p>${interpretationTable(header)}`;
}

function section(
  anchor: string,
  title: string,
  results: readonly RequirementResult[],
  { header }: RunRecord,
  outcome: Outcome,
  options: MatrixOptions,
): string {
  const parts = [...groupedBy(results, ({ requirement }) => requirement.section.slice(1).join(' › '))].map(
    ([part, own]) =>
      `${part === '' ? '' : `<h3>${htmlText(part)}</h3>`}${requirementTable(part === '' ? title : `${title} › ${part}`, own, header, outcome, options)}`,
  );
  return `<section aria-labelledby="${anchor}"><h2 id="${anchor}">${htmlText(title)}</h2>${parts.join('\n')}</section>`;
}

function notJudged({ requirements, gaps, notBinding, profiles: judged }: Outcome): string {
  const isJudged = ({ requirement }: RequirementResult): boolean =>
    requirement.profiles.some((id) => judged.some((profile) => profile.id === id)) &&
    !notBinding.some(({ what }) => what === requirement.id);
  const why = new Map(gaps.map((gap) => [gap.requirement.id, gap.why]));
  const open = requirements.flatMap((result): Unjudged[] => {
    if (result.requirement.unobservable !== undefined && result.checks.length === 0) return [];
    if (!isJudged(result)) return [];
    if (result.verdict === 'pass' || result.verdict === 'fail' || result.verdict === 'warning') return [];
    const reasons = result.checks.flatMap(({ reason }) => reason ?? []);
    return [
      { result, why: why.get(result.requirement.id) ?? reasons[0] ?? 'No check of this run cites it.' },
    ];
  });
  const hidden = requirements.flatMap((result): Unjudged[] =>
    result.requirement.unobservable === undefined ? [] : [{ result, why: result.requirement.unobservable }],
  );
  if (open.length + hidden.length === 0) {
    return '<h2 id="not-judged">What was not judged, and why</h2><p>Nothing: every requirement was judged.</p>';
  }
  return `<h2 id="not-judged">What was not judged, and why</h2>${
    open.length === 0 ? '' : `<h3>Left open by this run</h3>${unjudgedTable('Left open by this run', open)}`
  }${
    hidden.length === 0
      ? ''
      : `<h3>Not observable from outside</h3>${unjudgedTable('Not observable from outside', hidden)}`
  }`;
}
