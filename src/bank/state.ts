import type { Basket } from './baskets/basket.ts';
import type { BoundedStore } from './bounded-store.ts';
import type { PaymentStore } from './payments/payment-store.ts';
import type { PsuDesk } from './psu.ts';
import type { PsuState } from './sca/psu-state.ts';
import type { Trust } from './trust.ts';

/** Everything that the bank remembers. It lives in memory and starts from the initial data set, as a sandbox does. */
export interface BankState extends PsuState {
  readonly trust: Trust;
  /** Authorisation numbers of the registered TPPs; undefined where no registry is asked, as in the sandbox. */
  readonly registry: ReadonlySet<string> | undefined;
  readonly payments: PaymentStore;
  readonly baskets: BoundedStore<Basket>;
  readonly psus: PsuDesk;
}
