import { byUniqueId } from '../../spec/by-unique-id.ts';
import { accountQueryDialects, accountShapeDialects } from './accounts.ts';
import { authorisationDialects, exemptionDialects } from './authorisations.ts';
import {
  handedOutDialects,
  identityAndLimitDialects,
  sandboxDialects,
  sessionDialects,
} from './customers.ts';
import {
  creditorDialects,
  executionDateDialects,
  lenientDialects,
  offerDialects,
  particularDialects,
  strictDialects,
} from './demands-and-offers.ts';
import type { Dialect } from './dialect.ts';
import { contextWordDialects, formDialects, redirectDialects, scriptedPageDialects } from './pages.ts';
import { errorBodyDialects, refusalDialects } from './refusals.ts';
import { identifierDialects, linkFormDialects, successBodyDialects } from './success-bodies.ts';
import { firewallDialects, headerDialects, troubleDialects } from './transport.ts';

export {
  contradict,
  type Declared,
  type Dialect,
  type Payable,
  payableBy,
  type WayTo,
  wayBy,
} from './dialect.ts';

/** Every way in which the bank can differ and still do what the specification says. */
export const dialects: readonly Dialect[] = [
  ...refusalDialects,
  ...errorBodyDialects,
  ...successBodyDialects,
  ...identifierDialects,
  ...exemptionDialects,
  ...authorisationDialects,
  ...headerDialects,
  ...firewallDialects,
  ...strictDialects,
  ...particularDialects,
  ...creditorDialects,
  ...executionDateDialects,
  ...lenientDialects,
  ...sandboxDialects,
  ...identityAndLimitDialects,
  ...sessionDialects,
  ...handedOutDialects,
  ...redirectDialects,
  ...formDialects,
  ...contextWordDialects,
  ...scriptedPageDialects,
  ...accountShapeDialects,
  ...accountQueryDialects,
  ...linkFormDialects,
  ...troubleDialects,
  ...offerDialects,
];

export const dialectById = byUniqueId('dialect', dialects, ({ title }) => title);
