import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';

/** Where output goes, and what that place can show. */
export interface Terminal {
  readonly isTty: boolean;
  readonly colour: boolean;
  readonly width: number;
  write(text: string): void;
}

/** Colours on a terminal, or where FORCE_COLOR asks for them; never against NO_COLOR (https://no-color.org). */
export function terminalOf(stream: WriteStream, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const isTty = stream.isTTY === true;
  const noColour = environment.NO_COLOR !== undefined && environment.NO_COLOR !== '';
  const forced = environment.FORCE_COLOR !== undefined && !['', '0'].includes(environment.FORCE_COLOR);
  return {
    isTty,
    colour: !noColour && (forced || (isTty && environment.TERM !== 'dumb')),
    // A terminal that does not know its width says 0.
    width: stream.columns || 100,
    write: (text) => void stream.write(text),
  };
}

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colours where the caller's terminal shows them, and nothing elsewhere. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

/** Breaks text between words; every line but the first gets the indent in front. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const room = width - indent.length;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${indent}`);
}
