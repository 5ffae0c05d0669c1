import { type DesignChange, withState } from '../design/design-changes.ts';
import { heldWhere } from '../design/held-sessions.ts';
import type { Session } from '../state/sessions.ts';
import { type Dialect, dialect } from './dialect.ts';

/** So often the bank looks whether an SCA holds, and then it does no longer. */
const mostUses = 1500;

/** An SCA holds up to an hour (Limits): here for less, however long that takes. */
const wornOut: DesignChange = (design) => {
  const uses = new Map<string, number>();
  const keyOf = ({ sessionId, passedAt }: Session): string => `${sessionId} ${passedAt.getTime()}`;
  return withState(({ sessions }) => {
    const holds = (session: Session): boolean => {
      const used = (uses.get(keyOf(session)) ?? 0) + 1;
      uses.set(keyOf(session), used);
      return sessions.holds(session) && used <= mostUses;
    };
    return { sessions: heldWhere(sessions, holds) };
  })(design);
};

export const sessionDialects: readonly Dialect[] = [
  dialect('sessions/short', 'lets an SCA hold for much less than an hour', wornOut),
];
