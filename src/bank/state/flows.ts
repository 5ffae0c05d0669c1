import { randomBytes } from 'node:crypto';
import { BoundedStore } from '../../signing/bounded-store.ts';
import type { MessageCode } from '../../spec/code-lists.ts';
import type { Clock } from './clock.ts';
import type { ActingPsu } from './customers.ts';
import type { PsuContext } from './sessions.ts';

/**
 * What an SCA flow approves beyond the identity of the PSU. Dynamic linking: the PSU sees what is approved, so the
 * pages show the summary, and such a flow is never exempted by a session.
 */
export interface ApprovalTarget {
  readonly kind: 'payment' | 'basket' | 'cancellation';
  /** The product of a payment, as in its path. */
  readonly product?: string;
  /** Shown to the PSU in this order: amount, payee, account to be debited. */
  readonly summary: readonly SummaryLine[];
  /** The PSU has passed SCA. A failure is told to the TPP in the redirect, and the PSU's session is not renewed. */
  approve(psu: ActingPsu): ApprovalFailure | undefined;
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

/** What starts an SCA flow: taken from the request that needs it. */
export interface ScaStart {
  readonly tppId: string;
  /** What the PSU knows the TPP by: its brand, where the request gives one. */
  readonly tppName: string;
  /** Who stands behind it by the certificate, which nobody can choose freely. */
  readonly tppOrganisation?: string | undefined;
  /** TPP-Session-ID of the request; given back in the redirect. */
  readonly sessionId: string;
  /** TPP-Redirect-URI. Without one the flow ends on a page of the bank. */
  readonly redirectUri: string | undefined;
  /** TPP-Redirect-Preferred: false asks for biometric authentication. */
  readonly redirectPreferred: boolean;
  /** What the flow is for: `consent` shows the account checklist, `identification` does not (GET /v1/user). */
  readonly purpose: 'consent' | 'identification' | ApprovalTarget;
  /** The PSU that the request already named; another one cannot pass the flow. */
  readonly customerNumber?: string | undefined;
  /** Fixed by the request (PSU-Context, PSU-Corporate-ID); otherwise the PSU chooses. */
  readonly context?: PsuContext | undefined;
  readonly agreementId?: string | undefined;
}

export type ScaStep = 'identify' | 'agreement' | 'accounts' | 'finished';

/** A flow on its way. Its id is an unguessable token, which alone gives access to the pages. */
export interface ScaFlow extends ScaStart {
  readonly id: string;
  readonly startedAt: Date;
  step: ScaStep;
  failedAttempts: number;
  /** Who has been identified, and what was chosen. */
  identified?: { readonly customerNumber: string; readonly context: PsuContext };
  chosenAgreementId?: string;
  /** Set where a TPP has started it as an authorisation of its own, of that payment or basket. */
  authorisation?: { readonly id: string; readonly of: string };
}

export interface FlowStore {
  start(start: ScaStart): ScaFlow;
  find(flowId: string): ScaFlow | undefined;
  /** The authorisation of a payment or basket, by its id. */
  authorisation(id: string, of: string): ScaFlow | undefined;
  isExpired(flow: ScaFlow): boolean;
  reset(): void;
}

/** How long a PSU may take; the specification is silent, and a link that lies about must not stay open. */
const flowSeconds = 30 * 60;

/** Every request that needs SCA starts a flow and few are walked, so the oldest make room. */
const mostFlows = 10_000;

export function createFlowStore(clock: Clock): FlowStore {
  const flows = new BoundedStore<ScaFlow>(mostFlows);
  return {
    start: (start) => {
      const id = randomBytes(24).toString('base64url');
      const flow: ScaFlow = { ...start, id, startedAt: clock.now(), step: 'identify', failedAttempts: 0 };
      flows.set(id, flow);
      return flow;
    },
    find: (flowId) => flows.get(flowId),
    authorisation: (id, of) =>
      [...flows.values()].find(({ authorisation }) => authorisation?.id === id && authorisation.of === of),
    isExpired: ({ startedAt }) => clock.now().getTime() - startedAt.getTime() > flowSeconds * 1000,
    reset: () => flows.clear(),
  };
}
