import { randomUUID } from 'node:crypto';
import { isBooleanWord, isFalse } from '../../spec/formats.ts';
import { member } from '../../spec/json.ts';
import { type BankRequest, type Route, type Rule, readable, rule } from '../design/route.ts';
import type { Agreement, Customer } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';
import {
  BodyFault,
  bodyCanBeRead,
  conflict,
  customerNumberIn,
  sandboxHasRoom,
  textIn,
  unknown,
} from './body-reader.ts';

interface ListingWishes {
  readonly withAccounts: boolean;
  readonly withAgreements: boolean;
}

/** An element of the listing (Sandbox customer). Arrays that were not asked for stay, and are empty. */
function customerBody(customer: Customer, wishes: ListingWishes, state: PsuState): object {
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

/** Customers of the sandbox. Only the listing is shown in the specification; the rest is as clients use it. */
export const customerRoutes = (): readonly Route[] => [
  {
    operation: 'listSandboxCustomers',
    method: 'GET',
    path: '/v1/sandbox/customers',
    rules: [isBoolean('withAccounts', 'SBX-41'), isBoolean('withAgreements', 'SBX-42')],
    handle: (request, state) => ({
      status: 200,
      body: state.customers.list().map((customer) => customerBody(customer, wishesIn(request), state)),
    }),
  },
  {
    operation: 'createSandboxCustomer',
    method: 'POST',
    path: '/v1/sandbox/customers',
    rules: [bodyCanBeRead('SBX-43', customerIn), sandboxHasRoom, numberIsNew],
    handle: (request, state) => {
      const customer: Customer = { customerId: randomUUID(), ...customerIn(request) };
      state.customers.add(customer);
      const body = customerBody(customer, everything, state);
      return {
        status: 201,
        headers: { Location: `${state.baseUrl()}/v1/sandbox/customers/${customer.customerId}` },
        body,
      };
    },
  },
  {
    operation: 'sandboxData',
    method: 'GET',
    path: '/v1/sandbox/customers/:customerId',
    rules: [customerIsKnown],
    handle: (request, state) => {
      const customer = state.customers.byId(request.params.customerId ?? '');
      return customer === undefined
        ? { status: 404 }
        : { status: 200, body: customerBody(customer, everything, state) };
    },
  },
  {
    operation: 'sandboxData',
    method: 'DELETE',
    path: '/v1/sandbox/customers/:customerId',
    rules: [customerIsKnown],
    handle: (request, state) => {
      state.customers.remove(request.params.customerId ?? '');
      return { status: 204 };
    },
  },
];

const everything: ListingWishes = { withAccounts: true, withAgreements: true };

const wishesIn = ({ query }: BankRequest): ListingWishes => ({
  withAccounts: !isFalse(query.get('withAccounts')),
  withAgreements: !isFalse(query.get('withAgreements')),
});

const isBoolean = (name: string, requirement: string): Rule =>
  rule(
    requirement,
    `${name} is true or false`,
    'query',
    ({ query }) => {
      const value = query.get(name);
      return value === null || isBooleanWord(value)
        ? undefined
        : { path: name, text: `${name} is neither true nor false.` };
    },
    { ownChoice: true },
  );

function customerIn({ body }: BankRequest): Omit<Customer, 'customerId'> {
  const type = member(body, 'type');
  if (type !== 'private' && type !== 'corporate') throw new BodyFault('type', 'is private or corporate');
  return {
    customerNumber: customerNumberIn(body, 'customerNumber'),
    customerType: type === 'private' ? 'PRIVATE' : 'CORPORATE',
    customerName: textIn(body, 'name'),
  };
}

const numberIsNew = rule(
  'SBX-47',
  'the customer number is not in use',
  'sandboxConflict',
  (request, { customers }) =>
    customers.byNumber(customerIn(request).customerNumber) === undefined
      ? undefined
      : conflict('customerNumber', 'There is a customer with this number.'),
  { ownChoice: true },
);

const customerIsKnown = rule(
  'SBX-43',
  'the customer exists',
  'sandboxUnknown',
  ({ params }, { customers }) =>
    customers.byId(params.customerId ?? '') === undefined ? unknown('customerId', 'customer') : undefined,
  { ownChoice: true },
);
