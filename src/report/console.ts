import { styleText } from 'node:util';
import type { CheckResult, RunRecord, Verdict } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { exchangeLine, tellingExchange } from './exchange-text.ts';
import { oneLine, oneShortLine } from './harmless-text.ts';
import { runDuration, runRequests } from './journal.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export interface ConsoleOptions {
  /** Whether to colour; the caller knows the terminal and `NO_COLOR`. */
  readonly colour: boolean;
  /** Failures shown in full; a bank that fails everything must not scroll its verdict away. */
  readonly maxFailures?: number;
}

/** Where the reports stand, as far as they were written. */
export interface ShownPaths {
  readonly html?: string;
  readonly matrix?: string;
  readonly summary?: string;
}

const columns: readonly { readonly verdict: Verdict; readonly heading: string; readonly style: Style }[] = [
  { verdict: 'pass', heading: 'pass', style: 'green' },
  { verdict: 'fail', heading: 'fail', style: 'red' },
  { verdict: 'warning', heading: 'warning', style: 'yellow' },
  { verdict: 'not-applicable', heading: 'n/a', style: 'gray' },
  { verdict: 'inconclusive', heading: 'inconclusive', style: 'magenta' },
  { verdict: 'error', heading: 'error', style: 'red' },
];

const verdictStyles: Readonly<Record<OverallVerdict, Style>> = {
  conformant: ['bold', 'green'],
  'non-conformant': ['bold', 'red'],
  incomplete: ['bold', 'yellow'],
  partial: ['bold', 'cyan'],
};

/** Everything that the terminal shows after a run: failures, the table by suite, the verdict, the paths. */
export function renderRun(
  run: RunRecord,
  outcome: Outcome,
  paths: ShownPaths,
  options: ConsoleOptions,
): string {
  return [
    renderFailures(run, outcome, options),
    run.results.length === 0 ? '' : renderTable(run, options),
    renderVerdict(run, outcome, paths, options),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** One row per suite in the order of the results, numbers aligned, and a total. */
export function renderTable({ results }: RunRecord, { colour }: ConsoleOptions): string {
  const paint = painter(colour);
  const suites = [...groupedBy(results, ({ suite }) => suite.id).values()].map((group) => ({
    title: oneShortLine(group[0]?.suite.title ?? '', 48),
    results: group,
  }));
  const width = Math.max(5, ...suites.map(({ title }) => title.length));
  const row = (title: string, judged: readonly CheckResult[]): string =>
    [
      title.padEnd(width),
      ...columns.map(({ verdict, heading, style }) => {
        const count = judged.filter((result) => result.verdict === verdict).length;
        const cell = String(count === 0 ? '·' : count).padStart(heading.length);
        return count === 0 ? paint('gray', cell) : paint(style, cell);
      }),
    ].join('  ');
  return [
    paint('bold', ['Suite'.padEnd(width), ...columns.map(({ heading }) => heading)].join('  ')),
    ...suites.map((suite) => row(suite.title, suite.results)),
    ...(suites.length > 1 ? [paint('bold', row('Total', results))] : []),
  ].join('\n');
}

/** The checks that stand between the run and `conformant`, each with all that is needed to understand it. */
export function renderFailures(run: RunRecord, outcome: Outcome, options: ConsoleOptions): string {
  const paint = painter(options.colour);
  const limit = options.maxFailures ?? 20;
  const failures = run.results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'error' || verdict === 'inconclusive')
    .toSorted((a, b) => gravity(a, outcome) - gravity(b, outcome));
  const rest = failures.length - limit;
  return [
    ...failures.slice(0, limit).map((result) => renderFailure(result, outcome, paint)),
    ...(rest > 0 ? [paint('gray', `… and ${rest} more in the report.`)] : []),
  ].join('\n\n');
}

/** The last lines of a run: verdict, counts, problems, and where to read on. */
export function renderVerdict(
  run: RunRecord,
  outcome: Outcome,
  paths: ShownPaths,
  { colour }: ConsoleOptions,
): string {
  const paint = painter(colour);
  const counts = columns
    .filter(({ verdict }) => outcome.counts[verdict] > 0)
    .map(({ verdict, heading, style }) => {
      const excused =
        verdict === 'fail' && outcome.excused.size > 0
          ? ` (${outcome.excused.size} excused as known deviation)`
          : '';
      return paint(style, `${outcome.counts[verdict]} ${heading}${excused}`);
    });
  const extent = `${(runDuration(run) / 1000).toFixed(1)} s, ${runRequests(run)} requests, seed ${run.header.seed}`;
  return [
    `${paint(verdictStyles[outcome.verdict], outcome.verdict.toUpperCase())}  ${oneLine(run.header.target.name)}`,
    `  ${counts.join(', ') || 'no check was judged'} ${paint('gray', `(${extent})`)}`,
    ...(outcome.part === undefined
      ? []
      : [`  Only a part was judged (${oneLine(outcome.part)}): it says nothing about the rest.`]),
    ...profileLines(outcome, paint),
    ...outcome.problems.map((problem) => `  ${paint('yellow', '!')} ${oneLine(problem)}`),
    ...(paths.html === undefined ? [] : [`  Report        ${paths.html}`]),
    ...(paths.matrix === undefined ? [] : [`  Requirements  ${paths.matrix}`]),
    ...(paths.summary === undefined ? [] : [`  Summary       ${paths.summary}`]),
  ].join('\n');
}

/** Profile by profile: its verdict, how much of it was judged, and what was not asked for and why. */
function profileLines({ profiles, notBinding }: Outcome, paint: Paint): readonly string[] {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));
  const ids = widest([...profiles.map(({ id }) => id), ...notBinding.map(({ what }) => what)]);
  const words = widest([...profiles.map(({ verdict }) => verdict), 'not binding']);
  return [
    ...profiles.map(
      ({ id, verdict, judged, binding, version }) =>
        `  ${id.padEnd(ids)}  ${paint(verdictStyles[verdict], verdict.padEnd(words))}  ${paint('gray', `${judged} of ${binding} requirements judged, version ${version}`)}`,
    ),
    ...notBinding.map(
      ({ what, why }) =>
        `  ${what.padEnd(ids)}  ${paint('gray', `${'not binding'.padEnd(words)}  ${oneShortLine(why, 160)}`)}`,
    ),
  ];
}

