/**
 * How many times more work eight times the size is: 8 for linear work, 64 for quadratic, 512 for cubic. Processor time
 * and the best of several rounds, so that other programs on the machine do not count.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  // What is compiled in the middle of it would count for the one that comes first.
  for (let round = 0; round < 3; round += 1) work(8 * size);
  return (
    bestOf(() => work(8 * size)) /
    Math.max(
      bestOf(() => work(size)),
      1_000,
    )
  );
}

/** Between linear and quadratic, with room on both sides. */
export const clearlyBelowQuadratic = 24;

function bestOf(work: () => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const { user: before } = process.cpuUsage();
    work();
    return process.cpuUsage().user - before;
  });
  return Math.min(...rounds);
}
