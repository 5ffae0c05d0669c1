import { randomUUID } from 'node:crypto';
import { isObject, member } from '../../spec/json.ts';
import { type BankRequest, type BankState, type Route, rule } from '../design/route.ts';
import { type Agreement, type Engagement, type EngagementRole, engagementRoles } from '../state/customers.ts';
import { type PsuState, resetPsuState } from '../state/psu-state.ts';
import { ownerIsKnown, sandboxAccountRoutes, sandboxCardAccountRoutes } from './account-routes.ts';
import {
  BodyFault,
  bodyCanBeRead,
  customerNumberIn,
  listIn,
  objectIn,
  sandboxHasRoom,
  textIn,
  unknown,
} from './body-reader.ts';
import { agreementBody, customerRoutes, engagementBodies } from './customer-routes.ts';
import { transactionRoutes } from './transaction-routes.ts';

/** Corporate agreements, in the shape that clients of the interface send. */
const agreementRoutes = (): readonly Route[] => [
  {
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/agreements',
    rules: [
      bodyCanBeRead('ACC-08', agreementIn),
      sandboxHasRoom,
      ownerIsKnown((body) => member(body, 'owner'), 'owner'),
      partiesAreKnown,
    ],
    handle: (request, state) => {
      const agreement = agreementFrom(request, state);
      state.customers.addAgreement(agreement);
      return { status: 201, body: agreementBody(agreement, state) };
    },
  },
  {
    operation: 'sandboxData',
    method: 'GET',
    path: '/v1/sandbox/agreements/:agreementId',
    rules: [agreementIsKnown],
    handle: ofAgreement(agreementBody),
  },
  {
    operation: 'sandboxData',
    method: 'GET',
    path: '/v1/sandbox/agreements/:agreementId/engagements',
    rules: [agreementIsKnown],
    handle: ofAgreement(engagementBodies),
  },
];

interface AgreementInput {
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly {
    readonly customer: string;
    readonly iban: string;
    readonly roles: readonly EngagementRole[];
  }[];
}

function agreementIn({ body }: BankRequest): AgreementInput {
  return {
    owner: customerNumberIn(body, 'owner'),
    name: textIn(body, 'name'),
    engagements: listIn(body, 'engagements').map((engagement, index) => {
      const path = `engagements[${index}]`;
      if (!isObject(engagement)) throw new BodyFault(path, 'is an object');
      return {
        customer: customerNumberIn(engagement, 'customer', `${path}.customer`),
        iban: textIn(objectIn(engagement, 'account', `${path}.account`), 'iban', `${path}.account.iban`),
        roles: listIn(engagement, 'roles', `${path}.roles`).map((role) => roleIn(role, `${path}.roles`)),
      };
    }),
  };
}

function roleIn(value: unknown, path: string): EngagementRole {
  const role = engagementRoles.find((known) => known === value);
  if (role !== undefined) return role;
  throw new BodyFault(path, `holds ${engagementRoles.join(' and ')}`);
}

function agreementFrom(request: BankRequest, { customers }: PsuState): Agreement {
  const { owner, name, engagements } = agreementIn(request);
  return {
    id: randomUUID(),
    owner,
    name,
    engagements: engagements.flatMap(({ customer, iban, roles }): readonly Engagement[] => {
      const account = customers.accountByReference({ iban });
      return account === undefined
        ? []
        : [{ id: randomUUID(), customerNumber: customer, accountId: account.id, roles }];
    }),
  };
}

const partiesAreKnown = rule(
  'ACC-08',
  'customers and accounts of the engagements exist',
  'sandboxUnknown',
  (request, { customers }) => {
    for (const [index, { customer, iban }] of agreementIn(request).engagements.entries()) {
      if (customers.byNumber(customer) === undefined)
        return unknown(`engagements[${index}].customer`, 'customer');
      if (customers.accountByReference({ iban }) === undefined) {
        return unknown(`engagements[${index}].account.iban`, 'account');
      }
    }
    return undefined;
  },
  { ownChoice: true },
);

const agreementIsKnown = rule(
  'ACC-08',
  'the agreement exists',
  'sandboxUnknown',
  ({ params }, { customers }) =>
    customers.agreement(params.agreementId ?? '') === undefined
      ? unknown('agreementId', 'agreement')
      : undefined,
  { ownChoice: true },
);

function ofAgreement(bodyOf: (agreement: Agreement, state: PsuState) => unknown): Route['handle'] {
  return ({ params }, state) => {
    const agreement = state.customers.agreement(params.agreementId ?? '');
    return agreement === undefined ? { status: 404 } : { status: 200, body: bodyOf(agreement, state) };
  };
}

/**
 * Back to the initial data set (Sandbox customer, last paragraph). Payments and baskets go as well, since they belong
 * to accounts that are as they were.
 */
export function initialiseSandbox(state: BankState): void {
  resetPsuState(state);
  state.payments.clear();
  state.baskets.clear();
}

/** The operations of the sandbox, which are not part of the production interface. */
export const sandboxRoutes = (): readonly Route[] => [
  ...customerRoutes(),
  ...sandboxAccountRoutes(),
  ...sandboxCardAccountRoutes(),
  ...agreementRoutes(),
  ...transactionRoutes(),
  // The specification tells what initialisation does (Sandbox customer), and not how it is called: banks write it with z.
  ...['initialise', 'initialize'].map(
    (word): Route => ({
      operation: 'sandboxData',
      method: 'POST',
      path: `/v1/sandbox/${word}`,
      rules: [],
      handle: (_, state) => {
        initialiseSandbox(state);
        return { status: 204 };
      },
    }),
  ),
];
