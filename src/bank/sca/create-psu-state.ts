import { createConsentStore } from '../accounts/consents.ts';
import { createTppContacts } from '../accounts/tpp-contacts.ts';
import { createUnattendedCalls } from '../accounts/unattended-calls.ts';
import type { Clock } from '../clock.ts';
import { createCustomerStore } from '../sandbox/customer-store.ts';
import { createFlowStore } from './flows.ts';
import { createPsuIds } from './psu-ids.ts';
import type { PsuState } from './psu-state.ts';
import { createSessionStore } from './sessions.ts';

export interface PsuStateOptions {
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** A day in the past brings back the older answers that `x-accept-fix` changes (Versioning). */
  readonly defaultsAsOf?: string | undefined;
}

/** What is remembered of PSUs when the bank starts: the initial data set and nobody logged in. */
export function createPsuState({ clock, baseUrl, defaultsAsOf }: PsuStateOptions): PsuState {
  const customers = createCustomerStore(clock);
  return {
    clock,
    baseUrl,
    customers,
    psuIds: createPsuIds(customers),
    sessions: createSessionStore(clock),
    flows: createFlowStore(clock),
    consents: createConsentStore(clock),
    unattendedCalls: createUnattendedCalls(clock),
    tppContacts: createTppContacts(),
    defaultsAsOf: defaultsAsOf ?? '9999-12-31',
  };
}

/**
 * Back to the initial data set (Sandbox customer, last paragraph). Contacts stay: they belong to the TPP, not to the
 * simulated data. PSU-IDs stay as well, because they do not change.
 */
export function resetPsuState(state: PsuState): void {
  for (const store of [state.customers, state.sessions, state.flows, state.consents, state.unattendedCalls]) {
    store.reset();
  }
}
