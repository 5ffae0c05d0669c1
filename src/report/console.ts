import type { CheckResult, RunRecord, Verdict } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { renderFailures, renderReasons } from './console-failures.ts';
import { oneLine, oneShortLine } from './harmless-text.ts';
import { type Outcome, type OverallVerdict, plural } from './outcome.ts';
import { type ConsoleOptions, type Paint, painter, type Style } from './paint.ts';
import { effortOf } from './run-times.ts';
import { wrap } from './wrapped-text.ts';

/** The verdicts of checks in the order of every count, with the words and colours of a terminal. */
export const verdictWords: readonly {
  readonly verdict: Verdict;
  /** In a sentence: `4 not applicable`. */
  readonly word: string;
  /** Above a column. */
  readonly heading: string;
  /** The same where there is little room. */
  readonly shortHeading?: string;
  readonly style: Style;
}[] = [
  { verdict: 'pass', word: 'pass', heading: 'pass', style: 'green' },
  { verdict: 'fail', word: 'fail', heading: 'fail', style: 'red' },
  { verdict: 'warning', word: 'warning', heading: 'warning', shortHeading: 'warn', style: 'yellow' },
  { verdict: 'not-applicable', word: 'not applicable', heading: 'n/a', style: 'gray' },
  {
    verdict: 'inconclusive',
    word: 'inconclusive',
    heading: 'inconclusive',
    shortHeading: 'open',
    style: 'magenta',
  },
  { verdict: 'error', word: 'error', heading: 'error', style: 'red' },
];

const verdictStyles: Readonly<Record<OverallVerdict, Style>> = {
  conformant: ['bold', 'green'],
  'non-conformant': ['bold', 'red'],
  incomplete: ['bold', 'yellow'],
  partial: ['bold', 'cyan'],
};

/** A journey that no profile demands is nothing to do: its requests need not be told. */
const withoutDetour =
  ({ profiles }: Outcome) =>
  (result: CheckResult): CheckResult =>
    result.journey === undefined ||
    profiles.some(({ id }) => result.journey?.mandatoryIn.some((demanding) => demanding === id))
      ? result
      : { ...result, reason: 'Not seen, and demanded by none of the profiles.' };

