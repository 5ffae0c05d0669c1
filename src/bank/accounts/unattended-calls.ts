import { limits } from '../../spec/limits.ts';
import type { Clock } from '../clock.ts';

/** Calls without the PSU present (Limits): at most 4 in 24 hours, per TPP, account and kind. */
export interface UnattendedCalls {
  /** Counts a call; false when it is one too many. */
  admit(tppId: string, accountId: string, kind: 'balances' | 'transactions'): boolean;
  reset(): void;
}

const dayInMilliseconds = 86_400_000;

export function createUnattendedCalls(clock: Clock): UnattendedCalls {
  const calls = new Map<string, readonly number[]>();
  return {
    admit: (tppId, accountId, kind) => {
      const key = [tppId, accountId, kind].join('\n');
      const now = clock.now().getTime();
      const ofTheDay = (calls.get(key) ?? []).filter((time) => now - time < dayInMilliseconds);
      if (ofTheDay.length >= limits.unattendedCalls) return false;
      calls.set(key, [...ofTheDay, now]);
      return true;
    },
    reset: () => calls.clear(),
  };
}
