import { initiations } from '../../spec/products.ts';
import { type DesignChange, withRules, withState } from '../design/design-changes.ts';
import { heldWhere } from '../design/held-sessions.ts';
import type { Rule } from '../design/route.ts';
import type { Session } from '../state/sessions.ts';
import { type Dialect, dialect, independent } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

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

/** Looked at before SCA is asked for, and before everything else. */
const refusesSessionsBut = (form: RegExp): DesignChange =>
  withRules((operation, rules) => {
    const oddSession: Rule = {
      requirement: 'ERR-06',
      ownChoice: true,
      name: 'TPP-Session-ID has a form of its own',
      refuses: (request) =>
        form.test(request.header('tpp-session-id') ?? '')
          ? undefined
          : { status: 400, code: 'FORMAT_ERROR', text: 'This bank is strict.' },
    };
    return operation === 'page' ? rules : [oddSession, ...rules];
  });

export const sessionDialects: readonly Dialect[] = [
  independent(
    'strict/session-ids',
    'takes letters, digits and a few signs in TPP-Session-ID only',
    refusesSessionsBut(/^[\w.~-]*$/),
  ),
  independent(
    'strict/uuid-sessions',
    'wants TPP-Session-ID to be a UUID',
    refusesSessionsBut(/^(?:[\da-f-]{36})?$/i),
  ),
  independent(
    'strict/lower-case-request-ids',
    'wants X-Request-ID to be a UUID in lower case',
    alsoRefusing(
      [...initiations, 'listSandboxCustomers', 'listAccounts'],
      (request) => !/^[\da-f-]{36}$/.test(request.header('x-request-id') ?? ''),
    ),
  ),
  independent(
    'sessions/when-reading',
    'demands TPP-Session-ID when payments and baskets are read or deleted',
    alsoRefusing(
      [
        'readPaymentStatus',
        'readPayment',
        'deletePayment',
        'readSigningBasketStatus',
        'readSigningBasket',
        'deleteSigningBasket',
      ],
      (request) => request.header('tpp-session-id') === undefined,
    ),
  ),
  dialect('sessions/short', 'lets an SCA hold for much less than an hour', wornOut),
];
