import type { CertificateAuthority } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import type { Readings } from '../spec/interpretations.ts';
import type { ProductPath } from '../spec/products.ts';

/** The bank under test, with everything loaded and every default applied. */
export interface Target {
  readonly name: string;
  /** Without a slash at its end; may carry a path prefix. */
  readonly baseUrl: string;
  readonly environment: Environment;
  readonly tls: TargetTls;
  readonly identities: TargetIdentities;
  /** Lets checks mint identities of their own. */
  readonly testCa?: CertificateAuthority;
  readonly psu: TargetPsu;
  readonly accounts: TargetAccounts;
  readonly payments: TargetPayments;
  readonly paths: TargetPaths;
  readonly readings: Readings;
  readonly knownDeviations: readonly KnownDeviation[];
  readonly pace: Pace;
  /** Sent with every request, such as the API key of a sandbox. Values are secret. */
  readonly customHeaders: Readonly<Record<string, string>>;
  /** False in production, unless it was allowed explicitly. */
  readonly mayCreatePayments: boolean;
}

export type Environment = 'sandbox' | 'production';

export interface TargetTls {
  /** PEM; one or more certificates. The system's own are trusted without it. */
  readonly ca?: string;
  readonly client?: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly passphrase?: string;
  };
  /** Takes any server certificate. */
  readonly insecure: boolean;
}

/** Handed over ready-made, or minted at the first call and kept. */
export type IdentitySource = () => Promise<SigningIdentity>;

/** Identities that a target file may hand over in addition to the main one. */
export const furtherIdentityNames = [
  'aispOnly',
  'pispOnly',
  'roleless',
  'expired',
  'notYetValid',
  'oddIssuer',
  'second',
] as const;
export type FurtherIdentityName = (typeof furtherIdentityNames)[number];

/** A source that is missing was not handed over, and there is no test CA to mint it from. */
export interface TargetIdentities extends Readonly<Partial<Record<FurtherIdentityName, IdentitySource>>> {
  readonly main: SigningIdentity;
  /** As the main one, but issued by an authority of our own that bears the name of the real issuer. */
  readonly untrustedTwin: IdentitySource;
  /** The same TPP, vouched for by an authority of another name that nobody trusts. */
  readonly unknownTpp: IdentitySource;
}

/** How strong customer authentication is passed. */
export const scaStrategies = ['session', 'form', 'manual', 'module'] as const;
export type ScaStrategy = (typeof scaStrategies)[number];

export interface TargetPsu {
  readonly sca: ScaStrategy;
  /** PSU-ID; always there with `session`, otherwise SCA yields it. */
  readonly id?: string;
  /** TPP-Session-ID; made up where the file gives none. */
  readonly sessionId: string;
  readonly ipAddress: string;
  readonly nationalId?: string;
  readonly redirectUri: string;
  /** Absolute path of the user's own script; always there with `module`. */
  readonly module?: string;
  readonly form: ScaForm;
  /** Hosts in addition to the bank's own that its SCA pages may lead to, with or without a port. */
  readonly scaHosts: readonly string[];
  readonly corporate?: CorporatePsu;
}

/** Names of fields of the bank's SCA page, where guessing is not enough. */
export interface ScaForm {
  readonly nationalIdField?: string;
  readonly contextField?: string;
  readonly privateContext?: string;
  readonly corporateContext?: string;
  readonly submit?: string;
  readonly cancel?: string;
  /** Further fields to fill in. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface CorporatePsu {
  readonly id?: string;
  readonly corporateId?: string;
  readonly sessionId: string;
  readonly nationalId?: string;
}

export interface TargetAccounts {
  readonly debtor: DebtorAccount;
  readonly corporateDebtor?: DebtorAccount;
  readonly card?: CardAccount;
  readonly creditor: CreditorAccount;
  readonly creditorForeign?: ForeignCreditorAccount;
}

export interface DebtorAccount {
  readonly bban: string;
  /** Derived for Norwegian accounts of eleven digits. */
  readonly iban?: string;
  readonly currency: string;
}

export interface CardAccount {
  readonly identification: string;
  readonly currency: string;
}

export interface CreditorAccount {
  readonly bban: string;
  readonly iban?: string;
  readonly currency: string;
  readonly name?: string;
  /** BIC. */
  readonly agent?: string;
}

/** An IBAN, or a BBAN with the agent that it needs. */
export interface ForeignCreditorAccount {
  readonly iban?: string;
  readonly bban?: string;
  readonly agent?: string;
  readonly currency: string;
  readonly country: string;
}

/** Payments that exist already, in states that the suite cannot bring about by itself. */
export interface TargetPayments {
  readonly bulk: readonly string[];
  readonly periodic: readonly string[];
  readonly pending: readonly PaymentReference[];
  readonly unfunded: readonly PaymentReference[];
  readonly approved: readonly PaymentReference[];
}

export interface PaymentReference {
  readonly product: ProductPath;
  readonly id: string;
}

/** Where each group of operations lives, after the base address. */
export const defaultPaths = {
  payments: '/v1/payments',
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

export interface KnownDeviation {
  readonly requirement: string;
  /** Empty where none is given: that fails the run. */
  readonly reason: string;
  /** The last day, as an ISO date. */
  readonly until?: string;
}

export interface Pace {
  readonly concurrency: number;
  /** No limit without it. */
  readonly requestsPerSecond?: number;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** What holds where a target file says nothing of it. */
export const defaultPace = { concurrency: 16, requestsPerSecond: 50, timeoutMs: 10_000, retries: 3 } as const;

/** What reports may say of a target: nothing secret. */
export function describeTarget({ name, baseUrl, environment }: Target): {
  readonly name: string;
  readonly baseUrl: string;
  readonly environment: Environment;
} {
  return { name, baseUrl, environment };
}
