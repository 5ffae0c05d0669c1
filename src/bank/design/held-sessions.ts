import type { Session, SessionStore } from '../state/sessions.ts';

/** The same sessions, of which those hold that are told to: nobody acts in any other. */
export const heldWhere = (sessions: SessionStore, holds: (session: Session) => boolean): SessionStore => ({
  ...sessions,
  holds,
  current: (tppId, customerNumber) => {
    const session = sessions.latest(tppId, customerNumber);
    return session !== undefined && holds(session) ? session : undefined;
  },
});
