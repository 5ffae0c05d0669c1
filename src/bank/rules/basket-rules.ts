import { memberAt } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import { type BankRequest, type BankState, type Rule, rule } from '../design/route.ts';
import { isOfPsu, tppIdOf } from '../sca/identify-psu.ts';
import { isApproved, type Payment, type PaymentService } from '../state/payment-store.ts';

/** Signing basket: one to a hundred existing single payments. */
export function basketRules(design: BankDesign): readonly Rule[] {
  const { basketPayments: most } = design.limits;
  const at = (text: string) => ({ text, path: 'paymentIds' });
  const idsIn = ({ body }: BankRequest): readonly unknown[] | undefined => {
    const ids = memberAt(body, 'paymentIds');
    return Array.isArray(ids) ? ids : undefined;
  };
  const mix = (requirement: string, service: PaymentService, text: string): Rule =>
    rule(requirement, `a basket holds no ${service.replace('-', ' ')}`, 'referenceMix', (request, state) =>
      paymentsIn(request, state).some((payment) => payment.service === service) ? at(text) : undefined,
    );
  return [
    rule('BSK-15', 'a basket holds a payment', 'basketSize', (request) =>
      idsIn(request)?.length === 0 ? at('The basket is empty.') : undefined,
    ),
    rule('BSK-14', `a basket holds at most ${most} payments`, 'basketSize', (request) =>
      (idsIn(request)?.length ?? 0) > most ? at(`A basket holds at most ${most} payments.`) : undefined,
    ),
    rule('BSK-16', 'every payment of a basket exists', 'basketContents', (request, state) => {
      const unknown = (idsIn(request) ?? []).find((id) => anyPayment(state, id) === undefined);
      return unknown === undefined ? undefined : at('A payment of the basket does not exist.');
    }),
    rule('BSK-23', 'every payment of a basket is of its TPP', 'basketContents', (request, state) =>
      (idsIn(request) ?? []).every(
        (id) => (anyPayment(state, id)?.tpp ?? tppIdOf(request)) === tppIdOf(request),
      )
        ? undefined
        : at('A payment of the basket does not exist.'),
    ),
    rule('BSK-23', 'every payment of a basket is of its PSU', 'basketContents', (request, state) =>
      paymentsIn(request, state).every((payment) => isOfPsu(payment, request, state))
        ? undefined
        : at('A payment of the basket does not exist.'),
    ),
    mix('BSK-17', 'bulk-payments', 'Bulk payments cannot be put into a basket.'),
    mix('BSK-18', 'periodic-payments', 'Periodic payments cannot be put into a basket.'),
    rule('BSK-24', 'no payment of a basket was deleted', 'basketContents', (request, state) =>
      paymentsIn(request, state).some(({ transactionStatus }) => transactionStatus === 'CANC')
        ? at('A payment of the basket was deleted.')
        : undefined,
    ),
    rule('BSK-25', 'no payment of a basket is approved already', 'basketContents', (request, state) =>
      design.basketTakes === 'awaiting-approval' && paymentsIn(request, state).some(isElsewhere('approved'))
        ? at('A payment of the basket is approved already.')
        : undefined,
    ),
    rule(
      'BSK-16',
      'every payment of a basket awaits approval',
      'basketContents',
      (request, state) =>
        design.basketTakes === 'awaiting-approval' &&
        paymentsIn(request, state).some(isElsewhere('unapproved'))
          ? at('A payment of the basket does not await approval.')
          : undefined,
      { ownChoice: true },
    ),
  ];
}

/**
 * A payment that does not await approval: it is approved, or the bank has it in another state. One that was deleted has a
 * rule of its own, and one that was rejected is taken: the status of the basket tells (worst case).
 */
const isElsewhere =
  (how: 'approved' | 'unapproved') =>
  (payment: Payment): boolean => {
    if (['RCVD', 'CANC', 'RJCT'].includes(payment.transactionStatus)) return false;
    return isApproved(payment) === (how === 'approved');
  };

const anyPayment = (state: BankState, id: unknown): Payment | undefined =>
  typeof id === 'string' ? state.payments.get(id) : undefined;

/** A payment is known to nobody but the TPP that created it. */
function ownPayment(request: BankRequest, state: BankState, id: unknown): Payment | undefined {
  const payment = anyPayment(state, id);
  return payment?.tpp === tppIdOf(request) ? payment : undefined;
}

export function paymentsIn(request: BankRequest, state: BankState): readonly Payment[] {
  const ids = memberAt(request.body, 'paymentIds');
  return (Array.isArray(ids) ? ids : []).flatMap((id) => ownPayment(request, state, id) ?? []);
}
