import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { type Attested, attestedText } from './attested.ts';
import type { Cause } from './causes.ts';
import { englishWords as words } from './english-words.ts';
import {
  controlExchange,
  exchangeLine,
  requestText,
  responseText,
  shortened,
  tellingExchange,
} from './exchange-text.ts';
import { htmlContent, htmlText } from './harmless-text.ts';
import { targetFlagFor } from './journal.ts';
import {
  deviations,
  filterForm,
  findingTable,
  interpretations,
  notBinding,
  problems,
  profileChips,
  profileTable,
  remarks,
  runFacts,
  verdictBadge,
} from './matrix-parts.ts';
import { filterScript, filterScriptHash, matrixStyle } from './matrix-style.ts';
import { type Outcome, plural } from './outcome.ts';
import { checkAnchor, pageHead } from './page-head.ts';
import { deviationText, excuseOf, readingText, verdictOrder } from './requirement-results.ts';
import { type Marked, markedDifference, placeInJson, shownChanges } from './shown-changes.ts';

/** What stands beside the page, for its links. */
export interface Beside {
  readonly attested?: Attested;
  readonly certified?: boolean;
  /** Whether Allure's page of the run is there. */
  readonly allure?: boolean;
  /** Whether the run still goes on: then the page is filled as verdicts fall, and nothing stands beside it yet. */
  readonly isLive?: boolean;
}

/**
 * The page `report.html`, for whoever has to act: what is wrong at first sight, the evidence behind it, and what to do. Then
 * every check. It needs no script to be read; its only one filters.
 */
export function reportPage(run: RunRecord, outcome: Outcome, beside: Beside = {}): string {
  const { header, results } = run;
  const { causes } = outcome;
  const { isLive = false } = beside;
  const verdict = isLive && causes.length === 0 ? 'going on' : words.overall[outcome.verdict];
  // Of a run that goes on the list is plain: it comes anew with each verdict, and would lose what somebody looks for.
  const isFiltered = !isLive && results.length > 0;
  const livePart = isLive ? ' data-live-part' : '';
  const shownCauses = causes
    .map((cause, index) => causeItem(cause, run, outcome, index < mostInFull))
    .join('\n');
  return `${pageHead({
    title: `${header.target.name}: ${verdict}`,
    style: `${matrixStyle}${reportStyle}`,
    ...(isFiltered ? { scriptHash: filterScriptHash } : {}),
    isLive,
  })}
<body>
<a class="skip" href="#main">Skip to what is wrong</a>${isLive ? '\n<p class="live">The run goes on: <span id="live" role="status">connecting</span></p>' : ''}
<header id="head"${livePart}>
<p class="eyebrow">${htmlText(header.tool.name)} · ${header.side === 'tpp' ? 'certification of a TPP' : 'conformance of a bank'}</p>
<h1>${htmlText(header.target.name)} <span class="overall ${outcome.verdict}">${verdict}${outcome.interrupted ? ` (${words.interrupted})` : ''}</span></h1>
${leadOf(run, outcome)}
</header>
<main id="main"${livePart}>
${causes.length === 0 ? '' : `<h2 class="first">What is wrong</h2>\n<ol class="causes">\n${shownCauses}\n</ol>`}
${problems(outcome)}
<h2${causes.length === 0 ? ' class="first"' : ''}>${words.headings.profiles}</h2>
${profileChips(outcome, words)}
${isLive ? '' : links(run, beside)}
${runFacts(run, outcome, words)}
<p class="attested">${htmlText(attestedText(beside.attested))}</p>
<p class="print-only">Every check with its exchanges is in report.html, every requirement in requirements.html.</p>
<div class="screen-only">
${warnings(outcome)}
${gaps(outcome)}
${deviations(outcome, words)}
${allChecks(run, outcome, mostOfPage - shownCauses.length)}
<details class="more"><summary><h2>How the verdict was reached</h2></summary>
${profileTable(outcome, words, matrixPage)}
${remarks(run, words)}
${notBinding(outcome, words)}
${interpretations(run, words)}
</details>
</div>
</main>
<footer>${htmlText(header.tool.name)} ${htmlText(header.tool.version)}. Written from the journal of the run. It loads nothing; its only script is the filter.</footer>
${isFiltered ? `<script>${filterScript}</script>` : ''}
</body>
</html>
`;
}

