import type { WriteStream } from 'node:tty';

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
