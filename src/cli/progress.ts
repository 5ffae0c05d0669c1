import type { CheckResult, RunHeader, Verdict } from '../checks/verdict.ts';
import { verdictWords } from '../report/console.ts';
import { harmlessLines, oneLine, oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter } from '../report/paint.ts';
import { excuseOf } from '../report/requirement-results.ts';
import { wrap } from '../report/wrapped-text.ts';
import type { RunListener } from '../runner/run.ts';
import { shownWidth, type Terminal } from './terminal.ts';

/** How far a run is at one moment. */
interface Moment {
  readonly done: number;
  readonly total: number;
  readonly counts: ReadonlyMap<Verdict, number>;
  readonly elapsedMs: number;
  readonly requests: number;
  /** Of the last seconds; undefined before there is anything to go by. */
  readonly requestsPerSecond?: number;
  /** By the requests that are still to be sent; undefined while too few were. */
  readonly leftMs?: number;
}

/** Requests per second are those of so many milliseconds: more than there are between two lines of a log. */
const windowMs = 10_000;

/** Before such a share of the requests is sent they say nothing about the others. */
const enoughToTell = 0.05;

/** A verdict, or a failure that a known deviation excuses. */
type Fell = Verdict | 'known';

/** A run with its usual cases sends so many times what is expected of its checks with one case; told by so many requests. */
const usually = { times: 1.3, toldBy: 400 } as const;

/** What a check under way still sends at least, of what was expected of it: some send more. */
const leastLeft = 0.05;

/** Of the time by which verdicts have fallen so far, how much those of the end take at least. */
const atTheEnd = 0.4;

/**
 * Counts verdicts and requests while a run goes on. The time that is left follows from requests, not from verdicts: checks
 * are judged side by side, and those that send much begin first and end last. Time is given to it, so that it can be tested.
 */
export class ProgressCount {
  /** By check that is not judged yet: the requests that are expected of it. */
  readonly #open: Map<string, number>;
  readonly #total: number;
  readonly #expected: number;
  #expectedOfOpen: number;
  #sentByJudged = 0;
  readonly #counts = new Map<Verdict, number>();
  readonly #bySuite = new Map<string, Map<Fell, number>>();
  #done = 0;
  #startedAt: number | undefined;
  #requests: () => number = () => 0;
  #before = 0;
  #samples: { readonly at: number; readonly requests: number }[] = [];

  constructor(expected: ReadonlyMap<string, number>) {
    this.#open = new Map(expected);
    this.#total = expected.size;
    this.#expected = [...expected.values()].reduce((sum, requests) => sum + requests, 0);
    this.#expectedOfOpen = this.#expected;
  }

  get isUnderWay(): boolean {
    return this.#startedAt !== undefined;
  }

  start(now: number, requests: () => number): void {
    this.#startedAt = now;
    this.#requests = requests;
    this.#before = requests();
    this.#samples = [{ at: now, requests: this.#before }];
  }

  stop(): void {
    this.#startedAt = undefined;
    // Whoever can tell the number of requests holds all that the run has seen.
    this.#requests = () => 0;
  }

  add({ id, verdict, requests = 0 }: Pick<CheckResult, 'id' | 'verdict' | 'requests'>): void {
    this.#done += 1;
    this.#sentByJudged += requests;
    this.#expectedOfOpen -= this.#open.get(id) ?? 0;
    this.#open.delete(id);
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
  }

  note(suite: string, fell: Fell): void {
    const counts = this.#bySuite.get(suite) ?? new Map<Fell, number>();
    counts.set(fell, (counts.get(fell) ?? 0) + 1);
    this.#bySuite.set(suite, counts);
  }

  ofSuite(suite: string): ReadonlyMap<Fell, number> {
    return this.#bySuite.get(suite) ?? new Map();
  }

