import { randomUUID } from 'node:crypto';
import { isCreation } from '../../spec/products.ts';
import {
  afterPages,
  allOf,
  type DesignChange,
  isCancelled,
  knowingSessions,
  onPages,
  withState,
} from '../design/design-changes.ts';
import { heldWhere } from '../design/held-sessions.ts';
import type { BankOperation } from '../design/route.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import type { ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { Session } from '../state/sessions.ts';
import { type Deviation, deviation, overlooking, rows, serving } from './deviation.ts';
import { afterFlows, without } from './redirect-changes.ts';

/** Sessions that were passed once are good for ever. */
const keepsSessions: DesignChange = knowingSessions((wasPassed) => overlooking(serving('SES-03'), wasPassed));

type IsMeant = (flow: ScaFlow) => boolean;

/** The PSU has said who they are, and cancels on a later page. */
const isLate: IsMeant = ({ identified }) => identified !== undefined;

/** An SCA that is aborted ends the session that the PSU had. */
const endsSessionOnAbort = (isMeant: IsMeant): DesignChange =>
  afterPages((answer, flow, { sessions }) => {
    if (flow.customerNumber !== undefined && isCancelled(answer) && isMeant(flow))
      sessions.pass(flow.tppId, flow.customerNumber, { sessionId: randomUUID(), context: 'PRIVATE' });
    return undefined;
  });

/** An SCA that is aborted is as good as one that was passed. */
const beginsSessionOnAbort =
  (isMeant: IsMeant): DesignChange =>
  (design) => {
    const aborted = new Set<string>();
    return allOf(
      afterPages((answer, flow) => {
        if (isCancelled(answer) && isMeant(flow)) aborted.add(flow.sessionId);
        return undefined;
      }),
      overlooking(serving('SES-02', 'SES-03'), (request) =>
        aborted.has(request.header('tpp-session-id') ?? ''),
      ),
    )(design);
  };

/** While an SCA in a new session is under way, the old session does not hold; whoever aborts gets it back. */
const suspendsSession: DesignChange = (design) => {
  const suspended = new Map<string, Session>();
  const keyOf = (tppId: string, customerNumber: string): string => `${tppId}\n${customerNumber}`;
  return allOf(
    withState(({ flows, sessions }) => ({
      flows: {
        ...flows,
        start: (start) => {
          const { tppId, customerNumber } = start;
          const held = customerNumber === undefined ? undefined : sessions.latest(tppId, customerNumber);
          if (customerNumber !== undefined && held !== undefined && held.sessionId !== start.sessionId) {
            suspended.set(keyOf(tppId, customerNumber), held);
            sessions.pass(tppId, customerNumber, { ...held, sessionId: randomUUID() });
          }
          return flows.start(start);
        },
      },
    })),
    afterPages((answer, { tppId, customerNumber = '' }, { sessions }) => {
      const held = suspended.get(keyOf(tppId, customerNumber));
      if (held !== undefined && isCancelled(answer)) sessions.pass(tppId, customerNumber, held);
      return undefined;
    }),
  )(design);
};

/** SCA that a payment in a new session asks for, and what becomes of the old session when it ends. */
const aroundScaOfPayments =
  (
    whenEnded: (outcome: 'passed' | 'failed', old: Session, flow: ScaFlow, state: PsuState) => void,
  ): DesignChange =>
  (design) => {
    const begun = new Set<string>();
    return allOf(
      withState(({ psus }) => ({
        psus: {
          ...psus,
          startSca: (request, state, purpose) => {
            const link = psus.startSca(request, state, purpose);
            if (isCreation(request.operation)) begun.add(link.href.split('/').at(-1) ?? '');
            return link;
          },
        },
      })),
      onPages((route) => async (request, state) => {
        const flow = state.flows.find(request.params.flowId ?? '');
        const old =
          flow?.customerNumber === undefined
            ? undefined
            : state.sessions.latest(flow.tppId, flow.customerNumber);
        const answer = await route.handle(request, state);
        const location = answer.headers?.Location ?? '';
        if (flow !== undefined && old !== undefined && begun.has(flow.id)) {
          if (location.includes('psu-id=')) whenEnded('passed', old, flow, state);
          else if (location.includes('code=')) whenEnded('failed', old, flow, state);
        }
        return answer;
      }),
    )(design);
  };

/** Access that a payment asked for is access and nothing more: the old session goes on beside the new one. */
const keepsSessionsBesidePayments: DesignChange = (design) => {
  const kept = new Set<string>();
  return allOf(
    aroundScaOfPayments((outcome, { sessionId }) => {
      if (outcome === 'passed') kept.add(sessionId);
    }),
    overlooking(serving('SES-03'), (request) => kept.has(request.header('tpp-session-id') ?? '')),
  )(design);
};

