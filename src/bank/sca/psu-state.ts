import type { ConsentStore } from '../accounts/consents.ts';
import type { TppContacts } from '../accounts/tpp-contacts.ts';
import type { UnattendedCalls } from '../accounts/unattended-calls.ts';
import type { Clock } from '../clock.ts';
import type { CustomerStore } from '../sandbox/customers.ts';
import type { FlowStore } from './flows.ts';
import type { PsuIds } from './psu-ids.ts';
import type { SessionStore } from './sessions.ts';

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
