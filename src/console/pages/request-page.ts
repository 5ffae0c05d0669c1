import { type Html, html } from '../../bank/sca/html.ts';
import type { SignatureExplanation } from '../../signing/debugger/explain-signature.ts';
import type { Redactor } from '../../tpp/redaction.ts';
import type { ShownMessage, ShownRequest } from '../shown-request.ts';
import { statusBadge } from './layout.ts';
import { signatureSection } from './signature-section.ts';

export interface RequestPageOptions {
  readonly showsTestData: boolean;
  /** Why it cannot be sent again; undefined where it can. */
  readonly replayProblem: string | undefined;
  /** Undefined for what is not signed: the PSU at the pages. */
  readonly signature: SignatureExplanation | undefined;
  readonly redactor: Redactor;
}

/** One request in full. */
export function requestPage(shown: ShownRequest, options: RequestPageOptions): Html {
  const { row, request, response, refusals } = shown;
  const { showsTestData, replayProblem, signature, redactor } = options;
  return html`<p class="small"><a href="/console">← All requests</a></p>
<h1>${statusBadge(row.status)} ${row.method} ${row.path}</h1>
<dl class="facts">
<dt>Request</dt><dd>${row.number}${row.replayOf !== undefined && html`, a replay of <a href="/console/requests/${row.replayOf}">${row.replayOf}</a>`}</dd>
<dt>Received</dt><dd>${row.at.replace('T', ' ').replace('Z', ' UTC')}, answered after ${row.durationMs} ms</dd>
<dt>Operation</dt><dd>${shown.operation}</dd>
${row.psu !== undefined && html`<dt>PSU</dt><dd>${row.psu}</dd>`}
${row.journey !== undefined && html`<dt>Journey</dt><dd>${row.journey}</dd>`}
</dl>
<div class="actions">
<button type="button" data-copy="/console/api/requests/${row.number}/curl">Copy as curl</button>
<button type="button" class="second" data-replay="${row.number}"${replayProblem !== undefined && html` disabled aria-describedby="no-replay"`}>Replay freshly signed</button>
<a class="button second" href="?show=${showsTestData ? 'redacted' : 'test-data'}">${showsTestData ? 'Hide test data' : 'Show test data'}</a>
<span class="said" id="said" role="status"></span>
</div>
${replayProblem !== undefined && html`<p class="soft small" id="no-replay">Not to be replayed: ${replayProblem}</p>`}
<p class="soft small">${
    showsTestData
      ? 'Mocked people and their sessions are shown; certificates and signatures never are.'
      : 'People, sessions, certificates and signatures are hidden. “Show test data” shows mocked people and their sessions.'
  } The curl command holds the request as it came: it works for a minute after it was signed.</p>
${refusals.length > 0 && refusalSection(shown)}
${signature !== undefined && signatureSection(signature, redactor)}
<div class="two">
<section class="card" aria-labelledby="the-request"><h2 id="the-request">Request</h2>${messageSection(request)}</section>
<section class="card" aria-labelledby="the-answer"><h2 id="the-answer">Answer ${response.status}</h2>${messageSection(response)}</section>
</div>`;
}

const refusalSection = ({ refusals }: ShownRequest): Html =>
  html`<section class="card" id="refusals" aria-labelledby="refused-by"><h2 id="refused-by">${refusals.length === 1 ? 'The rule that refused it' : `${refusals.length} rules refuse it; the first was answered`}</h2>
<ol class="refusals">${refusals.map(
    ({ requirement, statement, rule, text, path, advice }, index) => html`<li>
<h3><span class="badge ${index === 0 ? 'no' : 'must'}">${requirement}</span> ${text}</h3>
<p class="small soft">Rule: ${rule}${path !== undefined && html` · at <code>${path}</code>`}</p>
${statement !== undefined && html`<p>${statement}</p>`}
${advice !== undefined && html`<p><strong>What to do:</strong> ${advice}</p>`}
</li>`,
  )}</ol></section>`;

const messageSection = ({
  headers,
  body,
  pretty,
  cut,
}: ShownMessage): Html => html`<table class="headers"><tbody>
${headers.map(([name, value]) => html`<tr><td>${name}</td><td>${value}</td></tr>`)}
</tbody></table>
${body === '' && html`<p class="soft">No body.</p>`}
${pretty !== undefined && html`<details open><summary>Body, pretty</summary><pre>${pretty}</pre></details>`}
${body !== '' && html`<details${pretty === undefined && html` open`}><summary>Body, raw</summary><pre>${body}</pre></details>`}
${cut > 0 && html`<p class="soft small">${cut} more characters are not shown.</p>`}`;
