import { isObject } from '../../spec/json.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Deviation, deviation, refusing } from './deviation.ts';

const listing = ['listSandboxCustomers'] as const;

type Customer = Readonly<Record<string, unknown>>;

const customersWhen = (
  matchesId: (request: BankRequest) => boolean,
  change: (customer: Customer) => Customer,
): DesignChange =>
  withAnswers(listing, (answer, request) =>
    matchesId(request) && Array.isArray(answer.body)
      ? {
          ...answer,
          body: answer.body.map((customer: unknown) => (isObject(customer) ? change(customer) : customer)),
        }
      : answer,
  );

const asks = (name: string, value: string) => (request: BankRequest) => request.query.get(name) === value;

export const sandboxDeviations: readonly Deviation[] = [
  deviation(
    'SBX-40/object',
    'answers with an object instead of an array',
    withAnswers(listing, (answer) => ({ ...answer, body: { customers: answer.body } })),
  ),
  deviation(
    'SBX-41/left-out',
    'leaves out the accounts when they are not asked for',
    customersWhen(asks('withAccounts', 'false'), ({ accounts: _, ...customer }) => customer),
  ),
  deviation(
    'SBX-41/cards-left-out',
    'leaves out the card accounts when they are not asked for',
    customersWhen(asks('withAccounts', 'false'), ({ cardAccounts: _, ...customer }) => customer),
  ),
  deviation(
    'SBX-41/null',
    'sends null for accounts that are not asked for',
    customersWhen(asks('withAccounts', 'false'), (customer) => ({ ...customer, accounts: null })),
  ),
  deviation(
    'SBX-42/left-out',
    'leaves out the agreements when they are not asked for',
    customersWhen(asks('withAgreements', 'false'), ({ agreements: _, ...customer }) => customer),
  ),
  deviation(
    'SBX-41/refused',
    'refuses withAccounts=false',
    refusing('SBX-41', listing, asks('withAccounts', 'false')),
  ),
  deviation(
    'SBX-42/refused',
    'refuses withAgreements=true',
    refusing('SBX-42', listing, asks('withAgreements', 'true')),
  ),
];
