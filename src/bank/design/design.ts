import type { SecureVersion } from 'node:tls';
import type { PspRole } from '../../signing/certificate.ts';
import type { Body } from '../../spec/field.ts';
import type { HeaderRow } from '../../spec/headers.ts';
import type { Product } from '../../spec/products.ts';
import type { Answers } from './answers.ts';
import type { PaymentDesign } from './payment-design.ts';
import type { RefusalAnswers } from './refusal-kinds.ts';
import type { BankOperation, BankRequest, BankState, Route, Rule } from './route.ts';
import type { DigestVerdict, SigningDesign } from './signing-design.ts';

export interface BankLimits {
  readonly clockDeviationBehindSeconds: number;
  readonly clockDeviationAheadSeconds: number;
  readonly basketPayments: number;
  readonly amountPrecision: number;
  readonly amountScale: number;
  readonly regulatoryReportingFromOere: number;
}

/**
 * All decisions of the bank, as data or as functions that can be replaced. A deviation or a dialect is a function from
 * one design to another; the bank itself has no switches. Rules are derived from the design when the bank is created.
 */
export interface BankDesign {
  /** Field tables of the request bodies: lengths, code lists, what is required. */
  readonly bodies: Readonly<Record<Product['body'] | 'basketRequest', Body>>;
  readonly headerRows: readonly HeaderRow[];
  readonly limits: BankLimits;
  /** Fraction digits by currency; undefined where none are defined. */
  readonly minorUnits: ReadonlyMap<string, number | undefined>;
  /** Status and code by the kind of refusal. */
  readonly refusals: RefusalAnswers;
  readonly signing: SigningDesign;
  judgeDigest(this: void, request: BankRequest): DigestVerdict;
  /** Length of a text, in the unit of the length limits. */
  lengthOf(this: void, text: string): number;
  /** Whether the systems behind the interface can process a text. */
  isProcessable(this: void, text: string): boolean;
  isValidKid(this: void, reference: string): boolean;
  /** Whether a structured reference of a payment is held to be a KID. */
  isTakenForKid(this: void, reference: unknown, payment: unknown): boolean;
  /** Roles of which the certificate needs one; none means any TPP. */
  roles(this: void, operation: BankOperation): readonly PspRole[];
  refusesDuplicates(this: void, request: BankRequest): boolean;
  /** Whether only payments that await approval are put into a basket. */
  readonly basketTakes: 'awaiting-approval' | 'any-payment';
  /** How far the bank's clock is off; the TPP can tell by the Date of the answers. */
  readonly clockOffsetSeconds: number;
  /** Transport is TLS 1.2 or higher; `ciphers` as OpenSSL writes them. */
  readonly tls: {
    readonly minVersion: SecureVersion;
    readonly maxVersion?: SecureVersion;
    readonly ciphers?: string;
  };
  readonly payments: PaymentDesign;
  readonly answers: Answers;
  /** The last word on the rules of an operation: drops, adds or wraps them. */
  adaptRules(this: void, operation: BankOperation, rules: readonly Rule[]): readonly Rule[];
  /** The last word on the routes: wraps what they do, or adds others. Their rules are complete by then. */
  adaptRoutes(this: void, routes: readonly Route[]): readonly Route[];
  /** The last word on what the bank remembers with: another desk, other stores. */
  adaptState(this: void, state: BankState): BankState;
}
