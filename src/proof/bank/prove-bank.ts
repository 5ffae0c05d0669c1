import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { allOf } from '../../bank/design/design-changes.ts';
import type { Deviation } from '../../bank/deviations/index.ts';
import type { Dialect } from '../../bank/dialects/index.ts';
import { type Check, requirementsOf } from '../../checks/check.ts';
import type { RunContext } from '../../checks/context.ts';
import { judge, type PlacedCheck, runChecks } from '../../checks/engine.ts';
import type { CheckResult, Verdict } from '../../checks/verdict.ts';
import { judgeRun, type Outcome } from '../../report/outcome.ts';
import { learnReadings } from '../../runner/learn-readings.ts';
import { prepared } from '../../runner/prepare-run.ts';
import { headerOf } from '../../runner/run.ts';
import { requirementById, requirements } from '../../spec/catalogue.ts';
import { type Readings, strictestFirst } from '../../spec/interpretations.ts';
import type { DeviationResult, DialectResult } from '../verdict-of-proof.ts';
import {
  type BankKeys,
  createBankRunContext,
  type RunContextParts,
  runOnSocket,
  type Surroundings,
  sampleOfTwists,
} from './bank-under-test.ts';

/** Dialects that keep to other readings than the reference bank does: what is learned of each makes it conformant. */
export const dialectsToLearn: readonly string[] = [
  'letters/ascii-only',
  'letters/ascii-abroad',
  'strict/remittance-pairs',
  'strict/ten-in-a-basket',
  'strict/length-in-bytes',
  'lenient/fraction-digits',
  'lenient/accounts',
  'lenient/unsigned-headers',
  'lenient/header-values',
  'lenient/advice',
  'known-issue/unreadable',
  'answers/signed-in-baskets',
  'answers/unsigned-and-unreadable',
  'answers/exempt',
  'answers/nulls',
  'sca/before-creation',
  'sca/before-creation-once',
  'sca/before-the-body',
  'sessions/ended-403',
  'headers/no-date',
];

/** Every reading that can be learned, with the value that asks the least of a bank. */
const mildestReadings: Partial<Readings> = {
  ...Object.fromEntries(Object.entries(strictestFirst).map(([id, values]) => [id, values.at(-1)])),
  letters: 'ascii-only',
  clockReference: 'own-clock',
};

/** The readings that `doctor --learn --write` would write into the target file of a bank. */
async function readingsLearnedOf(
  design: BankDesign,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  parts: RunContextParts = {},
): Promise<Partial<Readings>> {
  const { runContext: before } = await createBankRunContext(keys, design, { ...parts, leavesSca: true });
  const { runContext } = await prepared(before);
  const learned = await learnReadings(runContext, checks);
  return Object.fromEntries(
    learned.flatMap(({ id, observed }) => (observed === undefined ? [] : [[id, observed]])),
  );
}

export interface DeviationProof {
  /** Runs all checks, whether or not those of the requirement have failed, to see which others do. */
  readonly all: boolean;
  /** Ends with the first check that blames the requirement, where nobody asks which others do. */
  readonly untilBlamed?: boolean;
  /** Also asks whether learning its readings would make the bank conformant; that costs as much again. */
  readonly learns?: boolean;
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
  { all, learns = false, untilBlamed = false }: DeviationProof = { all: false },
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
    most = Number.POSITIVE_INFINITY,
  ): Promise<readonly CheckResult[]> => {
    if (deviation.needsTls) return runOnSocket(chosen, design);
    const readings = under && { readings: under };
    const parts = { runs, mostTwists: most, verdictsOnly: true, ...readings };
    const { runContext } = await createBankRunContext(keys, design, parts);
    return untilBlamed
      ? firstToBlame(likeliestFirst(chosen, deviation), runContext, blames)
      : runChecks(chosen, runContext);
  };
  const citing = checks.filter(({ check }) => requirementsOf(check).some((id) => broken.includes(id)));
  // As few cases as possible, then as many as a run has, and then all checks.
  let own = await run(citing, 1);
  const atOnceBy = idsOf(own.filter(isNoticed));
  if (!own.some(isNoticed)) own = await run(citing, casesOfARun);
  // Whoever else would notice a deviation with a condition notices the one without as well.
  const needsAll =
    (all || !own.some(isNoticed)) && deviation.needsTls !== true && deviation.condition === undefined;
  const everything = needsAll ? await run(checks, 1, sampleOfTwists) : [];
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
    all: needsAll,
    said: blamedBy.length > 0 ? [] : own.map(told),
  };
}

