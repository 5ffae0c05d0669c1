import { byUniqueId } from './by-unique-id.ts';
import { type Requirement, sections } from './requirement.ts';
import { accountRequirements } from './requirements/accounts.ts';
import { basketRequirements } from './requirements/baskets.ts';
import { errorRequirements } from './requirements/errors.ts';
import { bodyRequirements, headerRequirements } from './requirements/of-tables.ts';
import { paymentRequirements } from './requirements/payments.ts';
import { sandboxRequirements } from './requirements/sandbox.ts';
import { scaRequirements } from './requirements/sca.ts';
import { signingRequirements } from './requirements/signing.ts';
import { tppRequirements } from './requirements/tpp.ts';
import { transportRequirements } from './requirements/transport.ts';
import { versioningRequirements } from './requirements/versioning.ts';

/**
 * Reports and attestations name it. The first number rises when a requirement changes its meaning, the second when one
 * is added, the third when it is said in other words. `npm run docs` keeps the catalogue of each version, and a test
 * fails when the catalogue differs from the one kept.
 */
export const catalogueVersion = '3.0.0';

const sectionOrder = (requirement: Requirement): number =>
  (sections as readonly string[]).indexOf(requirement.section[0] ?? '');

/** Every normative statement of the specification, in its order. */
export const requirements: readonly Requirement[] = [
  ...transportRequirements,
  ...bodyRequirements,
  ...paymentRequirements,
  ...basketRequirements,
  ...headerRequirements,
  ...signingRequirements,
  ...scaRequirements,
  ...accountRequirements,
  ...sandboxRequirements,
  ...errorRequirements,
  ...versioningRequirements,
  ...tppRequirements,
].toSorted((a, b) => sectionOrder(a) - sectionOrder(b));

export const requirementById = byUniqueId('requirement', requirements, ({ statement }) => statement);
