import { type OperationName, operations } from '../spec/operations.ts';
import { type CreationName, everyProduct, isCreation, type Product } from '../spec/products.ts';
import type { ProfileId } from '../spec/profiles.ts';
import { type FurtherIdentityName, furtherIdentityNames } from './identities.ts';
import { companyOf, isPersonalNumber } from './psu.ts';
import type { Target } from './target.ts';

/** What a check may need of a target beyond what every target has. */
export type Capability = keyof typeof offers;

interface Offer {
  readonly isThere: (target: Target) => boolean;
  /** What to add to the target file. */
  readonly remedy: string;
  /**
   * Whether it lies with whoever writes the target file: what takes an hour or a day, uses something up or leaves
   * something behind is not judged in a normal run, so that nothing is missing without it.
   */
  readonly isLeave?: true;
  /** Who does not offer this profile has no such thing. */
  readonly profile?: ProfileId;
}

/** The sentence for payments that are not created in production. */
const productionPaymentsRefusal =
  'the target is a production environment, where payments move money: run with --allow-production-payments to create them nevertheless';

const identityRemedy = (name: FurtherIdentityName): string =>
  name === 'oddIssuer'
    ? 'add signing.identities.oddIssuer, of an authority with a comma and Norwegian letters in its name, to the target file (init --pki makes one); where the bank trusts none, declare what needs it as notOffered'
    : `add signing.identities.${name}, or signing.testCa to mint it from, to the target file`;

const identityOffers = Object.fromEntries(
  furtherIdentityNames.map((name) => [
    `identity:${name}`,
    { isThere: ({ identities }: Target) => identities[name] !== undefined, remedy: identityRemedy(name) },
  ]),
) as Readonly<Record<`identity:${FurtherIdentityName}`, Offer>>;

const walksUnattended = ({ psu }: Target): boolean => psu.sca === 'form' || psu.sca === 'module';
const canWalk = ({ psu }: Target): boolean => psu.sca !== 'session';

/** The same PSU in the same session is told from the private one by its PSU-Corporate-ID alone. */
const isToldApart = ({ id, sessionId, corporate }: Target['psu']): boolean =>
  corporate?.id !== undefined &&
  (corporate.id.toLowerCase() !== id?.toLowerCase() || corporate.sessionId !== sessionId);

