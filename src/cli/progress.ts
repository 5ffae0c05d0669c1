import type { CheckResult, RunHeader, Verdict } from '../checks/verdict.ts';
import { verdictWords } from '../report/console.ts';
import { harmlessLines, oneLine, oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter } from '../report/paint.ts';
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
  /** By how quickly verdicts have fallen so far; undefined while too few have. */
  readonly leftMs?: number;
}

/** Requests per second are those of so many milliseconds: more than there are between two lines of a log. */
const windowMs = 10_000;

/** Fewer verdicts say nothing about the others: the first ones wait for the slowest of many that began together. */
const enoughToTell = 0.1;

/** Counts verdicts and requests while a run goes on. Time is given to it, so that it can be tested. */
export class ProgressCount {
  readonly #total: number;
  readonly #counts = new Map<Verdict, number>();
  readonly #bySuite = new Map<string, Map<Verdict, number>>();
  #done = 0;
  #startedAt: number | undefined;
  #requests: () => number = () => 0;
  #samples: { readonly at: number; readonly requests: number }[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  get isUnderWay(): boolean {
    return this.#startedAt !== undefined;
  }

  start(now: number, requests: () => number): void {
    this.#startedAt = now;
    this.#requests = requests;
    this.#samples = [{ at: now, requests: requests() }];
  }

  stop(): void {
    this.#startedAt = undefined;
    // Whoever can tell the number of requests holds all that the run has seen.
    this.#requests = () => 0;
  }

  add(verdict: Verdict): void {
    this.#done += 1;
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
  }

  note(suite: string, verdict: Verdict): void {
    const counts = this.#bySuite.get(suite) ?? new Map<Verdict, number>();
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    this.#bySuite.set(suite, counts);
  }

  ofSuite(suite: string): ReadonlyMap<Verdict, number> {
    return this.#bySuite.get(suite) ?? new Map();
  }

  at(now: number): Moment {
    const requests = this.#requests();
    const elapsedMs = now - (this.#startedAt ?? now);
    this.#samples = [...this.#samples.filter(({ at }) => now - at <= windowMs), { at: now, requests }];
    const [first] = this.#samples;
    const seconds = first === undefined ? 0 : (now - first.at) / 1000;
    const done = this.#done;
    const leftMs = (elapsedMs / done) * (this.#total - done);
    return {
      done,
      total: this.#total,
      counts: this.#counts,
      elapsedMs,
      requests,
      ...(first === undefined || seconds < 0.5
        ? {}
        : { requestsPerSecond: Math.round((requests - first.requests) / seconds) }),
      ...(done < this.#total * enoughToTell || done === this.#total ? {} : { leftMs }),
    };
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

/** A check that is judged, and its suite with how many of it are left. */
interface PlannedSuite {
  readonly title: string;
  readonly checks: number;
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
  return options.reporter === 'json' ? tellPrograms(terminal, options) : tellPeople(terminal, options);
}

/** A live line on a terminal; in a log, a line with its own time every few seconds. */
function tellPeople(terminal: Terminal, { reporter, suites, out }: ProgressOptions): Progress {
  const paint = painter(terminal.colour);
  const width = shownWidth(terminal);
  const count = new ProgressCount([...suites.values()].reduce((sum, { checks }) => sum + checks, 0));
  const left = new Map([...suites].map(([id, { checks }]) => [id, checks]));
  const clear = terminal.isTty ? '\r\u001b[2K' : '';
  let busy: string | undefined;
  let column = 0;
  let timer: NodeJS.Timeout | undefined;
  const live = (): string => {
    if (busy !== undefined) return `${busy} …`;
    return count.isUnderWay ? progressText(count.at(Date.now()), width - 1) : '';
  };
  const show = (): void => {
    // A dot for each check says by itself how far it is.
    if (reporter === 'dots') return;
    if (terminal.isTty) terminal.write(clear + live());
    else if (count.isUnderWay && busy === undefined) terminal.write(logLine(count, width));
  };
  /** Lines that stay, above the live one. */
  const tell = (text: string): void => {
    terminal.write(`${column > 0 ? '\n' : ''}${clear}${text}\n`);
    column = 0;
    if (terminal.isTty && reporter !== 'dots') terminal.write(live());
  };
  const tick = (): void => {
    timer ??= setInterval(show, terminal.isTty ? liveEvery : logEvery).unref();
  };
  return {
    opened(header) {
      tell(headerText(header, suites.size, out, width, paint));
      busy = 'Reaching the bank: connection, clock, SCA, first payments';
      tick();
    },
    checking(requests) {
      busy = undefined;
      count.start(Date.now(), requests);
      tick();
    },
    judged(result) {
      count.add(result.verdict);
      const { suite } = result;
      left.set(suite.id, (left.get(suite.id) ?? 1) - 1);
      if (reporter === 'dots') {
        terminal.write(`${column === width ? '\n' : ''}${dotOf(result.verdict, paint)}`);
        column = column === width ? 1 : column + 1;
      } else if (reporter === 'verbose') {
        tell(checkLine(result, width, paint));
      } else if (result.verdict === 'fail' || result.verdict === 'error') {
        tell(checkLine(result, width, paint));
      }
      count.note(suite.id, result.verdict);
      if (left.get(suite.id) === 0 && reporter === 'line')
        tell(suiteLine(suite.title, count.ofSuite(suite.id), width, paint));
    },
    remark: (text) => tell(wrap(harmlessLines(text).replace(/\n/g, ' '), width, '  ')),
    doing(text) {
      if (column > 0) tell('');
      busy = text;
      if (terminal.isTty) terminal.write(clear + live());
      else terminal.write(`${text} …\n`);
    },
    end() {
      clearInterval(timer);
      timer = undefined;
      if (column > 0) terminal.write('\n');
      column = 0;
      busy = undefined;
      if (!terminal.isTty && count.isUnderWay && reporter !== 'dots') terminal.write(logLine(count, width));
      terminal.write(clear);
      count.stop();
    },
  };
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

function checkLine({ verdict, id, title }: CheckResult, width: number, paint: Paint): string {
  const word = wordOf(verdict);
  const heading = (word?.heading ?? verdict).toUpperCase();
  return `  ${paint(word?.style ?? 'gray', heading.padEnd(5))}  ${paint('bold', id)}  ${oneShortLine(title, width - id.length - 11)}`;
}

function suiteLine(title: string, counts: ReadonlyMap<Verdict, number>, width: number, paint: Paint): string {
  const broken = (counts.get('fail') ?? 0) + (counts.get('error') ?? 0);
  const open = counts.get('inconclusive') ?? 0;
  const [mark, style] =
    broken > 0 ? (['✗', 'red'] as const) : open > 0 ? (['?', 'magenta'] as const) : (['✓', 'green'] as const);
  const told = verdictWords
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
  const total = [...suites.values()].reduce((sum, { checks }) => sum + checks, 0);
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
