import { limits } from '../../spec/limits.ts';
import { BoundedStore } from '../bounded-store.ts';
import type { Clock } from '../clock.ts';

export type UnattendedKind = 'balances' | 'transactions';

/** Calls without the PSU present (Limits): at most 4 in 24 hours, per TPP, account and kind. */
export interface UnattendedCalls {
  /** Counts a call; false when it is one too many. */
  admit(tppId: string, accountId: string, kind: UnattendedKind): boolean;
  /** When the oldest call of the last 24 hours will no longer count. */
  secondsUntilFree(tppId: string, accountId: string, kind: UnattendedKind): number;
  reset(): void;
}

const dayInMilliseconds = 86_400_000;

export function createUnattendedCalls(clock: Clock): UnattendedCalls {
  const calls = new BoundedStore<readonly number[]>(100_000);
  const keyOf = (...parts: readonly string[]): string => parts.join('\n');
  const ofTheLastDay = (key: string): readonly number[] =>
    (calls.get(key) ?? []).filter((time) => clock.now().getTime() - time < dayInMilliseconds);
  return {
    admit: (tppId, accountId, kind) => {
      const key = keyOf(tppId, accountId, kind);
      const earlier = ofTheLastDay(key);
      if (earlier.length >= limits.unattendedCalls) return false;
      calls.set(key, [...earlier, clock.now().getTime()]);
      return true;
    },
    secondsUntilFree: (tppId, accountId, kind) => {
      const [oldest] = ofTheLastDay(keyOf(tppId, accountId, kind));
      return oldest === undefined
        ? 0
        : Math.ceil((oldest + dayInMilliseconds - clock.now().getTime()) / 1000);
    },
    reset: () => calls.clear(),
  };
}
