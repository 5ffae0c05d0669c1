import { numberFrom } from '../payloads/amounts.ts';
import { byUniqueId } from '../spec/by-unique-id.ts';
import { steadyNow } from '../spec/steady-clock.ts';
import { type Capability, isLeave, profileOfNeed } from '../target/capabilities.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { cutText, limits } from '../tpp/limits.ts';
import { mostBeginnings } from '../tpp/sca/sca-walker.ts';
import {
  type Check,
  type CheckDescription,
  type CheckOf,
  type LoadedSuite,
  levelOf,
  profilesOf,
  referenceOf,
  requirementsOf,
} from './check.ts';
import {
  ExpectationFailed,
  isUnanswered,
  LeftOpen,
  NotApplicable,
  NotOffered,
  saysNothing,
  Withheld,
} from './outcomes.ts';
import { TurnsAlone } from './turns-alone.ts';
import type { CheckResult, CheckRun, Counterexample, Run, Verdict } from './verdict.ts';

/** A check in its place: the suite it stands in, and its position among all checks, which keeps amounts apart. */
export interface PlacedCheck<Checks extends CheckDescription = Check> {
  readonly check: Checks;
  readonly suite: LoadedSuite<Checks>;
  readonly place: number;
}

export const placeChecks = <Checks extends CheckDescription>(
  suites: readonly LoadedSuite<Checks>[],
): readonly PlacedCheck<Checks>[] => {
  const checks = suites.flatMap((suite) => suite.checks.map((check) => ({ id: check.id, check, suite })));
  byUniqueId('check', checks, ({ check, suite }) => `${suite.id}: ${check.title}`);
  return checks.map(({ check, suite }, place) => ({ check, suite, place }));
};

/** Runs one check to its verdict. It never throws. */
export const judge = async <Context extends CheckRun>(
  placed: PlacedCheck<CheckOf<Context>>,
  run: Run<Context>,
): Promise<CheckResult> => (await judged(placed, run)).result;

interface Judged {
  readonly result: CheckResult;
  /** Judges once more what was left out as not offered, if it has turned out since that the bank has it. */
  readonly unlessBelied?: () => Promise<CheckResult>;
}

async function judged<Context extends CheckRun>(
  placed: PlacedCheck<CheckOf<Context>>,
  run: Run<Context>,
  turns?: TurnsAlone,
): Promise<Judged> {
  const { check, place } = placed;
  const begun = { at: new Date().toISOString(), steadily: steadyNow() };
  const context = run.contextFor(check.id, place);
  const level = levelOf(check, context.readings);
  if (level === undefined) return { result: resultOf(placed, context, notJudgedUnderTheReading, begun) };
  const outcome = await outcomeOf(check, context, turns);
  const result = resultOf(placed, context, outcome, begun);
  if (outcome.notOffered !== true) return { result };
  return {
    result,
    async unlessBelied() {
      if (!context.isBelied) return result;
      context.beginAgain();
      return resultOf(placed, context, (await endOf(check, context)).outcome, begun);
    },
  };
}

interface Begun {
  readonly at: string;
  readonly steadily: number;
}

function resultOf<Context extends CheckRun>(
  { check, suite }: PlacedCheck<CheckOf<Context>>,
  context: Context,
  outcome: Outcome,
  begun: Begun,
): CheckResult {
  const about = requirementsShown(check, context, outcome);
  const level = levelOf(check, context.readings, about.requirements);
  const verdict: Verdict = outcome.verdict === 'fail' && level !== 'must' ? 'warning' : outcome.verdict;
  const { redactor } = context;
  // First: what they show to be secret is hidden in the sentences, too.
  const exchanges = context.keepsEvidence
    ? telling(context, verdict).map((exchange) => redactor.exchange(exchange))
    : [];
  // A bank may leave out what a check quotes: that must not end the run with its own verdict and all others.
  const shown = (text: string | undefined): string =>
    cutText(redactor.told(text ?? 'nothing'), limits.shownText);
  const sent = (text: string): string => cutText(redactor.text(text), limits.shownText);
  const { counterexample, recordedAt, expected } = context;
  const told = {
    ...(expected === undefined || verdict === 'error' ? {} : { expected }),
    ...outcome.told,
  };
  return {
    id: check.id,
    title: check.title,
    suite: referenceOf(suite),
    ...about,
    level: level ?? 'advisory',
    verdict,
    ...(outcome.leftOpen === true ? { leftOpen: true as const } : {}),
    ...(outcome.notOffered === true ? { notOffered: true as const } : {}),
    ...(outcome.unanswered === true ? { unanswered: true as const } : {}),
    ...(outcome.withheld === true ? { withheld: true as const } : {}),
    ...countedFor(check, context),
    ...(check.journey === undefined ? {} : { journey: check.journey }),
    // Sentences quote what came from outside, which may repeat what it was sent.
    ...Object.fromEntries(Object.entries(told).map(([name, text]) => [name, shown(text)])),
    notes: context.notes.map(shown),
    ...(context.pointsElsewhere ? { pointsElsewhere: true as const } : {}),
    ...(counterexample === undefined ? {} : { counterexample: shownCase(counterexample, sent) }),
    cases: context.cases,
    ...(context.exchanges.length === 0 ? {} : { requests: context.exchanges.length - context.adopted }),
    exchanges,
    reproduce: redactor.text(context.reproduce),
    startedAt: recordedAt ?? begun.at,
    durationMs: recordedAt === undefined ? steadyNow() - begun.steadily : 0,
  };
}

