import { BoundedStore } from '../../signing/bounded-store.ts';
import type { psuContexts } from '../../spec/code-lists.ts';
import { limits } from '../../spec/limits.ts';
import type { Clock } from './clock.ts';

export type PsuContext = (typeof psuContexts)[number];

/** An SCA that was passed within a TPP-Session-ID. */
export interface Session {
  readonly sessionId: string;
  readonly context: PsuContext;
  readonly agreementId?: string | undefined;
  readonly passedAt: Date;
}

/**
 * Sessions (Limits): an SCA holds for one TPP and PSU across roles, within one TPP-Session-ID, up to one hour. There
 * is at most one: passing SCA in a new session ends the old one, while an aborted SCA never reaches this store.
 */
export interface SessionStore {
  /** Just now, unless a seeded session says otherwise. */
  pass(
    tppId: string,
    customerNumber: string,
    session: Omit<Session, 'passedAt'> & Partial<Pick<Session, 'passedAt'>>,
  ): void;
  /** The last one passed, however long ago. */
  latest(tppId: string, customerNumber: string): Session | undefined;
  holds(session: Session): boolean;
  /** The latest one, if it still holds. */
  current(tppId: string, customerNumber: string): Session | undefined;
  /** The last ones of everybody, the one that was used last at the end. */
  list(): readonly (Session & { readonly tppId: string; readonly customerNumber: string })[];
  reset(): void;
}

export function createSessionStore(clock: Clock): SessionStore {
  const sessions = new BoundedStore<Session & { readonly tppId: string; readonly customerNumber: string }>(
    50_000,
  );
  const keyOf = (tppId: string, customerNumber: string): string => `${tppId}\n${customerNumber}`;
  const holds = ({ passedAt }: Session): boolean =>
    clock.now().getTime() - passedAt.getTime() <= limits.sessionSeconds * 1000;
  const latest = (tppId: string, customerNumber: string) => sessions.get(keyOf(tppId, customerNumber));
  return {
    pass: (tppId, customerNumber, session) => {
      sessions.set(keyOf(tppId, customerNumber), {
        passedAt: clock.now(),
        ...session,
        tppId,
        customerNumber,
      });
    },
    latest,
    holds,
    current: (tppId, customerNumber) => {
      const session = latest(tppId, customerNumber);
      return session !== undefined && holds(session) ? session : undefined;
    },
    list: () => sessions.values(),
    reset: () => sessions.clear(),
  };
}
