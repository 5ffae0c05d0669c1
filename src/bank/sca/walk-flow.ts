import type { BankAnswer } from '../design/route.ts';
import type { Account, ActingPsu, Agreement, CardAccount, Customer } from '../state/customers.ts';
import { type ApprovalFailure, type ApprovalTarget, approvalOf, type ScaFlow } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { PsuContext } from '../state/sessions.ts';
import { type Html, html } from './html.ts';
import { choice, type FormError, formPage, pageAnswer } from './page.ts';

/**
 * Adds parameters as text: what the TPP has in its own query and fragment stays byte for byte, because it may
 * compare its address.
 */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = redirectUri.split('#');
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [address + separator + added, ...fragment].join('#');
}

/** Who was identified in a flow, with the agreement that was chosen. */
function actingPsu({ identified, chosenAgreementId }: ScaFlow): ActingPsu | undefined {
  return identified && { customerNumber: identified.customerNumber, agreementId: chosenAgreementId };
}

/** Everything that the PSU can grant access to. */
function reachOf(psu: ActingPsu | undefined, state: PsuState): readonly (Account | CardAccount)[] {
  if (psu === undefined) return [];
  return [...state.customers.reachableAccounts(psu), ...state.customers.reachableCardAccounts(psu)];
}

/** What the PSU had filled in when the page comes back with an error. */
interface IdentifyEntries {
  readonly nationalId: string;
  readonly context: PsuContext | undefined;
}

/** The first page: the mocked national identity number and the context, and for dynamic linking what is approved. */
function identifyPage(
  flow: ScaFlow,
  state: PsuState,
  error?: FormError,
  entries?: IdentifyEntries,
): BankAnswer {
  const approval = approvalOf(flow);
  return formPage(flow, state, {
    title: approval === undefined ? 'Log in to the bank' : `Approve ${approvedThings[approval.kind].title}`,
    introduction: html`${requester(flow)}
${approval && summary(approval.summary)}
${!flow.redirectPreferred && appNote}`,
    fields: html`${nationalIdField(error, entries?.nationalId ?? '')}
${contextField(flow, error, entries?.context)}`,
    go: approval === undefined ? 'Continue' : 'Approve',
    error,
  });
}

/** Who asks: the brand that the PSU knows, and the company behind it where that has another name. */
function requester(flow: ScaFlow): Html {
  const { tppName, tppOrganisation } = flow;
  const isBrand = tppOrganisation !== undefined && tppOrganisation !== tppName;
  return html`<div class="requester"><span class="mark" aria-hidden="true">${[...tppName.trim()][0]?.toUpperCase() ?? ''}</span>
<p><strong>${tppName}</strong>${isBrand && html` <small>a service of ${tppOrganisation}</small>`} ${asks(flow)}</p></div>`;
}

function asks({ purpose }: ScaFlow): string {
  if (purpose === 'consent')
    return 'asks for access to your accounts. You choose which ones on the next page.';
  if (purpose === 'identification')
    return 'asks you to identify yourself, so that you can pay from your accounts.';
  return `asks you to approve ${approvedThings[purpose.kind].text}.`;
}

const approvedThings = {
  payment: { title: 'a payment', text: 'this payment' },
  basket: { title: 'payments', text: 'these payments' },
  cancellation: { title: 'a withdrawal', text: 'that this payment is withdrawn' },
} as const satisfies Record<ApprovalTarget['kind'], object>;

