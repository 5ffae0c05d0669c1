import type { RunRecord, Verdict } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { attestedText } from './attested.ts';
import { englishWords } from './english-words.ts';
import { htmlText } from './harmless-text.ts';
import { requirementsText, sectionBars, tallyBar, trendChart } from './matrix-charts.ts';
import {
  deviations,
  filterForm,
  findingTable,
  interpretations,
  type MatrixOptions,
  notBinding,
  problems,
  profileChips,
  profileTable,
  remarks,
  requirementTable,
  runFacts,
  type Unjudged,
  unjudgedTable,
  verdictBadge,
} from './matrix-parts.ts';
import { filterScript, filterScriptHash, matrixStyle } from './matrix-style.ts';
import type { Language, MatrixWords } from './matrix-words.ts';
import { norwegianWords } from './norwegian-words.ts';
import type { Outcome } from './outcome.ts';
import { pageHead } from './page-head.ts';
import {
  type RequirementResult,
  type RequirementVerdict,
  tallyOf,
  verdictOrder,
} from './requirement-results.ts';
import { pointOf } from './run-history.ts';

const wordsIn: Readonly<Record<Language, MatrixWords>> = { en: englishWords, nb: norwegianWords };

type Sections = readonly (readonly [string, readonly RequirementResult[]])[];

/**
 * The page `requirements.html`, for auditors: the verdict and its summary first, which is also what a printer gets, then
 * every requirement with its evidence, and what was not judged and why. Its script only filters.
 */
export function requirementMatrix(run: RunRecord, outcome: Outcome, options: MatrixOptions): string {
  const { header } = run;
  const language = options.language ?? 'en';
  const words = wordsIn[language];
  const { headings } = words;
  const tally = tallyOf(outcome.requirements);
  const sections = [
    ...groupedBy(outcome.requirements, ({ requirement }) => requirement.section[0] ?? 'Other'),
  ];
  return `${pageHead({
    title: `${headings.requirements} — ${header.target.name}: ${words.overall[outcome.verdict]}`,
    style: matrixStyle,
    language,
    scriptHash: filterScriptHash,
  })}
<body>
<a class="skip" href="#requirements">${words.skip}</a>
<header>
<p class="eyebrow">${htmlText(header.tool.name)} · ${words.page}</p>
<h1>${htmlText(header.target.name)} <span class="overall ${outcome.verdict}">${words.overall[outcome.verdict]}${outcome.interrupted ? ` (${words.interrupted})` : ''}</span></h1>
${profileChips(outcome, words)}
${problems(outcome)}
${runFacts(run, outcome, words)}
<p class="attested">${htmlText(attestedText(options.attested, words.attested))}</p>
${links(options, words)}
</header>
<main>
<h2 id="summary">${headings.summary}</h2>
${requirementCounts(run, outcome, words)}
${findings(outcome, words)}
<h2 id="sections">${headings.sections}</h2>
${sectionBars(sections, words)}
<h2 id="trend">${headings.trend}</h2>
${trendChart(options.earlier ?? [], pointOf(run, outcome), words)}
<h2 id="profiles">${headings.profiles}</h2>
<p class="note screen-only">${words.profilesIntro}</p>
${profileTable(outcome, words)}
${deviations(outcome, words)}
<p class="print-only">${words.printed(outcome.requirements.length)}</p>
<div class="screen-only">
${remarks(run, words)}
${contents(sections, words)}
<div>
<h2>${headings.requirements}</h2>
${options.killScores === undefined ? '' : `<p class="note">${words.proofIntro}</p>`}
${filterForm(
  words.filter,
  verdictOrder.flatMap((verdict) =>
    tally[verdict] === undefined ? [] : [[verdict, words.verdicts[verdict]]],
  ),
  ['section', sections.map(([title]) => [title, title])],
  'requirements',
)}
<div id="requirements">
${sections.map(([title, results], index) => section(`section-${index}`, title, results, run, outcome, options, words)).join('\n')}
</div>
</div>
${notJudged(outcome, words)}
${notBinding(outcome, words)}
${interpretations(run, words)}
<h2 id="verdicts">${headings.verdicts}</h2>
<dl class="legend">${verdictOrder.map((verdict) => `<dt>${verdictBadge(verdict, words)}</dt><dd>${words.meanings[verdict]}</dd>`).join('')}</dl>
</div>
</main>
<footer>${htmlText(header.tool.name)} ${htmlText(header.tool.version)}. ${words.written}</footer>
<script>${filterScript}</script>
</body>
</html>
`;
}

