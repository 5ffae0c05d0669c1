import { isObject } from '../../spec/json.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { initialDataSet } from '../state/initial-data-set.ts';
import { type Dialect, dialect, hiding } from './dialect.ts';

type Customer = Readonly<Record<string, unknown>>;

/** Customers who were created since the bank started are listed whatever became of the others. */
const listing = (
  change: (customers: readonly Customer[], request: BankRequest) => readonly Customer[],
): DesignChange =>
  withAnswers(['listSandboxCustomers'], (answer, request, { clock }) => {
    if (!Array.isArray(answer.body)) return answer;
    const ids = new Set(initialDataSet(clock.now()).customers.map(({ customerId }) => customerId));
    const isInitial = ({ customerId }: Customer): boolean => ids.has(String(customerId));
    const customers = answer.body.filter(isObject);
    const created = customers.filter((customer) => !isInitial(customer));
    return { ...answer, body: [...change(customers.filter(isInitial), request), ...created] };
  });

/** Customers were removed or created by hand, or others than those of the initial data set are listed. */
const changed = (made: Dialect): Dialect => ({ ...made, changedData: true });

export const sandboxDialects: readonly Dialect[] = [
  // Where there are none, none of them can show anything unusual.
  hiding(
    changed(
      dialect(
        'customers/none',
        'has no customers in its sandbox',
        listing(() => []),
      ),
    ),
  ),
  changed(
    dialect(
      'customers/one',
      'has one customer in its sandbox',
      listing((customers) => customers.slice(0, 1)),
    ),
  ),
  changed(
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
  ),
  changed(
    dialect(
      'customers/without-details',
      'never lists accounts and agreements',
      listing((customers) =>
        customers.map((customer) => ({ ...customer, accounts: [], cardAccounts: [], agreements: [] })),
      ),
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
  dialect(
    'customers/corporate-cards',
    'gives corporate customers a card account as well',
    listing((customers, { query }) =>
      customers.map((customer) =>
        customer.customerType === 'CORPORATE' && query.get('withAccounts') !== 'false'
          ? { ...customer, cardAccounts: ['95379010999'] }
          : customer,
      ),
    ),
  ),
];
