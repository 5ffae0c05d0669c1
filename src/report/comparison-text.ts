import { groupedBy } from '../spec/grouped-by.ts';
import {
  type Change,
  type ComparedRun,
  type Comparison,
  changeTitles,
  type RequirementChange,
} from './compare-runs.ts';
import { oneLine, oneShortLine } from './harmless-text.ts';
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
const mostShown = 40;

/** The comparison for a terminal: what changed, worst last, next to the prompt. */
export function comparisonText(comparison: Comparison, options: ConsoleOptions): string {
  const { before, after, broke, counts, differences, requirements } = comparison;
  const paint = painter(options.colour);
  const { width } = options;
  const groups = [...groupedBy(requirements, ({ change }) => change)].toReversed();
  const told = [...groups].toReversed().map(([change, group]) => `${group.length} ${words[change]}`);
  return [
    [
      `Before  ${runLine(before, width - 8)}`,
      `Now     ${runLine(after, width - 8)}`,
      ...differences.map(
        (line) => `  ${paint('yellow', '!')} ${wrap(`Differs: ${oneShortLine(line, 400)}`, width, '    ')}`,
      ),
    ].join('\n'),
    ...groups.map(([change, group]) =>
      [
        `${paint(styles[change], changeTitles[change])} ${paint('gray', `(${group.length})`)}`,
        ...(change === 'never-exercised'
          ? idLines(group, width)
          : group.slice(0, mostShown).flatMap((each) => changeLines(each, width))),
        ...(change !== 'never-exercised' && group.length > mostShown
          ? [`  and ${group.length - mostShown} more`]
          : []),
      ].join('\n'),
    ),
    `${broke ? paint(['bold', 'red'], 'BROKE') : paint(['bold', 'green'], 'NOTHING BROKE')}  ${wrap(told.join(', ') || 'the two runs agree', width - 15, '  ')}`,
    ...(counts['became-unjudged'] > 0 && !broke
      ? [wrap('What became unjudged may be broken: see why it was not judged.', width)]
      : []),
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
