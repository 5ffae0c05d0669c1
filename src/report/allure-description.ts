import type { KillScore, KillScores } from '../checks/kill-score.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { shortened } from './exchange-text.ts';
import { htmlText } from './html-text.ts';
import { readingText } from './reading-text.ts';

/** The part of a result that an auditor reads first: what is demanded, what came, and how to see it again. */
export function describeResult(
  result: CheckResult,
  requirements: readonly Requirement[],
  header: RunHeader,
  killScores: KillScores = new Map(),
): string {
  return [
    ...requirements.map((requirement) => describeRequirement(requirement, header, killScores)),
    ...comparison(result),
    ...(result.counterexample === undefined
      ? []
      : [
          heading('Smallest failing case'),
          preformatted(readableJson(result.counterexample.value)),
          `<p>Found among ${result.cases} generated cases; path <code>${htmlText(result.counterexample.path)}</code>.</p>`,
        ]),
    ...(result.notes.length === 0
      ? []
      : [
          heading('Notes'),
          `<ul>${result.notes.map((note) => `<li>${htmlText(shortened(note, 2000))}</li>`).join('')}</ul>`,
        ]),
    heading('Reproduce'),
    preformatted(result.reproduce),
  ].join('\n');
}

function describeRequirement(
  { id, level, section, statement, interpretation }: Requirement,
  header: RunHeader,
  killScores: KillScores,
): string {
  const place = section.map(htmlText).join(' › ');
  const reading =
    interpretation === undefined ? '' : `<br>Reading: ${htmlText(readingText(interpretation, header))}`;
  return `<p><strong>${htmlText(id)}</strong> (${level}) ${htmlText(statement)}<br><em>${place}</em>${reading}${proofText(killScores.get(id))}</p>`;
}

const proofText = (score: KillScore | undefined): string =>
  score === undefined
    ? ''
    : `<br>Kill score: its checks notice ${score.killed} of ${score.total} ways to break it.`;

function comparison({ expected, actual }: CheckResult): readonly string[] {
  const line = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`<strong>${name}:</strong> ${htmlText(shortened(value, 2000))}`];
  const lines = [...line('Expected', expected), ...line('Actual', actual)];
  return lines.length === 0 ? [] : [`<p>${lines.join('<br>')}</p>`];
}

function heading(text: string): string {
  return `<p><strong>${text}</strong></p>`;
}

function preformatted(text: string): string {
  return `<pre><code>${htmlText(shortened(text, 8000))}</code></pre>`;
}

/** A counterexample is easier to read over several lines; one that is no JSON stays as it is. */
function readableJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