/** One line that a terminal rewrites while the run goes on. */
export function progressLine(done: number, total: number, failures: number, current?: string): string {
  const count = `${String(done).padStart(String(total).length)}/${total}`;
  const failed = failures === 0 ? '' : `  ${failures} failed`;
  return `${count}${failed}${current === undefined ? '' : `  ${oneShortLine(current, 60)}`}`;
}

function renderFailure(result: CheckResult, outcome: Outcome, paint: Paint): string {
  const excused = outcome.excused.has(result.id);
  const mark = excused ? 'KNOWN DEVIATION' : result.verdict.toUpperCase();
  const telling = tellingExchange(result);
  const statements = outcome.requirements
    .filter(({ requirement }) => result.requirements.includes(requirement.id))
    .map(({ requirement }) => `${requirement.id} (${requirement.level}): ${oneLine(requirement.statement)}`);
  const reasons = outcome.knownDeviations
    .filter(({ requirement }) => excused && result.requirements.includes(requirement))
    .map(({ reason, until }) => `${oneLine(reason)}${until === undefined ? '' : ` (until ${until})`}`);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ...statements.map((statement) => ['', statement] as const),
    ['Known', reasons.length === 0 ? undefined : reasons.join('; ')],
    // A failed expectation says in its reason what the next two lines say.
    ['Reason', result.expected === undefined ? result.reason : undefined],
    ['Expected', result.expected],
    ['Actual', result.actual],
    ['Case', result.counterexample?.value],
    ['Exchange', telling === undefined ? undefined : exchangeLine(telling)],
    ['Answer', telling?.response?.body || telling?.trouble?.message],
    ['Reproduce', result.reproduce],
  ];
  return [
    `${paint(excused ? 'yellow' : ['bold', 'red'], mark)}  ${paint('bold', result.id)}  ${oneLine(result.title)}`,
    ...facts.flatMap(([name, value]) => {
      if (value === undefined) return [];
      // The command is there to be copied, so it alone is never cut.
      const text = name === 'Reproduce' ? oneLine(value) : oneShortLine(value, 240);
      return name === '' ? [`  ${text}`] : [`  ${paint('gray', name.padEnd(9))}  ${text}`];
    }),
  ].join('\n');
}

/** Broken requirements first, what is known and excused last. */
function gravity(result: CheckResult, { excused }: Outcome): number {
  if (excused.has(result.id)) return 3;
  return ['fail', 'error', 'inconclusive'].indexOf(result.verdict);
}

function painter(colour: boolean): Paint {
  // The stream is not asked: whether to colour was decided by the caller.
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
