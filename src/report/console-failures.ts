import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Requirement } from '../spec/requirement.ts';
import type { Exchange } from '../tpp/exchange.ts';
import type { Cause } from './causes.ts';
import { controlExchange, tellingExchange } from './exchange-text.ts';
import { oneLine, oneShortLine } from './harmless-text.ts';
import { type Outcome, plural } from './outcome.ts';
import { type ConsoleOptions, type NextCommands, type Paint, painter } from './paint.ts';
import { deviationText, excuseOf, readingText } from './requirement-results.ts';
import { shownChanges } from './shown-changes.ts';
import { wrappedCommand, wrappedData, wrappedLines } from './wrapped-text.ts';

/** Failures shown in full on request; a bank that fails everything must not scroll its verdict away. */
const mostFailures = 60;

/** Causes shown, the gravest last, next to the verdict. */
const mostCauses = 12;

/** Lines of a cause: a screen takes two of them. */
const mostLines = 12;

/** Checks named of a reason that many have. */
const mostNamed = 6;

/** Reasons shown; a TPP that was asked for one profile has not shown dozens of things. */
const mostReasons = 12;

/** Width of the names before the facts of a failure. */
const nameWidth = 11;

/** What stands between the run and `conformant`: errors of this tool, each failure where all are asked for, and the causes. */
export function renderFailures(run: RunRecord, outcome: Outcome, options: ConsoleOptions): string {
  const paint = painter(options.colour);
  const failed = outcome.causes.flatMap(({ checks }) => checks);
  const shown = options.everyFailure === true ? failed.slice(0, mostFailures) : [];
  const untold = options.everyFailure === true ? failed.length - shown.length : 0;
  const errors = run.results.filter(({ verdict }) => verdict === 'error');
  const causes = outcome.causes.slice(0, mostCauses);
  const others = outcome.causes.length - causes.length;
  return [
    renderInconclusive(run, options),
    renderKnown(run, outcome, options),
    ...[...shown, ...errors.slice(0, mostFailures)].map((result) =>
      renderFailure(result, { run, outcome }, options),
    ),
    ...(untold > 0 ? [paint('gray', `${plural(untold, 'more failure')} in the report.`)] : []),
    ...(others > 0 ? [paint('gray', `${plural(others, 'more cause')} in the report.`)] : []),
    ...causes.map((cause, index) => renderCause(cause, index + 1, run, options)).toReversed(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** One cause: what is wrong, the failure that shows it most plainly, what remedies it, and what to type next. */
function renderCause(cause: Cause, number: number, run: RunRecord, options: ConsoleOptions): string {
  const { leading, requirements, checks, remedies } = cause;
  const { colour, width, commands } = options;
  const paint = painter(colour);
  const facts = factsAt(width, paint);
  const mark = `CAUSE ${number}`;
  const heading = wrappedData(oneLine(cause.sentence), width - mark.length - 2, 3);
  const ids = requirements.map(({ id, level }) => (level === 'must' ? id : `${id} (${level})`));
  const next = commands === undefined ? [leading.reproduce] : nextCommands(cause.id, leading, commands);
  const lines = [
    ...heading.map((line, index) =>
      index === 0
        ? `${paint(['bold', 'red'], mark)}  ${paint('bold', line)}`
        : `${' '.repeat(mark.length + 2)}${paint('bold', line)}`,
    ),
    ...facts.text(
      'Breaks',
      `${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ` and ${ids.length - 8} more` : ''}`,
      1,
    ),
    ...facts.text(checks.length === 1 ? 'Check' : `${checks.length} checks`, shownFirst(leading, checks), 1),
    ...(leading.expected === undefined ? facts.text('Reason', leading.reason, 2) : []),
    ...facts.text('Expected', leading.expected, 1),
    ...facts.text('Actual', leading.actual, 1),
    ...changeOf(leading, facts, 1).slice(0, 3),
    ...facts.text('Remedy', remedies[0]?.remedy, 2),
  ];
  // As many as there is room for; the report has all of them.
  const shown: string[] = [];
  for (const command of next) {
    const more = wrappedCommand(oneLine(command), facts.room);
    if (lines.length + shown.length + more.length <= mostLines) shown.push(...more);
  }
  const told = [...lines.slice(0, mostLines), ...facts.lines('Next', shown)];
  const reading = facts.text('Reading', readingOf(leading, requirements, run), 1);
  return [...told, ...(told.length < mostLines ? reading : [])].join('\n');
}

const shownFirst = (leading: CheckResult, checks: readonly CheckResult[]): string => {
  const others = checks.filter((check) => check !== leading).map(({ id }) => oneShortLine(id, 60));
  const named = [oneShortLine(leading.id, 60), ...others.slice(0, 3)].join(', ');
  return others.length > 3 ? `${named} and ${others.length - 3} more` : named;
};

/** Facts of a failure, each below its name. */
interface Facts {
  readonly room: number;
  readonly paint: Paint;
  lines(name: string, lines: readonly string[]): readonly string[];
  text(name: string, value: string | undefined, most?: number): readonly string[];
}

function factsAt(width: number, paint: Paint): Facts {
  const room = width - nameWidth - 4;
  const lines = (name: string, values: readonly string[]): readonly string[] =>
    values.map((line, index) => `  ${paint('gray', (index === 0 ? name : '').padEnd(nameWidth))}  ${line}`);
  const text = (name: string, value: string | undefined, most = 4): readonly string[] =>
    value === undefined ? [] : lines(name, wrappedData(oneShortLine(value, room * most), room, most));
  return { room, paint, lines, text };
}

/** What could not be judged, by the reason: a bank that goes silent leaves hundreds of checks with the same one. */
function renderInconclusive({ results }: RunRecord, options: ConsoleOptions): string {
  const open = results.filter(({ verdict }) => verdict === 'inconclusive');
  return renderReasons('INCONCLUSIVE', 'magenta', open, options);
}

/** What a known deviation excuses is no news: its reason is told, and the report has the rest. */
function renderKnown({ header, results }: RunRecord, { excused }: Outcome, options: ConsoleOptions): string {
  const known = results.flatMap((result) => {
    const excuse = excused.has(result.id) ? excuseOf(result, header) : undefined;
    return excuse === undefined
      ? []
      : [{ ...result, reason: `${excuse.requirement}: ${deviationText(excuse)}` }];
  });
  return renderReasons('KNOWN DEVIATION', 'yellow', known, options);
}

/** A heading, and below it each reason once with the checks that have it. */
export function renderReasons(
  heading: string,
  style: Parameters<Paint>[0],
  results: readonly CheckResult[],
  { colour, width }: ConsoleOptions,
  most = mostReasons,
): string {
  if (results.length === 0) return '';
  const paint = painter(colour);
  const groups = [...groupedBy(results, (result) => withoutIds(reasonOf(result))).values()];
  const rest = groups.slice(most).flat();
  return [
    `${paint(style, heading)} ${paint('gray', `(${results.length} ${results.length === 1 ? 'check' : 'checks'})`)}`,
    ...groups
      .slice(0, most)
      .flatMap((group) => [
        ...indented(wrappedLines(namesOf(group), width - 2), '  ').map((line) => paint('bold', line)),
        ...indented(wrappedLines(commonReason(group), width - 4), '    '),
      ]),
    ...(rest.length === 0
      ? []
      : [
          `  ${paint('gray', `and ${rest.length} more ${rest.length === 1 ? 'check' : 'checks'}; requirements.html has the reason of each`)}`,
        ]),
  ].join('\n');
}

const reasonOf = ({ reason, verdict }: CheckResult): string => oneShortLine(reason ?? verdict, 600);

/** Every SCA and every payment has an address of its own, and the same goes wrong at all of them. */
const withoutIds = (reason: string): string => reason.replaceAll(/(https?:\/\/\S+\/)[^\s/]+/g, '$1…');

function commonReason(results: readonly CheckResult[]): string {
  const [first = '', ...others] = new Set(results.map(reasonOf));
  return others.length === 0 ? first : withoutIds(first);
}

function namesOf(results: readonly CheckResult[]): string {
  const ids = results.slice(0, mostNamed).map(({ id }) => oneShortLine(id, 60));
  const rest = results.length - ids.length;
  return `${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** One failure with all that is needed to understand it. */
function renderFailure(
  result: CheckResult,
  { run, outcome }: { readonly run: RunRecord; readonly outcome: Outcome },
  { colour, width, commands }: ConsoleOptions,
): string {
  const paint = painter(colour);
  const facts = factsAt(width, paint);
  const mark = result.verdict.toUpperCase();
  const indent = ' '.repeat(mark.length + 2);
  // Room for the id, which stands before the first line of the title.
  const idRoom = '\u00b7'.repeat(result.id.length + 1);
  const title = wrappedLines(`${idRoom} ${oneLine(result.title)}`, width - indent.length);
  const [own = result.id] = result.requirements;
  const cited = outcome.requirements.flatMap(({ requirement }) =>
    requirement.id === own ? [requirement] : [],
  );
  const next = commands === undefined ? [result.reproduce] : nextCommands(own, result, commands);
  return [
    ...title.map((line, index) =>
      index === 0
        ? `${paint(['bold', 'red'], mark)}  ${paint('bold', result.id)} ${line.slice(idRoom.length)}`
        : `${indent}${line}`,
    ),
    ...cited.flatMap(({ id, level, statement }) =>
      facts.lines('Requirement', wrappedLines(`${id} (${level}): ${oneLine(statement)}`, facts.room)),
    ),
    ...facts.text('Reading', readingOf(result, cited, run), 6),
    // A failed expectation says in its reason what the next two lines say.
    ...facts.text('Reason', result.expected === undefined ? result.reason : undefined, 8),
    ...facts.text('Expected', result.expected),
    ...facts.text('Actual', result.actual),
    ...caseLines(result, facts),
    ...result.notes.slice(0, 3).flatMap((note) => facts.text('Note', note, 6)),
    ...facts.lines(
      'Next',
      next.flatMap((command) => wrappedCommand(oneLine(command), facts.room)),
    ),
  ].join('\n');
}

/** How the specification was read where it is not clear, since the bank may read it in another way. */
function readingOf(
  { requirements: [own] }: CheckResult,
  requirements: readonly Requirement[],
  { header }: RunRecord,
): string | undefined {
  const { side, interpretation: id } = requirements.find(({ id }) => id === own) ?? {};
  if (side !== 'bank' || id === undefined) return undefined;
  return `${readingText(id, header)}; another one is chosen under interpretations.${id} of the target file`;
}

/** What is different about a failing request and its control, as a diff. */
function changeOf(result: CheckResult, { room, paint, lines }: Facts, most: number): readonly string[] {
  const side = (sign: string, value: string, style: Parameters<Paint>[0]): readonly string[] =>
    wrappedData(oneShortLine(value, room * most), room - 2, most).map((line, index) =>
      paint(style, `${index === 0 ? sign : ' '} ${line}`),
    );
  return shownChanges(result, room * most).flatMap(({ name, sides }, index) =>
    lines(index === 0 ? 'Changed' : '', [
      ...wrappedData(oneShortLine(name, room), room, 1),
      ...(sides === undefined
        ? []
        : [...side('-', sides.control, 'red'), ...side('+', sides.failing, 'green')]),
    ]),
  );
}

/** The request and its answer; where the control is known, what is different about the two. */
function caseLines(result: CheckResult, facts: Facts): readonly string[] {
  const telling = tellingExchange(result);
  const control = controlExchange(result);
  const changed = changeOf(result, facts, 2);
  const purpose =
    telling !== undefined && result.counterexample === undefined && telling !== control
      ? ` (${telling.purpose})`
      : '';
  return [
    ...facts.text(
      'Request',
      telling && `${telling.request.method} ${pathOf(telling.request.url)}${purpose}`,
      3,
    ),
    ...changed,
    ...(changed.length === 0 ? facts.text('Case', result.counterexample?.value, 4) : []),
    ...facts.text('Answer', telling && answerOf(telling), 3),
    ...(control === undefined || telling === control
      ? []
      : facts.text(
          'Control',
          `${statusOf(control)}${changed.length === 0 ? '' : ' without this change'}`,
          2,
        )),
  ];
}

const statusOf = ({ response, trouble }: Exchange): string =>
  response === undefined ? `none (${trouble?.message ?? 'nothing was recorded'})` : String(response.status);

function answerOf(exchange: Exchange): string {
  const { body = '', headers = [], status = 0 } = exchange.response ?? {};
  const isRedirect = status >= 300 && status < 400;
  const location = isRedirect && headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  // Of a page nothing is left on a few lines but how it is made.
  const told = location ? `to ${location}` : /^\s*</.test(body) ? '(a page)' : body;
  return [statusOf(exchange), told].filter((part) => part !== '').join(' ');
}

const pathOf = (url: string): string => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed === undefined ? url : `${parsed.pathname}${parsed.search}`;
};

/** What to type next, to be copied as it stands. */
const nextCommands = (
  requirement: string,
  { id, reproduce }: CheckResult,
  { replay }: NextCommands,
): readonly string[] => [`npx xs2a-conformance explain ${requirement}`, replay(id), reproduce];

const indented = (lines: readonly string[], indent: string): readonly string[] =>
  lines.map((line) => `${indent}${line}`);
