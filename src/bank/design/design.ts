import { randomUUID } from 'node:crypto';
import type { SecureVersion } from 'node:tls';
import type { PspRole } from '../../signing/certificate.ts';
import type { MessageCode } from '../../spec/code-lists.ts';
import type { Body } from '../../spec/field.ts';
import type { HeaderRow } from '../../spec/headers.ts';
import { has } from '../../spec/json.ts';
import { type Product, products } from '../../spec/products.ts';
import type { Payment, TransactionStatus } from '../state/payment-store.ts';
import type { RefusalAnswers } from './refusal-kinds.ts';
import type {
  BankAnswer,
  BankOperation,
  BankRequest,
  BankState,
  RawResponse,
  Refusal,
  Route,
  Rule,
} from './route.ts';
import type { DigestVerdict, SigningDesign } from './signing-design.ts';

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Message {
  readonly category: string;
  readonly code: MessageCode;
  readonly path?: string;
  readonly text?: string;
}

/** What the bank decides about payments. */
export interface PaymentDesign {
  newPaymentId(this: void): string;
  newBasketId(this: void): string;
  readonly statusOnCreation: TransactionStatus;
  /** The total fee; undefined when the payment is free. */
  feeOf(this: void, payment: Payment): Money | undefined;
  psuMessageOf(this: void, payment: Payment): string | undefined;
  /** Warnings to the TPP about a payment that was accepted. */
  warningsOf(this: void, payment: Payment): readonly Message[];
  /** Whether status and details can be read. Known issue: some banks cannot show a domestic payment before approval. */
  isReadable(this: void, payment: Payment): boolean;
  /** Whether a payment can still be deleted. */
  isDeletable(this: void, payment: Payment): boolean;
}

/** A payment that the bank has begun to execute, or that came to its end, is not deleted any more. */
const undeletable: readonly TransactionStatus[] = ['PDNG', 'ACSP', 'ACSC', 'CANC', 'RJCT'];

export const compliantPayments: PaymentDesign = {
  newPaymentId: randomUUID,
  newBasketId: randomUUID,
  statusOnCreation: 'RCVD',
  feeOf: ({ product }) =>
    product === products.crossBorder.path ? { amount: '50.00', currency: 'NOK' } : undefined,
  psuMessageOf: () => 'The payment awaits your approval.',
  warningsOf: ({ body }) =>
    has(body, 'remittanceInformationStructured')
      ? [
          {
            category: 'WARNING',
            code: 'FORMAT_ERROR',
            path: 'remittanceInformationStructured',
            text: 'To be deprecated: use remittanceInformationStructuredArray.',
          },
        ]
      : [],
  isReadable: () => true,
  isDeletable: ({ transactionStatus }) => !undeletable.includes(transactionStatus),
};

/** The known issue (States and transitions) for `isReadable`: a domestic payment shows itself only once it is approved. */
export const unreadableBeforeApproval = (payment: Payment): boolean =>
  payment.product !== products.domestic.path || payment.approvedAt !== undefined;

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

/** Longest text of a message (Message object). */
const longestText = 512;

/** The framework's error body: what is wrong, where, and where to go next. */
const refusalAnswer = ({ status, code, text, path, links, headers }: Refusal): BankAnswer => ({
  status,
  ...(headers === undefined ? {} : { headers }),
  body: {
    tppMessages: [
      { category: 'ERROR', code, ...(path === undefined ? {} : { path }), text: text.slice(0, longestText) },
    ],
    ...(links === undefined ? {} : { _links: links }),
  },
});

/** How the bank says what it says. Each function can be replaced, or wrapped to change one thing. */
export interface Answers {
  refusal(this: void, refusal: Refusal): BankAnswer;
  /** The last touch on every answer: other headers, a delay, an overload. `request` is undefined for unread ones. */
  finish(this: void, answer: BankAnswer, request: BankRequest | undefined): BankAnswer | Promise<BankAnswer>;
  /** The very last touch, on the bytes: after a signed response was signed. */
  seal(
    this: void,
    response: RawResponse,
    request: BankRequest | undefined,
  ): RawResponse | Promise<RawResponse>;
  /** Turns the body of an answer into its text. */
  serialise(this: void, body: unknown): string;
}

export const compliantAnswers: Answers = {
  refusal: refusalAnswer,
  finish: (answer) => answer,
  seal: (response) => response,
  serialise: (body) => JSON.stringify(body),
};
