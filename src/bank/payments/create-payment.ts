import type { BankDesign } from '../design.ts';
import type { BankAnswer, BankRequest } from '../route.ts';
import { tppIdOf } from '../sca/tpp.ts';
import type { BankState } from '../state.ts';
import { likenessOf } from './likeness.ts';
import type { Payment, PaymentService } from './payment.ts';
import { paymentAddress } from './payment-address.ts';

/** Keeps the payment and sends the PSU to approve it: dynamic linking is never exempt from SCA (Limits). */
export function createPayment(
  service: PaymentService,
  product: string,
  request: BankRequest,
  state: BankState,
  design: BankDesign,
): BankAnswer {
  const payment = newPayment(service, product, request, state, design);
  state.payments.add(payment, likenessOf(request));
  return design.answers.paymentCreated({
    payment,
    fee: design.payments.feeOf(payment),
    psuMessage: design.payments.psuMessageOf(payment),
    warnings: design.payments.warningsOf(payment),
    scaRedirect: state.psus.startSca(request, state, { kind: 'payment', paymentId: payment.paymentId }),
    address: paymentAddress(state.baseUrl(), payment),
  });
}

function newPayment(
  service: PaymentService,
  product: string,
  request: BankRequest,
  state: BankState,
  design: BankDesign,
): Payment {
  const psu = state.psus.standingOf(request, state);
  return {
    paymentId: design.payments.newPaymentId(),
    service,
    product,
    body: request.body,
    tpp: tppIdOf(request),
    customerId: 'customerId' in psu ? psu.customerId : undefined,
    corporateId: request.header('psu-corporate-id'),
    createdAt: state.clock.now(),
    transactionStatus: design.payments.statusOnCreation,
  };
}
