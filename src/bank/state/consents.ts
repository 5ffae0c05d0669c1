import { BoundedStore } from '../../signing/bounded-store.ts';
import { dayMs } from '../../spec/days.ts';
import { limits } from '../../spec/limits.ts';
import type { Clock } from './clock.ts';
import type { ActingPsu } from './customers.ts';

/** What a PSU granted to a TPP, in private context or under one agreement. */
export interface Consent {
  /** Ids of accounts and card accounts. */
  readonly accountIds: ReadonlySet<string>;
  /** When the PSU last passed SCA for this TPP. */
  readonly renewedAt: Date;
}

/**
 * Bank-offered consent (PSU identification and SCA): the PSU ticks accounts in a checklist. What is ticked replaces
 * what was granted before, so that deselecting revokes.
 */
export interface ConsentStore {
  grant(tppId: string, psu: ActingPsu, accountIds: readonly string[]): void;
  /** The PSU passed SCA again without touching the checklist. */
  renew(tppId: string, psu: ActingPsu): void;
  /** The consent, however old; see `isRenewalDue`. */
  find(tppId: string, psu: ActingPsu): Consent | undefined;
  /** Renewal period of SCA (Limits): 180 days. */
  isRenewalDue(consent: Consent): boolean;
  reset(): void;
}

export function createConsentStore(clock: Clock): ConsentStore {
  const consents = new BoundedStore<Consent>(50_000);
  const keyOf = (tppId: string, psu: ActingPsu): string =>
    [tppId, psu.customerNumber, psu.agreementId ?? ''].join('\n');
  return {
    grant: (tppId, psu, accountIds) => {
      consents.set(keyOf(tppId, psu), { accountIds: new Set(accountIds), renewedAt: clock.now() });
    },
    renew: (tppId, psu) => {
      const consent = consents.get(keyOf(tppId, psu));
      if (consent !== undefined) consents.set(keyOf(tppId, psu), { ...consent, renewedAt: clock.now() });
    },
    find: (tppId, psu) => consents.get(keyOf(tppId, psu)),
    isRenewalDue: ({ renewedAt }) =>
      clock.now().getTime() - renewedAt.getTime() > limits.scaRenewalDays * dayMs,
    reset: () => consents.clear(),
  };
}

export type UnattendedKind = 'balances' | 'transactions';

/** Calls without the PSU present (Limits): at most 4 in 24 hours, per TPP, account and kind. */
export interface UnattendedCalls {
  /** Counts a call; false when it is one too many. */
  admit(tppId: string, accountId: string, kind: UnattendedKind): boolean;
  /** When the oldest call of the last 24 hours will no longer count. */
  secondsUntilFree(tppId: string, accountId: string, kind: UnattendedKind): number;
  reset(): void;
}

export function createUnattendedCalls(clock: Clock): UnattendedCalls {
  const calls = new BoundedStore<readonly number[]>(100_000);
  const keyOf = (...parts: readonly string[]): string => parts.join('\n');
  const ofTheLastDay = (key: string): readonly number[] =>
    (calls.get(key) ?? []).filter((time) => clock.now().getTime() - time < dayMs);
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
      return oldest === undefined ? 0 : Math.ceil((oldest + dayMs - clock.now().getTime()) / 1000);
    },
    reset: () => calls.clear(),
  };
}
