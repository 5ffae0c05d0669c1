import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { changedFields } from './changed-fields.ts';
import { oneShortLine } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';
import { effortOf } from './run-times.ts';

/** A code host takes a megabyte of summary; nobody reads more failures than these. */
const mostFailures = 25;

/** A run in Markdown, for the summary page that a code host shows of a job. */
export function stepSummary(run: RunRecord, outcome: Outcome): string {
  const { header } = run;
  const broken = run.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  const counts = Object.entries(outcome.counts).filter(([, count]) => count > 0);
  return [
    `## ${marks[outcome.verdict]} ${plain(header.target.name, 200)}: ${outcome.verdict}`,
    `${counts.map(([verdict, count]) => `${count} ${verdict.replace('-', ' ')}`).join(', ') || 'no check was judged'} (${effortOf(run)})`,
    ...(outcome.part === undefined
      ? []
      : [`Only a part was judged (${plain(outcome.part, 200)}): it says nothing about the rest.`]),
    ...outcome.problems.map((problem) => `- ${plain(problem, 600)}`),
    [
      '| profile | verdict | requirements judged |',
      '|---|---|---|',
      ...outcome.profiles.map(
        ({ id, version, verdict, judged, binding }) =>
          `| ${id} ${version} | ${verdict} | ${judged} of ${binding} |`,
      ),
    ].join('\n'),
    ...(broken.length === 0
      ? []
      : [
          [
            '| check | expected | actual | changed |',
            '|---|---|---|---|',
            ...broken.slice(0, mostFailures).map((result) => failureRow(result, outcome)),
          ].join('\n'),
        ]),
    ...(broken.length > mostFailures
      ? [`${broken.length - mostFailures} more failures are in the report.`]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
}

const marks: Readonly<Record<Outcome['verdict'], string>> = {
  conformant: '✅',
  'non-conformant': '❌',
  incomplete: '⚠️',
  partial: '➖',
};

function failureRow(result: CheckResult, { excused }: Outcome): string {
  const { id, title, expected, actual, reason } = result;
  const changed = changedFields(result).map(
    ({ name, control = '(not there)', failing = '(not there)' }) => `${name}: ${control} → ${failing}`,
  );
  const cells = [
    `${id} ${title}${excused.has(id) ? ' (known deviation)' : ''}`,
    expected ?? '',
    actual ?? reason ?? '',
    changed.join('; '),
  ];
  return `| ${cells.map((text) => plain(text, 300)).join(' | ')} |`;
}

/** Text of anybody: as references it is shown as it stands, and is neither markup nor a link nor a mention. */
const plain = (text: string, limit: number): string =>
  oneShortLine(text, limit).replace(/[^\p{L}\p{N} ,]/gu, (sign) => `&#${sign.codePointAt(0)};`);
