import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Colours where the caller's terminal shows them, and nothing elsewhere. The stream is not asked: the caller was. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

/** How the end of a run is shown. */
export interface ConsoleOptions {
  /** Whether to colour; the caller knows the terminal and `NO_COLOR`. */
  readonly colour: boolean;
  /** Columns of the terminal: no line is longer, unless a single word is. */
  readonly width: number;
  /** Whether each failure is shown in full, before the causes that they have. */
  readonly everyFailure?: boolean;
  /** How to go on from here; absent where that cannot be known. */
  readonly commands?: NextCommands;
}

/** Command lines that are ready to be typed. */
export interface NextCommands {
  /** Sends a failing case again. */
  readonly replay: (id: string) => string;
  /** Shows each failure. */
  readonly everyFailure: string;
}
