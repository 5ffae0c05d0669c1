import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from '../src/tpp/client.ts';
import { usualPatienceMs } from '../src/tpp/pace.ts';

/** Pauses, as multiples of the least one: with the usual one, in all less than three seconds. */
const pauses = [1, 3, 8];

/** A run, as far as it says how long to wait. */
interface WaitingRun {
  readonly client: { readonly options: Pick<ClientOptions, 'patienceMs'> };
}

/** Looks until something is there that a bank may bring about a moment later; what was seen last, if it never is. */
export async function patiently<T>(
  { client }: WaitingRun,
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
): Promise<T> {
  const { patienceMs = usualPatienceMs } = client.options;
  for (const times of pauses) {
    const seen = await look();
    if (isThere(seen)) return seen;
    await pause(times * patienceMs);
  }
  return look();
}
