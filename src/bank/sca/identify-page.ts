import type { BankAnswer } from '../route.ts';
import { approvalOf } from './approval-target.ts';
import type { ScaFlow } from './flows.ts';
import { type Html, html } from './html.ts';
import { choice, type FormError, formPage } from './page-form.ts';
import type { PsuState } from './psu-state.ts';
import type { PsuContext } from './sessions.ts';

/** What the PSU had filled in when the page comes back with an error. */
export interface IdentifyEntries {
  readonly nationalId: string;
  readonly context: PsuContext | undefined;
}

/** The first page: the mocked national identity number and the context, and for dynamic linking what is approved. */
export function identifyPage(
  flow: ScaFlow,
  state: PsuState,
  error?: FormError,
  entries?: IdentifyEntries,
): BankAnswer {
  const approval = approvalOf(flow);
  return formPage(flow, state, {
    title:
      approval === undefined
        ? 'Log in to the bank'
        : `Approve ${approval.kind === 'basket' ? 'payments' : 'a payment'}`,
    introduction: html`<p><strong>${flow.tppName}</strong> ${asks(flow)}</p>
${approval && summary(approval.summary)}
${!flow.redirectPreferred && appNote}`,
    fields: html`${nationalIdField(error, entries?.nationalId ?? '')}
${contextField(flow, error, entries?.context)}`,
    go: approval === undefined ? 'Continue' : 'Approve',
    error,
  });
}

function asks({ purpose }: ScaFlow): string {
  if (purpose === 'consent')
    return 'asks for access to your accounts. You choose which ones on the next page.';
  if (purpose === 'identification')
    return 'asks you to identify yourself, so that you can pay from your accounts.';
  return `asks you to approve ${purpose.kind === 'basket' ? 'these payments' : 'this payment'}.`;
}

const summary = (lines: readonly { readonly label: string; readonly value: string }[]): Html =>
  html`<dl>
${lines.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}
</dl>`;

/** TPP-Redirect-Preferred false: biometric authentication in an app, where available. */
const appNote = html`<p class="note">You were to confirm with your fingerprint or face in the bank’s app. The sandbox has no app, so please confirm here.</p>`;

function nationalIdField(error: FormError | undefined, value: string): Html {
  const wrong = error?.field === 'nationalId';
  return html`<div class="field">
<label class="title" for="nationalId">National identity number</label>
<p class="hint" id="nationalId-hint">11 digits. A mocked number of a sandbox customer, such as <code>01819010001</code>.</p>
<input type="text" id="nationalId" name="nationalId" value="${value}" inputmode="numeric" autocomplete="off" maxlength="14" required
 aria-describedby="nationalId-hint${wrong && ' error'}"${wrong && html` aria-invalid="true"`}${(error === undefined || wrong) && html` autofocus`}>
</div>`;
}

function contextField(flow: ScaFlow, error: FormError | undefined, chosen: PsuContext | undefined): Html {
  if (flow.context !== undefined) return html`<input type="hidden" name="context" value="${flow.context}">`;
  const context = (value: PsuContext, text: string): Html =>
    choice('radio', 'context', { value, text, chosen: value === (chosen ?? 'PRIVATE') });
  return html`<fieldset${error?.field === 'context' && html` aria-describedby="error"`}>
<legend>On whose behalf do you act?</legend>
${context('PRIVATE', 'For myself, as a private person')}
${context('CORPORATE', 'For a company or organisation')}
</fieldset>`;
}
