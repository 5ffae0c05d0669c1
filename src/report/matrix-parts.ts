import type { KillScores } from '../checks/proof-findings.ts';
import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import type { Attested } from './attested.ts';
import { shortened } from './exchange-text.ts';
import { htmlText } from './harmless-text.ts';
import { runDuration, runRequests } from './journal.ts';
import type { Language, MatrixWords } from './matrix-words.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';
import { checkAnchor, isoTime, profileState } from './page-head.ts';
import { touchedProfiles } from './profile-results.ts';
import {
  type RequirementResult,
  type RequirementVerdict,
  readingsOf,
  readingText,
} from './requirement-results.ts';
import type { HistoryPoint } from './run-history.ts';

export interface MatrixOptions {
  /** From a mutation run, by requirement id; adds a column. */
  readonly killScores?: KillScores;
  /** Whether a report page stands next to this one, for the links into it. */
  readonly report: boolean;
  /** English unless given. */
  readonly language?: Language;
  /** The runs of the same target before this one. */
  readonly earlier?: readonly HistoryPoint[];
  readonly attested?: Attested;
  /** Whether a certificate stands next to this page. */
  readonly certified?: boolean;
}

export const verdictBadge = (verdict: RequirementVerdict, words: MatrixWords): string =>
  `<span class="verdict ${verdict}">${words.verdicts[verdict]}</span>`;

const overallBadge = (verdict: OverallVerdict, words: MatrixWords): string =>
  `<span class="verdict ${verdict}">${words.overall[verdict]}</span>`;

interface Cell {
  readonly html: string;
  readonly kind?: 'wide' | 'name' | 'level' | 'reason' | 'number';
}

interface Row {
  /** Attributes of the row, as markup. */
  readonly marks?: string;
  /** The first heads the row. */
  readonly cells: readonly (Cell | string)[];
}

