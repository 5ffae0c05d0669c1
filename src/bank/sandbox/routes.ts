import type { Route } from '../route.ts';
import { sandboxAccountRoutes } from './account-routes.ts';
import { agreementRoutes } from './agreement-routes.ts';
import { sandboxCardAccountRoutes } from './card-account-routes.ts';
import { customerRoutes } from './customer-routes.ts';
import { initialiseSandbox } from './initialise.ts';
import { transactionRoutes } from './transaction-routes.ts';

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
