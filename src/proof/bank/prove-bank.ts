import { compliantDesign } from '../../bank/compliant-design.ts';
import { servedBesides } from '../../bank/deviations/dropped-rules.ts';
import type { Deviation } from '../../bank/deviations/index.ts';
import { type Check, requirementsOf } from '../../checks/check.ts';
import type { RunContext } from '../../checks/context.ts';
import { judge, type PlacedCheck, runChecks } from '../../checks/engine.ts';
import type { CheckResult, Verdict } from '../../checks/verdict.ts';
import { requirementById } from '../../spec/catalogue.ts';
import { groupedBy } from '../../spec/grouped-by.ts';
import { type Readings, strictestFirst } from '../../spec/interpretations.ts';
import { blamedBesides, type DeviationResult } from '../verdict-of-proof.ts';
import {
  type BankKeys,
  createBankRunContext,
  keysFor,
  runOnSocket,
  sampleOfTwists,
} from './bank-under-test.ts';
import { firstLine, readingsLearnedOf } from './judge-bank.ts';

/** Every reading that can be learned, with the value that asks the least of a bank. */
const mildestReadings: Partial<Readings> = {
  ...Object.fromEntries(Object.entries(strictestFirst).map(([id, values]) => [id, values.at(-1)])),
  letters: 'ascii-only',
  clockReference: 'own-clock',
};

export interface DeviationProof {
  /** Runs all checks, whether or not those of the requirement have failed, to see which others do; otherwise as many as it takes. */
  readonly all: boolean;
  /** Ends with the first check that blames the requirement, where nobody asks which others do. */
  readonly untilBlamed?: boolean;
  /** The check to begin with then. */
  readonly first?: string | undefined;
  /** Also asks whether learning its readings would make the bank conformant; that costs as much again. */
  readonly learns?: boolean;
  /** Draws what is sent: a bank is found out by any run, not by a lucky one. */
  readonly seed?: number;
}

/** Cases of a property in an ordinary run. */
const casesOfARun = 10;

/**
 * Runs the checks that cite the requirement. When they do not notice, all checks are run: then the deviation is killed
 * without being blamed, or it survives.
 */
export async function proveDeviation(
  deviation: Deviation,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  { all, learns = false, untilBlamed = false, first, seed = 1 }: DeviationProof = { all: false },
): Promise<DeviationResult> {
  const { id, requirement, title, under } = deviation;
  const design = deviation.apply(compliantDesign);
  const isNoticed = noticedBy(deviation);
  const broken = [requirement, ...(deviation.also ?? [])];
  const isCiting = ({ requirements }: CheckResult): boolean => broken.some((id) => requirements.includes(id));
  const blames = (result: CheckResult): boolean => isNoticed(result) && isCiting(result);
  const run = async (
    chosen: readonly PlacedCheck[],
    runs: number,
    { most = Number.POSITIVE_INFINITY, oneContextEach = false, untilOneBlames = untilBlamed } = {},
  ): Promise<readonly CheckResult[]> => {
    if (deviation.needsTls) return runOnSocket(chosen, design);
    const readings = under && { readings: under };
    const environment = deviation.onlyInProduction === true ? 'production' : 'sandbox';
    const parts = {
      seed,
      runs,
      mostTwists: most,
      oneContextEach,
      environment,
      verdictsOnly: true,
      ...readings,
    } as const;
    const { runContext } = await createBankRunContext(await keysFor(chosen, keys), design, parts);
    return untilOneBlames
      ? untilOne(beginningWith(first, likeliestFirst(chosen, deviation, broken)), runContext, blames)
      : runChecks(chosen, runContext);
  };
  const citing = checks.filter(({ check }) => requirementsOf(check).some((id) => broken.includes(id)));
  // As few cases as possible, which is what a small budget pays for, then as many as a run has, and then all checks.
  let own = await run(citing, 1, { oneContextEach: true });
  const atOnceBy = idsOf(own.filter(isNoticed));
  if (!own.some(isNoticed)) own = await run(citing, casesOfARun);
  // Whoever else would notice a deviation with a condition notices the one without as well.
  const needsAll =
    (all || !own.some(isNoticed)) && deviation.needsTls !== true && deviation.condition === undefined;
  const everything = needsAll
    ? await run(checks, 1, { most: sampleOfTwists, untilOneBlames: untilBlamed || !all })
    : [];
  const noticed = [...own, ...everything].filter(isNoticed);
  const blamedBy = idsOf(noticed.filter(isCiting));
  const isBroken = deviation.under === undefined && deviation.needsTls !== true && killsForGood(noticed);
  const excused =
    learns &&
    isBroken &&
    deviation.condition === undefined &&
    (await isExcused(deviation, { noticing: noticed.map(({ id: check }) => check), citing, checks }, keys));
  return {
    side: 'bank',
    id,
    ...(deviation.condition === undefined ? {} : { condition: deviation.condition }),
    ...(learns ? { excused } : {}),
    ...(deviation.allowedUnder === undefined ? {} : { allowedUnder: deviation.allowedUnder }),
    requirement,
    title,
    killed: noticed.length > 0,
    blamed: blamedBy.length > 0,
    blamedBy,
    atOnceBy,
    others: idsOf(noticed.filter((result) => !isCiting(result))),
    besides: blamedBesides(noticed, [...broken, ...broken.flatMap(servedBesides)]),
    failures: noticed
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id: check, requirements, expected, actual }) => ({
        id: check,
        requirements,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
      })),
    all: needsAll && (all || !everything.some(blames)),
    said: blamedBy.length > 0 ? [] : own.map(told),
  };
}

