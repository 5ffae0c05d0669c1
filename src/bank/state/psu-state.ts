import { BoundedStore } from '../../signing/bounded-store.ts';
import type { Clock } from './clock.ts';
import {
  type ConsentStore,
  createConsentStore,
  createUnattendedCalls,
  type UnattendedCalls,
} from './consents.ts';
import { createCustomerStore } from './customer-store.ts';
import type { CustomerStore } from './customers.ts';
import { createFlowStore, type FlowStore } from './flows.ts';
import { createPsuIds, type PsuIds } from './psu-ids.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';

/** Contact address of a TPP (Events), to which operational notices are sent. */
export interface TppContact {
  readonly emailAddress: string;
  readonly name?: string;
  readonly phoneNumber?: string;
}

interface TppContacts {
  register(tppId: string, contact: TppContact): void;
  of(tppId: string): TppContact | undefined;
}

function createTppContacts(): TppContacts {
  const contacts = new BoundedStore<TppContact>(10_000);
  return {
    register: (tppId, contact) => {
      contacts.set(tppId, contact);
    },
    of: (tppId) => contacts.get(tppId),
  };
}

/** What the bank remembers of PSUs. `BankState` extends it. */
export interface PsuState {
  readonly clock: Clock;
  /** The address under which the bank is reached, prefix included, without a slash at its end. */
  baseUrl(): string;
  readonly customers: CustomerStore;
  readonly psuIds: PsuIds;
  readonly sessions: SessionStore;
  readonly flows: FlowStore;
  readonly consents: ConsentStore;
  readonly unattendedCalls: UnattendedCalls;
  readonly tppContacts: TppContacts;
  /** The day whose `x-accept-fix` defaults hold (Versioning), YYYY-MM-DD: later ones have to be asked for. */
  readonly defaultsAsOf: string;
}

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
