import type { BankAnswer } from '../route.ts';
import type { Agreement } from '../sandbox/customers.ts';
import type { ScaFlow } from './flows.ts';
import { html } from './html.ts';
import { choice, type FormError, formPage } from './page-form.ts';
import type { PsuState } from './psu-state.ts';

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
