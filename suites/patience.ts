import { setTimeout as pause } from 'node:timers/promises';

/** In all less than three seconds. */
const pausesMs = [200, 600, 1_600];

/** Looks until something is there that a bank may bring about a moment later; what was seen last, if it never is. */
export async function patiently<T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> {
  for (const pauseMs of pausesMs) {
    const seen = await look();
    if (isThere(seen)) return seen;
    await pause(pauseMs);
  }
  return look();
}
