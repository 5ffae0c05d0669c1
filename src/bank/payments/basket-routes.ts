import { operations } from '../../spec/operations.ts';
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
import { paymentsIn } from '../rules/basket-rules.ts';
import { followUpRules } from '../rules/psu-rules.ts';
import { isOfPsu, tppIdOf } from '../sca/identify-psu.ts';
import { type Basket, isApproved, type Payment } from '../state/payment-store.ts';
import { type BasketStatus, basketAnswers } from './answers.ts';
import { basketAuthorisation } from './authorisations.ts';

/**
 * The worst case among the payments (Signing basket): one rejected rejects, one not approved keeps the basket from
 * being accepted. A payment that the bank no longer has counts as rejected.
 */
function worstCase(payments: readonly (Payment | undefined)[]): BasketStatus {
  if (payments.some(isLost)) return 'RJCT';
  const approved = payments.filter((payment) => payment !== undefined && isApproved(payment)).length;
  if (approved === payments.length) return 'ACTC';
  return approved === 0 ? 'RCVD' : 'PATC';
}

const isLost = (payment: Payment | undefined): boolean =>
  payment === undefined || payment.transactionStatus === 'RJCT' || payment.transactionStatus === 'CANC';

const basketStatus = ({ paymentIds }: Basket, { payments }: BankState): BasketStatus =>
  worstCase(paymentIds.map((id) => payments.get(id)));

const path = operations.createSigningBasket.path;

/** A basket is found by the TPP that created it and for its PSU. */
const knownBasketRules: readonly Rule[] = [
  rule(
    'PST-10',
    'the basket exists',
    'basketUnknown',
    (request, state) =>
      basketOf(request, state) === undefined
        ? { text: 'The basket does not exist.', path: 'basketId' }
        : undefined,
    { ownChoice: true },
  ),
  rule('BSK-26', 'the basket is of this TPP and PSU', 'basketUnknown', (request, state) => {
    const basket = basketOf(request, state);
    return basket === undefined || isOfRequest(basket, request, state)
      ? undefined
      : { text: 'The basket does not exist.', path: 'basketId' };
  }),
];

export function basketRoutes(design: BankDesign): readonly Route[] {
  const route = (
    operation: BankOperation,
    method: 'GET' | 'DELETE',
    suffix: string,
    answer: (basket: Basket, state: BankState) => BankAnswer,
  ): Route => ({
    operation,
    method,
    path: `${path}/:basketId${suffix}`,
    rules: [...followUpRules, ...knownBasketRules],
    handle: (request, state) => {
      const basket = basketOf(request, state);
      return basket === undefined ? { status: 200, body: {} } : answer(basket, state);
    },
  });
  return [
    {
      operation: 'createSigningBasket',
      method: 'POST',
      path,
      rules: [],
      handle: (request, state) => createBasket(request, state, design),
    },
    route('readSigningBasketStatus', 'GET', '/status', (basket, state) =>
      basketAnswers.status(basketStatus(basket, state)),
    ),
    route('readSigningBasket', 'GET', '', (basket, state) =>
      basketAnswers.details(basket, basketStatus(basket, state), addressOf(basket, state)),
    ),
    basketAuthorisation(`${path}/:basketId`, knownBasketRules, basketOf),
    // Only the basket goes; its payments stay and can be approved one by one.
    route('deleteSigningBasket', 'DELETE', '', (basket, state) => {
      state.baskets.delete(basket.basketId);
      return basketAnswers.deleted();
    }),
  ];
}

function createBasket(request: BankRequest, state: BankState, design: BankDesign): BankAnswer {
  const psu = state.psus.standingOf(request, state);
  const basket: Basket = {
    basketId: design.payments.newBasketId(),
    paymentIds: paymentsIn(request, state).map(({ paymentId }) => paymentId),
    tpp: tppIdOf(request),
    customerId: 'customerId' in psu ? psu.customerId : undefined,
    corporateId: request.header('psu-corporate-id'),
    createdAt: state.clock.now(),
  };
  state.baskets.set(basket.basketId, basket);
  return basketAnswers.created({
    basket,
    transactionStatus: basketStatus(basket, state),
    scaRedirect: state.psus.startSca(request, state, { kind: 'basket', basketId: basket.basketId }),
    address: addressOf(basket, state),
  });
}

const basketOf = ({ params }: BankRequest, { baskets }: BankState): Basket | undefined =>
  baskets.get(params.basketId ?? '');

const isOfRequest = (basket: Basket, request: BankRequest, state: BankState): boolean =>
  basket.tpp === tppIdOf(request) && isOfPsu(basket, request, state);

const addressOf = ({ basketId }: Basket, state: BankState): string =>
  `${state.baseUrl()}${path}/${encodeURIComponent(basketId)}`;
