import { compliantDesign } from '../../bank/compliant-design.ts';
import { allOf } from '../../bank/design/design-changes.ts';
import { type Dialect, type Payable, payableBy, wayBy } from '../../bank/dialects/index.ts';
import type { Check } from '../../checks/check.ts';
import type { PlacedCheck } from '../../checks/engine.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import type { Outcome } from '../../report/outcome.ts';
import type { Readings } from '../../spec/interpretations.ts';
import type { DialectResult } from '../verdict-of-proof.ts';
import { asksNothingElse } from './asked-readings.ts';
import type { BankKeys, RunContextParts, Surroundings } from './bank-under-test.ts';
import { firstLine, type JudgedBank, judgeBank, readingsLearnedOf } from './judge-bank.ts';

/** Dialects that keep to other readings than the reference bank does: what is learned of each makes it conformant. */
export const dialectsToLearn: readonly string[] = [
  'letters/ascii-only',
  'letters/ascii-abroad',
  'strict/remittance-pairs',
  'strict/ten-in-a-basket',
  'strict/length-in-bytes',
  'strict/accept-fix-everywhere',
  'strict/no-request-target',
  'strict/kroner-at-home',
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

export interface DialectProof {
  readonly seed?: number;
  /** All checks are there, so that the run as a whole can be judged. */
  readonly isWhole?: boolean;
  /** With the readings that `doctor --learn` finds out, from a target file that says none. */
  readonly learns?: boolean;
}

/** The results of checks that need not be run again where these are the readings. */
type KnownUnder = (readings: Readings) => readonly CheckResult[];

/**
 * Runs checks against a bank that is unusual and compliant, from the same preparation that a run has: whatever fails is
 * a false alarm. A dialect alone that meets all checks has to be conformant; two of them together may well leave
 * something open.
 */
export async function proveDialects(
  dialects: readonly Dialect[],
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  proof: DialectProof = {},
): Promise<DialectResult> {
  const judged = await judgeDialects(dialects, checks, keys, proof);
  return resultOf(dialects, judged, proof.isWhole === true && dialects.length === 1);
}

/**
 * Runs checks against several dialects at once, which costs as much as one of them. A check that passes there has met
 * them all. Every other check each of them meets alone, so that none hides behind another and none answers for another.
 * What fails together and nobody alone is a false alarm as well, of the pool. Where all checks are there, some dialects
 * are judged once more, by the readings that are learned of them.
 */
export async function provePool(
  dialects: readonly Dialect[],
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  proof: Pick<DialectProof, 'seed' | 'isWhole'> = {},
): Promise<readonly DialectResult[]> {
  const [only] = dialects;
  if (dialects.length === 1 && only !== undefined) return proveAlone(only, checks, keys, proof);
  const together = await judgeDialects(dialects, checks, keys, proof);
  const alone: DialectResult[] = [];
  for (const dialect of dialects) alone.push(...(await proveAlone(dialect, checks, keys, proof, together)));
  const raised = new Set(alone.flatMap(({ alarms }) => alarms.map(sourceOf)));
  const pool = resultOf(dialects, together);
  const alarms = pool.alarms.filter((alarm) => !raised.has(sourceOf(alarm)));
  return [...alone, { ...pool, alarms, isPool: true }];
}

async function proveAlone(
  dialect: Dialect,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  proof: Pick<DialectProof, 'seed' | 'isWhole'>,
  together?: JudgedDialects,
): Promise<readonly DialectResult[]> {
  let passed = 0;
  const inPool: KnownUnder = (readings) => {
    const met = together === undefined ? [] : metBy(together, readings, checks);
    passed = met.length;
    return met;
  };
  const alone = await judgeDialects([dialect], checks, keys, proof, inPool);
  const isWhole = proof.isWhole === true;
  const result = resultOf([dialect], alone, isWhole);
  const others = together?.dialects.filter((other) => other !== dialect).map(({ id }) => id);
  const results = [others === undefined ? result : { ...result, pool: { others, passed } }];
  if (!isWhole || !dialectsToLearn.includes(dialect.id)) return results;
  const asked = new Map([...(together?.asked ?? []), ...alone.asked]);
  // It is the same bank: only a check that asks for another reading could say something else.
  const before: KnownUnder = (readings) =>
    alone.results.filter(asksNothingElse(asked, alone.readings, readings));
  const learned = await judgeDialects([dialect], checks, keys, { ...proof, learns: true }, before);
  return [...results, resultOf([dialect], learned, isWhole)];
}

/**
 * The checks that passed and asked for no reading that is another one now; none where one that looks at the others’
 * exchanges is not among them, since it needs all of them.
 */
function metBy(
  { results, asked, readings: ofPool }: JudgedDialects,
  readings: Readings,
  checks: readonly PlacedCheck[],
): readonly CheckResult[] {
  const met = results
    .filter(({ verdict }) => verdict === 'pass')
    .filter(asksNothingElse(asked, ofPool, readings));
  const ids = new Set(met.map(({ id }) => id));
  return checks.some(({ check }) => observesHere(check) && !ids.has(check.id)) ? [] : met;
}

/** In process there is no TLS, and nothing to be seen of it. */
const observesHere = ({ observes, needs }: Check): boolean => observes === true && !needs.includes('https');

interface JudgedDialects extends JudgedBank {
  readonly dialects: readonly Dialect[];
  readonly learned?: Partial<Readings>;
}

async function judgeDialects(
  dialects: readonly Dialect[],
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  { seed = 1, learns = false }: DialectProof,
  knownUnder?: KnownUnder,
): Promise<JudgedDialects> {
  const design = allOf(...dialects.map(({ apply }) => apply))(compliantDesign);
  const { readings: declared, ...parts } = { ...partsOf(dialects), seed };
  const readings = learns ? await readingsLearnedOf(design, checks, keys, parts) : declared;
  const judged = await judgeBank(design, checks, keys, { ...parts, readings }, knownUnder);
  return { ...judged, dialects, ...(learns ? { learned: readings } : {}) };
}

function resultOf(
  dialects: readonly Dialect[],
  { results, blocker, outcome, learned }: JudgedDialects,
  isJudgedWhole = false,
): DialectResult {
  const of = (...verdicts: readonly string[]) =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).map(alarmed);
  return {
    side: 'bank',
    ids: dialects.map(({ id }) => id),
    ...(learned === undefined ? {} : { learned }),
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

/** Why a run of all checks is not conformant, apart from failures. */
const openIn = ({ verdict, gaps, problems }: Outcome): readonly string[] => {
  if (verdict !== 'incomplete') return [];
  if (gaps.length === 0) return problems.map((problem) => `incomplete: ${firstLine(problem)}`);
  return gaps.map(({ requirement, why }) => `incomplete: ${requirement.id}, since ${firstLine(why)}`);
};

/** What makes the way to such a bank another one, and what its target file has to say. */
export const partsOf = (dialects: readonly Dialect[]) => ({
  ...surroundingsOf(dialects),
  ...declaredBy(dialects),
});

/** What the target file of such a bank has to say. */
function declaredBy(
  dialects: readonly Dialect[],
): Required<Pick<RunContextParts, 'notOffered' | 'readings' | 'way'>> & Payable {
  const declared = dialects.flatMap((dialect) => dialect.declared ?? []);
  return {
    notOffered: declared.flatMap(({ notOffered = [] }) => notOffered),
    readings: Object.assign({}, ...declared.map(({ interpretations = {} }) => interpretations)),
    ...payableBy(declared),
    way: wayBy(declared),
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

/** The check that an alarm came from, or `blocked`. */
const sourceOf = (alarm: string): string => alarm.slice(0, alarm.indexOf(': '));
