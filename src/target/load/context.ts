import type { KeyPath } from '../key-path.ts';

/** What the loading of every section needs. */
export interface LoadContext {
  /** Notes a problem and lets the loading go on, so that all are told at once. */
  readonly complain: (path: KeyPath, message: string) => void;
  /** The folder that a path given there is relative to. */
  readonly directoryOf: (path: KeyPath) => string;
  readonly environment: NodeJS.ProcessEnv;
}