/** Where each requirement stands with all its checks. */
const matrixPage = 'requirements.html';

const requirementLink = (id: string): string => `<a href="${matrixPage}#${htmlText(id)}">${htmlText(id)}</a>`;

const reportStyle = `
.live { margin: 0; padding: 6px 24px; background: var(--card); border-bottom: 1px solid var(--line); color: var(--soft); font-size: 13.5px; }
.lead { margin: 0; font-size: 16px; } .counted { margin: 0; color: var(--soft); font-size: 13.5px; } h2.first { margin: 18px 0 8px; }
.causes { margin: 0; padding: 0; list-style: none; counter-reset: cause; }
.causes > li { counter-increment: cause; margin-bottom: 7px; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--fail); border-radius: 8px; }
summary { cursor: pointer; } summary h2, summary h3 { display: inline; margin: 0; } summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.cause > summary { position: relative; display: block; padding: 7px 34px 7px 38px; list-style: none; } .cause > summary::-webkit-details-marker { display: none; }
.cause > summary::before { content: counter(cause); position: absolute; left: 14px; color: var(--soft); font-variant-numeric: tabular-nums; }
.cause > summary::after { content: ""; position: absolute; right: 16px; top: 14px; width: 7px; height: 7px; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg); } .cause[open] > summary::after { top: 18px; transform: rotate(225deg); }
.cause > summary h3 { display: block; font-size: 15.5px; line-height: 1.35; } .cause > summary small { display: block; color: var(--soft); font-size: 13px; } .cause[open] > summary .todo { display: none; }
.cause > div { padding: 0 18px 14px 38px; } .cause h4 { margin: 14px 0 3px; font-size: 14px; } .cause p { margin: 3px 0; } .cause > div > h4:first-child { margin-top: 4px; }
.remedies, .names { margin: 0; padding-left: 18px; list-style: disc; } .remedies small { color: var(--soft); font-size: 13px; } .names { font-size: 13.5px; }
.seen { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 16px; margin: 12px 0 0; } .seen dt { color: var(--soft); } .seen dd { margin: 0; overflow-wrap: anywhere; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 18px; } .sides > * { min-width: 0; }
pre { margin: 0 0 8px; padding: 8px 12px; background: var(--ground); border: 1px solid var(--line); border-radius: 7px; font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
mark { padding: 0 2px; border-radius: 3px; background: var(--fail-bg); color: var(--fail); font-weight: 700; } .right mark { background: var(--pass-bg); color: var(--pass); }
.cause details { margin-top: 6px; } .more { margin-top: 40px; } .more > summary { margin-bottom: 12px; }
.check { border-top: 1px solid var(--line); } .check > summary { padding: 4px 2px; overflow-wrap: anywhere; } .check > summary b { font-weight: 600; }
.check > div { padding: 2px 0 12px 18px; scroll-margin-top: 120px; } .check p { margin: 4px 0; } .check .verdict { min-width: 58px; text-align: center; }
.part { content-visibility: auto; contain-intrinsic-size: auto 500px; } .part h3 { margin-bottom: 6px; }
.gaps { padding-left: 20px; margin: 0; } .gaps li { margin-bottom: 8px; overflow-wrap: anywhere; } .gaps small { display: block; color: var(--soft); font-size: 13px; }
@media (max-width: 640px) { header { padding-top: 12px; } .lead { font-size: 14.5px; } h1 { margin-bottom: 6px; } .eyebrow { font-size: 11.5px; } h2.first { margin: 10px 0 6px; font-size: 17px; }
  .cause > summary { padding: 5px 26px 5px 28px; } .cause > summary::before { left: 10px; } .cause > summary::after { right: 11px; } .cause > summary h3 { font-size: 14px; line-height: 1.3; } .cause:not([open]) > summary .ids, .cause > summary .todo { display: none; } .causes > li { margin-bottom: 5px; }
  .cause > div { padding: 0 12px 12px; } .sides { grid-template-columns: 1fr; } .seen { grid-template-columns: 1fr; gap: 0; } .seen dd { margin-bottom: 4px; } .check > div { padding-left: 4px; } }
@media print { .cause::details-content, .printed::details-content { content-visibility: visible; display: block; block-size: auto; } .cause > summary::after { display: none; } .cause > summary .todo, .cause .print-less { display: none; }
  .cause > summary { padding: 4px 10px 2px 28px; } .cause > summary h3 { font-size: 12px; } .cause > summary small, .names, .remedies small { font-size: 9.5px; } .cause h4 { margin: 6px 0 1px; font-size: 10.5px; break-after: avoid; } .cause > div { padding: 0 10px 6px 28px; }
  .lead { font-size: 11.5px; } .counted, pre, code { font-size: 8.5px; } pre { padding: 4px 7px; margin-bottom: 3px; } .seen { margin-top: 6px; gap: 1px 12px; } .seen, .names li, .remedies li { break-inside: avoid; } }
`;

