/** What programs that use the package see. It is published with its types, so it imports nothing. */

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete' | 'partial' | 'error';
export type CheckVerdict = 'pass' | 'fail' | 'warning' | 'not-applicable' | 'inconclusive' | 'error';

/** How one check ended. */
export interface JudgedCheck {
  readonly id: string;
  readonly title: string;
  /** The first is the one that the check is about. */
  readonly requirements: readonly string[];
  readonly verdict: CheckVerdict;
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
}

export interface JudgedProfile {
  readonly id: string;
  readonly version: string;
  readonly verdict: Verdict;
  /** The ids of its requirements that were found broken. */
  readonly broken: readonly string[];
  /** The ids of its requirements that were not exercised. */
  readonly gaps: readonly string[];
}

/** What a run, or a certification of a TPP, came to. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly profiles: readonly JudgedProfile[];
  readonly checks: readonly JudgedCheck[];
  /** Why it is not conformant, apart from failed checks; a sentence each. */
  readonly problems: readonly string[];
  /** Why nothing was judged. */
  readonly blocker?: string;
  readonly seed: number;
  readonly requests: number;
  /** Where the reports stand, if a folder was given. */
  readonly out?: string;
}

/** Keys of the target file with their values, above the file: `{ 'psu.id': '…' }`. */
export type TargetSettings = Readonly<Record<string, string | number | boolean>>;

/** A target file that was read and found good. Hand it to `runConformance`. */
export interface LoadedTarget {
  readonly name: string;
  readonly baseUrl: string;
  readonly environment: 'sandbox' | 'production' | 'unstated';
  readonly profiles: readonly string[];
}

export interface ConformanceOptions {
  readonly settings?: TargetSettings;
  /** Only these checks, requirements or suites: the verdict is `partial` at best. */
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  /** Draws the same cases again. */
  readonly seed?: number;
  /** Cases of each property; 10 unless given. */
  readonly runs?: number;
  /** Nothing more is asked after so many milliseconds; an hour unless given. */
  readonly maxTimeMs?: number;
  /** Creates payments although the target is a production environment. */
  readonly allowProductionPayments?: boolean;
  /** The folder for journal, summary, JUnit and HTML; nothing is left behind without one. */
  readonly out?: string;
  /** Hears of each check as it is judged. */
  readonly onCheck?: (check: JudgedCheck) => void;
  readonly signal?: AbortSignal;
}

export interface ReferenceBankOptions {
  /** 0, any free port, unless given. */
  readonly port?: number;
  readonly host?: string;
  /** Ids of `list --deviations`: ways to break a requirement. */
  readonly deviations?: readonly string[];
  /** Ids of `list --dialects`: ways to be unusual and still compliant. */
  readonly dialects?: readonly string[];
  /** Milliseconds before every answer. */
  readonly latencyMs?: number;
  /** Without sandbox operations. */
  readonly production?: boolean;
  /** PEM certificates of further authorities whose TPPs it trusts. */
  readonly trust?: readonly string[];
}

export interface PemPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** What a client needs to talk to a bank of this package; everything is PEM or plain text. */
export interface BankAccess {
  readonly baseUrl: string;
  /** The authority of its TLS certificate. */
  readonly ca: string;
  /** A TPP that it knows. */
  readonly tpp: PemPair;
  /** Mocked people; their number is what the SCA page asks for. */
  readonly customers: readonly SandboxCustomer[];
}

export interface SandboxCustomer {
  readonly nationalId: string;
  readonly type: 'PRIVATE' | 'CORPORATE';
  readonly name: string;
  readonly accounts: readonly { readonly bban: string; readonly currency: string }[];
}

export interface ReferenceBank extends BankAccess {
  /** A customer who has passed SCA in this session. */
  readonly psu: {
    readonly id: string;
    /** PSU-Corporate-ID, of a bank that serves companies only. */
    readonly corporateId?: string;
    readonly sessionId: string;
    readonly nationalId: string;
  };
  /** What `runConformance` judges it by, and the same as the text of a target file. */
  readonly target: LoadedTarget;
  readonly targetFile: string;
  close(): Promise<void>;
}

export interface TppJudgementOptions {
  /** What the TPP is certified for; what it uses unless given. */
  readonly profiles?: readonly (
    | 'domestic-payments'
    | 'cross-border-payments'
    | 'signing-baskets'
    | 'accounts'
  )[];
  /** The folder for recording and reports; nothing is left behind without one. */
  readonly out?: string;
  readonly port?: number;
  /** PEM certificates of the authorities of a TPP that brings its own identity. */
  readonly trust?: readonly string[];
}
