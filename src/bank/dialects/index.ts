import { accountQueryDialects } from './account-queries.ts';
import { accountShapeDialects } from './account-shapes.ts';
import { authorisationDialects } from './authorisations.ts';
import { contextWordDialects } from './context-words.ts';
import { creditorDialects } from './creditors.ts';
import type { Dialect } from './dialect.ts';
import { executionDateDialects } from './execution-dates.ts';
import { exemptionDialects } from './exemptions.ts';
import { firewallDialects } from './firewalls.ts';
import { formDialects } from './forms.ts';
import { handedOutDialects } from './handed-out.ts';
import { headerDialects } from './headers.ts';
import { identityAndLimitDialects } from './identities-and-limits.ts';
import { lenientDialects, offerDialects } from './leniency.ts';
import { linkFormDialects } from './link-forms.ts';
import { particularDialects } from './particular.ts';
import { redirectDialects } from './redirects-and-pages.ts';
import { errorBodyDialects, refusalDialects } from './refusals.ts';
import { sandboxDialects } from './sandbox-lists.ts';
import { scriptedPageDialects } from './scripted-pages.ts';
import { sessionDialects } from './sessions.ts';
import { strictDialects } from './strictness.ts';
import { identifierDialects, successBodyDialects } from './success-bodies.ts';
import { troubleDialects } from './troubles.ts';

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

export const dialectById: ReadonlyMap<string, Dialect> = new Map(
  dialects.map((dialect) => [dialect.id, dialect]),
);