/** The run in one sentence, and what its checks say. */
function leadOf({ header, results, footer }: RunRecord, outcome: Outcome): string {
  if (footer?.blocker !== undefined) return '<p class="lead">No check could be run.</p>';
  const { causes, counts, verdict, part, gaps: open } = outcome;
  const told = verdictOrder.flatMap((each) => {
    const count = each === 'not-tested' ? 0 : counts[each];
    return count === 0 ? [] : [`${count} ${words.verdicts[each]}`];
  });
  const failing = causes.reduce((sum, { checks }) => sum + checks.length, 0);
  const broken = new Set(causes.flatMap(({ requirements }) => requirements.map(({ id }) => id))).size;
  const asked = header.side === 'tpp' ? 'TPP' : 'bank';
  const lead =
    causes.length > 0
      ? `${plural(causes.length, 'cause')}: ${failing} of ${plural(results.length, 'check')} ${failing === 1 ? 'fails' : 'fail'}, ${plural(broken, 'requirement')} ${broken === 1 ? 'is' : 'are'} broken.`
      : verdict === 'non-conformant'
        ? 'No check fails that is not excused; what stands against it is told below.'
        : verdict === 'conformant'
          ? 'Everything that was asked was found in order.'
          : part === undefined
            ? `Nothing was found broken, but ${open.length === 0 ? 'not all was' : `${plural(open.length, 'requirement')} ${open.length === 1 ? 'was' : 'were'} not`} judged.`
            : `Only a part was judged, which is no verdict on the ${asked}: ${part}.`;
  return `<p class="lead">${htmlText(lead)}</p>${told.length === 0 ? '' : `<p class="counted">${causes.length > 0 ? '' : `${plural(results.length, 'check')}: `}${told.join(', ')}</p>`}`;
}

/** A bank that does everything wrong shows the requests of so many causes with them; all have them with their checks. */
const mostInFull = 40;

