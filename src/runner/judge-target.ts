import { relative, resolve } from 'node:path';
import { openJournal } from '../report/journal.ts';
import { catalogueVersion } from '../spec/catalogue.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { describeTarget, type Target } from '../target/target.ts';
import type { TppClient } from '../tpp/client.ts';
import { tlsFingerprint } from '../tpp/tls-fingerprint.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { tool } from './package.ts';
import { preflight } from './preflight.ts';
import type { RunListener } from './run.ts';
import { createRunContext } from './run-context.ts';
import { type PassedSca, passScaBeforeRun } from './sca-before-run.ts';
import { aborted, untilAborted } from './until-aborted.ts';

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
export async function judgeTarget(options: JudgeOptions): Promise<{ readonly blocker?: string }> {
  const opened = await untilAborted(openTarget(options.target, options.overrides), options.signal);
  if (opened === aborted) return { blocker: interrupted };
  try {
    const way = await untilAborted(checkTheWay(opened.target, options), options.signal);
    if (way === aborted) return { blocker: interrupted };
    if (way.blocker !== undefined) return { blocker: way.blocker };
    await judge(opened, way, options);
    return {};
  } finally {
    await opened.close();
  }
}

const interrupted = 'Interrupted before the first check.';

/** What was found before the first check. */
interface Way {
  readonly blocker?: string;
  readonly requests: number;
  readonly psu?: PassedSca;
}

/** Passes SCA where the target file leaves that to the run, and sees whether correct requests go through. */
async function checkTheWay(target: Target, { seed, runs, listener }: JudgeOptions): Promise<Way> {
  const runContext = createRunContext({ target, seed, runs });
  const { client } = runContext;
  try {
    const sca = await passScaBeforeRun(target, client, runContext.walker);
    const found =
      sca.blocker === undefined ? await preflight(target, withPsu(client, sca.passed), seed) : { ...sca };
    for (const remark of new Set([...sca.remarks, ...found.remarks])) listener.remark(remark);
    return {
      ...(found.blocker === undefined ? {} : { blocker: found.blocker }),
      ...(sca.passed === undefined ? {} : { psu: sca.passed }),
      requests: client.requests,
    };
  } finally {
    await runContext.close();
  }
}

const withPsu = (client: TppClient, passed: PassedSca | undefined): TppClient =>
  passed === undefined ? client : client.with({ psu: { ...client.psu, id: passed.id } });

async function judge(
  { target, source, file, embedded }: OpenTarget,
  { requests, psu }: Way,
  options: JudgeOptions,
): Promise<void> {
  const { out, overrides, seed, runs, repeatsPayments, command, planned, selection, listener, signal } =
    options;
  const started = Date.now();
  const journal = openJournal(out);
  journal.header({
    tool,
    catalogue: catalogueVersion,
    // The embedded bank gets any free port; with it in the header, shards would look like runs of different banks.
    target: embedded ? { ...describeTarget(target), baseUrl: 'https://localhost' } : describeTarget(target),
    interpretations: target.readings,
    knownDeviations: target.knownDeviations,
    seed,
    runs,
    startedAt: new Date(started).toISOString(),
    planned,
    ...(selection === undefined ? {} : { selection }),
    ...(file === undefined ? {} : { targetFile: relative(out, resolve(file)) }),
    fingerprints: await fingerprintsOf(target),
  });
  const plan = {
    out,
    target: source,
    overrides: { ...overrides } as Record<string, string | number | boolean>,
    ...(psu === undefined ? {} : { psu }),
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

/** Who talked to whom, for the attestation. */
async function fingerprintsOf({ baseUrl, tls, identities, pace }: Target): Promise<Record<string, string>> {
  const ofBank = await tlsFingerprint(baseUrl, tls.ca, pace.timeoutMs);
  return {
    ...(ofBank === undefined ? {} : { 'TLS of the bank': ofBank }),
    'signature of the TPP': identities.main.certificate.fingerprint256,
  };
}
