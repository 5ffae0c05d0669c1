import { numberFrom } from '../payloads/amounts.ts';
import { type Capability, missingCapability } from '../target/capabilities.ts';
import { NoAnswerError } from '../tpp/client.ts';
import { redactExchange, redactText } from '../tpp/redaction.ts';
import { type Check, type LoadedSuite, levelOf, referenceOf, requirementsOf } from './check.ts';
import { CheckContext, type RunContext } from './context.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from './outcomes.ts';
import type { CheckResult, Verdict } from './verdict.ts';

/** A check in its place: the suite it stands in, and its position among all checks, which keeps amounts apart. */
export interface PlacedCheck {
  readonly check: Check;
  readonly suite: LoadedSuite;
  readonly place: number;
}

export const placeChecks = (suites: readonly LoadedSuite[]): readonly PlacedCheck[] =>
  suites
    .flatMap((suite) => suite.checks.map((check) => ({ check, suite })))
    .map((placed, place) => ({ ...placed, place }));

/** Runs one check to its verdict. It never throws. */
export async function judge(
  { check, suite, place }: PlacedCheck,
  runContext: RunContext,
): Promise<CheckResult> {
  const started = Date.now();
  const context = new CheckContext(runContext, seedOf(check.id, runContext.seed), place);
  const level = levelOf(check, runContext.target.readings);
  const outcome = level === undefined ? notJudgedUnderTheReading : await outcomeOf(check, context);
  const verdict: Verdict = outcome.verdict === 'fail' && level !== 'must' ? 'warning' : outcome.verdict;
  const shown = (text: string): string => redactText(text, runContext.target);
  return {
    id: check.id,
    title: check.title,
    suite: referenceOf(suite),
    requirements: requirementsOf(check),
    level: level ?? 'advisory',
    verdict,
    ...(level === undefined ? { leftOpen: true as const } : {}),
    // Sentences quote what the bank answered, which may repeat what it was sent.
    ...Object.fromEntries(Object.entries(outcome.told).map(([name, text]) => [name, shown(text)])),
    notes: context.notes.map(shown),
    ...(context.counterexample === undefined
      ? {}
      : { counterexample: { ...context.counterexample, value: shown(context.counterexample.value) } }),
    cases: context.cases,
    exchanges: telling(context, verdict).map((exchange) => redactExchange(exchange, runContext.target)),
    reproduce: `${runContext.command} --only ${check.id} --seed ${runContext.seed}`,
    startedAt: new Date(started).toISOString(),
    durationMs: Date.now() - started,
  };
}

interface Outcome {
  readonly verdict: Verdict;
  readonly told: { readonly reason?: string; readonly expected?: string; readonly actual?: string };
}

const notJudgedUnderTheReading: Outcome = {
  verdict: 'not-applicable',
  told: { reason: 'Not judged under the readings that the target file has chosen.' },
};

async function outcomeOf(check: Check, context: CheckContext): Promise<Outcome> {
  const missing = missingOf(check.needs, context);
  if (missing !== undefined) return { verdict: 'not-applicable', told: { reason: missing } };
  try {
    await check.run(context);
    return { verdict: 'pass', told: {} };
  } catch (error) {
    return outcomeOfError(error, context);
  }
}

function outcomeOfError(error: unknown, context: CheckContext): Outcome {
  if (error instanceof ExpectationFailed) {
    const { expected, actual, message } = error;
    return { verdict: 'fail', told: { reason: message, expected, actual } };
  }
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', told: { reason: error.message } };
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', told: { reason: error.message } };
  if (error instanceof NoAnswerError) {
    context.evidence = [...error.exchanges];
    return { verdict: 'inconclusive', told: { reason: error.message } };
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { verdict: 'error', told: { reason: `The suite itself broke: ${told}` } };
}

function missingOf(needs: readonly Capability[], { target }: CheckContext): string | undefined {
  const sentences = needs
    .map((need) => missingCapability(target, need))
    .filter((sentence) => sentence !== undefined);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** A pass is shown by one exchange with its control; anything else by what the check pointed at, or its last ones. */
function telling(context: CheckContext, verdict: Verdict): CheckResult['exchanges'] {
  if (context.evidence.length > 0) return context.evidence;
  return verdict === 'pass' ? context.exchanges.slice(0, 2) : context.exchanges.slice(-4);
}

/** Every check has cases of its own, which follow from the run's seed and the check's id alone. */
const seedOf = (id: string, seed: number): number => numberFrom(`${seed}/${id}`) & 0x7fffffff;