function links({ report, certified }: MatrixOptions, words: MatrixWords): string {
  const page = report ? `<a href="report.html">${words.report}</a>` : '';
  const certificate = certified === true ? `<a href="certificate.html">${words.certificate}</a>` : '';
  return `<p class="links">${page}${certificate}<a href="summary.json">summary.json</a><a href="junit.xml">junit.xml</a></p>`;
}

/** One bar for the whole catalogue, and the checks behind it. */
function requirementCounts({ header }: RunRecord, outcome: Outcome, words: MatrixWords): string {
  const { requirements, counts, excused } = outcome;
  const shown: readonly Verdict[] = ['pass', 'fail', 'warning', 'inconclusive', 'error', 'not-applicable'];
  const items = shown.map(
    (verdict) =>
      `<li class="${counts[verdict] === 0 ? 'none' : verdict}"><b>${counts[verdict]}</b>${words.verdicts[verdict]}</li>`,
  );
  const known = excused.size === 0 ? '' : `<li><b>${excused.size}</b>${words.excused}</li>`;
  return `${tallyBar(tallyOf(requirements))}<p>${requirementsText(outcome, header.side, words)}</p>
<h3>${words.headings.checks}</h3><ul class="counts">${items.join('')}${known}</ul>`;
}

function contents(sections: Sections, words: MatrixWords): string {
  const { headings } = words;
  const items = [
    ...sections.map(([title], index) => [`section-${index}`, title] as const),
    ['not-judged', headings.notJudged] as const,
    ['interpretations', headings.interpretations] as const,
    ['verdicts', headings.verdicts] as const,
  ].map(([anchor, title]) => `<li><a href="#${anchor}">${htmlText(title)}</a></li>`);
  return `<h2>${headings.contents}</h2><nav aria-label="${headings.contents}"><ul>${items.join('')}</ul></nav>`;
}

function findings(outcome: Outcome, words: MatrixWords): string {
  const found = (verdict: RequirementVerdict): readonly RequirementResult[] =>
    outcome.requirements.filter((result) => result.verdict === verdict);
  const part = (heading: string, results: readonly RequirementResult[]): string =>
    results.length === 0 ? '' : `<h2>${heading}</h2>${findingTable(heading, results, outcome, words)}`;
  const warned = part(words.headings.warnings, found('warning'));
  return `${part(words.headings.broken, found('fail'))}${warned === '' ? '' : `<div class="screen-only">${warned}</div>`}`;
}

function section(
  anchor: string,
  title: string,
  results: readonly RequirementResult[],
  { header }: RunRecord,
  outcome: Outcome,
  options: MatrixOptions,
  words: MatrixWords,
): string {
  const parts = [...groupedBy(results, ({ requirement }) => requirement.section.slice(1).join(' › '))].map(
    ([part, own]) =>
      `<div class="part">${part === '' ? '' : `<h3>${htmlText(part)}</h3>`}${requirementTable(part === '' ? title : `${title} › ${part}`, own, header, outcome, options, words)}</div>`,
  );
  return `<section aria-labelledby="${anchor}"><h2 id="${anchor}">${htmlText(title)}</h2>${parts.join('\n')}</section>`;
}

function notJudged(
  { requirements, gaps, notBinding: others, profiles: judged }: Outcome,
  words: MatrixWords,
): string {
  const { headings } = words;
  const isJudged = ({ requirement }: RequirementResult): boolean =>
    requirement.profiles.some((id) => judged.some((profile) => profile.id === id)) &&
    !others.some(({ what }) => what === requirement.id);
  const why = new Map(gaps.map((gap) => [gap.requirement.id, gap.why]));
  const open = requirements.flatMap((result): Unjudged[] => {
    if (result.requirement.unobservable !== undefined && result.checks.length === 0) return [];
    if (!isJudged(result)) return [];
    if (result.verdict === 'pass' || result.verdict === 'fail' || result.verdict === 'warning') return [];
    const reasons = result.checks.flatMap(({ reason }) => reason ?? []);
    return [{ result, why: why.get(result.requirement.id) ?? reasons[0] ?? words.notCited }];
  });
  const hidden = requirements.flatMap((result): Unjudged[] =>
    result.requirement.unobservable === undefined ? [] : [{ result, why: result.requirement.unobservable }],
  );
  const part = (heading: string, unjudged: readonly Unjudged[]): string =>
    unjudged.length === 0 ? '' : `<h3>${heading}</h3>${unjudgedTable(heading, unjudged, words)}`;
  const parts = `${part(headings.leftOpen, open)}${part(headings.unobservable, hidden)}`;
  return `<h2 id="not-judged">${headings.notJudged}</h2>${parts === '' ? `<p>${words.everythingJudged}</p>` : parts}`;
}
