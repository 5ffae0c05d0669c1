/**
 * How many times more work eight times the size is: 8 for linear work, 64 for quadratic, 512 for cubic. Processor time,
 * so that other programs on the machine do not count. Other threads of this process do, such as one that clears its
 * heap, and can only make it more: of the small size the best of several rounds counts, and what looks like too much of
 * the large one is measured again.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  // What is compiled in the middle of it would count for the one that comes first.
  for (let round = 0; round < 3; round += 1) work(8 * size);
  const small = Math.min(...Array.from({ length: 5 }, () => timeOf(() => work(size))));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20 && least >= clearlyBelowQuadratic; round += 1)
    least = Math.min(least, timeOf(() => work(8 * size)) / Math.max(small, 1_000));
  return least;
}

/** Between linear and quadratic, with room on both sides. */
export const clearlyBelowQuadratic = 24;

/** In microseconds of a processor. */
function timeOf(work: () => void): number {
  const { user: before } = process.cpuUsage();
  work();
  return process.cpuUsage().user - before;
}
