/**
 * How much longer one text of eight times the size takes than eight texts of the size: 1 for linear work, 8 for
 * quadratic, 64 for cubic. Both sides are as much work when it is linear, and are measured in turns, so that whatever
 * else the machine does falls on both alike. Clearing the heap in the middle of the large one can only make it more:
 * what looks like too much is measured again.
 */
export function growthOf(work: (size: number) => void, size: number): number {
  const times = (count: number, of: number) => {
    for (let done = 0; done < count; done += 1) work(of);
  };
  // What is compiled in the middle of it would count for the one that comes first.
  const once = timeOf(() => times(1, 8 * size));
  const large = Math.ceil(longEnoughToMeasure / Math.max(once, 100));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20 && least >= clearlyBelowQuadratic; round += 1) {
    const ofSmall = timeOf(() => times(8 * large, size));
    least = Math.min(least, timeOf(() => times(large, 8 * size)) / Math.max(ofSmall, 1));
  }
  return least;
}

/** Between linear and quadratic, with room on both sides. */
export const clearlyBelowQuadratic = 3;

/** In microseconds: far above what it costs to ask for the time. */
const longEnoughToMeasure = 5_000;

/** In microseconds of a processor, so that other programs do not count. Which part is whose is told in ticks alone. */
function timeOf(work: () => void): number {
  const { user, system } = process.cpuUsage();
  work();
  const since = process.cpuUsage();
  return since.user + since.system - user - system;
}
