import type { Product } from '../../src/spec/products.ts';

/** What States and transitions and Limits fix about a payment. Everything else is left to the bank. */
export interface ModelPayment {
  readonly product: Product;
  /** `awaiting` can still be approved by its own link, `gone` was deleted, `open` is whatever the bank makes of it. */
  state: 'awaiting' | 'in-basket' | 'approved' | 'gone' | 'open';
}

export interface ModelBasket {
  readonly payments: readonly number[];
  isOpen: boolean;
}

/** The state of things as far as the specification tells it. */
export class Model {
  readonly payments: ModelPayment[] = [];
  readonly baskets: ModelBasket[] = [];
  /** Sessions in which SCA was passed before the current one. */
  endedSessions = 0;

  /** The places of payments in one of these states. */
  in(...states: readonly ModelPayment['state'][]): readonly number[] {
    return this.payments.flatMap(({ state }, index) => (states.includes(state) ? [index] : []));
  }

  get openBaskets(): readonly number[] {
    return this.baskets.flatMap(({ isOpen }, index) => (isOpen ? [index] : []));
  }

  /** Transitions between sessions and what waits for approval are not shown, so that nothing is expected of it. */
  endSession(): void {
    this.endedSessions += 1;
    for (const payment of this.payments) {
      if (payment.state === 'awaiting' || payment.state === 'in-basket') payment.state = 'open';
    }
    for (const basket of this.baskets) basket.isOpen = false;
  }
}

/** One of several places, by a number that was drawn. */
export const pick = (places: readonly number[], drawn: number): number | undefined =>
  places.length === 0 ? undefined : places[drawn % places.length];
