import { styleText } from 'node:util';
import type { RequestLine } from '../bank/http/dispatch.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import type { Terminal } from './terminal.ts';

/** One line per request: when, how it ended, what was called, and for a refusal the requirement and the rule. */
export function requestLogLine(line: RequestLine, { colour }: Pick<Terminal, 'colour'>, now: Date): string {
  const { method, path, status, requirement, rule, text, durationMs } = line;
  const paint = (style: Parameters<typeof styleText>[0], shown: string): string =>
    colour ? styleText(style, shown, { validateStream: false }) : shown;
  const style = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  return [
    paint('gray', now.toISOString().slice(11, 23)),
    paint(style, String(status)),
    method.padEnd(6),
    oneShortLine(path, 120),
    paint('gray', `${Math.round(durationMs)} ms`),
    ...(requirement === undefined ? [] : [paint('bold', requirement), `${oneShortLine(rule ?? '', 120)}:`]),
    ...(text === undefined ? [] : [oneShortLine(text, 200)]),
  ].join('  ');
}
