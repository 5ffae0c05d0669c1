import type { RunContext } from '../../src/checks/context.ts';
import type { ScaPerson } from '../../src/tpp/sca/sca-walker.ts';

/**
 * The customers that one of several shards acts for, so that shards which run side by side leave each other's sessions
 * alone. Where there are fewer customers than shards, each has one, and some have the same.
 */
export function shareOf<Customer extends Pick<ScaPerson, 'nationalId'>>(
  customers: readonly Customer[],
  shard: RunContext['shard'],
): readonly Customer[] {
  if (shard === undefined) return customers;
  const place = shard.index - 1;
  // Freedom: sandbox/listing.
  const sorted = customers.toSorted((one, other) => one.nationalId.localeCompare(other.nationalId));
  const own = sorted.filter((_, index) => index % shard.count === place);
  return own.length > 0 ? own : sorted.slice(place % sorted.length).slice(0, 1);
}
