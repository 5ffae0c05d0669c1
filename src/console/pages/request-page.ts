import { type Html, html } from '../../bank/sca/html.ts';
import type { SignatureExplanation } from '../../signing/debugger/explain-signature.ts';
import { visibleText } from '../../signing/debugger/received-request.ts';
import type { Redactor } from '../../tpp/redaction.ts';
import type { ShownMessage, ShownRequest } from '../shown-request.ts';
import { statusBadge } from './layout.ts';

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
${headers.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
</tbody></table>
${body === '' && html`<p class="soft">No body.</p>`}
${pretty !== undefined && html`<details open><summary>Body, pretty</summary><pre>${pretty}</pre></details>`}
${body !== '' && html`<details${pretty === undefined && html` open`}><summary>Body, raw</summary><pre>${body}</pre></details>`}
${cut > 0 && html`<p class="soft small">${cut} more characters are not shown.</p>`}`;

/** The signature of a request taken apart: what was signed next to what the bank computes. */
function signatureSection(explanation: SignatureExplanation, redactor: Redactor): Html {
  const { verdict, summary, findings, parts, certificate, digest } = explanation;
  const told = findings.find(({ problem }) => problem === summary);
  const further = findings.filter((finding) => finding !== told);
  return html`<section class="card" id="signature" aria-labelledby="the-signature"><h2 id="the-signature">Signature</h2>
<div class="verdict${verdict === 'refused' && ' bad'}"><p><strong>${summary}</strong></p>
${told !== undefined && html`<p><strong>What to do:</strong> ${told.remedy} <span class="soft small">(${told.requirement})</span></p>`}</div>
${
  further.length > 0 &&
  html`<ol class="refusals">${further.map(
    ({
      requirement,
      problem,
      remedy,
    }) => html`<li><h3><span class="badge no">${requirement}</span> ${problem}</h3>
<p><strong>What to do:</strong> ${remedy}</p></li>`,
  )}</ol>`
}
${signingStrings(explanation, redactor)}
<div class="two">
<div><h3>Signature header</h3><dl class="facts">
<dt>keyId</dt><dd>${parts?.keyId ?? 'none'}</dd>
<dt>algorithm</dt><dd>${parts?.algorithm ?? 'none'}</dd>
<dt>headers</dt><dd>${parts?.headers ?? 'none'}</dd>
<dt>signature</dt><dd>${parts?.signature === undefined ? 'none' : `${parts.signature.length} characters, beginning with ${parts.signature.slice(0, 12)}`}</dd>
</dl></div>
<div><h3>Certificate</h3>${
    certificate === undefined
      ? html`<p class="soft">None that can be read.</p>`
      : html`<dl class="facts">
<dt>Subject</dt><dd>${certificate.subject}</dd>
<dt>Serial, hex</dt><dd>${certificate.serialHex}</dd>
<dt>Serial, decimal</dt><dd>${certificate.serialDecimal}</dd>
<dt>Issuer, RFC 2253</dt><dd>${certificate.issuer.rfc2253}</dd>
<dt>Issuer, OpenSSL</dt><dd>${certificate.issuer.openssl}</dd>
<dt>Issuer, Java toString()</dt><dd>${certificate.issuer.java}</dd>
<dt>Right keyId</dt><dd>${certificate.keyId}</dd>
</dl>`
  }</div>
</div>
${
  digest.digests.length > 0 &&
  html`<h3>Digest</h3><dl class="facts"><dt>Header</dt><dd><code>${digest.header ?? 'none'}</code>${digest.headerIs !== undefined && html`<br>is ${digest.headerIs.startsWith('the body') ? 'that of' : ''} ${digest.headerIs}`}</dd>
${digest.digests.map(({ of, value }) => html`<dt>Of ${of}</dt><dd><code>${value}</code></dd>`)}</dl>`
}
</section>`;
}

function signingStrings({ signingString, signed, hashes }: SignatureExplanation, redactor: Redactor): Html {
  const computed = signingString.map(([name, value]) => `${name}: ${value}`).join('\n');
  const expected = linesOf(computed);
  if (expected.length === 0) return html``;
  const other = signed !== undefined && signed.text !== computed ? linesOf(signed.text) : undefined;
  const shownLine = (line: string): string => visibleText(redactor.text(line));
  const shown = (lines: readonly string[], others: readonly string[] | undefined): Html =>
    html`<ol class="signing">${lines.map(
      (line, index) =>
        html`<li><span class="n">${index + 1}</span><span class="t">${others === undefined ? shownLine(line) : marked(shownLine(line), shownLine(others[index] ?? ''))}</span></li>`,
    )}</ol>`;
  return html`<div class="strings ${other !== undefined && 'two'}">
<div><h3>The bank computes</h3>${shown(expected, other)}</div>
${other !== undefined && html`<div><h3>The TPP signed</h3>${shown(other, expected)}</div>`}
</div>
<p class="soft small">↵ is a newline, ‹CR› a carriage return, ⇥ a tab, · a space that is easily missed.
${hashes !== undefined && html`SHA-256 of what the bank computes: <code>${hashes.computed}</code>.`}
${hashes?.signed !== undefined && signed === undefined && html`Hash inside the signature: <code>${hashes.signed}</code>.`}</p>`;
}

/** A line with what differs from another one marked: no more than that, where they begin or end alike. */
function marked(line: string, other: string): Html {
  const most = Math.min(line.length, other.length);
  let start = 0;
  while (start < most && line[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && line.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = line.slice(start, line.length - end);
  return html`${line.slice(0, start)}${middle !== '' && html`<mark>${middle}</mark>`}${line.slice(line.length - end)}`;
}

/** Lines with the signs that end them. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
