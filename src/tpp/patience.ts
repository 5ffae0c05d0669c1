import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from './client.ts';
import { usualPatienceMs } from './pace.ts';

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

/** The same, and how long it took until it was there: 0 where it was at once, undefined where it never was. */
export async function msUntil<T>(
  run: WaitingRun,
  look: () => Promise<T>,
  isThere: (seen: T) => boolean,
): Promise<number | undefined> {
  const begun = performance.now();
  let looks = 0;
  const last = await patiently(
    run,
    () => {
      looks += 1;
      return look();
    },
    isThere,
  );
  if (!isThere(last)) return undefined;
  return looks === 1 ? 0 : performance.now() - begun;
}
