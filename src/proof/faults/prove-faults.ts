import fc from 'fast-check';
import type { Behaviour } from '../../tpp/misbehaving-server/behaviour.ts';
import { behaviours } from '../../tpp/misbehaving-server/behaviours.ts';
import { openFaultLane } from './fault-lane.ts';
import { type Faults, judgeFault } from './judge-fault.ts';

export interface FaultResult {
  readonly ids: readonly string[];
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly faults: Faults;
}

export interface FaultProof {
  /** The command line, as a compiled file. */
  readonly command: string;
  readonly combinations: number;
  readonly seed: number;
  readonly lanes: number;
  readonly only?: RegExp;
  readonly onResult?: (result: FaultResult, done: number, total: number) => void;
}

/** Runs the command line against every behaviour alone, and against random combinations of them. */
export async function proveFaults(proof: FaultProof): Promise<readonly FaultResult[]> {
  const queue = plannedFaults(proof);
  const total = queue.length;
  const results: FaultResult[] = [];
  const work = async (): Promise<void> => {
    const lane = await openFaultLane(proof.command);
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const together = next;
        const result = await lane.run(together, (run) => ({
          ids: together.map(({ id }) => id),
          exitCode: run.exitCode,
          seconds: run.seconds,
          megabytes: run.megabytes,
          faults: judgeFault(together, run),
        }));
        results.push(result);
        proof.onResult?.(result, results.length, total);
      }
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, proof.lanes) }, work));
  return results;
}

/** Two or three at a time. What keeps a run from starting hides the others, so it is left to run alone. */
export function plannedFaults({
  combinations,
  seed,
  only,
}: Omit<FaultProof, 'command' | 'lanes'>): Behaviour[][] {
  const chosen = behaviours.filter(({ id }) => only?.test(id) ?? true);
  const combined = behaviours.filter(({ outcome }) => outcome !== 'blocked');
  const drawn =
    only === undefined
      ? fc.sample(fc.subarray(combined, { minLength: 2, maxLength: 3 }), { seed, numRuns: combinations })
      : [];
  return [...chosen.map((behaviour) => [behaviour]), ...drawn];
}

/** The table of a proof, worst first, and its last line. */
export function faultLines(results: readonly FaultResult[]): readonly string[] {
  const rows = results
    .toSorted((a, b) => Object.keys(b.faults).length - Object.keys(a.faults).length)
    .map(({ ids, exitCode, seconds, megabytes, faults }) =>
      [
        ids.join(' + ').padEnd(60),
        String(exitCode).padStart(4),
        `${seconds.toFixed(1)} s`.padStart(8),
        `${Math.round(megabytes)} MB`.padStart(8),
        Object.keys(faults).length === 0
          ? '  held'
          : `  ${Object.entries(faults)
              .map(([question, said]) => `${question}: ${said}`)
              .join('; ')}`,
      ].join(''),
    );
  const held = results.filter(({ faults }) => Object.keys(faults).length === 0).length;
  return [
    `${'behaviour'.padEnd(60)}exit    time  memory  held`,
    ...rows,
    '',
    `Faults        ${held} of ${results.length} held: exit code, verdict, reports, memory, time, nothing leaked, nothing sent elsewhere`,
  ];
}
