import { type Html, html } from '../../bank/sca/html.ts';
import type { CertificationEnd, CertificationState, JourneyState } from '../certification-view.ts';
import { reportFolder } from '../guard.ts';

/** A certification as it goes on; the script fetches the parts anew when something is new. */
export function certificationPage(state: CertificationState, canSign: boolean): Html {
  const hint = state.ending ? 'none' : canSign ? 'curl' : 'requests';
  const due = state.journeys.filter(({ mandatory }) => mandatory);
  const optional = state.journeys.filter(({ mandatory }) => !mandatory);
  return html`<h1>Certification</h1>
<div id="certification-head" data-live-part>${headSection(state, due)}</div>
<p class="said" id="said" role="status"></p>
<div id="certification-failures" class="failures" data-live-part>${failureSection(state)}</div>
<section aria-labelledby="mandatory"><h2 id="mandatory">Mandatory journeys</h2>
<ul class="journeys">${due.map((journey) => journeyItem(journey, hint))}</ul></section>
<section class="apart" aria-labelledby="optional"><h2 id="optional">Further journeys</h2>
<p class="soft small">Optional: a verdict does not wait for them, but whatever the TPP shows is judged.</p>
<ul class="journeys">${optional.map((journey) => journeyItem(journey, hint))}</ul></section>`;
}

function headSection(
  { profiles, requests, requirementsSeen, ending, end }: CertificationState,
  due: readonly JourneyState[],
): Html {
  const done = due.filter(({ complete }) => complete).length;
  return html`<section class="card">
${end !== undefined && endSection(end)}
<p><strong>${done} of ${due.length} mandatory journeys complete</strong>, ${requests} ${requests === 1 ? 'request' : 'requests'}, ${requirementsSeen} ${requirementsSeen === 1 ? 'requirement' : 'requirements'} seen.</p>
<progress value="${done}" max="${due.length}" aria-label="Mandatory journeys"></progress>
<p class="soft">Profiles: ${profiles.join(', ')}</p>
${
  end === undefined &&
  html`<div class="actions"><button type="button" id="finish"${ending && html` disabled`}>${ending ? 'The reports are being written' : 'Finish and judge'}</button></div>`
}
</section>`;
}

const endSection = ({ verdict, profiles, folder, reports }: CertificationEnd): Html =>
  html`<div class="verdict${verdict !== 'conformant' && ' bad'}" id="verdict"><p><strong>Verdict: ${verdict}</strong></p></div>
<table class="narrow"><tbody>${Object.entries(profiles).map(([id, own]) => html`<tr><td>${id}</td><td><span class="badge ${own === 'conformant' ? 'ok' : 'no'}">${own}</span></td></tr>`)}</tbody></table>
<h3 class="apart">Reports</h3>
<ul class="reports">${reports.map((name) => html`<li><a href="${reportFolder}/${name}" target="_blank" rel="noreferrer">${name}</a> <span class="soft">${reportPurposes[name] ?? ''}</span></li>`)}</ul>
<p class="soft small">They stay in <code>${folder}</code> when this page is closed.</p>`;

const reportPurposes: Readonly<Record<string, string>> = {
  'report.html': 'what is wrong and what to do, and every check',
  'requirements.html': 'every requirement, for auditors',
  'certificate.html': 'one page to hand over',
  'summary.json': 'the verdicts, for programs',
  'junit.xml': 'the verdicts, for a build server',
  'badge.svg': 'the verdict as a badge',
  'allure.html': 'the checks as Allure shows them',
};

const failureSection = ({ failures, end }: Pick<CertificationState, 'failures' | 'end'>): Html =>
  failures.length === 0
    ? html``
    : html`<section class="card" aria-labelledby="failures"><h2 id="failures">${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}${end === undefined && ' seen so far'}</h2>
<ol class="refusals">${failures.map(
        ({
          id,
          title,
          verdict,
          requirements,
          expected,
          actual,
        }) => html`<li><h3><span class="badge ${verdict === 'fail' ? 'no' : 'must'}">${id}</span> ${title}</h3>
${requirements.filter(({ statement }) => !isSaidBy(title, statement)).map((requirement) => html`<p class="small soft">${requirement.id}: ${requirement.statement}</p>`)}
${expected !== undefined && html`<p><strong>Expected:</strong> ${expected}</p>`}
${actual !== undefined && html`<p><strong>Actual:</strong> ${withLinks(actual)}</p>`}</li>`,
      )}</ol></section>`;

/** Many a check is called as its requirement reads. */
const isSaidBy = (title: string, statement: string): boolean =>
  statement.replace(/\.$/, '').toLowerCase() === title.toLowerCase();

/** Names such as PSU-ID stay on one line, where a browser would break them at their hyphens. */
const unbroken = (text: string): Html =>
  text
    .split(/(\w+(?:-\w+)+)/)
    .reduce(
      (before, part, index) =>
        index % 2 === 1 ? html`${before}<span class="whole">${part}</span>` : html`${before}${part}`,
      html``,
    );

/** `(request 12)` leads to that request. */
const withLinks = (text: string): Html =>
  text
    .split(/(?<=\(request )(\d{1,9})(?=\))/)
    .reduce(
      (before, part, index) =>
        index % 2 === 1
          ? html`${before}<a href="/console/requests/${part}">${part}</a>`
          : html`${before}${part}`,
      html``,
    );

/** How to go through a journey: ready commands, what to request, or nothing once it is over. */
type Hint = 'curl' | 'requests' | 'none';

const journeyItem = (journey: JourneyState, hint: Hint): Html => {
  const { id, title, goal, requests, steps, mandatory, complete } = journey;
  return html`<li id="journey-${id}" data-live-part class="${complete ? 'complete' : mandatory ? 'due' : 'open'}"><h3><span class="badge ${complete ? 'ok' : mandatory ? 'must' : ''}">${complete ? 'complete' : hint === 'none' ? 'not shown' : mandatory ? 'to do' : 'optional'}</span> ${title} <code class="soft">${id}</code></h3>
<p>${unbroken(goal)}</p>
${
  !complete &&
  hint !== 'none' &&
  html`<details><summary>How</summary>
${hint === 'curl' ? html`<ol class="steps">${steps.map((says, index) => html`<li>${says} <button type="button" class="second small" data-step="/console/api/certification/journeys/${id}/steps/${index}">Make curl</button></li>`)}</ol>` : html`<ol class="steps">${requests.map((request) => html`<li>${request}</li>`)}</ol>`}
</details>`
}</li>`;
};