const summary = (lines: readonly { readonly label: string; readonly value: string }[]): Html =>
  html`<dl class="summary">
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
function agreementPage(
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
function accountsPage(flow: ScaFlow, state: PsuState): BankAnswer {
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

/**
 * SCA is passed: the session begins (which ends an older one), the consent is what was ticked, the payment or basket
 * is approved. The redirect carries the parameters of Redirect after successful SCA and no others.
 */
function passFlow(flow: ScaFlow, state: PsuState, tickedAccountIds?: readonly string[]): BankAnswer {
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

const mostAttempts = 3;

/** The page that is due. */
export function currentPage(flow: ScaFlow, state: PsuState): BankAnswer {
  if (flow.step === 'agreement') return agreementPage(flow, state, agreementsIn(flow, state));
  if (flow.step === 'accounts') return accountsPage(flow, state);
  return identifyPage(flow, state);
}

/**
 * Goes as far as the form leads: a browser sends one page at a time, and a script may send everything at once
 * (`nationalId`, `context`, `agreement`, `accounts`).
 */
export function submitForm(flow: ScaFlow, state: PsuState, form: URLSearchParams): BankAnswer {
  if (form.get('action') === 'cancel') {
    return failFlow(flow, {
      status: 401,
      code: 'SCA_INVALID',
      message: 'The PSU cancelled the authentication',
    });
  }
  const filledIn = form.get('step') ?? flow.step;
  if (filledIn !== flow.step) return currentPage(flow, state);
  if (flow.step === 'identify') return identify(flow, state, form);
  if (flow.step === 'agreement') return chooseAgreement(flow, state, form);
  return chooseAccounts(flow, state, form);
}

function identify(flow: ScaFlow, state: PsuState, form: URLSearchParams): BankAnswer {
  const nationalId = form.get('nationalId') ?? '';
  const context = contextIn(flow, form);
  const again = (error: FormError): BankAnswer => identifyPage(flow, state, error, { nationalId, context });

  const customer = state.customers.byNumber(nationalId.replace(/\s/g, ''));
  // A flow that was started for a PSU cannot be passed by another one.
  if (
    customer === undefined ||
    customer.customerNumber !== (flow.customerNumber ?? customer.customerNumber)
  ) {
    return refuseNumber(flow, again);
  }
  if (context === undefined) return again({ field: 'context', text: 'Choose on whose behalf you act.' });
  const agreements = agreementsOf(customer, flow, state);
  const problem = problemOfContext(customer, context, agreements);
  if (problem !== undefined) return again({ field: 'context', text: problem });

  flow.identified = { customerNumber: customer.customerNumber, context };
  if (context === 'PRIVATE') return afterContext(flow, state, form);
  const [only, ...others] = agreements;
  if (only !== undefined && others.length === 0) return withAgreement(flow, state, form, only);
  flow.step = 'agreement';
  return form.has('agreement') ? chooseAgreement(flow, state, form) : currentPage(flow, state);
}

function refuseNumber(flow: ScaFlow, again: (error: FormError) => BankAnswer): BankAnswer {
  flow.failedAttempts += 1;
  const left = mostAttempts - flow.failedAttempts;
  if (left <= 0) {
    const message = 'The PSU gave a wrong national identity number three times';
    return failFlow(flow, { status: 401, code: 'PSU_CREDENTIALS_INVALID', message });
  }
  const text = `We do not know this national identity number. Check it and try again: ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`;
  return again({ field: 'nationalId', text });
}

function problemOfContext(
  { customerType }: Customer,
  context: PsuContext,
  agreements: readonly Agreement[],
): string | undefined {
  if (context === 'PRIVATE' && customerType === 'CORPORATE') {
    return 'This number belongs to the representative of a company. Choose to act for a company.';
  }
  if (context === 'CORPORATE' && agreements.length === 0) {
    return 'You have no agreement to act for a company. Choose to act for yourself.';
  }
  return undefined;
}

function chooseAgreement(flow: ScaFlow, state: PsuState, form: URLSearchParams): BankAnswer {
  const agreements = agreementsIn(flow, state);
  const chosen = agreements.find(({ id }) => id === form.get('agreement'));
  if (chosen !== undefined) return withAgreement(flow, state, form, chosen);
  return agreementPage(flow, state, agreements, {
    field: 'agreement',
    text: 'Choose one of the agreements.',
  });
}

function withAgreement(flow: ScaFlow, state: PsuState, form: URLSearchParams, { id }: Agreement): BankAnswer {
  flow.chosenAgreementId = id;
  return afterContext(flow, state, form);
}

function afterContext(flow: ScaFlow, state: PsuState, form: URLSearchParams): BankAnswer {
  if (flow.purpose !== 'consent') return passFlow(flow, state);
  flow.step = 'accounts';
  return form.has('accounts') ? chooseAccounts(flow, state, form) : currentPage(flow, state);
}

/** Ticks that name no account within the PSU's reach have no effect. `all` ticks every one, for scripts. */
function chooseAccounts(flow: ScaFlow, state: PsuState, form: URLSearchParams): BankAnswer {
  const ticked = new Set(form.getAll('accounts'));
  const granted = reachOf(actingPsu(flow), state).filter(({ id }) => ticked.has('all') || ticked.has(id));
  return passFlow(
    flow,
    state,
    granted.map(({ id }) => id),
  );
}

function contextIn(flow: ScaFlow, form: URLSearchParams): PsuContext | undefined {
  if (flow.context !== undefined) return flow.context;
  const context = form.get('context');
  return context === 'PRIVATE' || context === 'CORPORATE' ? context : undefined;
}

/** The agreements to choose from: the one that the request named, or all of the PSU. */
const agreementsOf = (customer: Customer, flow: ScaFlow, state: PsuState): readonly Agreement[] =>
  state.customers.agreementsOf(customer.customerNumber).filter(({ id }) => id === (flow.agreementId ?? id));

function agreementsIn(flow: ScaFlow, state: PsuState): readonly Agreement[] {
  const customer = state.customers.byNumber(flow.identified?.customerNumber ?? '');
  return customer === undefined ? [] : agreementsOf(customer, flow, state);
}
