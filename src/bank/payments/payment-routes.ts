import { defaultProduct, everyProduct } from '../../spec/products.ts';
import type { BankDesign } from '../design/design.ts';
import {
  type BankAnswer,
  type BankOperation,
  type BankRequest,
  type BankState,
  type Route,
  type Rule,
  rule,
} from '../design/route.ts';
import { likenessOf } from '../rules/payment-rules.ts';
import { followUpRules } from '../rules/psu-rules.ts';
import { isOfPsu, tppIdOf } from '../sca/identify-psu.ts';
import type { Payment, PaymentService } from '../state/payment-store.ts';
import { paymentAnswers } from './answers.ts';
import { paymentAuthorisations } from './authorisations.ts';

/** Where a payment is read. Ids may be opaque, so they are percent-encoded. */
const paymentAddress = (baseUrl: string, { service, product, paymentId }: Payment): string =>
  `${baseUrl}/v1/${service}/${product}/${encodeURIComponent(paymentId)}`;

/** Keeps the payment and sends the PSU to approve it: dynamic linking is never exempt from SCA (Limits). */
function createPayment(
  service: PaymentService,
  product: string,
  request: BankRequest,
  state: BankState,
  design: BankDesign,
): BankAnswer {
  const payment = newPayment(service, product, request, state, design);
  state.payments.add(payment, likenessOf(request));
  return paymentAnswers.created({
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
    bodyBytes: request.bytes.length,
    tpp: tppIdOf(request),
    customerId: 'customerId' in psu ? psu.customerId : undefined,
    corporateId: request.header('psu-corporate-id'),
    createdAt: state.clock.now(),
    transactionStatus: design.payments.statusOnCreation,
  };
}

const services: readonly PaymentService[] = ['payments', 'bulk-payments', 'periodic-payments'];

export function paymentRoutes(design: BankDesign): readonly Route[] {
  return [...creationRoutes(design), ...services.flatMap((service) => readingRoutes(service, design))];
}

function creationRoutes(design: BankDesign): readonly Route[] {
  const creation = (operation: BankOperation, service: PaymentService, product: string): Route => ({
    operation,
    method: 'POST',
    path: `/v1/${service}/${product}`,
    rules: [],
    handle: (request, state) => createPayment(service, product, request, state, design),
  });
  return [
    ...everyProduct.flatMap((product) => [
      creation(product.creation, 'payments', product.path),
      creation('createBulkPayment', 'bulk-payments', product.path),
    ]),
    creation('createPeriodicPayment', 'periodic-payments', defaultProduct.path),
    ...services.map((service) => unknownProductRoute(service)),
  ];
}

function unknownProductRoute(service: PaymentService): Route {
  return {
    operation: 'other',
    method: 'POST',
    path: `/v1/${service}/:product`,
    rules: [
      rule(
        'ERR-06',
        'the payment product exists',
        'product',
        () => ({ text: 'The bank has no such payment product.' }),
        { ownChoice: true },
      ),
    ],
    handle: () => ({ status: 404 }),
  };
}

function readingRoutes(service: PaymentService, design: BankDesign): readonly Route[] {
  const path = `/v1/${service}/:product/:paymentId`;
  const known = knownPaymentRules(service);
  const readable = readableRule(design);
  const route = (
    operation: BankOperation,
    method: 'GET' | 'DELETE',
    suffix: string,
    rules: readonly Rule[],
    answer: (payment: Payment, address: string, state: BankState) => ReturnType<Route['handle']>,
  ): Route => ({
    operation,
    method,
    path: path + suffix,
    rules: [...followUpRules, ...rules],
    handle: (request, state) => {
      const payment = paymentOf(service, request, state);
      // Only a bank that has dropped the rule gets here without a payment.
      if (payment === undefined) return { status: 200, body: {} };
      return answer(payment, paymentAddress(state.baseUrl(), payment), state);
    },
  });
  return [
    route('readPaymentStatus', 'GET', '/status', [...known, readable], paymentAnswers.status),
    route('readPayment', 'GET', '', [...known, readable], paymentAnswers.details),
    ...paymentAuthorisations(path, known, (request, state) => paymentOf(service, request, state)),
    route('deletePayment', 'DELETE', '', [...known, deletableRule(service, design)], (payment, _, state) => {
      state.payments.update({ ...payment, transactionStatus: 'CANC' });
      return paymentAnswers.deleted();
    }),
  ];
}

function paymentOf(service: PaymentService, request: BankRequest, state: BankState): Payment | undefined {
  const payment = state.payments.get(request.params.paymentId ?? '');
  return payment?.service === service ? payment : undefined;
}

/**
 * A payment is found under its own service and product, by the TPP that created it and for its PSU. Whoever looks for it
 * otherwise is told that there is none.
 */
function knownPaymentRules(service: PaymentService): readonly Rule[] {
  const where = (
    requirement: string,
    name: string,
    isFound: (payment: Payment | undefined, request: BankRequest, state: BankState) => boolean,
  ): Rule =>
    rule(requirement, name, 'paymentUnknown', (request, state) =>
      isFound(paymentOf(service, request, state), request, state)
        ? undefined
        : { text: 'The payment does not exist.', path: 'paymentId' },
    );
  return [
    where('PST-10', 'the payment exists', (payment) => payment !== undefined),
    where(
      'PST-12',
      'the payment is of this product',
      (payment, { operation, params }) =>
        operation !== 'readPaymentStatus' || (payment?.product ?? params.product) === params.product,
    ),
    where(
      'PST-13',
      'the payment that is read in full or deleted is of this product',
      (payment, { operation, params }) =>
        operation === 'readPaymentStatus' || (payment?.product ?? params.product) === params.product,
    ),
    where(
      'OWN-01',
      'the payment is of this TPP',
      (payment, request) => (payment?.tpp ?? tppIdOf(request)) === tppIdOf(request),
    ),
    where(
      'OWN-02',
      'the payment is of this PSU',
      (payment, request, state) => payment === undefined || isOfPsu(payment, request, state),
    ),
  ];
}

function readableRule(design: BankDesign): Rule {
  return rule(
    'STA-02',
    'the payment can be read already',
    'paymentUnreadable',
    (request, state) => {
      const payment = state.payments.get(request.params.paymentId ?? '');
      return payment === undefined || design.payments.isReadable(payment)
        ? undefined
        : { text: 'The payment cannot be read before the PSU has approved it.', path: 'paymentId' };
    },
    { ownChoice: true },
  );
}

/** Errors: deleting a payment with status PDNG is answered with an error. */
function deletableRule(service: PaymentService, design: BankDesign): Rule {
  return rule('ERR-04', 'the payment can still be deleted', 'paymentState', (request, state) => {
    const payment = paymentOf(service, request, state);
    return payment === undefined || design.payments.isDeletable(payment)
      ? undefined
      : {
          text: `A payment with status ${payment.transactionStatus} cannot be deleted.`,
          path: 'paymentId',
        };
  });
}
