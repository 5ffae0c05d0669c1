import { readable } from '../accounts/links.ts';
import type { PsuState } from '../sca/psu-state.ts';
import type { Agreement, Customer } from './customers.ts';

export interface ListingWishes {
  readonly withAccounts: boolean;
  readonly withAgreements: boolean;
}

/** An element of the listing (Sandbox customer). Arrays that were not asked for stay, and are empty. */
export function customerBody(customer: Customer, wishes: ListingWishes, state: PsuState): object {
  const { customerId, customerNumber, customerType, customerName } = customer;
  const { customers } = state;
  return {
    customerId,
    customerNumber,
    customerType,
    customerName,
    agreements: wishes.withAgreements
      ? customers.ownAgreementsOf(customerNumber).map((agreement) => agreementBody(agreement, state))
      : [],
    // IBANs, because one can pay with them; a card account by what a payment names it with.
    accounts: wishes.withAccounts ? customers.accountsOf(customerNumber).map(({ iban }) => iban) : [],
    cardAccounts: wishes.withAccounts
      ? customers.cardAccountsOf(customerNumber).map(({ identification }) => identification)
      : [],
    _links: {
      self: { href: `${state.baseUrl()}/v1/sandbox/customers/${customerId}`, verbs: ['GET', 'DELETE'] },
    },
  };
}

export function agreementBody({ id, name, engagements }: Agreement, state: PsuState): object {
  const self = `${state.baseUrl()}/v1/sandbox/agreements/${id}`;
  return {
    id,
    name,
    engagements: engagements.map((engagement) => engagement.id),
    _links: { self: readable(self), engagements: readable(`${self}/engagements`) },
  };
}

/** Who may do what with which account, in the shape in which agreements are created. */
export const engagementBodies = ({ engagements }: Agreement, { customers }: PsuState): readonly object[] =>
  engagements.map(({ id, customerNumber, accountId, roles }) => ({
    id,
    customer: customerNumber,
    account: { iban: customers.account(accountId)?.iban },
    roles,
  }));
