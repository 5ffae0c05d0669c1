import fc from 'fast-check';
import { contradict, type Dialect } from '../bank/dialects/index.ts';

/** Dialects that meet the checks together. Some question has as many answers, so that larger pools would be no fewer. */
export const poolSize = 18;

/** Whether others would not show next to it, or would be judged by what its target file says. */
const isJudgedAlone = ({ declared, hidesOthers }: Dialect): boolean =>
  declared !== undefined || hidesOthers === true;

/** Shares dialects out among pools, each into one. Those of a pool decide different questions. */
export function poolsOf(
  dialects: readonly Dialect[],
  size: number,
  seed: number,
): readonly (readonly Dialect[])[] {
  const inCompany = dialects.filter((dialect) => !isJudgedAlone(dialect));
  const [shuffled = []] = fc.sample(
    fc.shuffledSubarray(inCompany, { minLength: inCompany.length, maxLength: inCompany.length }),
    { seed, numRuns: 1 },
  );
  const pools: Dialect[][] = Array.from({ length: Math.ceil(inCompany.length / size) }, () => []);
  for (const dialect of shuffled) {
    const free = pools.filter((pool) => !pool.some((other) => contradict(other, dialect)));
    const [smallest] = free.toSorted((a, b) => a.length - b.length);
    if (smallest === undefined) pools.push([dialect]);
    else smallest.push(dialect);
  }
  return [...pools, ...dialects.filter(isJudgedAlone).map((dialect) => [dialect])];
}
