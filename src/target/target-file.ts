import type { Readings } from '../spec/interpretations.ts';
import type {
  Environment,
  FurtherIdentityName,
  PaymentReference,
  ScaForm,
  ScaStrategy,
  TargetPaths,
} from './target.ts';

/**
 * The target file as written. Everything may be absent: when a part is wrong, it is reported and left out, so that
 * the other parts can still be looked at and all problems are told at once.
 */
export interface TargetFile {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly environment?: Environment;
  readonly tls?: TlsSection;
  readonly signing?: SigningSection;
  readonly psu?: PsuSection;
  readonly accounts?: AccountsSection;
  readonly payments?: PaymentsSection;
  readonly paths?: Partial<TargetPaths>;
  readonly interpretations?: Partial<Readings>;
  readonly knownDeviations?: readonly DeviationEntry[];
  readonly pace?: PaceSection;
  readonly customHeaders?: Readonly<Record<string, string>>;
}

export interface PassphraseSource {
  readonly passphrase?: string;
  readonly passphraseEnv?: string;
}

export interface TlsSection extends PassphraseSource {
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly insecure?: boolean;
}

export interface PairSection extends PassphraseSource {
  readonly certificate?: string;
  readonly privateKey?: string;
}

export interface SigningSection extends PairSection {
  readonly testCa?: PairSection;
  readonly identities?: Readonly<Partial<Record<FurtherIdentityName, PairSection>>>;
}

export interface PsuSection {
  readonly sca?: ScaStrategy;
  readonly id?: string;
  readonly sessionId?: string;
  readonly ipAddress?: string;
  readonly nationalId?: string;
  readonly redirectUri?: string;
  readonly module?: string;
  readonly form?: ScaForm;
  readonly scaHosts?: readonly string[];
  readonly corporate?: {
    readonly id?: string;
    readonly corporateId?: string;
    readonly sessionId?: string;
    readonly nationalId?: string;
  };
}

export interface AccountEntry {
  readonly bban?: string;
  readonly iban?: string;
  readonly currency?: string;
  readonly name?: string;
  readonly agent?: string;
  readonly country?: string;
}

export interface AccountsSection {
  readonly debtor?: AccountEntry;
  readonly corporateDebtor?: AccountEntry;
  readonly card?: { readonly identification?: string; readonly currency?: string };
  readonly creditor?: AccountEntry;
  readonly creditorForeign?: AccountEntry;
}

export type PaymentEntry = string | Partial<PaymentReference>;

export interface PaymentsSection {
  readonly bulk?: readonly string[];
  readonly periodic?: readonly string[];
  readonly pending?: readonly PaymentEntry[];
  readonly unfunded?: readonly PaymentEntry[];
  readonly approved?: readonly PaymentEntry[];
}

export interface DeviationEntry {
  readonly requirement?: string;
  readonly reason?: string;
  readonly until?: string;
}

export interface PaceSection {
  readonly concurrency?: number;
  readonly requestsPerSecond?: number;
  readonly timeoutMs?: number;
  readonly retries?: number;
}