/** A table whose rows become cards on a narrow screen, each cell of a labelled column under its heading. */
export function table(
  caption: string,
  headings: readonly string[],
  rows: readonly Row[],
  labelled: readonly string[] = headings,
): string {
  const head = headings.map((heading) => `<th scope="col">${htmlText(heading)}</th>`).join('');
  const body = rows.map(({ marks = '', cells }) => {
    const [first, ...others] = cells.map((cell) => (typeof cell === 'string' ? { html: cell } : cell));
    const rest = others.map(({ html, kind }: Cell, index) => {
      const heading = headings[index + 1] ?? '';
      const label = html === '' || !labelled.includes(heading) ? '' : ` data-label="${htmlText(heading)}"`;
      return `<td${kind === undefined ? '' : ` class="${kind}"`}${label}>${html}</td>`;
    });
    return `<tr${marks}><th scope="row">${first?.html ?? ''}</th>${rest.join('')}</tr>`;
  });
  return `<div class="scroll"><table aria-label="${htmlText(caption)}"><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

/** The requirements of one section. */
export function requirementTable(
  section: string,
  results: readonly RequirementResult[],
  header: RunHeader,
  outcome: Outcome,
  { killScores, report }: MatrixOptions,
  words: MatrixWords,
): string {
  const rows = results.map((result): Row => {
    const { requirement, verdict, checks } = result;
    const reading =
      requirement.interpretation === undefined
        ? ''
        : `<small>${words.reading}: ${htmlText(readingText(requirement.interpretation, header))}</small>`;
    // Without a part of its own it stands right below the heading of its section.
    const place =
      requirement.section.length < 2 ? '' : `<small>§ ${htmlText(requirement.section.join(' › '))}</small>`;
    const unobservable = requirement.unobservable === undefined ? '' : `<small>${words.unobservable}</small>`;
    return {
      marks: ` id="${htmlText(requirement.id)}" data-verdict="${verdict}" data-section="${htmlText(requirement.section[0] ?? '')}"`,
      cells: [
        htmlText(requirement.id),
        {
          html: `${htmlText(requirement.statement)}${place}${reading}`,
          kind: 'wide',
        },
        {
          html: `${requirement.level}<small>${htmlText(requirement.profiles.join(', '))}</small>`,
          kind: 'level',
        },
        `${verdictBadge(verdict, words)}${whySo(result, outcome, words)}${unobservable}`,
        checkList(checks, report, words),
        ...(killScores === undefined ? [] : [proofCell(requirement.id, killScores, words)]),
      ],
    };
  });
  const { columns } = words;
  const headings = [
    columns.id,
    columns.statement,
    columns.levelAndProfiles,
    columns.verdict,
    columns.checks,
    ...(killScores === undefined ? [] : [columns.proof]),
  ];
  // Hundreds of rows: their statements and verdicts say by themselves what they are, the figures of the proof do not.
  return table(section, headings, rows, [columns.proof]);
}

/** Ids of requirements lead to the page that has them, which is another one in `report.html`. */
export function profileTable({ profiles }: Outcome, words: MatrixWords, page = ''): string {
  const { columns } = words;
  const against = profiles.map(
    ({ broken, gaps, missingJourneys }) =>
      `${anchors(words.broken, broken, words, page)}${anchors(words.notExercised, gaps, words, page)}${missingJourneys.length === 0 ? '' : `<small>${words.missingJourneys}: ${htmlText(missingJourneys.join(', '))}</small>`}`,
  );
  const isClean = against.every((html) => html === '');
  const rows = profiles.map(
    ({ id, title, version, verdict, judged, binding }, index): Row => ({
      cells: [
        htmlText(id),
        { html: htmlText(title), kind: 'name' },
        overallBadge(verdict, words),
        { html: words.of(judged, binding), kind: 'number' },
        htmlText(version),
        ...(isClean ? [] : [{ html: against[index] ?? '', kind: 'reason' } as const]),
      ],
    }),
  );
  const headings = [columns.profile, columns.title, columns.verdict, columns.judged, columns.version];
  return table(words.headings.profiles, [...headings, ...(isClean ? [] : [columns.against])], rows);
}

/** So many ids stand in a cell; all of them are in the tables below. */
const shownIds = 12;

function anchors(name: string, ids: readonly string[], words: MatrixWords, page: string): string {
  if (ids.length === 0) return '';
  const links = ids.slice(0, shownIds).map((id) => `<a href="${page}#${htmlText(id)}">${htmlText(id)}</a>`);
  const more = ids.length > shownIds ? ` ${words.andMore(ids.length - shownIds)}` : '';
  return `<small>${name}: ${links.join(' ')}${more}</small>`;
}

function notBindingTable({ notBinding }: Outcome, words: MatrixWords): string {
  const rows = notBinding.map(
    ({ what, kind, why }): Row => ({
      cells: [htmlText(what), kind, { html: htmlText(why), kind: 'wide' }],
    }),
  );
  const { what, kind, why } = words.columns;
  return table(words.headings.notBinding, [what, kind, why], rows);
}

function deviationTable({ knownDeviations }: Outcome, words: MatrixWords): string {
  const rows = knownDeviations.map(
    ({ requirement, reason, until, state, problem }): Row => ({
      cells: [
        htmlText(requirement),
        {
          html: `${htmlText(reason)}${problem === undefined ? '' : `<small>${htmlText(problem)}</small>`}`,
          kind: 'wide',
        },
        htmlText(until ?? words.openEnd),
        `<span class="verdict ${problem === undefined ? 'plain' : 'fail'}">${words.deviationStates[state]}</span>`,
      ],
    }),
  );
  const { requirement, reason, until, state } = words.columns;
  return table(words.headings.deviations, [requirement, reason, until, state], rows);
}

function interpretationTable(header: RunHeader, words: MatrixWords): string {
  const rows = readingsOf(header).map(
    ({ id, question, taken }): Row => ({
      cells: [htmlText(id), { html: htmlText(question), kind: 'wide' }, htmlText(taken)],
    }),
  );
  const { interpretation, open, taken } = words.columns;
  return table(words.headings.interpretations, [interpretation, open, taken], rows);
}

/** What stands between the bank and conformance, with the words of the checks that found it. */
export function findingTable(
  caption: string,
  results: readonly RequirementResult[],
  outcome: Outcome,
  words: MatrixWords,
  page = '',
): string {
  const rows = results.map((result): Row => {
    const { requirement, verdict, checks } = result;
    const reasons = checks.flatMap((check) =>
      check.verdict === verdict ? (check.reason ?? check.title) : [],
    );
    const more = reasons.length > 1 ? ` ${words.andMore(reasons.length - 1)}` : '';
    return {
      cells: [
        `<a href="${page}#${htmlText(requirement.id)}">${htmlText(requirement.id)}</a>`,
        requirement.level,
        { html: htmlText(requirement.statement), kind: 'wide' },
        { html: `${htmlText(shortened(reasons[0] ?? '', 400))}${more}`, kind: 'reason' },
        `${verdictBadge(verdict, words)}${whySo(result, outcome, words)}`,
      ],
    };
  });
  const { id, level, statement, seen, verdict } = words.columns;
  return table(caption, [id, level, statement, seen, verdict], rows);
}

/** What was not judged: the reason of the checks says what to provide, the catalogue says what nobody can see. */
export function unjudgedTable(caption: string, unjudged: readonly Unjudged[], words: MatrixWords): string {
  const { id, level, statement, why: whyNot } = words.columns;
  return table(
    caption,
    [id, level, statement, whyNot],
    unjudged.map(
      ({ result: { requirement }, why }): Row => ({
        cells: [
          `<a href="#${htmlText(requirement.id)}">${htmlText(requirement.id)}</a>`,
          requirement.level,
          { html: htmlText(requirement.statement), kind: 'wide' },
          htmlText(why.replace(/^[a-z]/, (letter) => letter.toUpperCase())),
        ],
      }),
    ),
  );
}

export interface Unjudged {
  readonly result: RequirementResult;
  readonly why: string;
}

/** Why a verdict is another than the level of the requirement lets expect. */
function whySo(
  { requirement, verdict, checks }: RequirementResult,
  { excused }: Outcome,
  words: MatrixWords,
): string {
  const known =
    verdict === 'fail' && checks.every((check) => check.verdict !== 'fail' || excused.has(check.id));
  if (known) return `<small>${words.knownDeviation}</small>`;
  if (verdict !== 'warning' || requirement.level !== 'must') return '';
  const warning = checks.filter((check) => check.verdict === 'warning').map(({ id }) => id);
  return `<small>${htmlText(words.onlyAdvised(warning.join(', ')))}</small>`;
}

function checkList(checks: readonly CheckResult[], report: boolean, words: MatrixWords): string {
  if (checks.length === 0) return '–';
  const passed = (check: CheckResult): number => (check.verdict === 'pass' ? 1 : 0);
  const items = checks
    .toSorted((a, b) => passed(a) - passed(b))
    .map((check) => {
      const { id, title, verdict } = check;
      const name = report
        ? `<a href="report.html#${checkAnchor(id)}" title="${htmlText(title)}">${htmlText(id)}</a>`
        : `<span title="${htmlText(title)}">${htmlText(id)}</span>`;
      return `<li>${name}${verdict === 'pass' ? '' : ` ${words.verdicts[verdict]}`}</li>`;
    });
  return `<ul class="checks">${items.join('')}</ul>`;
}

/** Values and their texts, for a choice. */
type Choices = readonly (readonly [value: string, text: string])[];

/** Search and two choices over the rows of a list. Hidden until the script is there to make use of it. */
export function filterForm(
  filter: MatrixWords['filter'],
  verdicts: Choices,
  [name, places]: readonly [name: string, places: Choices],
  list: string,
): string {
  const option = ([value, text]: readonly [string, string]): string =>
    `<option value="${htmlText(value)}">${htmlText(text)}</option>`;
  const select = (label: string, of: string, choices: Choices): string =>
    `<label>${label}<select name="${of}">${[['', filter.all] as const, ...choices].map(option).join('')}</select></label>`;
  return `<form class="filter" id="filter" role="search" data-list="${list}" hidden>
<label>${filter.search}<input type="search" name="search" autocomplete="off" spellcheck="false" maxlength="200"></label>
${select(filter.verdict, 'verdict', verdicts)}
${select(filter.section, name, places)}
<button type="reset">${filter.clear}</button>
<output id="filter-count" data-text="${htmlText(filter.count)}"></output>
</form>
<p class="note" id="filter-none" hidden>${filter.none}</p>`;
}

function proofCell(id: string, killScores: KillScores, words: MatrixWords): Cell {
  const score = killScores.get(id);
  return { html: score === undefined ? '–' : words.of(score.killed, score.total), kind: 'number' };
}

export function profileChips({ profiles }: Outcome, words: MatrixWords): string {
  const chips = touchedProfiles(profiles).map(
    ({ id, title, verdict }) =>
      `<li class="${verdict}" title="${htmlText(title)}">${profileState(id, verdict, words.overall[verdict])}</li>`,
  );
  return `<ul class="chips">${chips.join('')}</ul>`;
}

export function runFacts(run: RunRecord, { part }: Outcome, words: MatrixWords): string {
  const { header } = run;
  const { facts: names } = words;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [names.baseUrl, header.target.baseUrl],
    [names.environment, header.target.environment],
    [names.started, isoTime(header.startedAt)],
    [names.duration, words.seconds((runDuration(run) / 1000).toFixed(1), runRequests(run))],
    [names.tool, `${header.tool.name} ${header.tool.version}`],
    [names.catalogue, header.catalogue],
    // A certification judges what a TPP sent, and draws nothing.
    [names.seed, header.side === 'tpp' ? undefined : words.cases(header.seed, header.runs)],
    [names.part, part],
    [names.certificate, header.insecure === true ? words.notVerified : undefined],
  ];
  const entries = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`<div><dt>${name}</dt><dd>${htmlText(value)}</dd></div>`],
  );
  return `<dl class="facts">${entries.join('')}</dl>`;
}

export function problems({ problems: sentences }: Outcome): string {
  if (sentences.length === 0) return '';
  return `<ul class="problems" lang="en">${sentences.map((sentence) => `<li>${htmlText(sentence)}</li>`).join('')}</ul>`;
}

export function remarks({ header }: RunRecord, words: MatrixWords): string {
  if (header.remarks === undefined) return '';
  const items = header.remarks.map((remark) => `<li>${htmlText(remark)}</li>`).join('');
  return `<h2>${words.headings.remarks}</h2><ul class="remarks" lang="en">${items}</ul>`;
}

export function deviations(outcome: Outcome, words: MatrixWords): string {
  if (outcome.knownDeviations.length === 0) return '';
  return `<h2>${words.headings.deviations}</h2>${deviationTable(outcome, words)}`;
}

export function notBinding(outcome: Outcome, words: MatrixWords): string {
  if (outcome.notBinding.length === 0) return '';
  return `<h2 id="not-binding">${words.headings.notBinding}</h2>${notBindingTable(outcome, words)}`;
}

export function interpretations({ header }: RunRecord, words: MatrixWords): string {
  if (Object.keys(header.interpretations).length === 0) return '';
  return `<h2 id="interpretations">${words.headings.interpretations}</h2><p class="note">${words.interpretationsIntro}</p>${interpretationTable(header, words)}`;
}
