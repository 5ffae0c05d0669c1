import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunContext } from '../checks/context.ts';
import { type PlacedCheck, runChecks } from '../checks/engine.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { embeddedAddress, openJournal } from '../report/journal.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import { profileOf } from '../spec/profiles.ts';
import { steadyNow } from '../spec/steady-clock.ts';
import { describeTarget, type Target, warningLines } from '../target/target.ts';
import { tlsFingerprint, wayTo } from '../tpp/connection-probe.ts';
import { Redactor } from '../tpp/redaction.ts';
import type { OpenTarget } from './open-target.ts';
import { tool } from './package.ts';
import { type PreparedRun, prepareRun, type RunSettings } from './prepare-run.ts';
import { withSessionsOfAllShards } from './shared-sessions.ts';

/** What a run tells while it goes on. */
export interface RunListener {
  /** It is known who is judged and by what; nothing has been sent yet. */
  opened?(header: RunHeader, target: Target): void;
  /** The first check begins. `requests` tells how many have been sent by then and later. */
  checking?(requests: () => number): void;
  /** A check was judged. */
  judged(result: CheckResult): void;
  /** Something is odd and yet no reason to stop. */
  remark(text: string): void;
}

export interface JudgeOptions extends Omit<RunSettings, 'redactor'> {
  /** Hides what the target file says is secret, unless given. */
  readonly redactorFor?: (target: Target) => Redactor;
  /** Under way already: the embedded bank comes up while the suites are loaded. */
  readonly opening: Promise<OpenTarget>;
  readonly out: string;
  readonly planned: readonly PlacedCheck[];
  readonly selection?: string;
  readonly listener: RunListener;
  /** Nothing more is judged after so many failures that no known deviation excuses. */
  readonly maxFailures?: number;
  readonly signal?: AbortSignal;
}

/** How a run ended. */
export interface JudgedTarget {
  /** Why no check was run. */
  readonly blocker?: string;
  /** Whether `out` holds a journal, of which reports can be made. */
  readonly isJournalled: boolean;
  /** Whether checks were left under way, which may still hold connections and timers. */
  readonly isCutShort: boolean;
}

/** Judges a target from the first connection to the last verdict. What it finds is in the journal of `out`. */
export async function judgeTarget(given: JudgeOptions): Promise<JudgedTarget> {
  const { signal, listener } = given;
  const found = await openedInTime(given.opening, signal);
  if (found === aborted) return { blocker: interrupted, isJournalled: false, isCutShort: true };
  const opened =
    given.shard === undefined
      ? found
      : { ...found, target: withSessionsOfAllShards(found.target, given.seed) };
  try {
    const { budget } = given;
    const options = {
      ...given,
      ...(budget && { budget: { ...budget, requests: budget.requests - (opened.asked ?? 0) } }),
      redactor: (given.redactorFor ?? ((target) => new Redactor(target)))(opened.target),
    };
    const warnings = warningLines(opened.target).map((line) => options.redactor.text(line));
    listener.opened?.(options.redactor.value(headerOf(opened, options)), opened.target);
    for (const warning of warnings) listener.remark(warning);
    const started = steadyNow();
    if (signal?.aborted === true) return blockedBy(interrupted, started, opened, options);
    const prepared = await untilAborted(
      prepareRun(opened.target, { ...options, onOutage: (text) => listener.remark(text) }),
      signal,
    );
    if (prepared === aborted) return blockedBy(interrupted, started, opened, options);
    const { runContext, blocker, remarks, incomplete } = prepared;
    try {
      for (const remark of [...remarks, ...incomplete]) listener.remark(remark);
      if (blocker !== undefined) return blockedBy(blocker, started, opened, options, runContext);
      const isCutShort = await judge(opened, runContext, options, {
        remarks: [...warnings, ...remarks],
        incomplete,
      });
      return { isJournalled: true, isCutShort };
    } finally {
      // Requests of an interrupted run end with their connections.
      await runContext.close();
    }
  } finally {
    await opened.close();
  }
}

const interrupted = 'Interrupted before the first check.';

/** Milliseconds in which a target is open, once nobody waits for an answer of it any more. */
const lastChanceMs = 1000;

/** Only of a target that is known can reports be written, and whoever interrupts a run expects them. */
async function openedInTime(
  opening: Promise<OpenTarget>,
  signal?: AbortSignal,
): Promise<OpenTarget | typeof aborted> {
  const opened = await untilAborted(opening, signal);
  if (opened !== aborted) return opened;
  return Promise.race([opening.catch(() => aborted), sleep(lastChanceMs, aborted)]) as Promise<
    OpenTarget | typeof aborted
  >;
}