function causeItem(cause: Cause, { header }: RunRecord, outcome: Outcome, isInFull: boolean): string {
  const { id, sentence, requirements, checks, leading, remedies } = cause;
  const [remedy] = remedies;
  const toDo = remedy === undefined ? '' : `<small class="todo">To do: ${htmlText(remedy.remedy)}</small>`;
  return `<li><details class="cause" id="cause-${htmlText(id)}"${outcome.causes.length === 1 ? ' open' : ''}><summary><h3>${htmlText(shortened(sentence, 500))}</h3><small>${plural(checks.length, 'check')}, ${plural(requirements.length, 'requirement')}<span class="ids">: ${htmlText(listedIds(requirements.map((each) => each.id)))}</span></small>${toDo}</summary>
<div>
${remedies.length === 0 ? '' : `<h4>What to do</h4><ul class="remedies">${remedies.map((each) => `<li>${htmlText(each.remedy)} <small>Likely because: ${htmlText(each.cause)}</small></li>`).join('')}</ul>`}
${failureInFull(cause, header, isInFull)}
<h4>Where it breaks</h4>
${leading.notes.map((note) => `<p>${htmlText(shortened(note, 600))}</p>`).join('')}
${checkNames(checks, checks.length)}
<h4>Where the same holds</h4>
${holdsElsewhere(cause, outcome)}
<h4>Requirements broken by it</h4>
<ul class="names">${requirements.map((each) => `<li>${requirementLink(each.id)} (${each.level}) ${htmlText(each.statement)}</li>`).join('')}</ul>
<h4>Go on with</h4>
<pre>${commandsFor(cause, header).map(htmlContent).join('\n')}</pre>
</div></details></li>`;
}

const mostIds = 6;

const listedIds = (ids: readonly string[]): string =>
  `${ids.slice(0, mostIds).join(', ')}${ids.length > mostIds ? ` and ${ids.length - mostIds} more` : ''}`;

/** What was demanded and what came, the change that shows it, and both requests with their answers. */
function failureInFull({ leading, requirements }: Cause, header: RunHeader, isInFull: boolean): string {
  const telling = tellingExchange(leading);
  const control = controlExchange(leading);
  const changes = shownChanges(leading, 160).slice(0, mostIds);
  const reading = requirements[0]?.interpretation;
  const rows: readonly (readonly [string, string])[] = [
    [
      'Seen in',
      `<a href="#${checkAnchor(leading.id)}">${htmlText(leading.id)}</a> ${htmlText(leading.title)}`,
    ],
    ...(leading.expected === undefined
      ? [['What happened', htmlText(shortened(leading.reason ?? '', 600))] as const]
      : [['Expected', htmlText(shortened(leading.expected, 600))] as const]),
    ...(leading.actual === undefined ? [] : [['Actual', htmlText(shortened(leading.actual, 600))] as const]),
    ...changes.flatMap(({ name, sides }) => changeRows(name, sides)),
    ...(reading === undefined ? [] : [['Reading', htmlText(readingText(reading, header))] as const]),
  ];
  const names = changes.map(({ name }) => name);
  const facts = rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('');
  if (telling === undefined || !isInFull) return `<dl class="seen">${facts}</dl>`;
  const answer = `<div><h4>The answer</h4><pre>${htmlContent(shortened(responseText(telling), mostOfCause))}</pre></div>`;
  const sent = `<div><h4>The request${telling === control ? '' : ` (${htmlText(telling.purpose)})`}</h4><pre>${markedRequest(telling, control, names)}</pre></div>`;
  const compared =
    control === undefined || control === telling
      ? ''
      : `<details class="print-less"><summary>The control, which is the same request without the fault: ${htmlText(exchangeLine(control))}</summary><div class="sides right"><pre>${markedRequest(control, telling, names)}</pre><pre>${htmlContent(shortened(responseText(control), mostOfCause))}</pre></div></details>`;
  return `<dl class="seen">${facts}</dl><div class="sides">${sent}${answer}</div>${compared}`;
}

const mostOfCause = 4_000;

function changeRows(
  name: string,
  sides: { readonly control: string; readonly failing: string } | undefined,
): readonly (readonly [string, string])[] {
  if (sides === undefined)
    return [['Changed', `<code>${htmlText(shortened(name, 200))}</code>, in the way it is written`]];
  const [control, failing] = markedDifference(shortened(sides.control, 400), shortened(sides.failing, 400));
  return [
    ['Changed', `<code>${htmlText(shortened(name, 200))}</code>`],
    ['Control has', `<code class="right">${marked(control)}</code>`],
    ['This one has', `<code>${marked(failing)}</code>`],
  ];
}

