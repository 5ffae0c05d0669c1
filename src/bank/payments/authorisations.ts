import { randomUUID } from 'node:crypto';
import {
  type BankOperation,
  type BankRequest,
  type BankState,
  type Route,
  type Rule,
  rule,
  type ScaPurpose,
} from '../design/route.ts';
import { authorisationRules } from '../rules/psu-rules.ts';
import { type Basket, isApproved, type Payment } from '../state/payment-store.ts';
import { authorisationStarted } from './answers.ts';
import { awaitsApproval, hasEnded } from './approval.ts';

type Find<Thing> = (request: BankRequest, state: BankState) => Thing | undefined;

/** SCA that a TPP starts by itself, instead of following the link scaRedirect of a creation: as in the framework. */
function start<Thing>(
  operation: BankOperation,
  path: string,
  known: readonly Rule[],
  find: Find<Thing>,
  purposeOf: (thing: Thing, state: BankState) => ScaPurpose | undefined,
): Route {
  return {
    operation,
    method: 'POST',
    path,
    rules: [
      ...authorisationRules,
      ...known,
      rule(
        'ERR-04',
        'there is something left to authorise',
        'paymentState',
        (request, state) => {
          const thing = find(request, state);
          return thing === undefined || purposeOf(thing, state) !== undefined
            ? undefined
            : { text: 'There is nothing left to authorise.' };
        },
        { ownChoice: true },
      ),
    ],
    handle: (request, state) => {
      const thing = find(request, state);
      const purpose = thing && purposeOf(thing, state);
      // Only a bank that has dropped the rules gets here without.
      if (purpose === undefined) return { status: 201, body: {} };
      const link = state.psus.startSca(request, state, purpose);
      const id = randomUUID();
      const flow = state.flows.find(link.href.split('/').at(-1) ?? '');
      const { paymentId, basketId = paymentId ?? '' } = request.params;
      if (flow !== undefined) flow.authorisation = { id, of: basketId };
      const origin = new URL(state.baseUrl()).origin;
      return authorisationStarted(id, link, origin + request.target.replace(/[?#].*$/, ''));
    },
  };
}

/** Its approval and its cancellation, each with SCA of its own, and how far the first has come. */
export const paymentAuthorisations = (
  path: string,
  known: readonly Rule[],
  find: Find<Payment>,
): readonly Route[] => [
  start('startPaymentAuthorisation', `${path}/authorisations`, known, find, (payment) =>
    awaitsApproval(payment) ? { kind: 'payment', paymentId: payment.paymentId } : undefined,
  ),
  start('startPaymentCancellation', `${path}/cancellation-authorisations`, known, find, (payment) =>
    hasEnded(payment) ? undefined : { kind: 'cancellation', paymentId: payment.paymentId },
  ),
  {
    operation: 'readPaymentAuthorisation',
    method: 'GET',
    path: `${path}/authorisations/:authorisationId`,
    rules: [...authorisationRules, ...known],
    handle: (request, state) => {
      const payment = find(request, state);
      const { authorisationId = '', paymentId = '' } = request.params;
      const flow = state.flows.authorisation(authorisationId, paymentId);
      if (payment === undefined || flow === undefined) return { status: 404 };
      const scaStatus = flow.step !== 'finished' ? 'received' : isApproved(payment) ? 'finalised' : 'failed';
      return { status: 200, body: { scaStatus } };
    },
  },
];

export const basketAuthorisation = (path: string, known: readonly Rule[], find: Find<Basket>): Route =>
  start(
    'startBasketAuthorisation',
    `${path}/authorisations`,
    known,
    find,
    ({ basketId, paymentIds }, state) =>
      paymentIds.some((id) => {
        const payment = state.payments.get(id);
        return payment !== undefined && awaitsApproval(payment);
      })
        ? { kind: 'basket', basketId }
        : undefined,
  );