/** A failure breaks what its step shows. What the others of the check showed until then stands, and no more is known of them. */
function requirementsShown(
  check: CheckDescription,
  { held }: CheckRun,
  { verdict, broken = [check.requirement] }: Outcome,
): Pick<CheckResult, 'requirements' | 'held' | 'notReached'> {
  const all = requirementsOf(check);
  if (verdict !== 'fail') return { requirements: all };
  const others = [...new Set(all)].filter((id) => !broken.includes(id));
  const shown = others.filter((id) => held.has(id));
  const open = others.filter((id) => !held.has(id));
  return {
    requirements: broken,
    ...(shown.length === 0 ? {} : { held: shown }),
    ...(open.length === 0 ? {} : { notReached: open }),
  };
}

const shownCase = (failing: Counterexample, shown: (text: string) => string): Counterexample => ({
  ...failing,
  value: shown(failing.value),
  ...(failing.control === undefined ? {} : { control: shown(failing.control) }),
});

/** A requirement of several profiles holds in each of them for the operations of that profile. */
function countedFor(check: CheckDescription, { calledProfiles }: CheckRun): Pick<CheckResult, 'profiles'> {
  const own = profilesOf(check);
  const narrowed = own.filter((profile) => calledProfiles.has(profile));
  const counted = check.profiles ?? (narrowed.length > 0 ? narrowed : own);
  return own.length === 1 && check.profiles === undefined ? {} : { profiles: counted };
}

interface Outcome {
  readonly verdict: Verdict;
  readonly notOffered?: true;
  readonly told: { readonly reason?: string; readonly expected?: string; readonly actual?: string };
  /** Nothing is missing without it: a reading leaves the question open, or whoever runs the suite may. */
  readonly leftOpen?: true;
  readonly unanswered?: true;
  readonly withheld?: true;
  /** What a failure breaks, where it is not the requirement of the check alone. */
  readonly broken?: readonly string[] | undefined;
}

const notJudgedUnderTheReading: Outcome = {
  verdict: 'not-applicable',
  told: { reason: 'Not judged under the readings of this run.' },
  leftOpen: true,
};

async function outcomeOf<Context extends CheckRun>(
  check: CheckOf<Context>,
  context: Context,
  turns: TurnsAlone | undefined,
): Promise<Outcome> {
  const unjudged = context.unjudged(profilesOf(check));
  if (unjudged !== undefined)
    return { verdict: 'not-applicable', notOffered: true, told: { reason: unjudged } };
  const missing = missingOf(check.needs, context);
  if (missing !== undefined) return missing;
  const end = await endOf(check, context);
  if (turns === undefined || !end.mayBeDisturbed) return end.outcome;
  const again = (): Promise<End> => {
    context.beginAgain();
    return endOf(check, context);
  };
  return ((await turns.alone(again, ({ mayBeDisturbed }) => mayBeDisturbed)) ?? end).outcome;
}

/** How a check has ended, and whether other checks may be the reason. */
interface End {
  readonly outcome: Outcome;
  readonly mayBeDisturbed: boolean;
}

async function endOf<Context extends CheckRun>(check: CheckOf<Context>, context: Context): Promise<End> {
  for (;;) {
    try {
      await check.run(context);
      return { outcome: { verdict: 'pass', told: {} }, mayBeDisturbed: false };
    } catch (thrown) {
      const error = await context.reconsidered(thrown);
      if (context.beginnings >= mostBeginnings || !context.mayBeginAgain(error))
        return { outcome: outcomeOfError(error, context), mayBeDisturbed: context.mayBeDisturbed(error) };
      context.beginAgain();
    }
  }
}

function outcomeOfError(error: unknown, context: CheckRun): Outcome {
  if (error instanceof ExpectationFailed) {
    const { expected, actual, message, broken } = error;
    return { verdict: 'fail', told: { reason: message, expected, actual }, broken };
  }
  if (error instanceof NotOffered)
    return { verdict: 'not-applicable', notOffered: true, told: { reason: error.message } };
  if (error instanceof LeftOpen)
    return { verdict: 'not-applicable', leftOpen: true, told: { reason: error.message } };
  if (error instanceof Withheld)
    return { verdict: 'not-applicable', withheld: true, told: { reason: error.message } };
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', told: { reason: error.message } };
  if (error instanceof NoAnswerError) context.evidence = [...error.exchanges];
  if (saysNothing(error))
    return {
      verdict: 'inconclusive',
      told: { reason: error.message },
      ...(isUnanswered(error) ? { unanswered: true } : {}),
    };
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { verdict: 'error', told: { reason: `The suite itself broke: ${told}` } };
}