const marked = ([before, changed, after]: Marked): string =>
  `${htmlText(before)}${changed === '' ? '' : `<mark>${htmlContent(changed)}</mark>`}${htmlText(after)}`;

/** The request as it went over the wire, with the changed places marked. */
function markedRequest(exchange: Exchange, other: Exchange | undefined, names: readonly string[]): string {
  const { method, url, headers, body } = exchange.request;
  const isChanged = (name: string): boolean =>
    names.some((each) => each.toLowerCase() === name.toLowerCase());
  const valueIn = (name: string): string =>
    other?.request.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? '';
  const head = headers.map(([name, value]) =>
    isChanged(name)
      ? `${htmlContent(name)}: ${marked(markedDifference(shortened(value, mostOfCause), valueIn(name))[0])}`
      : htmlContent(shortened(`${name}: ${value}`, mostOfCause)),
  );
  const start =
    isChanged('query') && other !== undefined ? markedDifference(url, other.request.url)[0] : undefined;
  return [
    `${method} ${start === undefined ? htmlContent(url) : marked(start)}`,
    ...head,
    '',
    markedBody(body, names),
  ]
    .join('\n')
    .trimEnd();
}

function markedBody(body: string, names: readonly string[]): string {
  const place = names.includes('body')
    ? ([0, body.length] as const)
    : names.map((name) => placeInJson(body, name)).find((found) => found !== undefined);
  if (place === undefined || place[1] > mostOfCause) return htmlContent(shortened(body, mostOfCause));
  const [start, end] = place;
  return `${htmlContent(body.slice(0, start))}<mark>${htmlContent(body.slice(start, end))}</mark>${htmlContent(shortened(body.slice(end), mostOfCause))}`;
}

/** So many checks are named of what holds; all of them stand below. */
const mostHeld = 20;

/** In which contexts the bank does it right is half of the diagnosis. */
function holdsElsewhere({ requirements, checks }: Cause, outcome: Outcome): string {
  const broken = new Set(requirements.map(({ id }) => id));
  const failing = new Set(checks.map(({ id }) => id));
  const held = outcome.requirements
    .filter(({ requirement }) => broken.has(requirement.id))
    .flatMap(({ checks: judged }) => judged)
    .filter(({ id, verdict }) => verdict === 'pass' && !failing.has(id));
  const once = [...new Map(held.map((check) => [check.id, check])).values()];
  return once.length === 0
    ? '<p>Nowhere: no check of these requirements passed.</p>'
    : checkNames(once, mostHeld);
}

function checkNames(checks: readonly CheckResult[], most: number): string {
  const items = checks
    .slice(0, most)
    .map(
      ({ id, title }) =>
        `<li><a href="#${checkAnchor(id)}">${htmlText(id)}</a> ${htmlContent(shortened(title, 300))}</li>`,
    );
  const more = checks.length > most ? `<li>and ${checks.length - most} more, below</li>` : '';
  const list = `<ul class="names">${items.join('')}${more}</ul>`;
  return checks.length <= mostIds
    ? list
    : `<details class="printed"><summary>${plural(checks.length, 'check')}</summary>${list}</details>`;
}

/** To be copied. The folder stands for wherever the page lies now. */
function commandsFor({ id, leading }: Cause, header: RunHeader): readonly string[] {
  return [
    `npx xs2a-conformance explain ${id}`,
    ...(header.side === 'tpp'
      ? []
      : [`npx xs2a-conformance replay <folder of this page> ${leading.id}${targetFlagFor(header)}`]),
    leading.reproduce,
  ];
}

