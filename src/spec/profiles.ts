/** Whom a statement binds, a check judges, and a profile can be declared for. */
export const sides = ['bank', 'tpp'] as const;
export type Side = (typeof sides)[number];

/**
 * Requirements that belong together. A bank or a TPP is conformant to profiles, each with a verdict of its own. Which
 * requirements a profile holds stands on the requirements; those of `core` are part of every other profile.
 */
export interface Profile {
  readonly title: string;
  /** The first number rises when the profile demands more than before, the second when it is worded or cut anew. */
  readonly version: string;
  /** What whoever declares it offers, as one sentence. */
  readonly about: string;
  /** Whom it can be declared for. */
  readonly sides: readonly Side[];
  /** The only environment that it binds; both when absent. */
  readonly onlyIn?: 'sandbox';
  /** The operation that it is about, and the requirement that this works at all. Without them nothing of it is there. */
  readonly restsOn?: readonly string[];
}

export const profiles = {
  core: {
    title: 'Core',
    version: '1.0',
    about: 'Transport, request signing, clock and the form of errors, which every other profile includes.',
    sides: ['bank', 'tpp'],
  },
  'domestic-payments': {
    title: 'Domestic payments',
    version: '1.0',
    about: 'Norwegian domestic credit transfers (NDCT) are created.',
    sides: ['bank', 'tpp'],
    restsOn: ['createDomesticPayment', 'PAY-01'],
  },
  'cross-border-payments': {
    title: 'Cross-border payments',
    version: '1.0',
    about: 'Norwegian cross-border credit transfers (NCBCT) are created.',
    sides: ['bank', 'tpp'],
    restsOn: ['createCrossBorderPayment', 'PAY-03'],
  },
  'signing-baskets': {
    title: 'Signing baskets',
    version: '1.0',
    about: 'Several payments are approved together, in a signing basket.',
    sides: ['bank', 'tpp'],
    restsOn: ['createSigningBasket', 'BSK-10'],
  },
  'payment-lifecycle': {
    title: 'Payment lifecycle',
    version: '1.0',
    about: 'Payments are followed after their creation: status, lack of funds, deletion.',
    sides: ['bank'],
  },
  'corporate-psus': {
    title: 'Corporate PSUs',
    version: '1.0',
    about: 'A PSU acts for a company, with PSU-Corporate-ID.',
    sides: ['bank'],
  },
  'sca-redirect': {
    title: 'SCA by redirect',
    version: '1.0',
    about: 'The PSU is sent to the bank for strong customer authentication, and comes back to the TPP.',
    sides: ['bank'],
  },
  accounts: {
    title: 'Accounts',
    version: '1.0',
    about: 'Accounts, balances and transactions are read with the consent of the PSU.',
    sides: ['bank', 'tpp'],
    restsOn: ['listAccounts', 'ACC-01'],
  },
  sandbox: {
    title: 'Sandbox',
    version: '1.0',
    about: 'Customers of the sandbox are listed, and its simplified rules hold.',
    sides: ['bank'],
    onlyIn: 'sandbox',
    restsOn: ['listSandboxCustomers'],
  },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileId = keyof typeof profiles;
export const profileIds = Object.keys(profiles) as readonly ProfileId[];
export const isProfileId = (text: string): text is ProfileId => Object.hasOwn(profiles, text);
export const profileOf = (id: ProfileId): Profile => profiles[id];

/** What holds for every kind of payment. */
export const ofPayments = [
  'domestic-payments',
  'cross-border-payments',
] as const satisfies readonly ProfileId[];
/** What holds for all that a PSU has to approve. */
export const ofInitiations = [...ofPayments, 'signing-baskets'] as const satisfies readonly ProfileId[];

/** Why a profile does not bind a target; undefined where it does. */
export function whyNotBinding(id: ProfileId, environment: string): string | undefined {
  const { onlyIn } = profileOf(id);
  return onlyIn === 'sandbox' && environment === 'production'
    ? 'Sandbox operations are not part of the production interface.'
    : undefined;
}

/**
 * What of all that is declared as not offered takes a profile with it: the profile itself, or what it rests on. A bank
 * without cross-border payments is not conformant to them for what it shows on others.
 */
export const takenOutBy = <Declared extends { readonly what: string }>(
  id: ProfileId,
  notOffered: readonly Declared[],
): Declared | undefined =>
  id === 'core'
    ? undefined
    : (notOffered.find(({ what }) => what === id) ??
      notOffered.find(({ what }) => profileOf(id).restsOn?.includes(what)));

/** The profiles that are judged: those declared, or all that bind the environment; always with what all include. */
export function judgedProfiles(
  side: Side,
  environment: string,
  declared: readonly string[] = profileIds,
): readonly ProfileId[] {
  return profileIds.filter(
    (id) =>
      profileOf(id).sides.includes(side) &&
      (id === 'core' || declared.includes(id)) &&
      whyNotBinding(id, environment) === undefined,
  );
}
