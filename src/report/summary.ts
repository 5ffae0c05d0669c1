import type {
  CheckResult,
  Counterexample,
  KnownDeviation,
  RunHeader,
  RunRecord,
  Verdict,
} from '../checks/verdict.ts';
import type { Side } from '../spec/profiles.ts';
import type { Level } from '../spec/requirement.ts';
import { runDuration, runRequests } from './journal.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';
import type { NotBinding, ProfileResult } from './profile-results.ts';
import type { DeviationState, RequirementVerdict } from './requirement-results.ts';
import { sharesOfTime } from './run-times.ts';

/** `summary.json`, the contract with programs. `schemas/summary.schema.json` describes it; both change together. */
export interface Summary {
  readonly tool: RunHeader['tool'];
  readonly catalogue: string;
  readonly target: RunHeader['target'];
  readonly interpretations: RunHeader['interpretations'];
  readonly seed: number;
  readonly runs: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly interrupted: boolean;
  /** Whether only a part was judged, or is there; then `verdict` is never conformant. */
  readonly part: boolean;
  readonly selection?: string;
  readonly missingShards?: readonly string[];
  /** Present when any server certificate was accepted. */
  readonly insecure?: true;
  readonly side?: Side;
  readonly fingerprints?: Readonly<Record<string, string>>;
  readonly remarks?: readonly string[];
  readonly verdict: OverallVerdict;
  /** The verdict on each profile; that of the run is the worst of them. */
  readonly profiles: readonly ProfileResult[];
  /** What was not asked of the target, and why that is no gap. */
  readonly notBinding: readonly NotBinding[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly problems: readonly string[];
  /** What is wrong: failures that say the same are one cause, the one of most checks first. */
  readonly causes: readonly SummaryCause[];
  readonly knownDeviations: readonly (KnownDeviation & {
    readonly state: DeviationState;
    readonly problem?: string;
  })[];
  readonly checks: readonly SummaryCheck[];
  readonly requirements: readonly SummaryRequirement[];
}

interface SummaryCause {
  readonly sentence: string;
  readonly requirements: readonly string[];
  readonly checks: readonly string[];
  /** The check whose failure shows it most plainly. */
  readonly leading: string;
  /** What typically remedies it, the likeliest first. */
  readonly remedies: readonly string[];
}

export interface SummaryCheck {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly requirements: readonly string[];
  readonly level: Level;
  readonly verdict: Verdict;
  /** Whether the failure is a known deviation and keeps the run green. */
  readonly excused: boolean;
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly counterexample?: Counterexample;
  readonly notes: readonly string[];
  readonly cases: number;
  readonly startedAt: string;
  /** Its share of the run's time: dozens of checks are under way at once. */
  readonly durationMs: number;
  /** How many exchanges show the verdict; `journal.ndjson` holds them. */
  readonly evidence: number;
  readonly reproduce: string;
}

export interface SummaryRequirement {
  readonly id: string;
  readonly statement: string;
  readonly level: Level;
  readonly side: Side;
  readonly profiles: readonly string[];
  readonly verdict: RequirementVerdict;
  readonly checks: readonly string[];
  /** Why no check can observe it from outside. */
  readonly unobservable?: string;
}

export function summarize(run: RunRecord, outcome: Outcome): Summary {
  const { header } = run;
  const shares = sharesOfTime(run.results);
  return {
    tool: header.tool,
    catalogue: header.catalogue,
    target: header.target,
    interpretations: header.interpretations,
    seed: header.seed,
    runs: header.runs,
    startedAt: header.startedAt,
    durationMs: runDuration(run),
    requests: runRequests(run),
    interrupted: outcome.interrupted,
    part: outcome.part !== undefined,
    ...(header.selection === undefined ? {} : { selection: header.selection }),
    ...(header.missingShards === undefined ? {} : { missingShards: header.missingShards }),
    ...(header.insecure === undefined ? {} : { insecure: header.insecure }),
    ...(header.side === undefined ? {} : { side: header.side }),
    ...(header.fingerprints === undefined ? {} : { fingerprints: header.fingerprints }),
    ...(header.remarks === undefined ? {} : { remarks: header.remarks }),
    verdict: outcome.verdict,
    profiles: outcome.profiles,
    notBinding: outcome.notBinding,
    counts: outcome.counts,
    problems: outcome.problems,
    causes: outcome.causes.map(({ sentence, requirements, checks, leading, remedies }) => ({
      sentence,
      requirements: requirements.map(({ id }) => id),
      checks: checks.map(({ id }) => id),
      leading: leading.id,
      remedies: remedies.map(({ remedy }) => remedy),
    })),
    knownDeviations: outcome.knownDeviations,
    checks: run.results.map((result) => summarizeCheck(result, outcome, shares.get(result.id) ?? 0)),
    requirements: outcome.requirements.map(({ requirement, verdict, checks }) => ({
      id: requirement.id,
      statement: requirement.statement,
      level: requirement.level,
      side: requirement.side,
      profiles: requirement.profiles,
      verdict,
      checks: checks.map(({ id }) => id),
      ...(requirement.unobservable === undefined ? {} : { unobservable: requirement.unobservable }),
    })),
  };
}

function summarizeCheck(result: CheckResult, { excused }: Outcome, shareMs: number): SummaryCheck {
  return {
    id: result.id,
    title: result.title,
    suite: result.suite.id,
    requirements: result.requirements,
    level: result.level,
    verdict: result.verdict,
    excused: excused.has(result.id),
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    ...(result.expected === undefined ? {} : { expected: result.expected }),
    ...(result.actual === undefined ? {} : { actual: result.actual }),
    ...(result.counterexample === undefined ? {} : { counterexample: result.counterexample }),
    notes: result.notes,
    cases: result.cases,
    startedAt: result.startedAt,
    durationMs: Math.round(shareMs),
    evidence: result.exchanges.length,
    reproduce: result.reproduce,
  };
}

/** The summary as text: a line for each check and requirement, so that it is small and two of them can be compared. */
export function summaryText(summary: Summary): string {
  const lines = (value: unknown): string =>
    Array.isArray(value) && value.length > 0
      ? `[\n${value.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
      : JSON.stringify(value);
  const members = Object.entries(summary).filter(([, value]) => value !== undefined);
  return `{\n${members.map(([name, value]) => `  ${JSON.stringify(name)}: ${lines(value)}`).join(',\n')}\n}\n`;
}
