import type { PassedSca } from './sca-before-run.ts';

/** What the process that judges needs to know. It crosses a process boundary, so it is plain data. */
export interface RunPlan {
  /** The folder of the run, for the journal. */
  readonly out: string;
  /** A target file, or the description of the embedded bank. */
  readonly target: string | { readonly text: string } | undefined;
  readonly overrides: Readonly<Record<string, string | number | boolean>>;
  /** What SCA has yielded before the checks began. */
  readonly psu?: PassedSca;
  readonly seed: number;
  readonly runs: number;
  readonly repeatsPayments: boolean;
  readonly command: string;
  /** Ids of the checks to judge. */
  readonly planned: readonly string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    plan: RunPlan;
  }
}