  at(now: number): Moment {
    const requests = this.#requests();
    const elapsedMs = now - (this.#startedAt ?? now);
    // As long as the time that it tells of: a bank may be slower now than it was at first.
    const longestMs = Math.max(windowMs, elapsedMs / 3);
    this.#samples = [...this.#samples.filter(({ at }) => now - at <= longestMs), { at: now, requests }];
    const first = this.#samples.find(({ at }) => now - at <= windowMs);
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const done = this.#done;
    const leftMs = this.#leftMs(now, requests);
    return {
      done,
      total: this.#total,
      counts: this.#counts,
      elapsedMs,
      requests,
      ...(first === undefined || seconds < 0.5
        ? {}
        : { requestsPerSecond: Math.round((requests - first.requests) / seconds) }),
      ...(leftMs === undefined ? {} : { leftMs }),
    };
  }

  #leftMs(now: number, requests: number): number | undefined {
    const [first] = this.#samples;
    const sent = requests - this.#before;
    const isTooEarly = sent < this.#expected * enoughToTell;
    if (isTooEarly || this.#done === this.#total || first === undefined || requests === first.requests)
      return undefined;
    const { times, toldBy } = usually;
    const ofJudged = this.#expected - this.#expectedOfOpen;
    const ofOpen = (this.#expectedOfOpen * (this.#sentByJudged + times * toldBy)) / (ofJudged + toldBy);
    const left = Math.max(ofOpen - Math.max(0, sent - this.#sentByJudged), ofOpen * leastLeft);
    const byRequests = (left * (now - first.at)) / (requests - first.requests);
    // At the end few checks are under way, which wait for their own answers and not for the others'.
    const isLate = this.#done > this.#total / 2;
    const byVerdicts = ((now - (this.#startedAt ?? now)) / this.#done) * (this.#total - this.#done);
    return isLate ? Math.max(byRequests, atTheEnd * byVerdicts) : byRequests;
  }
}

/** `312 of 793  288 pass  2 fail  142 requests/s  about 0:12 left`, with less of it where there is less room. */
export function progressText(moment: Moment, width: number): string {
  const { done, total, counts, requests, requestsPerSecond, leftMs, elapsedMs } = moment;
  const fell = verdictWords.flatMap(({ verdict, heading }) =>
    counts.has(verdict) ? [`${counts.get(verdict)} ${heading}`] : [],
  );
  const head = `${String(done).padStart(String(total).length)} of ${total}`;
  const speed = requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests/s`];
  const time = leftMs === undefined ? [] : [`about ${shownTime(leftMs)} left`];
  const sent = done === 0 ? [`${requests} ${requests === 1 ? 'request' : 'requests'} sent`] : [];
  const full = [
    head,
    ...fell,
    ...sent,
    ...speed,
    ...time,
    ...(leftMs === undefined ? [shownTime(elapsedMs)] : []),
  ];
  const short = [head, ...fell, ...time];
  return (
    [full, short, [head, ...fell], [head]]
      .map((parts) => parts.join('  '))
      .find((text) => text.length <= width) ?? ''
  );
}

/** `0:07`, `12:30`, `1:02:05` */
export function shownTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** How a run tells what it does while it goes on. */
export const reporters = ['line', 'dots', 'verbose', 'json'] as const;
export type Reporter = (typeof reporters)[number];

/** What is told while a run goes on, and after its last check. */
export interface Progress extends Omit<Required<RunListener>, 'opened'> {
  opened(header: RunHeader): void;
  /** What keeps the run busy, where nothing falls that could be told. */
  doing(text: string): void;
  /** Nothing goes on any more. */
  end(): void;
}

interface PlannedSuite {
  readonly title: string;
  /** Requests that are expected of each of its checks, by the id of the check. */
  readonly checks: ReadonlyMap<string, number>;
}

export interface ProgressOptions {
  readonly reporter: Reporter;
  /** By the id of the suite. */
  readonly suites: ReadonlyMap<string, PlannedSuite>;
  /** Folder of the reports, as it is told. */
  readonly out: string;
}

/** How often the live line of a terminal changes, and how often a log gets a line, in milliseconds. */
const liveEvery = 200;
const logEvery = 5_000;

export function showProgress(terminal: Terminal, options: ProgressOptions): Progress {
  return options.reporter === 'json'
    ? tellPrograms(terminal, options)
    : new ProgressForPeople(terminal, options);
}

/** A live line on a terminal; in a log, a line with its own time every few seconds. */
class ProgressForPeople implements Progress {
  readonly #terminal: Terminal;
  readonly #options: ProgressOptions;
  readonly #paint: Paint;
  readonly #width: number;
  readonly #count: ProgressCount;
  /** By suite: how many of its checks are not judged yet. */
  readonly #left: Map<string, number>;
  /** Takes the live line away. */
  readonly #clear: string;
  #busy: string | undefined;
  #header: RunHeader | undefined;
  /** Dots in the line that was begun. */
  #column = 0;
  #timer: NodeJS.Timeout | undefined;
  #logged = '';

  constructor(terminal: Terminal, options: ProgressOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#paint = painter(terminal.colour);
    this.#width = shownWidth(terminal);
    this.#left = new Map([...options.suites].map(([id, { checks }]) => [id, checks.size]));
    this.#count = new ProgressCount(
      new Map([...options.suites.values()].flatMap(({ checks }) => [...checks])),
    );
    this.#clear = terminal.isTty ? '\r\u001b[2K' : '';
  }

  opened(header: RunHeader): void {
    this.#header = header;
    const { suites, out } = this.#options;
    this.#tell(headerText(header, suites.size, out, this.#width, this.#paint));
    this.#busy = 'Reaching the bank: connection, clock, SCA, first payments';
    this.#tick();
  }

  checking(requests: () => number): void {
    this.#busy = undefined;
    this.#count.start(Date.now(), requests);
    this.#tick();
  }

  judged(result: CheckResult): void {
    const { suite, verdict } = result;
    const { reporter } = this.#options;
    const isKnown = this.#header !== undefined && excuseOf(result, this.#header) !== undefined;
    this.#count.add(result);
    this.#count.note(suite.id, isKnown ? 'known' : verdict);
    const left = (this.#left.get(suite.id) ?? 1) - 1;
    this.#left.set(suite.id, left);
    if (reporter === 'dots') this.#dot(verdict);
    else if (reporter === 'verbose' || verdict === 'fail' || verdict === 'error')
      this.#tell(checkLine(result, isKnown, this.#width, this.#paint));
    if (left === 0 && reporter === 'line')
      this.#tell(suiteLine(suite.title, this.#count.ofSuite(suite.id), this.#width, this.#paint));
  }

  remark(text: string): void {
    this.#tell(wrap(harmlessLines(text).replace(/\n/g, ' '), this.#width, '  '));
  }

  doing(text: string): void {
    if (this.#column > 0) this.#tell('');
    this.#busy = text;
    this.#terminal.write(this.#terminal.isTty ? this.#clear + this.#live() : `${text} …\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#column > 0) this.#terminal.write('\n');
    this.#column = 0;
    this.#busy = undefined;
    if (!this.#terminal.isTty) this.#show();
    this.#terminal.write(this.#clear);
    this.#count.stop();
  }

  #live(): string {
    if (this.#busy !== undefined) return `${this.#busy} …`;
    return this.#count.isUnderWay ? progressText(this.#count.at(Date.now()), this.#width - 1) : '';
  }

  #show(): void {
    // A dot for each check says by itself how far it is.
    if (this.#options.reporter === 'dots') return;
    if (this.#terminal.isTty) this.#terminal.write(this.#clear + this.#live());
    else if (this.#count.isUnderWay && this.#busy === undefined) this.#log();
  }

  #log(): void {
    const line = logLine(this.#count, this.#width);
    // The end of a run may come in the second in which its last line was told.
    if (line !== this.#logged) this.#terminal.write(line);
    this.#logged = line;
  }

  /** Lines that stay, above the live one. */
  #tell(text: string): void {
    this.#terminal.write(`${this.#column > 0 ? '\n' : ''}${this.#clear}${text}\n`);
    this.#column = 0;
    if (this.#terminal.isTty && this.#options.reporter !== 'dots') this.#terminal.write(this.#live());
  }

  #dot(verdict: Verdict): void {
    const isFull = this.#column === this.#width;
    this.#terminal.write(`${isFull ? '\n' : ''}${dotOf(verdict, this.#paint)}`);
    this.#column = isFull ? 1 : this.#column + 1;
  }

  #tick(): void {
    this.#timer ??= setInterval(() => this.#show(), this.#terminal.isTty ? liveEvery : logEvery).unref();
  }
}

const logLine = (count: ProgressCount, width: number): string => {
  const moment = count.at(Date.now());
  const time = `[${shownTime(moment.elapsedMs)}] `;
  return `${time}${progressText(moment, width - time.length)}\n`;
};

/** Who is judged, by what, and how to repeat it: told before the first check. */
function headerText(
  { tool, target, profiles, planned, runs, seed, selection }: RunHeader,
  suites: number,
  out: string,
  width: number,
  paint: Paint,
): string {
  const indent = ' '.repeat(12);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Address', `${oneLine(target.baseUrl)} (${oneLine(target.environment)})`],
    ['Profiles', Object.keys(profiles ?? {}).join(', ')],
    [
      'Checks',
      `${planned.length} in ${suites} ${suites === 1 ? 'suite' : 'suites'}, ${runs} ${runs === 1 ? 'case' : 'cases'} of each property`,
    ],
    ['Part', selection],
    ['Seed', `${seed} (--seed ${seed} draws the same cases again)`],
    ['Reports', out],
  ];
  return [
    `${paint('bold', oneShortLine(target.name, width))}  ${paint('gray', `${tool.name} ${tool.version}`)}`,
    ...rows.flatMap(([name, text]) =>
      text === undefined
        ? []
        : [`  ${paint('gray', name.padEnd(8))}  ${wrap(oneShortLine(text, 600), width, indent)}`],
    ),
    '',
  ].join('\n');
}

const wordOf = (verdict: Verdict) => verdictWords.find((each) => each.verdict === verdict) ?? verdictWords[0];

function checkLine(
  { verdict, id, title }: CheckResult,
  isKnown: boolean,
  width: number,
  paint: Paint,
): string {
  const { heading, style } = isKnown
    ? ({ heading: 'known', style: 'yellow' } as const)
    : (wordOf(verdict) ?? { heading: verdict, style: 'gray' });
  return `  ${paint(style, heading.toUpperCase().padEnd(5))}  ${paint('bold', id)}  ${oneShortLine(title, width - id.length - 11)}`;
}

/** The gravest of what fell in a suite decides how it is marked. What was not judged at all is not in order either. */
const marks: readonly (readonly [fell: readonly Fell[], mark: string, style: Parameters<Paint>[0]])[] = [
  [['fail', 'error'], '✗', 'red'],
  [['inconclusive'], '?', 'magenta'],
  [['known'], '!', 'yellow'],
  [['pass', 'warning'], '✓', 'green'],
  [['not-applicable'], '–', 'gray'],
];

function suiteLine(title: string, counts: ReadonlyMap<Fell, number>, width: number, paint: Paint): string {
  const [, mark = '–', style = 'gray'] = marks.find(([fell]) => fell.some((each) => counts.has(each))) ?? [];
  const told = [...verdictWords, { verdict: 'known', word: 'known deviation' } as const]
    .flatMap(({ verdict, word }) => (counts.has(verdict) ? [`${counts.get(verdict)} ${word}`] : []))
    .join(', ');
  return `  ${paint(style, mark)} ${oneShortLine(title, width - told.length - 8)}  ${paint('gray', told)}`;
}

const dots: Readonly<Record<Verdict, string>> = {
  pass: '.',
  fail: 'F',
  warning: 'W',
  'not-applicable': '-',
  inconclusive: '?',
  error: 'E',
};

const dotOf = (verdict: Verdict, paint: Paint): string =>
  paint(wordOf(verdict)?.style ?? 'gray', dots[verdict]);

/** One object for each event and line, for programs that follow a run. */
function tellPrograms({ write }: Terminal, { suites }: ProgressOptions): Progress {
  const tell = (event: string, value: object): void => write(`${terminalJson({ event, ...value }, 0)}\n`);
  const total = [...suites.values()].reduce((sum, { checks }) => sum + checks.size, 0);
  let done = 0;
  return {
    opened: ({ tool, catalogue, target, profiles, planned, seed, runs, startedAt, selection }) =>
      tell('start', {
        tool,
        catalogue,
        target,
        profiles,
        checks: planned.length,
        seed,
        runs,
        startedAt,
        selection,
      }),
    checking: () => tell('checking', {}),
    judged({ id, title, suite, requirements, level, verdict, reason, expected, actual, durationMs, cases }) {
      done += 1;
      tell('check', {
        id,
        title,
        suite: suite.id,
        requirements,
        level,
        verdict,
        reason,
        expected,
        actual,
        cases,
        durationMs,
        done,
        total,
      });
    },
    remark: (text) => tell('remark', { text }),
    doing: (text) => tell('doing', { text }),
    end: () => {},
  };
}
