import { levelOf } from '../checks/check.ts';
import type { RunContext } from '../checks/context.ts';
import { type PlacedCheck, runChecks } from '../checks/engine.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { tellingExchange } from '../report/exchange-text.ts';
import { requirementById } from '../spec/catalogue.ts';
import {
  type InterpretationId,
  interpretations,
  type Readings,
  strictestFirst,
} from '../spec/interpretations.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { learnTheLetters } from './learn-accepted-payments.ts';

/** What a bank was seen to do where the specification leaves it open. */
export interface LearnedReading {
  readonly id: InterpretationId;
  readonly default: string;
  /** The strictest value that the bank keeps to; absent where that cannot be told. */
  readonly observed?: string;
  /** What shows it, or why it cannot be told. */
  readonly said: string;
  readonly exchange?: Exchange;
}

/**
 * Finds out which of the allowed values a bank keeps to, by the very checks that rest on the reading: each value is
 * taken in turn, the strictest first, until none of them fails. A bank that fails under every value breaks a must, which
 * no reading remedies; then nothing is learned. What is only "not judged" is no conduct of a bank, and never learned.
 */
export async function learnReadings(
  runContext: RunContext,
  checks: readonly PlacedCheck[],
  onLearned: (learned: LearnedReading) => void = () => {},
): Promise<readonly LearnedReading[]> {
  const all: LearnedReading[] = [];
  const tell = (learned: LearnedReading): void => {
    all.push(learned);
    onLearned(learned);
  };
  tell(clockOf(runContext));
  tell(await lettersOf(runContext));
  let readings: Readings = { ...runContext.target.readings, letters: learnedValue(all, 'letters') };
  for (const [id, values] of Object.entries(strictestFirst) as [InterpretationId, readonly string[]][]) {
    const resting = checks.filter(
      ({ check }) => requirementById.get(check.requirement)?.interpretation === id,
    );
    const under = (value: string): Readings => ({ ...readings, [id]: value });
    const isDecided = ({ check }: PlacedCheck): boolean =>
      new Set(values.map((value) => levelOf(check, under(value)))).size > 1;
    const decided = new Set(resting.filter(isDecided).map(({ check }) => check.id));
    // What only looks at the answers of others may have nothing to look at, where few of them are asked.
    const observers = new Set(resting.filter(({ check }) => check.observes).map(({ check }) => check.id));
    const learned = await learnOne(id, values, decided, async (value) => {
      const results = await runChecks(resting, withReadings(runContext, under(value)));
      return results.filter((result) => result.verdict !== 'inconclusive' || !observers.has(result.id));
    });
    // Later checks are judged by what is known already.
    if (learned.observed !== undefined) readings = { ...readings, [id]: learned.observed };
    tell(learned);
  }
  return all;
}

const learnedValue = (all: readonly LearnedReading[], wanted: 'letters'): Readings['letters'] =>
  (all.find(({ id }) => id === wanted)?.observed ?? interpretations[wanted].default) as Readings['letters'];

/** The same checks send the same payments under each value, which a strict bank would call duplicates. */
const withReadings = (runContext: RunContext, readings: Readings): RunContext => ({
  ...runContext,
  repeatsPayments: true,
  target: { ...runContext.target, readings },
});

async function learnOne(
  id: InterpretationId,
  values: readonly string[],
  /** The checks whose level the reading decides: they show it best. */
  decided: ReadonlySet<string>,
  judgeUnder: (value: string) => Promise<readonly CheckResult[]>,
): Promise<LearnedReading> {
  const known = { id, default: interpretations[id].default };
  let evidence: CheckResult | undefined;
  for (const value of values) {
    const results = await judgeUnder(value);
    const failed = results.find(({ verdict }) => verdict === 'fail');
    if (failed !== undefined) {
      evidence = failed;
      // A bank that breaks down keeps to no reading.
      if ((tellingExchange(failed)?.response?.status ?? 0) >= 500) break;
      continue;
    }
    const open = results.find(({ verdict }) => verdict === 'inconclusive' || verdict === 'error');
    const telling = results.filter((result) => decided.has(result.id) && result.leftOpen !== true);
    const passed = (telling.length > 0 ? telling : results).find(({ verdict }) => verdict === 'pass');
    if (open !== undefined || (passed === undefined && evidence === undefined)) {
      const why = open ?? results[0];
      return { ...known, said: `It cannot be told: ${why?.reason ?? 'no check rests on it'}` };
    }
    const shown = evidence ?? passed;
    return { ...known, observed: value, ...(shown === undefined ? { said: '' } : shownBy(shown)) };
  }
  return {
    ...known,
    ...(evidence === undefined ? { said: '' } : shownBy(evidence)),
    said: `No value fits: ${evidence?.id} fails. ${evidence?.reason ?? ''}`.trim(),
  };
}

function shownBy(result: CheckResult): Pick<LearnedReading, 'said' | 'exchange'> {
  const exchange = tellingExchange(result);
  const said = result.verdict === 'pass' ? `${result.id}: ${result.title}` : `${result.id}: ${result.reason}`;
  return { said, ...(exchange === undefined ? {} : { exchange }) };
}

/** A bank without Date headers has a clock that cannot be seen: then ours is taken. */
function clockOf({ client }: RunContext): LearnedReading {
  const known = { id: 'clockReference', default: interpretations.clockReference.default } as const;
  return client.clock.measured
    ? { ...known, observed: 'bank-clock', said: 'Its answers have a Date.' }
    : {
        ...known,
        observed: 'own-clock',
        said: 'Its answers have no Date, by which its clock could be known.',
      };
}

async function lettersOf(runContext: RunContext): Promise<LearnedReading> {
  const known = { id: 'letters', default: interpretations.letters.default } as const;
  if (!runContext.target.mayCreatePayments) return { ...known, said: 'It cannot be told without payments.' };
  const asked = withReadings(runContext, { ...runContext.target.readings, letters: known.default });
  const { letters, remarks, answers } = await learnTheLetters(asked, runContext.seed);
  const exchange = answers[0]?.exchange;
  return {
    ...known,
    observed: letters,
    said: remarks.length === 0 ? 'It takes Norwegian letters in every product.' : remarks.join(' '),
    ...(exchange === undefined ? {} : { exchange: runContext.redactor.exchange(exchange) }),
  };
}
