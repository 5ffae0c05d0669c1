import { isObject } from '../../spec/json.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Dialect, dialect } from './dialect.ts';

type Customer = Readonly<Record<string, unknown>>;

const listing = (
  change: (customers: readonly Customer[], request: BankRequest) => readonly Customer[],
): DesignChange =>
  withAnswers(['listSandboxCustomers'], (answer, request) =>
    Array.isArray(answer.body) ? { ...answer, body: change(answer.body.filter(isObject), request) } : answer,
  );

export const sandboxDialects: readonly Dialect[] = [
  dialect(
    'customers/none',
    'has no customers in its sandbox',
    listing(() => []),
  ),
  dialect(
    'customers/one',
    'has one customer in its sandbox',
    listing((customers) => customers.slice(0, 1)),
  ),
  dialect(
    'customers/many',
    'has hundreds of customers in its sandbox',
    listing((customers) => [
      ...customers,
      ...Array.from({ length: 40 }, () =>
        customers.map((customer, index) => ({
          ...customer,
          customerNumber: `9${index}`,
          customerType: 'PRIVATE',
          accounts: [],
        })),
      ).flat(),
    ]),
  ),
  dialect(
    'customers/without-details',
    'never lists accounts and agreements',
    listing((customers) =>
      customers.map((customer) => ({ ...customer, accounts: [], cardAccounts: [], agreements: [] })),
    ),
  ),
  dialect(
    'customers/details-on-request',
    'lists accounts and agreements only when asked',
    listing((customers, { query }) =>
      customers.map((customer) => ({
        ...customer,
        ...(query.get('withAccounts') === 'true' ? {} : { accounts: [], cardAccounts: [] }),
        ...(query.get('withAgreements') === 'true' ? {} : { agreements: [] }),
      })),
    ),
  ),
  dialect(
    'customers/rich',
    'adds members of its own to customers',
    listing((customers) =>
      customers.map((customer) => ({ ...customer, created: '2026-03-03', tags: ['test'], extra: null })),
    ),
  ),
];