function links({ results }: RunRecord, { certified = false, allure = false }: Beside): string {
  const files = [
    [matrixPage, 'Requirement matrix'],
    ...(certified ? [['certificate.html', 'Certificate'] as const] : []),
    ...(allure ? [['allure.html', 'Allure'] as const] : []),
    ...['summary.json', 'junit.xml', 'journal.ndjson'].map((name) => [name, name] as const),
  ].map(([file, name]) => `<a href="${file}">${name}</a>`);
  return `<p class="links">${results.length === 0 ? '' : '<a href="#checks">All checks</a>'}${files.join('')}</p>`;
}

function warnings(outcome: Outcome): string {
  const found = outcome.requirements.filter(({ verdict }) => verdict === 'warning');
  if (found.length === 0) return '';
  return `<h2>${words.headings.warnings}</h2>${findingTable(words.headings.warnings, found, outcome, words, matrixPage)}`;
}

/** What a must-level requirement would have taken to be judged: each reason once, since one of them mostly explains many. */
function gaps({ gaps: open }: Outcome): string {
  if (open.length === 0) return '';
  const items = [...groupedBy(open, ({ why }) => why)].map(([why, group]) => {
    const ids = group.map(({ requirement: { id } }) => requirementLink(id));
    const more = ids.length > mostHeld ? ` and ${ids.length - mostHeld} more` : '';
    return `<li>${htmlText(shortened(why, 600))}<small>${ids.slice(0, mostHeld).join(' ')}${more}</small></li>`;
  });
  return `<h2>Not judged, and how to close that</h2><ul class="gaps">${items.join('')}</ul>`;
}

/** How much of the exchanges is shown: the first that fits is taken. */
interface Plan {
  /** Whether checks that passed show all of theirs, and not only the one that shows it. */
  readonly all: boolean;
  /** Whether checks that passed show headers. */
  readonly headers: boolean;
  /** So many characters of each message of a check that did not pass, and of one that did. */
  readonly others: number;
  readonly passed: number;
}

const plans: readonly [Plan, ...Plan[]] = [
  { all: true, headers: true, others: 16_000, passed: 16_000 },
  { all: false, headers: true, others: 16_000, passed: 4_000 },
  { all: false, headers: false, others: 8_000, passed: 800 },
  { all: false, headers: false, others: 4_000, passed: 400 },
  { all: false, headers: false, others: 2_000, passed: 150 },
  { all: false, headers: false, others: 600, passed: 0 },
];

/** Characters of causes and checks: the page stays below 1.5 MB. */
const mostOfPage = 1_350_000;

/** The line of a check, and what else it tells of one that passed. */
const lineOfCheck = 400;

function planFor(results: readonly CheckResult[], room: number): Plan {
  const size = (plan: Plan): number =>
    results.reduce(
      (sum, result) =>
        shownExchanges(result, plan).reduce(
          (own, exchange) =>
            own + messagesOf(exchange, result, plan).reduce((both, text) => both + text.length + 40, 0),
          sum,
        ),
      0,
    );
  return plans.find((plan) => size(plan) <= room) ?? (plans.at(-1) as Plan);
}

const isPlain = ({ verdict }: CheckResult): boolean => verdict === 'pass' || verdict === 'not-applicable';

function shownExchanges(result: CheckResult, { all, passed }: Plan): readonly Exchange[] {
  if (all || !isPlain(result)) return result.exchanges;
  const telling = tellingExchange(result);
  return telling === undefined || passed === 0 ? [] : [telling];
}

function messagesOf(exchange: Exchange, result: CheckResult, plan: Plan): readonly [string, string] {
  const isShort = isPlain(result) && !plan.headers;
  const { request, response } = exchange;
  const shown = isShort
    ? {
        ...exchange,
        request: { ...request, headers: [] },
        ...(response && { response: { ...response, headers: [] } }),
      }
    : exchange;
  const limit = isPlain(result) ? plan.passed : plan.others;
  return [shortened(requestText(shown), limit), shortened(responseText(shown), limit)];
}

