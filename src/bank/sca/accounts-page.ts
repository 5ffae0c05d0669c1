import type { BankAnswer } from '../route.ts';
import type { Account, CardAccount } from '../sandbox/accounts.ts';
import { actingPsu, reachOf } from './acting-psu.ts';
import type { ScaFlow } from './flows.ts';
import { html } from './html.ts';
import { choice, formPage } from './page-form.ts';
import type { PsuState } from './psu-state.ts';

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