function missingOf(needs: readonly Capability[], context: CheckRun): Outcome | undefined {
  const missing = needs.flatMap((need) => {
    const sentence = context.missing(need);
    return sentence === undefined ? [] : [{ need, sentence }];
  });
  if (missing.length === 0) return undefined;
  const absent = missing.filter(({ need }) => context.prevented(need) === undefined);
  if (absent.length === 0) {
    const reasons = new Set(missing.flatMap(({ need }) => context.prevented(need) ?? []));
    return { verdict: 'inconclusive', told: { reason: [...reasons].join(' ') } };
  }
  const [undeclared] = absent.flatMap(({ need }) => {
    const profile = profileOfNeed(need);
    return (profile && context.unjudged([profile])) ?? [];
  });
  if (undeclared !== undefined)
    return { verdict: 'not-applicable', notOffered: true, told: { reason: undeclared } };
  return {
    verdict: 'not-applicable',
    told: { reason: absent.map(({ sentence }) => sentence).join('; ') },
    ...(absent.some(({ need }) => isLeave(need)) ? { leftOpen: true as const } : {}),
    ...(absent.some(({ need }) => context.withheld(need)) ? { withheld: true as const } : {}),
  };
}

/** A pass is shown by one exchange with its control; anything else by what the check pointed at, or its last ones. */
function telling(context: CheckRun, verdict: Verdict): CheckResult['exchanges'] {
  if (context.evidence.length > 0) return context.evidence;
  return verdict === 'pass' ? context.exchanges.slice(0, 2) : context.exchanges.slice(-4);
}

/** Checks under way at once. Requests are limited by the pace; this only bounds how many checks wait for it. */
const checksAtOnce = 96;

/** SCA is one request after the other, and few customers can pass it. */
const walks = ({ needs }: CheckDescription): boolean =>
  needs.some((need) => need === 'sca-unattended' || need === 'other-psu');

/**
 * Takes the next check for one of those who work side by side: half of them begin with those that take long. Which of those
 * that wait for a customer comes first is drawn: a bank may be wrong only after some of them.
 */
function sharedQueue<Placed extends PlacedCheck<CheckDescription>>(
  checks: readonly Placed[],
  seed: number,
): (worker: number) => Placed | undefined {
  const those = (isSo: (check: CheckDescription) => boolean): Placed[] =>
    checks.filter(({ check }) => isSo(check));
  const takesLong = (check: CheckDescription): boolean => check.takesLong === true;
  const lotOf = ({ check: { id } }: Placed): number => numberFrom(`${seed}/${id}`);
  const walking = those((check) => !takesLong(check) && walks(check));
  const long = [...those(takesLong), ...walking.toSorted((one, other) => lotOf(one) - lotOf(other))];
  const short = those((check) => !takesLong(check) && !walks(check));
  return (worker) => (worker % 2 === 0 ? (long.shift() ?? short.shift()) : (short.shift() ?? long.shift()));
}

/** Those that observe the others come after them, and last those that want to be alone. */
const waveOf = ({ check }: PlacedCheck<CheckDescription>): number =>
  check.needsQuiet === true ? 2 : check.observes === true ? 1 : 0;

/**
 * Judges checks side by side, those that observe the others last. `onResult` hears of each verdict as it falls.
 */
export async function runChecks<Context extends CheckRun>(
  checks: readonly PlacedCheck<CheckOf<Context>>[],
  run: Run<Context>,
  onResult: (result: CheckResult) => void = () => {},
  isStopped: () => boolean = () => false,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const waves = [...new Set(checks.map(waveOf))].toSorted();
  const turns = new TurnsAlone();
  const tell = (result: CheckResult): void => {
    results.push(result);
    onResult(result);
  };
  for (const wave of waves) {
    const take = sharedQueue(
      checks.filter((placed) => waveOf(placed) === wave),
      run.seed,
    );
    const leftOut: Judged[] = [];
    const work = async (worker: number): Promise<void> => {
      for (let next = take(worker); next !== undefined && !isStopped(); next = take(worker)) {
        const placed = next;
        const one = await turns.among(() => judged(placed, run, turns));
        if (one.unlessBelied === undefined) tell(one.result);
        else leftOut.push(one);
      }
    };
    await Promise.all(Array.from({ length: checksAtOnce }, (_, worker) => work(worker)));
    for (const { result, unlessBelied } of leftOut)
      tell(isStopped() || unlessBelied === undefined ? result : await unlessBelied());
  }
  return results;
}