/** Everything that the terminal shows after a run. What a reader looks for stands last: failures and the verdict. */
export function renderRun(run: RunRecord, outcome: Outcome, options: ConsoleOptions): string {
  const of = (wanted: Verdict): readonly CheckResult[] =>
    run.results.filter(({ verdict }) => verdict === wanted);
  const notApplicable = of('not-applicable').map(withoutDetour(outcome));
  const [needed, spare] = parted(notApplicable, reasonOfGap(outcome));
  return [
    renderTable(run, options),
    renderReasons('Not applicable', 'gray', spare, options),
    renderNeeded(needed, options),
    renderReasons('WARNING', 'yellow', of('warning'), options),
    renderProfiles(outcome, options),
    renderFailures(run, outcome, options),
    renderVerdict(run, outcome, options),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Whether a check was left out for what keeps a must-level requirement open, its own or another one. */
function reasonOfGap({ gaps }: Outcome): (result: CheckResult) => boolean {
  const reasons = new Set(gaps.map(({ check }) => check?.reason));
  return ({ reason }) => reason !== undefined && reasons.has(reason);
}

function parted<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** As many reasons as a target file can give, and no more than a screen or two. */
const mostNeeded = 30;

/** What a target file has to say for a verdict: it is looked for where one is missing. */
function renderNeeded(results: readonly CheckResult[], options: ConsoleOptions): string {
  if (results.length === 0) return '';
  const paint = painter(options.colour);
  return [
    renderReasons('Not applicable, and needed for a whole verdict', 'yellow', results, options, mostNeeded),
    `  ${paint('gray', wrap('What the bank does not offer, name under notOffered of the target file, with the reason.', options.width, '  '))}`,
  ].join('\n');
}

/** One row for each suite that did not pass as a whole, in the order of the results, and a total. */
export function renderTable({ header, results }: RunRecord, { colour, width }: ConsoleOptions): string {
  if (results.length === 0) return '';
  const paint = painter(colour);
  const suites = [...groupedBy(results, ({ suite }) => suite.id).values()];
  const notable = suites.filter((group) => group.some(({ verdict }) => verdict !== 'pass'));
  const passed = suites.length - notable.length;
  const rest = notable.length === 0 ? 'suites' : passed === 1 ? 'other suite' : 'other suites';
  const counted = columnsOf(results, width < 80);
  const numbers = counted.reduce((sum, { heading }) => sum + heading.length + 2, 0);
  const titleOf = (group: readonly CheckResult[]): string =>
    oneShortLine(group[0]?.suite.title ?? '', width - numbers);
  const total = `${suites.length} ${suites.length === 1 ? 'suite' : 'suites'}`;
  const titles = [...notable.map(titleOf), `${passed} ${rest}`, total, 'Suite'];
  const widest = Math.max(...titles.map(({ length }) => length));
  const row = (title: string, judged: readonly CheckResult[]): string =>
    [
      title.padEnd(widest),
      ...counted.map(({ verdict, heading, style }) => {
        const count = judged.filter((result) => result.verdict === verdict).length;
        const cell = String(count === 0 ? '·' : count).padStart(heading.length);
        return count === 0 ? paint('gray', cell) : paint(style, cell);
      }),
    ].join('  ');
  if (notable.length === 0) return paint('green', allPassText(results.length, header.planned.length, total));
  return [
    paint('bold', ['Suite'.padEnd(widest), ...counted.map(({ heading }) => heading)].join('  ')),
    ...notable.map((group) => row(titleOf(group), group)),
    ...(passed > 0
      ? [row(`${passed} ${rest}`, suites.filter((group) => !notable.includes(group)).flat())]
      : []),
    ...(suites.length > 1 ? [paint('bold', row(total, results))] : []),
  ].join('\n');
}

/** What was cut short does not read like the whole. */
const allPassText = (judged: number, planned: number, suites: string): string =>
  judged < planned
    ? `${judged} of ${planned} checks were judged, and all of these pass.`
    : `All ${judged} checks of ${suites} pass.`;

/** Columns of verdicts that fell at all, and always those of pass and fail. */
const columnsOf = (results: readonly CheckResult[], isNarrow: boolean): typeof verdictWords =>
  verdictWords
    .filter(
      ({ verdict }) =>
        verdict === 'pass' || verdict === 'fail' || results.some((result) => result.verdict === verdict),
    )
    .map((column) => ({
      ...column,
      heading: isNarrow ? (column.shortHeading ?? column.heading) : column.heading,
    }));

/** Profile by profile: its verdict, how much of it was judged, and what was not asked for and why. */
function renderProfiles(
  { profiles: all, notBinding, part }: Outcome,
  { colour, width }: ConsoleOptions,
): string {
  const paint = painter(colour);
  // Of a part, what it never touched would only bury the rest.
  const profiles = all.filter(
    ({ judged, verdict }) => part === undefined || judged > 0 || verdict === 'non-conformant',
  );
  const nameOf = ({ id, version }: { readonly id: string; readonly version: string }): string =>
    `${id} ${version}`;
  const names = [...profiles.map(nameOf), ...notBinding.map(({ what }) => what)];
  const widest = Math.max(0, ...names.map(({ length }) => length));
  const words = Math.max(...['not binding', ...profiles.map(({ verdict }) => verdict)].map((w) => w.length));
  const indent = ' '.repeat(widest + words + 6);
  if (names.length === 0) return '';
  return [
    paint('bold', 'Profiles'),
    ...profiles.map((profile) => {
      const { verdict, judged, binding } = profile;
      const extent = wrap(`${judged} of ${binding} requirements judged`, width, indent);
      return `  ${nameOf(profile).padEnd(widest)}  ${paint(verdictStyles[verdict], verdict.padEnd(words))}  ${paint('gray', extent)}`;
    }),
    ...notBinding.map(({ what, why }) => {
      const told = wrap(oneShortLine(why, 240), width, indent);
      return `  ${what.padEnd(widest)}  ${paint('gray', `${'not binding'.padEnd(words)}  ${told}`)}`;
    }),
  ].join('\n');
}

/** The last lines of a run: verdict, counts, and what keeps it from being conformant. */
function renderVerdict(run: RunRecord, outcome: Outcome, options: ConsoleOptions): string {
  const { colour, width } = options;
  const paint = painter(colour);
  const part =
    outcome.part === undefined
      ? []
      : [`Only a part was judged (${oneShortLine(outcome.part, 240)}): it says nothing about the rest.`];
  return [
    `${paint(verdictStyles[outcome.verdict], outcome.verdict.toUpperCase())}  ${wrap(oneLine(run.header.target.name), width - outcome.verdict.length - 2, '  ')}`,
    ...countLines(outcome, width, paint),
    ...causeLines(outcome, options).map((line) => paint('red', line)),
    `  ${paint('gray', effortOf(run))}`,
    ...part.map((line) => `  ${wrap(line, width, '  ')}`),
    ...outcome.problems.map(
      (problem) => `  ${paint('yellow', '!')} ${wrap(oneLine(problem), width, '    ')}`,
    ),
  ].join('\n');
}

/** How much is wrong, and where each failure is shown. */
function causeLines({ causes }: Outcome, { width, commands }: ConsoleOptions): readonly string[] {
  if (causes.length === 0) return [];
  const checks = causes.flatMap((cause) => cause.checks).length;
  const requirements = new Set(causes.flatMap((cause) => cause.requirements)).size;
  const told = `${plural(causes.length, 'cause')}, ${plural(checks, 'check')}, ${plural(requirements, 'requirement')}`;
  const next = commands === undefined ? '' : `; each failure: ${oneLine(commands.everyFailure)}`;
  return [`  ${wrap(`${told}${next}`, width - 2, '    ')}`];
}

function countLines({ counts, excused }: Outcome, width: number, paint: Paint): readonly string[] {
  const known = excused.size === 0 ? '' : ` (${excused.size} excused as known deviation)`;
  const texts = verdictWords
    .filter(({ verdict }) => counts[verdict] > 0)
    .map(({ verdict, word, style }) => ({
      text: `${counts[verdict]} ${word}${verdict === 'fail' ? known : ''}`,
      style,
    }));
  if (texts.length === 0) return ['  no check was judged'];
  const lines: string[][] = [[]];
  let length = 0;
  for (const [index, { text, style }] of texts.entries()) {
    const shown = index < texts.length - 1 ? `${text},` : text;
    if (length > 0 && length + shown.length + 2 > width) {
      lines.push([]);
      length = 0;
    }
    length += shown.length + 1;
    lines.at(-1)?.push(paint(style, shown));
  }
  return lines.map((line) => `  ${line.join(' ')}`);
}
