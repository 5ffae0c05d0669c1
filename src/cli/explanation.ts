import type { Interpretation } from '../spec/interpretations.ts';
import type { Remedy } from '../spec/remedies.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { type Paint, painter } from './paint.ts';
import { wrap } from './wrap.ts';

/** What `explain` says about an id. */
export interface Explanation {
  readonly kind: 'requirement' | 'check' | 'interpretation';
  readonly id: string;
  /** The requirement itself, those that the check cites, or those that rest on the interpretation. */
  readonly requirements: readonly Requirement[];
  readonly readings: readonly Interpretation[];
  readonly checks: readonly ExplainedCheck[];
  readonly remedies: readonly Remedy[];
  /** Ways in which the reference bank can break it on purpose. */
  readonly deviations: readonly { readonly id: string; readonly title: string }[];
}

export interface ExplainedCheck {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly level?: Level;
  readonly steps: readonly string[];
  readonly expected: string;
  /** What to add to a target file that lacks it. */
  readonly needs: readonly string[];
  readonly judges: Requirement['side'];
}

export interface ExplanationOptions {
  readonly colour: boolean;
  readonly width: number;
}

/** As prose for a terminal. */
export function renderExplanation(explanation: Explanation, { colour, width }: ExplanationOptions): string {
  const paint = painter(colour);
  const parts =
    explanation.kind === 'interpretation'
      ? [
          ...explanation.readings.map((reading) => readingText(reading, width, paint)),
          resting(explanation, width, paint),
        ]
      : [
          ...explanation.requirements.map((requirement) => requirementText(requirement, width, paint)),
          ...explanation.readings.map((reading) => readingText(reading, width, paint)),
          checksText(explanation, width, paint),
          remediesText(explanation, width, paint),
          deviationsText(explanation, width, paint),
          runText(explanation, paint),
        ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function requirementText(requirement: Requirement, width: number, paint: Paint): string {
  const { id, statement, section, level, side, unobservable } = requirement;
  return [
    `${paint('bold', id)}  ${level}, ${side === 'bank' ? 'binds the bank' : 'binds the TPP'}`,
    `  ${wrap(statement, width, '  ')}`,
    `  ${paint('gray', `Section: ${section.join(' / ')}`)}`,
    ...(unobservable === undefined ? [] : [`  ${wrap(`No check judges it: ${unobservable}.`, width, '  ')}`]),
  ].join('\n');
}

function readingText(reading: Interpretation, width: number, paint: Paint): string {
  const { id, question, values, default: byDefault } = reading;
  return [
    `${paint('bold', 'Reading')}  ${id}`,
    `  ${wrap(question, width, '  ')}`,
    ...Object.entries(values).map(([value, meaning]) => {
      const mark = value === byDefault ? ' (default)' : '';
      return `  ${paint('cyan', value)}${mark}: ${wrap(meaning, width, '    ')}`;
    }),
    ...(Object.keys(values).length > 1
      ? [`  ${paint('gray', `Another one is chosen in the target file under interpretations.${id}.`)}`]
      : []),
  ].join('\n');
}

const resting = ({ requirements }: Explanation, width: number, paint: Paint): string =>
  requirements.length === 0
    ? 'No single requirement rests on it: it holds for all checks.'
    : [
        paint('bold', 'Requirements that rest on it'),
        ...requirements.map(
          ({ id, statement }) => `  ${id.padEnd(7)} ${wrap(statement, width, '          ')}`,
        ),
      ].join('\n');

function checksText({ checks }: Explanation, width: number, paint: Paint): string {
  return checks
    .map(({ id, title, suite, level, steps, expected, needs }) =>
      [
        `${paint('bold', `Check ${id}`)}  ${paint('gray', `${suite}${level === undefined ? ', not judged by default' : `, ${level}`}`)}`,
        `  ${wrap(title, width, '  ')}`,
        ...steps.map((step, index) => `  ${index + 1}. ${wrap(step, width, '     ')}`),
        ...(expected === ''
          ? []
          : [`  ${paint('green', 'Expected')}  ${wrap(expected, width, '            ')}`]),
        ...needs.map((need) => `  ${paint('gray', 'Needs')}     ${wrap(need, width, '            ')}`),
      ].join('\n'),
    )
    .join('\n\n');
}

const remediesText = ({ remedies }: Explanation, width: number, paint: Paint): string =>
  remedies.length === 0
    ? ''
    : [
        paint('bold', 'Typical causes, and what remedies them'),
        ...remedies.flatMap(({ cause, remedy }) => [
          `  - ${wrap(cause, width, '    ')}`,
          `    ${paint('green', wrap(remedy, width, '    '))}`,
        ]),
      ].join('\n');

const deviationsText = ({ deviations }: Explanation, width: number, paint: Paint): string =>
  deviations.length === 0
    ? ''
    : [
        paint('bold', 'See it broken: serve --deviation with one of these'),
        ...deviations.map(({ id, title }) => `  ${id}  ${paint('gray', wrap(title, width, '    '))}`),
      ].join('\n');

const runText = ({ id, checks }: Explanation, paint: Paint): string =>
  checks.length === 0
    ? ''
    : checks.every(({ judges }) => judges === 'tpp')
      ? `${paint('gray', 'Run it:')} xs2a-conformance certify-tpp`
      : `${paint('gray', 'Run it:')} xs2a-conformance run --target target.yaml --only ${id}`;
