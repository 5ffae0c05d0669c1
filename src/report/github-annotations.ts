import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { oneShortLine, withoutLinks } from './harmless-text.ts';
import type { Outcome } from './outcome.ts';
import { changeLines } from './shown-changes.ts';

/** GitHub shows ten annotations of a kind per step; the rest stand in the reports. */
const shown = 10;

/**
 * Workflow commands of GitHub Actions, one per line: each cause of what keeps the run from being conformant as an error, should-level
 * findings as warnings, excused ones as notices.
 */
export function githubAnnotations(run: RunRecord, outcome: Outcome): readonly string[] {
  const broken = run.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  const errors = [
    ...outcome.causes.map(({ leading, sentence, remedies: [first] }) =>
      annotate('error', leading, [sentence, ...(first === undefined ? [] : [`Remedy: ${first.remedy}`])]),
    ),
    ...broken.filter(({ verdict }) => verdict === 'error').map((result) => annotate('error', result)),
  ];
  const problems = outcome.problems.map((problem) =>
    command('error', outcome.verdict, withoutLinks(oneShortLine(problem, 600))),
  );
  const warnings = run.results
    .filter(({ verdict }) => verdict === 'warning' || verdict === 'inconclusive')
    .map((result) => annotate('warning', result));
  const notices = broken
    .filter(({ id }) => outcome.excused.has(id))
    .map((result) => annotate('notice', result));
  return [[...problems, ...errors], warnings, notices].flatMap((group) => group.slice(0, shown));
}

type Kind = 'error' | 'warning' | 'notice';

function annotate(kind: Kind, result: CheckResult, more: readonly string[] = []): string {
  const { id, title, reason, verdict, reproduce } = result;
  const changed = changeLines(result, 180);
  return command(
    kind,
    oneShortLine(`${id} ${title}`, 400),
    [
      ...[oneShortLine(reason ?? verdict, 600), ...changed, ...more].map(withoutLinks),
      oneShortLine(reproduce, 1_000),
    ].join('\n'),
  );
}

const command = (kind: Kind, title: string, message: string): string =>
  `::${kind} title=${property(title)}::${data(message)}`;

/** https://docs.github.com/actions: percent signs and line breaks end a command, in properties colons and commas too. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
