import { type OperationName, operations } from '../spec/operations.ts';
import { products } from '../spec/products.ts';
import { section } from './json-schema.ts';

/** Where each group of operations lives, after the base address. */
export const defaultPaths = {
  payments: '/v1/payments',
  domesticPayments: operations[products.domestic.creation].path,
  crossBorderPayments: operations[products.crossBorder.creation].path,
  signingBaskets: '/v1/signing-baskets',
  accounts: '/v1/accounts',
  cardAccounts: '/v1/card-accounts',
  agreements: '/v1/agreements',
  user: '/v1/user',
  consents: '/v1/consents',
  bankOfferedConsents: '/v1/bank-offered-consents',
  sandboxCustomers: '/v1/sandbox/customers',
} as const;
export type PathName = keyof typeof defaultPaths;
export type TargetPaths = Readonly<Record<PathName, string>>;

export const pathsSchema = section(
  'Where the bank puts its operations, where that differs from the specification and the framework',
  Object.fromEntries(
    Object.entries(defaultPaths).map(([name, path]) => [
      name,
      {
        description: `path of ${path} and of what is below it, after baseUrl; begins with a slash, ends without one`,
        type: 'string',
        pattern: '^(/[^/?#\\s]+)+$',
        default: path,
      },
    ]),
  ),
);

// Longest first: one default path may begin another.
const names = (Object.keys(defaultPaths) as PathName[]).toSorted(
  (a, b) => defaultPaths[b].length - defaultPaths[a].length,
);

/** The path of an operation where the target puts it, with its `{parameters}` still to be filled in. */
export function operationPath(paths: TargetPaths, operation: OperationName): string {
  const { path } = operations[operation];
  // A product goes where all payments are, unless it has a path of its own.
  const name = names
    .filter((each) => paths[each] !== defaultPaths[each])
    .find((each) => path === defaultPaths[each] || path.startsWith(`${defaultPaths[each]}/`));
  return name === undefined ? path : `${paths[name]}${path.slice(defaultPaths[name].length)}`;
}

/** Those of all operations. */
export const operationPaths = (paths: TargetPaths): Partial<Record<OperationName, string>> =>
  Object.fromEntries(
    (Object.keys(operations) as OperationName[]).map((name) => [name, operationPath(paths, name)]),
  );
