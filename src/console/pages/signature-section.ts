import { type Html, html } from '../../bank/sca/html.ts';
import type { SignatureExplanation } from '../../signing/debugger/explain-signature.ts';
import { visibleText } from '../../signing/debugger/received-request.ts';
import type { Redactor } from '../../tpp/redaction.ts';

/** The signature of a request taken apart: what was signed next to what the bank computes. */
export function signatureSection(explanation: SignatureExplanation, redactor: Redactor): Html {
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
<dt>Serial number</dt><dd>${certificate.serialHex} in hexadecimal<br>${certificate.serialDecimal} in decimal</dd>
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
