import type { Route } from '../design/route.ts';
import { accountRoutes } from './account-routes.ts';
import { cardAccountRoutes } from './card-account-routes.ts';
import { psuRoutes } from './psu-routes.ts';
import { tppContactRoutes } from './tpp-contact-routes.ts';

/** Account information, consent, the PSU itself, and the contact address of the TPP. */
export const accountInformationRoutes = (): readonly Route[] => [
  ...accountRoutes(),
  ...cardAccountRoutes(),
  ...psuRoutes(),
  ...tppContactRoutes(),
];
