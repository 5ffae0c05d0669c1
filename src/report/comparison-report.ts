import { groupedBy } from '../spec/grouped-by.ts';
import {
  type Change,
  type ComparedRun,
  type Comparison,
  changes,
  changeTitles,
  type RequirementChange,
} from './compare-runs.ts';
import { htmlText, oneLine, oneShortLine } from './harmless-text.ts';
import { table } from './matrix-parts.ts';
import { matrixStyle } from './matrix-style.ts';
import { isoTime, pageHead } from './page-head.ts';
import { type ConsoleOptions, painter, type Style } from './paint.ts';
import { wrap, wrappedLines } from './wrapped-text.ts';

const styles: Readonly<Record<Change, Style>> = {
  broke: ['bold', 'red'],
  excused: 'yellow',
  'still-broken': 'red',
  'became-unjudged': ['bold', 'magenta'],
  'warns-now': 'yellow',
  healed: ['bold', 'green'],
  'warns-no-longer': 'green',
  'became-judged': 'green',
  'never-exercised': 'gray',
};

/** Requirements of a kind that are shown; the others are counted. */
const mostShown = 20;

/** The comparison for a terminal: what broke comes first, and which runs these are last, next to the prompt. */
export function comparisonText(comparison: Comparison, options: ConsoleOptions): string {
  const { before, after, broke, counts, differences, requirements } = comparison;
  const paint = painter(options.colour);
  const { width } = options;
  const groups = [...groupedBy(requirements, ({ change }) => change)];
  const told = groups.map(([change, group]) => `${group.length} ${words[change]}`);
  return [
    `${broke ? paint(['bold', 'red'], 'BROKE') : paint(['bold', 'green'], 'NOTHING BROKE')}  ${wrap(told.join(', ') || 'the two runs agree', width - 15, '  ')}`,
    ...groups.map(([change, group]) =>
      [
        `${paint(styles[change], changeTitles[change])} ${paint('gray', `(${group.length})`)}`,
        ...(change === 'never-exercised'
          ? idLines(group, width)
          : group.slice(0, mostShown).flatMap((each) => changeLines(each, width))),
        ...(change !== 'never-exercised' && group.length > mostShown
          ? [`  and ${group.length - mostShown} more; --html FILE writes a page with all of them`]
          : []),
      ].join('\n'),
    ),
    ...(counts['became-unjudged'] > 0 && !broke
      ? [wrap('What became unjudged may be broken: see why it was not judged.', width)]
      : []),
    [
      `Before  ${runLine(before, width - 8)}`,
      `Now     ${runLine(after, width - 8)}`,
      ...differences.map(
        (line) => `  ${paint('yellow', '!')} ${wrap(`Differs: ${oneShortLine(line, 400)}`, width, '    ')}`,
      ),
    ].join('\n'),
  ].join('\n\n');
}

const words: Readonly<Record<Change, string>> = {
  broke: 'broke',
  excused: 'excused',
  'still-broken': 'still broken',
  'became-unjudged': 'became unjudged',
  'warns-now': 'warn now',
  healed: 'healed',
  'warns-no-longer': 'warn no longer',
  'became-judged': 'became judged',
  'never-exercised': 'never exercised',
};

const runLine = ({ name, startedAt, verdict }: ComparedRun, width: number): string =>
  oneShortLine(`${startedAt}, ${verdict}, ${name}`, width);

const idLines = (group: readonly RequirementChange[], width: number): readonly string[] =>
  wrappedLines(group.map(({ id }) => oneShortLine(id, 40)).join(', '), width - 2).map((line) => `  ${line}`);

function changeLines(
  { id, statement, before, after, checks }: RequirementChange,
  width: number,
): readonly string[] {
  const [first] = checks;
  const shown = checks.map((check) => check.id);
  const facts = [
    ...(first?.expected === undefined ? [] : [`Expected: ${oneShortLine(first.expected, 200)}`]),
    ...(first?.actual === undefined ? [] : [`Actual: ${oneShortLine(first.actual, 200)}`]),
    ...(first?.expected === undefined && first?.reason !== undefined
      ? [oneShortLine(first.reason, 300)]
      : []),
  ];
  return [
    `  ${oneShortLine(id, 40)}  ${before} → ${after}${shown.length === 0 ? '' : `  (${oneShortLine(shown.join(', '), Math.max(10, width - 40))})`}`,
    ...[oneLine(statement), ...facts].flatMap((text) =>
      wrappedLines(text, width - 4).map((line) => `    ${line}`),
    ),
  ];
}

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
          `<section aria-labelledby="${change}"><h2 id="${change}">${htmlText(changeTitles[change])} (${group.length})</h2>${changeTable(change, group)}</section>`,
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
${differences.length === 0 ? '' : `<ul class="problems">${differences.map((line) => `<li>Differs: ${htmlText(line)}</li>`).join('')}</ul>`}
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
  const row = (name: string, run: ComparedRun) => ({
    cells: [name, ...shown.map(([, of]) => htmlText(of(run) ?? '–'))],
  });
  return table(
    'The two runs',
    ['Run', ...shown.map(([fact]) => fact)],
    [row('Before', before), row('Now', after)],
  );
}

const changeTable = (change: Change, group: readonly RequirementChange[]): string =>
  table(
    changeTitles[change],
    ['Requirement', 'Statement', 'Before', 'Now', 'Seen in'],
    group.map(({ id, statement, before, after, checks }) => ({
      cells: [
        htmlText(id),
        { html: htmlText(statement), kind: 'wide' },
        badge(before),
        badge(after),
        { html: checks.map(evidence).join(''), kind: 'reason' },
      ],
    })),
    ['Before', 'Now'],
  );

const badge = (verdict: string): string =>
  `<span class="verdict ${htmlText(verdict)}">${htmlText(verdict.replace('-', ' '))}</span>`;

function evidence({ id, expected, actual, reason }: RequirementChange['checks'][number]): string {
  const told =
    expected === undefined ? (reason ?? '') : `Expected ${expected}. Actual: ${actual ?? 'nothing'}`;
  return `<div>${htmlText(id)}<small>${htmlText(told.slice(0, 600))}</small></div>`;
}
