/** How the end of a run is shown. */
export interface ConsoleOptions {
  /** Whether to colour; the caller knows the terminal and `NO_COLOR`. */
  readonly colour: boolean;
  /** Columns of the terminal: no line is longer, unless a single word is. */
  readonly width: number;
  /** Failures shown in full; a bank that fails everything must not scroll its verdict away. */
  readonly maxFailures?: number;
  /** How to go on from here; absent where that cannot be known. */
  readonly commands?: NextCommands;
}

/** Command lines that are ready to be typed. */
export interface NextCommands {
  /** Sends a failing case again. */
  readonly replay: (id: string) => string;
}