const offers = {
  'card-account': {
    isThere: ({ accounts }) => accounts.card !== undefined,
    remedy: 'add accounts.card to the target file',
  },
  'private-psu': {
    isThere: ({ psu }) => psu.context === 'PRIVATE',
    remedy:
      'give a private customer as psu of the target file, and the company as psu.corporate: psu.context CORPORATE is for a bank that serves companies only',
  },
  'corporate-psu': {
    profile: 'corporate-psus',
    isThere: ({ psu }) =>
      psu.context === 'CORPORATE'
        ? psu.id !== undefined && psu.corporateId !== undefined
        : isToldApart(psu) && psu.corporate?.corporateId !== undefined,
    remedy:
      'add psu.corporate to the target file, of another person or with a session of its own: with nationalId where psu.sca is form, manual or module, and with id and corporateId otherwise',
  },
  'aisp-role': {
    isThere: ({ identities: { main } }) =>
      main.certificate.roles.length === 0 || main.certificate.roles.includes('PSP_AI'),
    remedy: 'sign with a certificate that has the AISP role: a bank shows accounts to no other TPP',
  },
  'national-id': {
    isThere: ({ psu }) => psu.nationalId !== undefined,
    remedy: 'add psu.nationalId to the target file',
  },
  // X-PSU-IDENTITY is the number of a person, and what a company types on the SCA page need not be one.
  'personal-number': {
    isThere: ({ psu }) => psu.nationalId !== undefined && isPersonalNumber(psu.nationalId),
    remedy: 'add psu.nationalId, a national identity number of eleven digits, to the target file',
  },
  'debtor-iban': {
    isThere: ({ accounts }) => accounts.debtor.iban !== undefined,
    remedy: 'add accounts.debtor.iban to the target file',
  },
  'creditor-iban': {
    isThere: ({ accounts }) => accounts.creditor.iban !== undefined,
    remedy: 'add accounts.creditor.iban to the target file',
  },
  'kid-creditor': {
    isThere: ({ accounts }) => accounts.kidCreditor !== undefined,
    remedy: 'add accounts.kidCreditor, an account that demands a KID, to the target file',
  },
  // In a sandbox one is made up.
  'foreign-creditor': {
    isThere: ({ accounts, environment }) =>
      environment === 'sandbox' || accounts.creditorForeign?.iban !== undefined,
    remedy: 'add accounts.creditorForeign with an iban to the target file',
  },
  'foreign-bban': {
    isThere: ({ accounts: { creditorForeign, creditors }, environment }) =>
      (environment === 'sandbox' && creditors?.crossBorder === undefined) ||
      [creditorForeign ?? [], creditors?.crossBorder ?? []].flat().some(({ bban }) => bban !== undefined),
    remedy:
      'add an account in a country without IBAN, with bban and agent, to accounts.creditors.crossBorder of the target file',
  },
  'bulk-payment': {
    isThere: ({ payments }) => payments.bulk.length > 0,
    remedy: 'add the id of a bulk payment to payments.bulk of the target file',
  },
  'periodic-payment': {
    isThere: ({ payments }) => payments.periodic.length > 0,
    remedy: 'add the id of a periodic payment to payments.periodic of the target file',
  },
  'pending-payment': {
    isThere: ({ payments }) => payments.pending.length > 0,
    remedy: 'add the id of a payment in status PDNG to payments.pending of the target file',
  },
  'unfunded-payment': {
    isThere: ({ payments }) => payments.unfunded.length > 0,
    remedy:
      'add the id of a payment that lacks funds to payments.unfunded of the target file; where the bank refuses all of these at creation, so that none has a status, declare ERR-05 as notOffered',
  },
  'rejected-payment': {
    isThere: ({ payments }) => payments.rejected.length > 0,
    remedy: 'add the id of a payment in status RJCT to payments.rejected of the target file',
  },
  'approved-payment': {
    isThere: ({ payments }) => payments.approved.length > 0,
    remedy: 'add an approved payment to payments.approved of the target file',
  },
  'test-ca': {
    isThere: ({ testCa }) => testCa !== undefined,
    remedy: 'add signing.testCa to the target file',
  },
  ...identityOffers,
  'sca-walk': {
    isThere: canWalk,
    remedy: 'set psu.sca to form, manual or module in the target file, so that SCA can be passed anew',
  },
  'sca-unattended': {
    isThere: walksUnattended,
    remedy: 'set psu.sca to form or module in the target file, so that SCA can be passed without a person',
  },
  'corporate-sca': {
    profile: 'corporate-psus',
    isThere: (target) => canWalk(target) && companyOf(target.psu)?.nationalId !== undefined,
    remedy: 'add psu.corporate.nationalId to the target file, and set psu.sca to form, manual or module',
  },
  'second-psu': {
    isThere: ({ psu: { id, sessionId, corporate } }) =>
      id !== undefined &&
      corporate?.id !== undefined &&
      corporate.id.toLowerCase() !== id.toLowerCase() &&
      corporate.sessionId !== sessionId,
    remedy:
      'add psu.corporate with an id and a sessionId of its own to the target file, of another person than psu',
  },
  // A sandbox may list further customers and agreements.
  'other-psu': {
    isThere: (target) =>
      target.psu.other?.sessionId !== undefined ||
      (walksUnattended(target) &&
        target.psu.nationalId !== undefined &&
        (target.psu.other?.nationalId !== undefined || target.environment === 'sandbox')),
    remedy:
      'add psu.other, another customer than psu, to the target file: with id and sessionId after SCA, or with nationalId where psu.sca is form or module and psu.nationalId is given',
  },
  'other-approver': {
    isThere: ({ environment, psu }) => psu.other?.nationalId !== undefined || environment === 'sandbox',
    remedy: 'add psu.other.nationalId, of another customer than psu, to the target file',
  },
  'agreement-of-others': {
    profile: 'corporate-psus',
    isThere: ({ environment, psu }) => psu.other?.corporateId !== undefined || environment === 'sandbox',
    remedy:
      'add psu.other.corporateId, of an agreement in which the PSU of the company has no part, to the target file',
  },
  'expired-session': {
    isThere: ({ psu }) => psu.expired !== undefined,
    remedy:
      'add psu.expired with id and sessionId to the target file, of a PSU who passed SCA more than an hour ago and not since',
    isLeave: true,
  },
  'unattended-calls': {
    isThere: ({ permissions }) => permissions.spendUnattendedCalls,
    remedy:
      'set limits.spendUnattendedCalls to true in the target file: this check uses up the calls of the day without the PSU present',
    isLeave: true,
  },
  'many-transactions': {
    isThere: ({ accounts }) => accounts.manyTransactions !== undefined,
    remedy: 'name an account with more than 200 transactions as accounts.manyTransactions of the target file',
    isLeave: true,
  },
  'sandbox-changes': {
    isThere: ({ environment, permissions }) => environment === 'sandbox' && permissions.allowChanges,
    remedy:
      'set sandbox.allowChanges to true in the target file: this check creates customers and removes them',
    isLeave: true,
  },
  'initial-data-set': {
    isThere: ({ permissions }) => permissions.initialDataSet,
    remedy:
      'set sandbox.initialDataSet to true in the target file where the sandbox is as initialisation leaves it',
    isLeave: true,
  },
  https: {
    isThere: ({ baseUrl }) => /^https:/i.test(baseUrl),
    remedy:
      'give an https address as baseUrl of the target file; where TLS ends before what is judged here, declare what is about it as notOffered',
  },
  // What holds in production alone leaves nothing open in a sandbox.
  production: {
    isThere: ({ environment }) => environment === 'production',
    remedy: 'environment: production in the target file, because this holds in production alone',
    isLeave: true,
  },
  sandbox: {
    isThere: ({ environment }) => environment === 'sandbox',
    remedy: 'name a sandbox in the target file: this check must not run in production',
  },
  'create-payments': {
    isThere: ({ mayCreatePayments }) => mayCreatePayments,
    remedy: productionPaymentsRefusal,
  },
} as const satisfies Record<string, Offer>;