/** A run that judged nothing leaves its journal all the same, so that whoever publishes reports finds them. */
function blockedBy(
  blocker: string,
  started: number,
  opened: OpenTarget,
  options: JudgeOptions & { readonly redactor: Redactor },
  runContext?: RunContext,
): JudgedTarget {
  const { redactor } = options;
  const journal = openJournal(options.out, redactor);
  journal.header({ ...headerOf(opened, options), ...fileOf(opened, options) });
  journal.footer({
    durationMs: steadyNow() - started,
    requests: runContext?.client.options.pace.sent ?? 0,
    interrupted: options.signal?.aborted ?? false,
    blocker,
  });
  journal.close();
  return { blocker, isJournalled: true, isCutShort: options.signal?.aborted ?? false };
}

/** Where the target file stands, seen from the run folder. */
const fileOf = ({ file }: OpenTarget, { out }: JudgeOptions): Pick<RunHeader, 'targetFile'> =>
  file === undefined ? {} : { targetFile: relative(out, resolve(file)) };

/** Runs the planned checks. Each verdict is in the journal before anybody hears of it. True when it was cut short. */
async function judge(
  opened: OpenTarget,
  runContext: RunContext,
  options: JudgeOptions,
  { remarks, incomplete }: Pick<PreparedRun, 'remarks' | 'incomplete'>,
): Promise<boolean> {
  const { out, planned, listener, maxFailures = Number.POSITIVE_INFINITY } = options;
  const started = steadyNow();
  const journal = openJournal(out, runContext.redactor);
  journal.header({
    ...headerOf({ ...opened, target: runContext.target }, options),
    ...fileOf(opened, options),
    fingerprints: await fingerprintsOf(opened.target),
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(incomplete.length === 0 ? {} : { incomplete }),
  });
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const isInterrupted = (): boolean => signal.aborted;
  let failures = 0;
  // Until it is told otherwise: a journal that cannot be written ends the run.
  let isWritten = true;
  const judged = (result: CheckResult): void => {
    // What ends after the interruption may have ended because of it.
    if (isInterrupted() || !isWritten) return;
    isWritten = false;
    journal.result(result);
    isWritten = true;
    listener.judged(result);
    if (isUnexcused(result, opened.target)) failures += 1;
    if (failures >= maxFailures) enough.abort();
  };
  const isOver = (): boolean => isInterrupted() || !isWritten;
  const { pace } = runContext.client.options;
  listener.checking?.(() => pace.sent);
  await untilAborted(runChecks(planned, runContext, judged, isOver), signal);
  journal.footer({
    durationMs: steadyNow() - started,
    requests: pace.sent,
    interrupted: isInterrupted(),
    ...(enough.signal.aborted ? { failuresAllowed: maxFailures } : {}),
  });
  journal.close();
  return isInterrupted();
}

const isUnexcused = ({ verdict, requirements: [own] }: CheckResult, { knownDeviations }: Target): boolean =>
  verdict === 'fail' && !knownDeviations.some(({ requirement }) => requirement === own);

/** What is known of a run before its first check. */
export const headerOf = (
  { target, embedded }: Pick<OpenTarget, 'target' | 'embedded'>,
  { seed, runs, planned, selection }: Pick<JudgeOptions, 'seed' | 'runs' | 'planned' | 'selection'>,
): RunHeader => ({
  tool,
  catalogue: catalogueVersion,
  // The embedded bank gets any free port; with it in the header, shards would look like runs of different banks.
  target: embedded ? { ...describeTarget(target), baseUrl: embeddedAddress } : describeTarget(target),
  interpretations: target.readings,
  knownDeviations: target.knownDeviations,
  profiles: Object.fromEntries(target.profiles.map((id) => [id, profileOf(id).version])),
  ...(target.notOffered.length === 0 ? {} : { notOffered: target.notOffered }),
  ...(target.tls.insecure ? { insecure: true as const } : {}),
  seed,
  runs,
  startedAt: new Date().toISOString(),
  planned: planned.map(({ check }) => check.id),
  ...(selection === undefined ? {} : { selection }),
});

/** Who talked to whom, for the attestation. */
async function fingerprintsOf(target: Target): Promise<Record<string, string>> {
  const { tls, identities } = target;
  const ofBank = await tlsFingerprint(wayTo(target), tls.ca);
  return {
    ...(ofBank === undefined ? {} : { 'TLS of the bank': ofBank }),
    'signature of the TPP': identities.main.certificate.fingerprint256,
  };
}

const aborted = Symbol('aborted');

/** What the promise yields, or `aborted` as soon as the signal says so. Nobody waits for the promise then. */
async function untilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T | typeof aborted> {
  if (signal === undefined) return promise;
  if (signal.aborted) {
    promise.catch(() => {});
    return aborted;
  }
  let stop = (): void => {};
  const stopped = new Promise<typeof aborted>((resolve) => {
    stop = () => resolve(aborted);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    promise.catch(() => {});
  }
}