function planText({ all, headers, passed }: Plan): string {
  if (all) return 'Each opens to its exchanges.';
  const kept = 'journal.ndjson holds every exchange in full.';
  if (passed === 0) return `What did not pass opens to its exchanges; ${kept}`;
  return `What did not pass opens to all of its exchanges, the others to the one that shows it${headers ? '' : ', without its headers'}; ${kept}`;
}

function allChecks(run: RunRecord, outcome: Outcome, room: number): string {
  const { results } = run;
  if (results.length === 0) return '';
  const plan = planFor(results, room - lineOfCheck * results.length);
  const suites = [...groupedBy(results, ({ suite }) => suite.id).values()].map((checks) => {
    const [first] = checks;
    return { title: first?.suite.title ?? '', checks };
  });
  const parts = suites.map(
    ({ title, checks }, index) =>
      `<div class="part"><h3>${htmlText(title)}</h3>\n${checks.map((check) => checkItem(check, String(index), run, outcome, plan)).join('\n')}\n</div>`,
  );
  const seen = verdictOrder.filter((verdict) => results.some((result) => result.verdict === verdict));
  return `<div>
<h2 id="checks">All checks</h2>
<p class="note">${planText(plan)}${run.header.side === 'tpp' ? '' : ` One is judged again with <code>run --only ID --seed ${run.header.seed}</code>.`}</p>
${filterForm(
  {
    ...words.filter,
    search: 'Search ids, titles and requirements',
    section: 'Suite',
    count: '%shown of %all checks',
  },
  seen.map((verdict) => [verdict, words.verdicts[verdict]]),
  ['suite', suites.map(({ title }, index) => [String(index), title])],
  'all-checks',
)}
<div id="all-checks">
${parts.join('\n')}
</div>
</div>`;
}

function checkItem(
  result: CheckResult,
  suite: string,
  { header }: RunRecord,
  { excused, causes }: Outcome,
  plan: Plan,
): string {
  const { id, title, verdict, requirements } = result;
  const excuse = excused.has(id) ? excuseOf(result, header) : undefined;
  const cause =
    verdict === 'fail' ? causes.find(({ checks }) => checks.some((check) => check.id === id)) : undefined;
  const fact = (name: string, value: string | undefined): string =>
    value === undefined ? '' : `<p><b>${name}</b> ${htmlContent(shortened(value, 2_000))}</p>`;
  const cited = requirements.map(requirementLink).join(' ');
  const exchanges = shownExchanges(result, plan).map((exchange) => exchangeItem(exchange, result, plan));
  return `<details class="check" data-verdict="${verdict}" data-suite="${suite}"><summary>${verdictBadge(verdict, words)} <b>${htmlContent(id)}</b> ${htmlContent(shortened(title, 300))}</summary><div id="${checkAnchor(id)}"><p>${cited}</p>${cause === undefined ? '' : `<p><b>Cause</b> <a href="#cause-${htmlText(cause.id)}">${htmlText(cause.sentence)}</a></p>`}${
    isPlain(result) && result.reason === undefined && result.notes.length === 0
      ? ''
      : [
          fact('Known deviation', excuse && deviationText(excuse)),
          // A failed expectation says in its reason what the next two lines say.
          fact('Reason', result.expected === undefined ? result.reason : undefined),
          fact('Expected', result.expected),
          fact('Actual', result.actual),
          ...result.notes.map((note) => fact('Note', note)),
          isPlain(result) ? '' : fact('Again', result.reproduce),
        ].join('')
  }${exchanges.join('')}</div></details>`;
}

function exchangeItem(exchange: Exchange, result: CheckResult, plan: Plan): string {
  const [request, response] = messagesOf(exchange, result, plan).map(htmlContent);
  if (isPlain(result) && !plan.all) return `<pre>${request}\n\n${response}</pre>`;
  return `<details><summary>${htmlContent(shortened(exchangeLine(exchange), 400))}</summary><pre>${request}</pre><pre>${response}</pre></details>`;
}
