import type { BankRequest, Link } from './route.ts';
import type { BankState } from './state.ts';

/** Whom a request speaks for, as far as SCA has shown. */
export type PsuStanding =
  | {
      readonly standing: 'authenticated';
      readonly customerId: string;
      readonly context: 'PRIVATE' | 'CORPORATE';
    }
  /** Named by X-PSU-IDENTITY, and authenticated together with the payment (single SCA). */
  | { readonly standing: 'identified'; readonly customerId: string }
  | { readonly standing: 'unknown-psu' }
  /** The PSU is known and has not passed SCA within this TPP-Session-ID. */
  | { readonly standing: 'no-session' }
  | { readonly standing: 'session-expired' };

/** What an SCA is for: access as such, or the approval of one thing (dynamic linking). */
export type ScaPurpose =
  | { readonly kind: 'access' }
  | { readonly kind: 'payment'; readonly paymentId: string }
  | { readonly kind: 'basket'; readonly basketId: string };

/** What payments and baskets need of SCA. */
export interface PsuDesk {
  standingOf(request: BankRequest, state: BankState): PsuStanding;
  /** Starts an SCA and gives the page to send the PSU to. */
  startSca(request: BankRequest, state: BankState, purpose: ScaPurpose): Link;
}
