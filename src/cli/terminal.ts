import type { WriteStream } from 'node:tty';

/** Where output goes, and what that place can show. */
export interface Terminal {
  readonly isTty: boolean;
  readonly colour: boolean;
  readonly width: number;
  write(text: string): void;
}

/** Colours only on a terminal, and never against NO_COLOR (https://no-color.org). */
export function terminalOf(stream: WriteStream, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const isTty = stream.isTTY === true;
  const noColour = environment.NO_COLOR !== undefined && environment.NO_COLOR !== '';
  return {
    isTty,
    colour: isTty && !noColour && environment.TERM !== 'dumb',
    // A terminal that does not know its width says 0.
    width: stream.columns || 100,
    write: (text) => void stream.write(text),
  };
}
