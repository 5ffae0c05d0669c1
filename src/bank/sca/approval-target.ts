import type { MessageCode } from '../../spec/code-lists.ts';
import type { ActingPsu } from '../sandbox/customers.ts';

/**
 * What an SCA flow approves beyond the identity of the PSU. Dynamic linking: the PSU sees what is approved, so the
 * pages show the summary, and such a flow is never exempted by a session.
 */
export interface ApprovalTarget {
  readonly kind: 'payment' | 'basket';
  /** Shown to the PSU in this order: amount, payee, account to be debited. */
  readonly summary: readonly SummaryLine[];
  /** The PSU has passed SCA. A failure is told to the TPP in the redirect, and the PSU's session is not renewed. */
  approve(psu: ActingPsu): ApprovalFailure | undefined;
  /** The PSU cancelled or failed; the payment stays as it is unless the target decides otherwise. */
  abort?(): void;
}

export interface SummaryLine {
  readonly label: string;
  readonly value: string;
}

export interface ApprovalFailure {
  readonly status: number;
  readonly code: MessageCode;
  readonly message: string;
}

/** The approval that a flow is for, if any. */
export const approvalOf = ({ purpose }: { readonly purpose: string | ApprovalTarget }) =>
  typeof purpose === 'string' ? undefined : purpose;
