import type { RunContext } from '../checks/context.ts';
import type { Target } from '../target/target.ts';
import { preflight } from './preflight.ts';
import { createRunContext, psuOf } from './run-context.ts';
import { passScaBeforeRun } from './sca-before-run.ts';

export interface RunSettings {
  readonly seed: number;
  /** Cases of a property. */
  readonly runs: number;
  /** A seed given by hand repeats earlier payments. */
  readonly repeatsPayments: boolean;
  /** How `reproduce` lines start. */
  readonly command: string;
  /** No request is started after so many milliseconds. */
  readonly maxTimeMs?: number;
}

/** What is known before the first check. */
export interface PreparedRun {
  /** All that the checks share. It knows the clock of the bank, and the customers who have passed SCA. */
  readonly runContext: RunContext;
  /** Why no check can be run. */
  readonly blocker?: string;
  /** What is odd and yet no reason to stop. */
  readonly remarks: readonly string[];
}

/** Passes SCA where the target file leaves that to the run, and sees whether correct requests go through. */
export async function prepareRun(
  target: Target,
  { seed, runs, repeatsPayments, command, maxTimeMs }: RunSettings,
): Promise<PreparedRun> {
  const before = createRunContext({
    target,
    seed,
    runs,
    repeatsPayments,
    command,
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
  });
  const sca = await passScaBeforeRun(target, before.client, before.walker);
  if (sca.blocker !== undefined) return { runContext: before, blocker: sca.blocker, remarks: sca.remarks };
  const runContext = withPsu(before, { ...target.psu, ...sca.passed });
  const found = await preflight(runContext.target, runContext.client, seed);
  return {
    runContext,
    ...(found.blocker === undefined ? {} : { blocker: found.blocker }),
    remarks: [...new Set([...sca.remarks, ...found.remarks])],
  };
}

/** The same TPP on the same connections, with the customers as they are after SCA. */
function withPsu(runContext: RunContext, psu: Target['psu']): RunContext {
  const target = { ...runContext.target, psu };
  return { ...runContext, target, client: runContext.client.with({ psu: psuOf(target) }) };
}
