import type { BankState, Route } from '../design/route.ts';
import { resetPsuState } from '../state/psu-state.ts';
import { sandboxAccountRoutes, sandboxCardAccountRoutes } from './account-routes.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import { transactionRoutes } from './transaction-routes.ts';

/**
 * Back to the initial data set (Sandbox customer, last paragraph). Payments and baskets go as well, since they belong
 * to accounts that are as they were.
 */
function initialiseSandbox(state: BankState): void {
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
  {
    // The specification tells what initialisation does (Sandbox customer), and not how it is called.
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/initialise',
    rules: [],
    handle: (_, state) => {
      initialiseSandbox(state);
      return { status: 204 };
    },
  },
];