const endsSessionOnAbortedPayment: DesignChange = aroundScaOfPayments((outcome, old, flow, { sessions }) => {
  if (outcome === 'failed' && flow.sessionId !== old.sessionId)
    sessions.pass(flow.tppId, flow.customerNumber ?? '', { ...old, sessionId: randomUUID() });
});

/** For whom a session is. */
interface SessionHolder {
  readonly tppId: string;
  readonly customerNumber: string;
}

/** SCA ends the sessions of all others that share one with whoever passes it. */
const sharingSessions = (isShared: (one: SessionHolder, other: SessionHolder) => boolean): DesignChange =>
  withState(({ sessions }) => ({
    sessions: {
      ...sessions,
      pass: (tppId, customerNumber, session) => {
        for (const other of sessions.list())
          if (isShared({ tppId, customerNumber }, other))
            sessions.pass(other.tppId, other.customerNumber, { ...other, passedAt: new Date(0) });
        sessions.pass(tppId, customerNumber, session);
      },
    },
  }));

/** A session holds for so many hours. */
const lasting = (hours: number): DesignChange =>
  withState(({ clock, sessions }) => {
    const holds = ({ passedAt }: Session): boolean =>
      clock.now().getTime() - passedAt.getTime() <= hours * 3_600_000;
    return { sessions: heldWhere(sessions, holds) };
  });

/** Whoever passed SCA in the session of the request, and in no newer one, may go on for ever. */
const readsForEver = (operation: BankOperation): DesignChange =>
  overlooking(serving('SES-01'), (request, state) => {
    const psu = identifyPsu(request, state);
    const session = psu && state.sessions.latest(psu.tppId, psu.customerNumber);
    return (
      request.operation === operation &&
      session !== undefined &&
      session.sessionId === request.header('tpp-session-id')
    );
  });

/** What a bank can get wrong about the time that SCA holds (Limits, TPP-Session-ID). */
// biome-ignore format: a table
export const sessionDeviations: readonly Deviation[] = [
  ...([['balances', 'readBalances'], ['transactions', 'readTransactions']] as const).map(([what, operation]) =>
    deviation(`SES-03/old-one-stays-for-${what}`, `shows ${what} in an old session after SCA in a new one`,
      knowingSessions((wasPassed) => overlooking(serving('SES-03'), (request) => request.operation === operation && wasPassed(request))))),
  ...rows(
    ['SES-02/begun-by-abort', 'lets a new session go on whose SCA was aborted', beginsSessionOnAbort(() => true)],
    ['SES-02/begun-by-late-abort', 'lets a new session go on whose SCA was aborted once the PSU was identified', beginsSessionOnAbort(isLate)],
    ['SES-04/ended-by-late-abort', 'ends the old session when SCA in a new one is aborted once the PSU was identified', endsSessionOnAbort(isLate)],
  ),
  ...([['RDF-02', 'status'], ['RDF-03', 'code'], ['RDF-04', 'message']] as const).map(([requirement, name]) =>
    deviation(`${requirement}/missing-when-late`, `leaves ${name} out of the redirect where SCA is cancelled once the PSU was identified`,
      afterFlows(isLate, without(name)))),
  ...rows(
    ['RDF-05/psu-id-when-late', 'names the PSU in the redirect where SCA is cancelled once the PSU was identified',
      afterFlows(isLate, (location) => location.includes('code=') ? `${location}&psu-id=${randomUUID()}` : location)],
    ['SES-03/old-one-stays', 'lets an old session go on after SCA in a new one', keepsSessions],
    ['SES-04/ended-by-abort', 'ends the old session when SCA in a new one is aborted', endsSessionOnAbort(() => true)],
    ['SES-03/old-one-stays-beside-payments', 'lets an old session go on after SCA that a payment in a new one asked for', keepsSessionsBesidePayments],
    ['SES-04/ended-by-aborted-payment', 'ends the old session when the SCA of a payment in a new one is aborted', endsSessionOnAbortedPayment],
    ['SCA-08/one-session-for-all-tpps', 'keeps one session for each PSU, so that SCA for a TPP ends that for another',
      sharingSessions((one, other) => one.customerNumber === other.customerNumber)],
    ['SCA-08/one-session-for-all-psus', 'keeps one session for each TPP, so that SCA of a PSU ends that of another',
      sharingSessions((one, other) => one.tppId === other.tppId)],
    ['SES-04/suspended', 'does not let an old session go on while SCA in a new one is under way', suspendsSession],
    ['SES-01/balances', 'shows balances in a session for ever', readsForEver('readBalances')],
    ['SES-01/transactions', 'shows transactions in a session for ever', readsForEver('readTransactions')],
    ['SES-01/two-hours', 'lets a session go on for two hours', lasting(2)],
    ['SES-01/for-ever', 'lets a session go on for ever', lasting(Number.POSITIVE_INFINITY)],
  ),
];
