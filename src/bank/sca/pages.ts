import type { BankAnswer } from '../design/route.ts';
import type { Account, ActingPsu, Agreement, CardAccount } from '../state/customers.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { PsuContext } from '../state/sessions.ts';
import { type Html, html } from './html.ts';
import { choice, type FormError, formPage } from './page.ts';

/** Who was identified in a flow, with the agreement that was chosen. */
export function actingPsu({ identified, chosenAgreementId }: ScaFlow): ActingPsu | undefined {
  return identified && { customerNumber: identified.customerNumber, agreementId: chosenAgreementId };
}

/** Everything that the PSU can grant access to. */
export function reachOf(psu: ActingPsu | undefined, state: PsuState): readonly (Account | CardAccount)[] {
  if (psu === undefined) return [];
  return [...state.customers.reachableAccounts(psu), ...state.customers.reachableCardAccounts(psu)];
}

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

/** Corporate context: under which agreement the PSU acts. */
export function agreementPage(
  flow: ScaFlow,
  state: PsuState,
  agreements: readonly Agreement[],
  error?: FormError,
): BankAnswer {
  const ownerOf = ({ owner }: Agreement): string => state.customers.byNumber(owner)?.customerName ?? owner;
  return formPage(flow, state, {
    title: 'Choose an agreement',
    fields: html`<fieldset${error !== undefined && html` aria-describedby="error"`}>
<legend>For which company do you act?</legend>
${agreements.map((agreement, index) =>
  choice('radio', 'agreement', {
    value: agreement.id,
    text: ownerOf(agreement),
    detail: agreement.name,
    chosen: index === 0,
  }),
)}
</fieldset>`,
    go: 'Continue',
    error,
  });
}

/** The checklist (PSU identification and SCA): accounts already granted are pre-selected, deselecting revokes. */
export function accountsPage(flow: ScaFlow, state: PsuState): BankAnswer {
  const psu = actingPsu(flow);
  const granted = psu && state.consents.find(flow.tppId, psu)?.accountIds;
  const accounts = reachOf(psu, state);
  const agreement = state.customers.agreement(psu?.agreementId ?? '');
  const company = agreement && state.customers.byNumber(agreement.owner)?.customerName;
  return formPage(flow, state, {
    title: 'Choose accounts',
    introduction: html`<p><strong>${flow.tppName}</strong> may see the balance and the transactions of the accounts that you tick. To take access back, remove the tick.</p>`,
    fields: html`<fieldset>
<legend>${company === undefined ? 'Your accounts' : `Accounts of ${company}`}</legend>
${accounts.map((account) =>
  choice('checkbox', 'accounts', {
    value: account.id,
    text: account.name,
    detail: `${numberOf(account)} · ${account.currency}`,
    chosen: granted?.has(account.id) ?? false,
  }),
)}
</fieldset>`,
    go: 'Confirm',
  });
}

/** 9536.05.73002, the way account numbers are printed in Norway; a card by its masked number. */
const numberOf = (account: Account | CardAccount): string =>
  'bban' in account ? account.bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3') : account.maskedPan;
