import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { controlExchange, tellingExchange } from './exchange-text.ts';
import { oneLine, oneShortLine } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';
import { type ConsoleOptions, type Paint, painter } from './paint.ts';
import { deviationText, excuseOf, readingText } from './requirement-results.ts';
import { shownChanges } from './shown-changes.ts';
import { wrappedCommand, wrappedData, wrappedLines } from './wrapped-text.ts';

/** Failures shown in full; a bank that fails everything must not scroll its verdict away. */
const mostFailures = 20;

/** Checks named of a reason that many have. */
const mostNamed = 6;

/** Reasons shown; a TPP that was asked for one profile has not shown dozens of things. */
const mostReasons = 12;

/** Width of the names before the facts of a failure. */
const nameWidth = 11;

/** The checks that stand between the run and `conformant`, each with all that is needed to understand it. */
export function renderFailures(run: RunRecord, outcome: Outcome, options: ConsoleOptions): string {
  const paint = painter(options.colour);
  const limit = options.maxFailures ?? mostFailures;
  const broken = run.results
    .filter(({ verdict, id }) => (verdict === 'fail' && !outcome.excused.has(id)) || verdict === 'error')
    .toSorted((a, b) => gravity(a) - gravity(b));
  const groups = [...groupedBy(broken, (result) => `${result.requirements[0]} ${gravity(result)}`)];
  const leading = groups.flatMap(([, group]) => inFull(group));
  // The gravest last, next to the prompt.
  const shown = leading.slice(0, limit).toSorted((a, b) => gravity(b.result) - gravity(a.result));
  const rest = broken.length - shown.reduce((sum, { others }) => sum + 1 + others.length, 0);
  return [
    renderInconclusive(run, options),
    renderKnown(run, outcome, options),
    ...(rest > 0
      ? [paint('gray', `${rest} more ${rest === 1 ? 'failure is' : 'failures are'} in the report.`)]
      : []),
    ...shown.map(({ result, others }) => renderFailure(result, others, { run, outcome }, options)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface ShownFailure {
  readonly result: CheckResult;
  /** Checks that fail for the same requirement, and are only named. */
  readonly others: readonly CheckResult[];
}

/** A rule that breaks at every operation fails a check for each: two of them tell it, and the others are named. */
function inFull(group: readonly CheckResult[]): readonly ShownFailure[] {
  const shown = group.slice(0, group.length > 3 ? 2 : group.length);
  return shown.map((result, index) => ({
    result,
    others: index === shown.length - 1 ? group.slice(shown.length) : [],
  }));
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

function renderFailure(
  result: CheckResult,
  others: readonly CheckResult[],
  { run, outcome }: { readonly run: RunRecord; readonly outcome: Outcome },
  options: ConsoleOptions,
): string {
  const { colour, width } = options;
  const paint = painter(colour);
  const mark = result.verdict.toUpperCase();
  const room = width - nameWidth - 4;
  const fact = (name: string, lines: readonly string[]): readonly string[] =>
    lines.map((line, index) => `  ${paint('gray', (index === 0 ? name : '').padEnd(nameWidth))}  ${line}`);
  const text = (name: string, value: string | undefined, most = 4): readonly string[] =>
    value === undefined ? [] : fact(name, wrappedData(oneShortLine(value, room * most), room, most));
  const indent = ' '.repeat(mark.length + 2);
  // Room for the id, which stands before the first line of the title.
  const idRoom = '\u00b7'.repeat(result.id.length + 1);
  const title = wrappedLines(`${idRoom} ${oneLine(result.title)}`, width - indent.length);
  return [
    ...title.map((line, index) =>
      index === 0
        ? `${paint(['bold', 'red'], mark)}  ${paint('bold', result.id)} ${line.slice(idRoom.length)}`
        : `${indent}${line}`,
    ),
    ...requirementLines(result, outcome, room).flatMap((lines, index) =>
      fact(index === 0 ? 'Requirement' : '', lines),
    ),
    ...text('Reading', readingOf(result, outcome, run), 6),
    // A failed expectation says in its reason what the next two lines say.
    ...text('Reason', result.expected === undefined ? result.reason : undefined, 8),
    ...text('Expected', result.expected),
    ...text('Actual', result.actual),
    ...caseLines(result, room, paint, fact),
    ...result.notes.slice(0, 3).flatMap((note) => text('Note', note, 6)),
    ...text('Also fails', others.length === 0 ? undefined : others.map(({ id }) => id).join(', '), 6),
    ...fact('Next', nextLines(result, options, room)),
  ].join('\n');
}

/** The requirement of the check; those that it touches as well are in the report. */
function requirementLines(
  { requirements: [own] }: CheckResult,
  { requirements }: Outcome,
  room: number,
): readonly (readonly string[])[] {
  return requirements
    .filter(({ requirement }) => requirement.id === own)
    .map(({ requirement: { id, level, statement } }) =>
      wrappedLines(`${id} (${level}): ${oneLine(statement)}`, room),
    );
}

/** How the specification was read where it is not clear, since the bank may read it in another way. */
function readingOf(
  { requirements: [own] }: CheckResult,
  { requirements }: Outcome,
  { header }: RunRecord,
): string | undefined {
  const { side, interpretation: id } =
    requirements.find(({ requirement }) => requirement.id === own)?.requirement ?? {};
  if (side !== 'bank' || id === undefined) return undefined;
  return `${readingText(id, header)}; another one is chosen under interpretations.${id} of the target file`;
}

/** The request and its answer; where the control is known, what is different about the two, as a diff. */
function caseLines(
  result: CheckResult,
  room: number,
  paint: Paint,
  fact: (name: string, lines: readonly string[]) => readonly string[],
): readonly string[] {
  const telling = tellingExchange(result);
  const control = controlExchange(result);
  const data = (value: string, most: number): readonly string[] =>
    wrappedData(oneShortLine(value, room * most), room, most);
  const changed = shownChanges(result, room * 2);
  const side = (sign: string, value: string, style: Parameters<Paint>[0]): readonly string[] =>
    wrappedData(oneShortLine(value, room * 2), room - 2, 2).map((line, index) =>
      paint(style, `${index === 0 ? sign : ' '} ${line}`),
    );
  return [
    ...(telling === undefined
      ? []
      : fact(
          'Request',
          data(
            `${telling.request.method} ${pathOf(telling.request.url)}${result.counterexample === undefined && telling !== control ? ` (${telling.purpose})` : ''}`,
            3,
          ),
        )),
    ...changed.flatMap(({ name, sides }, index) =>
      fact(index === 0 ? 'Changed' : '', [
        ...data(name, 1),
        ...(sides === undefined
          ? []
          : [...side('-', sides.control, 'red'), ...side('+', sides.failing, 'green')]),
      ]),
    ),
    ...(changed.length === 0 && result.counterexample !== undefined
      ? fact('Case', data(result.counterexample.value, 4))
      : []),
    ...(telling === undefined ? [] : fact('Answer', data(answerOf(telling), 3))),
    ...(control === undefined || telling === control
      ? []
      : fact(
          'Control',
          data(`${statusOf(control)}${changed.length === 0 ? '' : ' without this change'}`, 2),
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
function nextLines(
  { requirements: [own], id, reproduce }: CheckResult,
  { commands }: ConsoleOptions,
  room: number,
): readonly string[] {
  const next =
    commands === undefined
      ? [reproduce]
      : [`npx xs2a-conformance explain ${own ?? id}`, commands.replay(id), reproduce];
  return next.flatMap((command) => wrappedCommand(oneLine(command), room));
}

const indented = (lines: readonly string[], indent: string): readonly string[] =>
  lines.map((line) => `${indent}${line}`);

/** Broken requirements gravest. */
const gravity = ({ verdict }: CheckResult): number => ['fail', 'error'].indexOf(verdict);
