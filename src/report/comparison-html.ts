import { groupedBy } from '../spec/grouped-by.ts';
import {
  type ComparedRun,
  type Comparison,
  changes,
  changeTitles,
  type RequirementChange,
} from './compare-runs.ts';
import { htmlText } from './harmless-text.ts';
import { matrixStyle } from './matrix-style.ts';
import { isoTime, pageHead } from './page-head.ts';

/** The comparison as one page with the look of `requirements.html`. It loads nothing and runs no script. */
export function comparisonHtml({
  before,
  after,
  broke,
  differences,
  counts,
  requirements,
}: Comparison): string {
  const groups = groupedBy(requirements, ({ change }) => change);
  const sections = changes.flatMap((change) => {
    const group = groups.get(change);
    return group === undefined
      ? []
      : [
          `<section aria-labelledby="${change}"><h2 id="${change}">${htmlText(changeTitles[change])} (${group.length})</h2>${table(group)}</section>`,
        ];
  });
  const verdict = broke ? 'something broke' : 'nothing broke';
  const tally = changes
    .filter((change) => counts[change] > 0)
    .map(
      (change) =>
        `<li><b>${counts[change]}</b><a href="#${change}">${htmlText(change.replaceAll('-', ' '))}</a></li>`,
    );
  return `${pageHead({ title: `Two runs — ${after.name}: ${verdict}`, style: matrixStyle })}
<body>
<header>
<p class="eyebrow">${htmlText(after.tool.name)} · two runs compared</p>
<h1>${htmlText(after.name)} <span class="overall ${broke ? 'non-conformant' : 'conformant'}">${verdict}</span></h1>
${differences.length === 0 ? '' : `<ul class="problems">${differences.map((line) => `<li>The runs differ in ${htmlText(line)}.</li>`).join('')}</ul>`}
${runTable(before, after)}
</header>
<main>
<h2>Summary</h2>
${tally.length === 0 ? '<p>The two runs agree on every requirement.</p>' : `<ul class="counts">${tally.join('')}</ul>`}
${sections.join('\n')}
</main>
<footer>${htmlText(after.tool.name)} ${htmlText(after.tool.version)}. Requirements that hold in both runs are not listed. This page loads nothing and runs no script.</footer>
</body>
</html>
`;
}

function runTable(before: ComparedRun, after: ComparedRun): string {
  const facts: readonly (readonly [string, (run: ComparedRun) => string | undefined])[] = [
    ['Started', ({ startedAt }) => isoTime(startedAt)],
    ['Verdict', ({ verdict }) => verdict],
    ['Address', ({ baseUrl }) => baseUrl],
    ['Tool', ({ tool }) => tool.version],
    ['Catalogue', ({ catalogue }) => catalogue],
    ['Seed', ({ seed }) => seed?.toString()],
    ['Part', ({ selection }) => selection],
  ];
  const shown = facts.filter(([, of]) => of(before) !== undefined || of(after) !== undefined);
  const row = (name: string, run: ComparedRun): string =>
    `<tr><th scope="row">${name}</th>${shown.map(([fact, of]) => `<td data-label="${fact}">${htmlText(of(run) ?? '–')}</td>`).join('')}</tr>`;
  return `<div class="scroll"><table aria-label="The two runs"><thead><tr><th scope="col">Run</th>${shown.map(([fact]) => `<th scope="col">${fact}</th>`).join('')}</tr></thead><tbody>${row('Before', before)}${row('Now', after)}</tbody></table></div>`;
}

function table(group: readonly RequirementChange[]): string {
  const rows = group.map(
    ({ id, statement, before, after, checks }) =>
      `<tr><th scope="row">${htmlText(id)}</th><td class="wide">${htmlText(statement)}</td><td data-label="Before">${badge(before)}</td><td data-label="Now">${badge(after)}</td><td class="reason">${checks.map(evidence).join('')}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th scope="col">Requirement</th><th scope="col">Statement</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col">Seen in</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

const badge = (verdict: string): string =>
  `<span class="verdict ${htmlText(verdict)}">${htmlText(verdict.replace('-', ' '))}</span>`;

function evidence({ id, expected, actual, reason }: RequirementChange['checks'][number]): string {
  const told =
    expected === undefined ? (reason ?? '') : `Expected ${expected}. Actual: ${actual ?? 'nothing'}`;
  return `<div>${htmlText(id)}<small>${htmlText(told.slice(0, 600))}</small></div>`;
}
