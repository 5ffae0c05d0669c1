import type { BankRequest } from '../route.ts';
import {
  type Account,
  availableFunds,
  bookedBalance,
  cashAccountTypes,
  expectedBalance,
} from '../sandbox/accounts.ts';
import { isoDateTime } from '../sandbox/iso-date.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { isFixed } from './accept-fix.ts';
import { amountWriter } from './amount-body.ts';
import { type Links, readable } from './links.ts';

/** Account details. The specification does not show them: the framework's shape, with the interface's links. */
export interface AccountBody {
  readonly resourceId: string;
  readonly iban: string;
  readonly bban: string;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  readonly cashAccountType: string;
  readonly status: 'enabled';
  readonly ownerName: string;
  readonly _links: Links;
}

export function accountBody(account: Account, request: BankRequest, state: PsuState): AccountBody {
  const self = `${state.baseUrl()}/v1/accounts/${account.id}`;
  return {
    resourceId: account.id,
    iban: account.iban,
    bban: account.bban,
    currency: account.currency,
    name: account.name,
    product: account.product,
    cashAccountType: isFixed('cash-account-type-iso', request, state)
      ? cashAccountTypes[account.cashAccountType]
      : account.cashAccountType,
    status: 'enabled',
    ownerName: state.customers.byNumber(account.customerNumber)?.customerName ?? '',
    _links: {
      self: readable(self),
      balances: readable(`${self}/balances`),
      transactions: readable(`${self}/transactions`),
    },
  };
}

export function balancesBody(account: Account, request: BankRequest, state: PsuState): object {
  const amount = amountWriter(request, state);
  const lastChangeDateTime = isoDateTime(state.clock.now());
  const balance = (balanceType: string, minor: bigint) => ({
    balanceType,
    balanceAmount: amount(minor, account.currency),
    lastChangeDateTime,
  });
  return {
    account: { iban: account.iban, bban: account.bban, currency: account.currency },
    balances: [
      balance('interimBooked', bookedBalance(account)),
      balance('expected', expectedBalance(account)),
      {
        ...balance('interimAvailable', availableFunds(account)),
        creditLimitIncluded: account.creditLine !== 0n,
      },
    ],
  };
}
