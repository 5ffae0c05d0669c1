import { relative, resolve } from 'node:path';
import { openJournal } from '../report/journal.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { describeTarget, type Target } from '../target/target.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { aborted, orAborted } from './or-aborted.ts';
import { tool } from './package.ts';
import { preflight } from './preflight.ts';
import type { RunListener } from './run.ts';
import { createWorld } from './world.ts';

export interface JudgeOptions {
  /** A target file; the embedded reference bank without one. */
  readonly target?: string;
  readonly overrides: TargetOverrides;
  readonly out: string;
  readonly seed: number;
  readonly repeatsPayments: boolean;
  readonly runs: number;
  readonly command: string;
  readonly planned: readonly string[];
  readonly selection?: string;
  readonly listener: RunListener & { remark(text: string): void };
  readonly signal?: AbortSignal;
}

/** Judges a target from the first connection to the last verdict. What it finds is in the journal of `out`. */
export async function judgeTarget(options: JudgeOptions): Promise<{ readonly wall?: string }> {
  const opened = await orAborted(openTarget(options.target, options.overrides), options.signal);
  if (opened === aborted) return { wall: interrupted };
  try {
    const way = await orAborted(checkTheWay(opened.target, options), options.signal);
    if (way === aborted) return { wall: interrupted };
    const { wall, requests } = way;
    if (wall !== undefined) return { wall };
    await judge(opened, requests, options);
    return {};
  } finally {
    await opened.close();
  }
}

const interrupted = 'Interrupted before the first check.';

async function checkTheWay(
  target: Target,
  { seed, runs, listener }: JudgeOptions,
): Promise<{ wall?: string; requests: number }> {
  const { client } = createWorld({ target, seed, runs });
  try {
    const { wall, remarks } = await preflight(target, client, seed);
    for (const remark of remarks) listener.remark(remark);
    return { ...(wall === undefined ? {} : { wall }), requests: client.requests };
  } finally {
    await client.options.transport.close();
  }
}

async function judge(
  { target, source, file }: OpenTarget,
  requests: number,
  options: JudgeOptions,
): Promise<void> {
  const { out, overrides, seed, runs, repeatsPayments, command, planned, selection, listener, signal } =
    options;
  const started = Date.now();
  const journal = openJournal(out);
  journal.header({
    tool,
    catalogue: catalogueVersion,
    target: describeTarget(target),
    interpretations: target.readings,
    knownDeviations: target.knownDeviations,
    seed,
    runs,
    startedAt: new Date(started).toISOString(),
    planned,
    ...(selection === undefined ? {} : { selection }),
    ...(file === undefined ? {} : { targetFile: relative(out, resolve(file)) }),
  });
  const plan = {
    out,
    target: source,
    overrides: { ...overrides } as Record<string, string | number | boolean>,
    seed,
    runs,
    repeatsPayments,
    command,
    planned,
  };
  // Loaded only here: Vitest takes a second or two, and other commands need none of it.
  const { runUnderVitest } = await import('./run.ts');
  const { problems, requests: sent } = await runUnderVitest(plan, listener, signal);
  for (const problem of problems) listener.remark(problem);
  journal.footer({
    durationMs: Date.now() - started,
    requests: requests + sent,
    interrupted: signal?.aborted ?? false,
  });
  journal.close();
}
