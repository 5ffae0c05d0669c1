import { createHmac } from 'node:crypto';
import { BoundedStore } from '../../signing/bounded-store.ts';
import type { Clock } from './clock.ts';
import {
  type ConsentStore,
  createConsentStore,
  createUnattendedCalls,
  type UnattendedCalls,
} from './consents.ts';
import { createCustomerStore } from './customer-store.ts';
import type { Customer, CustomerStore } from './customers.ts';
import { createFlowStore, type FlowStore } from './flows.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';

/**
 * PSU-ID (PSU identification and SCA): one UUID per TPP and PSU, which does not change. It is derived instead of
 * stored, so that it also survives initialisation and a restart of the bank.
 */
export interface PsuIds {
  idFor(tppId: string, customerNumber: string): string;
  /** The customer number behind a PSU-ID, if this TPP got it and the customer still exists. */
  customerNumberOf(tppId: string, psuId: string): string | undefined;
}

const sandboxKey = 'reference bank sandbox';

function createPsuIds(customers: CustomerStore, key: string = sandboxKey): PsuIds {
  const idFor = (tppId: string, customerNumber: string): string =>
    uuidOf(createHmac('sha256', key).update(`${tppId}\n${customerNumber}`).digest());
  // Looking a PSU up costs a hash for each customer, and a TPP names the same few again and again.
  const found = new BoundedStore<string>(10_000);
  return {
    idFor,
    customerNumberOf: (tppId, psuId) => {
      const key = `${tppId}\n${psuId.toLowerCase()}`;
      const known = customers.byNumber(found.get(key) ?? '') ?? customerOf(tppId, psuId.toLowerCase());
      if (known !== undefined) found.set(key, known.customerNumber);
      return known?.customerNumber;
    },
  };

  function customerOf(tppId: string, psuId: string): Customer | undefined {
    return customers.list().find(({ customerNumber }) => idFor(tppId, customerNumber) === psuId);
  }
}

/** The first 16 bytes, marked as a random UUID (RFC 9562): without the key they are no less random. */
function uuidOf(bytes: Buffer): string {
  const marked = Buffer.from(bytes.subarray(0, 16));
  marked[6] = ((marked[6] ?? 0) & 0x0f) | 0x40;
  marked[8] = ((marked[8] ?? 0) & 0x3f) | 0x80;
  return marked.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

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
