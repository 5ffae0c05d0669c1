/**
 * How many times more work eight times the size is: 8 for linear work, 64 for quadratic, 512 for cubic. Processor time
 * and the best of several rounds, so that other programs on the machine do not count. Other threads of this process do,
 * such as one that clears its heap, and can only make it more: what looks like too much is measured again.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  // What is compiled in the middle of it would count for the one that comes first.
  for (let round = 0; round < 3; round += 1) work(8 * size);
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 4 && least >= clearlyBelowQuadratic; time += 1) {
    const [large, small] = [bestOf(() => work(8 * size)), bestOf(() => work(size))];
    least = Math.min(least, large / Math.max(small, 1_000));
  }
  return least;
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
