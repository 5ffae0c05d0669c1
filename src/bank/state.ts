import type { Clock } from './clock.ts';

/** Everything that the bank remembers. It lives in memory and starts from the initial data set, as a sandbox does. */
export interface BankState {
  readonly clock: Clock;
}