export const capabilities = Object.keys(offers) as readonly Capability[];

/** What to add to the target file for a check to apply; nothing when the target offers what it needs. */
export function missingCapability(target: Target, capability: Capability): string | undefined {
  const { isThere, remedy }: Offer = offers[capability];
  if (isThere(target)) return undefined;
  const wantsEnvironment = ['create-payments', 'sandbox', 'sandbox-changes'].includes(capability);
  return (wantsEnvironment ? target.whyUnstated : undefined) ?? remedy;
}

/** What payments of a product need: somebody who can be paid. */
export const needsOfPayments: Readonly<Record<CreationName, readonly Capability[]>> = {
  createDomesticPayment: ['create-payments'],
  createCrossBorderPayment: ['create-payments', 'foreign-creditor'],
};

/** What has to be there, or allowed, for an operation to be asked for. */
export function needsOf(operation: OperationName): readonly Capability[] {
  const { headers, method } = operations[operation];
  if (headers === 'sandbox') return [method === 'GET' ? 'sandbox' : 'sandbox-changes'];
  if (isCreation(operation)) return needsOfPayments[operation];
  return headers === 'basket' || method === 'DELETE' ? ['create-payments'] : [];
}

/** The products that a target is judged by, as far as payments of them may be created. */
export const payableProducts = (target: Target): readonly Product[] =>
  everyProduct.filter(
    ({ profile, creation }) =>
      target.profiles.includes(profile) &&
      needsOfPayments[creation].every((need) => missingCapability(target, need) === undefined),
  );

/** The profile without which nobody has it. */
export function profileOfNeed(capability: Capability): ProfileId | undefined {
  const { profile }: Offer = offers[capability];
  return profile;
}

/** Whether a check that lacks it leaves nothing open that a normal run judges. */
export function isLeave(capability: Capability): boolean {
  const { isLeave: byLeave }: Offer = offers[capability];
  return byLeave === true;
}

/**
 * Whether payments are offered, and may not be created. Of what is not asked for, nobody's word is taken: a bank that
 * declares each requirement on payments away would be conformant to them without one.
 */
export const isWithheld = ({ mayCreatePayments, profiles, notOffered }: Target, need: Capability): boolean =>
  need === 'create-payments' &&
  !mayCreatePayments &&
  everyProduct.some(
    ({ profile, creation }) =>
      profiles.includes(profile) && !notOffered.some(({ what }) => what === creation),
  );

/** What to do for a target to offer it, whether or not one does. */
export function missingText(capability: Capability): string {
  const { remedy }: Offer = offers[capability];
  return remedy;
}
