import { exchangeLine } from '../report/exchange-text.ts';
import { oneLine } from '../report/harmless-text.ts';
import type { Paint } from '../report/paint.ts';
import { wrap } from '../report/wrapped-text.ts';
import type { LearnedReading } from '../runner/learn-readings.ts';

/** How what is learned stands in the terminal. */
export interface Layout {
  readonly width: number;
  readonly paint: Paint;
}

/** The text for each reading in turn. One thing that stands in the way of several is told with the first of them. */
export function readingTexts({ width, paint }: Layout): (reading: LearnedReading) => string {
  const firstToSay = new Map<string, string>();
  return ({ id, observed, default: byDefault, said, exchange }) => {
    const first = observed === undefined ? firstToSay.get(said) : undefined;
    if (first === undefined) firstToSay.set(said, id);
    const why = first === undefined ? said : `For the same reason as ${first}.`;
    const value = observed ?? 'not told';
    const style = observed === undefined ? 'yellow' : observed === byDefault ? 'green' : 'cyan';
    const besides = observed === byDefault ? 'the default' : `default ${byDefault}`;
    const lines = [why, ...(exchange === undefined ? [] : [exchangeLine(exchange)])];
    return [
      `  ${id.padEnd(22)}  ${paint(style, value.padEnd(20))}  ${besides}`,
      ...lines.filter((line) => line !== '').map((line) => `      ${wrap(oneLine(line), width, '      ')}`),
    ].join('\n');
  };
}

export interface LearnedFor {
  /** The readings that the target file does not have yet. */
  readonly changed: Readonly<Record<string, string>>;
  /** The target file, where they were written into it. */
  readonly writtenTo?: string;
}

/** What to do with it, and what is left open. */
export function closingOfLearning(
  learned: readonly LearnedReading[],
  { changed, writtenTo }: LearnedFor,
  { width }: Pick<Layout, 'width'>,
): string {
  const open = learned.filter(({ observed }) => observed === undefined).map(({ id }) => id);
  const left = open.length === 0 ? [] : [wrap(`Not told, and left as they are: ${open.join(', ')}.`, width)];
  return [...whatChanges(changed, writtenTo), ...left].join('\n');
}

function whatChanges(changed: LearnedFor['changed'], writtenTo: string | undefined): readonly string[] {
  const ids = Object.keys(changed);
  if (ids.length === 0) return ['The target file already says what was found.'];
  if (writtenTo !== undefined) return [`Written to ${writtenTo}, under interpretations: ${ids.join(', ')}.`];
  return [
    'To take these readings, add them to the target file, or give --write:',
    'interpretations:',
    ...Object.entries(changed).map(([id, value]) => `  ${id}: ${/^\d/.test(value) ? `"${value}"` : value}`),
  ];
}
