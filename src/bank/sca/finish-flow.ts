import type { BankAnswer } from '../route.ts';
import { actingPsu } from './acting-psu.ts';
import { type ApprovalFailure, approvalOf } from './approval-target.ts';
import type { ScaFlow } from './flows.ts';
import { html } from './html.ts';
import { pageAnswer } from './page-answer.ts';
import type { PsuState } from './psu-state.ts';
import { withParameters } from './redirect-uri.ts';

/**
 * SCA is passed: the session begins (which ends an older one), the consent is what was ticked, the payment or basket
 * is approved. The redirect carries the parameters of Redirect after successful SCA and no others.
 */
export function passFlow(flow: ScaFlow, state: PsuState, tickedAccountIds?: readonly string[]): BankAnswer {
  const psu = actingPsu(flow);
  if (psu === undefined || flow.identified === undefined) return failFlow(flow, nobodyIdentified);
  const failure = approvalOf(flow)?.approve(psu);
  if (failure !== undefined) return failFlow(flow, failure, 'PAYMENTS');

  flow.step = 'finished';
  const { context } = flow.identified;
  const { customerNumber, agreementId } = psu;
  state.sessions.pass(flow.tppId, customerNumber, { sessionId: flow.sessionId, context, agreementId });
  if (tickedAccountIds === undefined) state.consents.renew(flow.tppId, psu);
  else state.consents.grant(flow.tppId, psu, tickedAccountIds);
  return backToTpp(flow, 'Done', {
    'psu-id': state.psuIds.idFor(flow.tppId, customerNumber),
    ...(agreementId === undefined ? {} : { 'psu-corporate-id': agreementId }),
    'tpp-session-id': flow.sessionId,
    context,
  });
}

/** SCA failed or was aborted. An older session of the PSU is not touched (Limits). */
export function failFlow(flow: ScaFlow, failure: ApprovalFailure, system = 'SCA'): BankAnswer {
  flow.step = 'finished';
  approvalOf(flow)?.abort?.();
  return backToTpp(flow, 'Not completed', {
    system,
    status: String(failure.status),
    code: failure.code,
    message: failure.message,
  });
}

const nobodyIdentified: ApprovalFailure = {
  status: 401,
  code: 'SCA_INVALID',
  message: 'The PSU was not identified',
};

function backToTpp(
  { redirectUri, tppName }: ScaFlow,
  title: string,
  parameters: Readonly<Record<string, string>>,
): BankAnswer {
  if (redirectUri === undefined) {
    const content = html`<h1>${title}</h1><p>You can close this page and go back to ${tppName}.</p>`;
    return pageAnswer({ title, content });
  }
  return {
    status: 303,
    headers: {
      Location: withParameters(redirectUri, parameters),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  };
}
