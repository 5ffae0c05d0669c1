import { deviations } from '../../bank/deviations/index.ts';
import { dialects } from '../../bank/dialects/index.ts';
import { type Html, html } from '../../bank/sca/html.ts';
import { transactionStatuses } from '../../spec/code-lists.ts';
import type { ByHandState } from '../bank-by-hand.ts';

/** What can be done to the bank; each form is one endpoint. */
export const bankPage = (state: ByHandState): Html => html`<h1>The bank by hand</h1>
<p>Change how the bank answers your TPP from now on. Each form is an endpoint under <code>/console/api/bank</code>, so that your tests can do the same.</p>
<p class="said" id="said" role="status"></p>
<div id="bank-state" data-refresh="/console/bank">${stateSection(state)}</div>
<div class="forms">
${form(
  'behaviour',
  'Dialect or deviation',
  html`
<p class="small soft">A dialect is unusual and compliant, a deviation breaks a requirement. Both empty: the plain bank.</p>
${field('Dialect', html`<input name="dialects" list="dialects" data-list autocomplete="off" placeholder="errors/problem-json">`)}
${field('Deviation', html`<input name="deviations" list="deviations" data-list autocomplete="off" placeholder="AMT-02/unchecked">`)}
${field('Number of requests (empty: until changed)', html`<input name="requests" type="number" min="1" max="10000" data-number>`)}`,
  'Set',
)}
${form(
  'next-answer',
  'Answer the next requests',
  html`
${field('With', html`<select name="status" data-number><option value="429">429 Too Many Requests</option><option value="503">503 Service Unavailable</option></select>`)}
${field('Retry-After in seconds', html`<input name="retryAfterSeconds" type="number" min="0" max="86400" value="2" data-number>`)}
${field('Number of requests', html`<input name="requests" type="number" min="1" max="10000" value="1" data-number>`)}`,
  'Set',
)}
${form(
  'clock',
  'Clock',
  html`
<p class="small soft">Seconds that the bank’s clock is ahead of this machine’s; 3601 lets every session of now expire, 15552000 are 180 days.</p>
${field('Seconds ahead', html`<input name="offsetSeconds" type="number" value="${state.clock.offsetSeconds}" data-number>`)}`,
  'Move',
)}
${form(
  'sessions/expire',
  'Expire a session',
  html`
${field('TPP-Session-ID (empty: all)', html`<input name="tppSessionId" list="sessions" autocomplete="off">`)}`,
  'Expire',
)}
${form(
  'payments/status',
  'Status of a payment',
  html`
${field('Payment', html`<input name="paymentId" list="payments" autocomplete="off" required>`)}
${field('Status', html`<select name="transactionStatus">${transactionStatuses.map((status) => html`<option>${status}</option>`)}</select>`)}`,
  'Change',
)}
${form('reset', 'Reset', html`<p class="small soft">Customers, sessions, payments, clock and behaviour are as when the bank was started.</p>`, 'Reset the bank')}
</div>
<datalist id="dialects">${dialects.map(({ id, title }) => html`<option value="${id}">${title}</option>`)}</datalist>
<datalist id="deviations">${deviations.map(({ id, title }) => html`<option value="${id}">${title}</option>`)}</datalist>`;

const form = (endpoint: string, title: string, fields: Html, go: string): Html =>
  html`<form class="card" data-endpoint="/console/api/bank/${endpoint}" aria-label="${title}"><h2>${title}</h2>${fields}<button type="submit">${go}</button></form>`;

const field = (label: string, input: Html): Html =>
  html`<div class="field"><label>${label}${input}</label></div>`;

/** How the bank is now; the script fetches it anew after each change. */
function stateSection({ behaviour, nextAnswer, clock, sessions, payments }: ByHandState): Html {
  const chosen = [...behaviour.dialects, ...behaviour.deviations];
  return html`<section class="card" aria-label="How the bank is now"><dl class="facts">
<dt>Behaviour</dt><dd>${chosen.length === 0 ? 'compliant and plain' : chosen.join(', ')}${behaviour.requests !== undefined && html` for ${behaviour.requests} requests`}</dd>
<dt>Clock</dt><dd>${clock.now}${clock.offsetSeconds !== 0 && html` (${clock.offsetSeconds} seconds ahead)`}</dd>
<dt>Next answer</dt><dd>${nextAnswer === undefined ? 'as the rules have it' : `${nextAnswer.status} for ${nextAnswer.requests} ${nextAnswer.requests === 1 ? 'request' : 'requests'}, Retry-After ${nextAnswer.retryAfterSeconds}`}</dd>
</dl>
<details><summary>Sessions (${sessions.length})</summary><div class="scroll"><table><thead><tr><th>TPP-Session-ID</th><th>PSU</th><th>Context</th><th>SCA passed</th><th>Holds</th></tr></thead><tbody>
${sessions.map(({ tppSessionId, customer, context, passedAt, holds }) => html`<tr><td><code>${tppSessionId}</code></td><td>${customer ?? ''}</td><td>${context}</td><td>${passedAt}</td><td>${holds ? 'yes' : 'no'}</td></tr>`)}
</tbody></table></div></details>
<details><summary>Payments (${payments.length})</summary><div class="scroll"><table><thead><tr><th>Payment</th><th>Amount</th><th>To</th><th>Status</th><th>Created</th></tr></thead><tbody>
${payments.map(({ paymentId, amount, currency, creditor, transactionStatus, createdAt }) => html`<tr><td><code>${paymentId}</code></td><td>${amount ?? ''} ${currency ?? ''}</td><td>${creditor ?? ''}</td><td>${transactionStatus}</td><td>${createdAt}</td></tr>`)}
</tbody></table></div></details>
<datalist id="sessions">${sessions.filter(({ holds }) => holds).map(({ tppSessionId, customer }) => html`<option value="${tppSessionId}">${customer ?? ''}</option>`)}</datalist>
<datalist id="payments">${payments.map(({ paymentId, amount, currency, transactionStatus }) => html`<option value="${paymentId}">${amount ?? ''} ${currency ?? ''} ${transactionStatus}</option>`)}</datalist>
</section>`;
}