/** One check after the other, until one blames. */
async function firstToBlame(
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

/** Those of the operation that is broken, then those of the requirement itself; those that observe the others come last. */
function likeliestFirst(
  checks: readonly PlacedCheck[],
  { id, requirement }: Deviation,
): readonly PlacedCheck[] {
  // `SIG-01/unchecked-at-basket` is noticed by `SIG-01-basket`.
  const place = /-at(-[a-z]+)/.exec(id)?.[1];
  const isThere = (check: Check): boolean => place !== undefined && check.id.includes(place);
  const rank = ({ check }: PlacedCheck): number =>
    (check.observes === true ? 4 : 0) +
    (isThere(check) ? 0 : 2) +
    (check.requirement === requirement ? 0 : 1);
  return checks.toSorted((one, other) => rank(one) - rank(other));
}

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

const firstLine = (reason = ''): string => reason.split('\n')[0] ?? '';

export interface DialectProof {
  readonly seed?: number;
  /** All checks are there, so that the run as a whole can be judged. */
  readonly isWhole?: boolean;
  /** With the readings that `doctor --learn` finds out, from a target file that says none. */
  readonly learns?: boolean;
}

/**
 * Runs checks against a bank that is unusual and compliant, from the same preparation that a run has: whatever fails is
 * a false alarm. A dialect alone that meets all checks has to be conformant; two of them together may well leave
 * something open.
 */
export async function proveDialects(
  dialects: readonly Dialect[],
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  { seed = 1, isWhole = false, learns = false }: DialectProof = {},
): Promise<DialectResult> {
  const design = allOf(...dialects.map(({ apply }) => apply))(compliantDesign);
  const { readings: declared, ...parts } = { ...surroundingsOf(dialects), ...declaredBy(dialects), seed };
  const readings = learns ? await readingsLearnedOf(design, checks, keys, parts) : declared;
  const { results, blocker, outcome } = await judgeBank(design, checks, keys, { ...parts, readings });
  const of = (...verdicts: readonly string[]) =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).map(alarmed);
  const isJudgedWhole = isWhole && dialects.length === 1;
  return {
    side: 'bank',
    ids: dialects.map(({ id }) => id),
    ...(learns ? { learned: readings } : {}),
    alarms: [
      ...(blocker === undefined ? [] : [`blocked: ${firstLine(blocker)}`]),
      ...of('fail', 'error', ...(isJudgedWhole ? ['inconclusive'] : [])),
      ...(isJudgedWhole ? openIn(outcome) : []),
    ],
    warnings: of('warning'),
    inconclusive: of('inconclusive'),
    passed: of('pass').length,
  };
}

export interface JudgedBank {
  readonly blocker?: string;
  readonly results: readonly CheckResult[];
  /** The verdict on all requirements that the checks cite. */
  readonly outcome: Outcome;
}

/** A whole run against a bank of this process: SCA and preflight first, as a target file would have it. */
export async function judgeBank(
  design: BankDesign,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  parts: RunContextParts = {},
): Promise<JudgedBank> {
  const { runContext: before } = await createBankRunContext(keys, design, {
    leavesSca: true,
    mostTwists: sampleOfTwists,
    remembersControls: true,
    verdictsOnly: true,
    ...parts,
  });
  const { runContext, blocker } = await prepared(before);
  const results = blocker === undefined ? await runChecks(checks, runContext) : [];
  const { target, seed, runs } = runContext;
  const header = headerOf({ target, embedded: false }, { seed, runs, planned: checks });
  const footer = { durationMs: 0, requests: 0, interrupted: false };
  const cited = new Set(checks.flatMap(({ check }) => requirementsOf(check)));
  const outcome = judgeRun(
    { header, results, footer },
    requirements.filter(({ id }) => cited.has(id)),
  );
  return { results, outcome, ...(blocker === undefined ? {} : { blocker }) };
}

/** Why a run of all checks is not conformant, apart from failures. */
const openIn = ({ verdict, gaps }: Outcome): readonly string[] =>
  verdict === 'incomplete'
    ? gaps.map(({ requirement, why }) => `incomplete: ${requirement.id}, since ${firstLine(why)}`)
    : [];

/** What the target file of such a bank has to say. */
function declaredBy(
  dialects: readonly Dialect[],
): Required<Pick<RunContextParts, 'notOffered' | 'readings'>> {
  const declared = dialects.flatMap((dialect) => dialect.declared ?? []);
  return {
    notOffered: declared.flatMap(({ notOffered = [] }) => notOffered),
    readings: Object.assign({}, ...declared.map(({ interpretations = {} }) => interpretations)),
  };
}

/** What dialects change about the way to a bank, next to its design. */
export function surroundingsOf(dialects: readonly Dialect[]): Surroundings {
  const prefix = dialects.map((dialect) => dialect.prefix).find((found) => found !== undefined);
  return {
    ...(prefix === undefined ? {} : { prefix }),
    signsResponses: dialects.some(({ signsResponses }) => signsResponses === true),
    changedData: dialects.some(({ changedData }) => changedData === true),
  };
}

const alarmed = ({ id, reason }: CheckResult): string => `${id}: ${firstLine(reason)}`;
