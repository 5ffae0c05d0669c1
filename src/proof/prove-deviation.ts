import { compliantDesign } from '../bank/compliant-design.ts';
import type { Deviation } from '../bank/deviations/index.ts';
import { requirementsOf } from '../checks/check.ts';
import { runChecks } from '../checks/engine.ts';
import type { PlacedCheck } from '../checks/judge.ts';
import type { CheckResult, Verdict } from '../checks/verdict.ts';
import { requirementById } from '../spec/catalogue.ts';
import { createBankRunContext, type ProvingGround, sampleOfTwists } from './proving-ground.ts';
import { runOnSocket } from './run-on-socket.ts';

/** What became of a bank that breaks one requirement. */
export interface DeviationResult {
  readonly id: string;
  readonly requirement: string;
  readonly title: string;
  /** A check failed. */
  readonly killed: boolean;
  /** One of the checks that failed cites the very requirement that was broken. */
  readonly blamed: boolean;
  /** Checks that cite the requirement and failed. */
  readonly blamedBy: readonly string[];
  /** Other checks that failed, as far as they were run. */
  readonly others: readonly string[];
  /** Whether all checks were run, so that `others` is complete. */
  readonly all: boolean;
  /** What the checks that cite the requirement said, when none of them failed. */
  readonly said: readonly string[];
}

export interface DeviationProof {
  /** Runs all checks, whether or not those of the requirement have failed, to see which others do. */
  readonly all: boolean;
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
  ground: ProvingGround,
  { all }: DeviationProof = { all: false },
): Promise<DeviationResult> {
  const { id, requirement, title, under } = deviation;
  const design = deviation.apply(compliantDesign);
  const run = async (
    chosen: readonly PlacedCheck[],
    runs: number,
    most = Number.POSITIVE_INFINITY,
  ): Promise<readonly CheckResult[]> =>
    deviation.needsTls
      ? runOnSocket(chosen, design)
      : runChecks(
          chosen,
          (
            await createBankRunContext(ground, design, {
              runs,
              mostTwists: most,
              ...(under && { readings: under }),
            })
          ).runContext,
        );
  const isNoticed = noticedBy(deviation);
  const isCiting = ({ requirements }: CheckResult): boolean => requirements.includes(requirement);
  const citing = checks.filter(({ check }) => requirementsOf(check).includes(requirement));
  // As few cases as possible, then as many as a run has, and then all checks.
  let own = await run(citing, 1);
  if (!own.some(isNoticed)) own = await run(citing, casesOfARun);
  const needsAll = (all || !own.some(isNoticed)) && deviation.needsTls !== true;
  const everything = needsAll ? await run(checks, 1, sampleOfTwists) : [];
  const noticed = [...own, ...everything].filter(isNoticed);
  const blamedBy = idsOf(noticed.filter(isCiting));
  return {
    id,
    requirement,
    title,
    killed: noticed.length > 0,
    blamed: blamedBy.length > 0,
    blamedBy,
    others: idsOf(noticed.filter((result) => !isCiting(result))),
    all: needsAll,
    said: blamedBy.length > 0 ? [] : own.map(told),
  };
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
  [id, verdict, reason?.split('\n')[0]].filter((part) => part !== undefined).join(' ');