/** One check after the other, until one blames. */
async function untilOne(
  checks: readonly PlacedCheck[],
  runContext: RunContext,
  blames: (result: CheckResult) => boolean,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const placed of checks) {
    const result = await judge(placed, runContext);
    results.push(result);
    if (blames(result)) break;
  }
  return results;
}

/** Whoever only observes has seen nothing at first. */
function beginningWith(first: string | undefined, checks: readonly PlacedCheck[]): readonly PlacedCheck[] {
  const isFirst = ({ check }: PlacedCheck): boolean => check.id === first && check.observes !== true;
  return [...checks.filter(isFirst), ...checks.filter((placed) => !isFirst(placed))];
}

/**
 * Those of the operation that is broken, then those of the requirement itself and of its area, suite by suite. Those of
 * the requirement that observe the others look after each suite: what they wait for may come early.
 */
function likeliestFirst(
  checks: readonly PlacedCheck[],
  { id, requirement }: Deviation,
  broken: readonly string[],
): readonly PlacedCheck[] {
  // `SIG-01/unchecked-at-basket` is noticed by `SIG-01-basket`.
  const place = /-at(-[a-z]+)/.exec(id)?.[1];
  const isThere = (check: Check): boolean => place !== undefined && check.id.includes(place);
  const isNear = (check: Check): boolean => areaOf(check.requirement) === areaOf(requirement);
  const rank = ({ check }: PlacedCheck): number =>
    (isThere(check) ? 0 : 4) + (check.requirement === requirement ? 0 : 1) + (isNear(check) ? 0 : 2);
  const observing = checks.filter(({ check }) => check.observes === true);
  const asking = checks
    .filter((placed) => !observing.includes(placed))
    .toSorted((one, other) => rank(one) - rank(other));
  const watching = observing.filter(({ check }) => requirementsOf(check).some((id) => broken.includes(id)));
  return [...groupedBy(asking, ({ suite }) => suite).values()]
    .flatMap((ofOneSuite) => [...ofOneSuite, ...watching])
    .concat(observing);
}

/** `PAY` of `PAY-01`. */
const areaOf = (requirement: string): string => requirement.slice(0, requirement.indexOf('-'));

const killsForGood = (noticed: readonly CheckResult[]): boolean =>
  noticed.some(({ verdict }) => verdict === 'fail');

/**
 * Whether the bank would be conformant once its readings are learned. Who fails under the mildest of them fails under
 * any; of the others they are learned, as `doctor --learn` does.
 */
async function isExcused(
  { apply }: Deviation,
  { noticing, citing, checks }: NoticedBy,
  keys: BankKeys,
): Promise<boolean> {
  const design = apply(compliantDesign);
  const fails = async (
    chosen: readonly PlacedCheck[],
    readings: Partial<Readings>,
    runs: number,
  ): Promise<boolean> => {
    const { runContext } = await createBankRunContext(keys, design, { readings, runs, verdictsOnly: true });
    return killsForGood(await runChecks(chosen, runContext));
  };
  // One check that fails is enough, and most do not depend on any reading.
  const first = checks.filter(({ check }) => check.id === noticing[0]);
  if (await fails(first, mildestReadings, 1)) return false;
  if (await fails(citing, mildestReadings, casesOfARun)) return false;
  return !(await fails(citing, await readingsLearnedOf(design, checks, keys), casesOfARun));
}

interface NoticedBy {
  /** The ids of the checks that noticed. */
  readonly noticing: readonly string[];
  /** Those that cite the requirement. */
  readonly citing: readonly PlacedCheck[];
  readonly checks: readonly PlacedCheck[];
}

const idsOf = (results: readonly CheckResult[]): readonly string[] => [
  ...new Set(results.map(({ id }) => id)),
];

/** A must that is broken has to fail; what is only advised can at most yield a warning. */
function noticedBy({ requirement, isAdvisedAgainst }: Deviation): (result: CheckResult) => boolean {
  const isForbidden = requirementById.get(requirement)?.level === 'must' && isAdvisedAgainst !== true;
  const telling: readonly Verdict[] = isForbidden ? ['fail'] : ['fail', 'warning'];
  return ({ verdict }) => telling.includes(verdict);
}

const told = ({ id, verdict, reason }: CheckResult): string =>
  [id, verdict, firstLine(reason)].filter((part) => part !== '').join(' ');
