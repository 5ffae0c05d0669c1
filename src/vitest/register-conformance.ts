import { beforeAll, describe, test } from 'vitest';
import { judge, type PlacedCheck, placeChecks } from '../checks/judge.ts';
import { hierarchy } from '../report/allure-result.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { selectChecks } from '../runner/select-checks.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { type ConformanceRun, sharedRun } from './shared-run.ts';
import { tellVerdict } from './tell-verdict.ts';

export type { ConformanceOptions };

/** Loaded with this file, so that registering needs no `await`. */
const allChecks = placeChecks(await loadSuites());

/** Makes a Vitest test of each check, in the sections of the specification. Call it once in a test file. */
export function registerConformance(options: ConformanceOptions = {}): void {
  const { planned } = selectChecks(allChecks, options);
  let run: ConformanceRun | undefined;
  // A bank that cannot be judged is told of once, and not by every test.
  beforeAll(async () => {
    run = await sharedRun(options);
  }, 0);
  const judged: Judged = (placed) => {
    const { id, title } = placed.check;
    test(`${id} ${title}`, { timeout: 0 }, async (context) => {
      if (run === undefined) throw new Error('The run was not prepared.');
      await tellVerdict(await judge(placed, run.runContext), run.header, context);
    });
  };
  // Those that observe the others come last, and one after the other.
  const isObserving = ({ check }: PlacedCheck): boolean => check.observes ?? false;
  describeSections(
    planned.filter((placed) => !isObserving(placed)).map(located),
    judged,
    describe.concurrent,
  );
  describeSections(planned.filter(isObserving).map(located), judged, describe.sequential);
}

type Judged = (placed: PlacedCheck) => void;

interface Located {
  readonly placed: PlacedCheck;
  /** The sections that are left above it. */
  readonly sections: readonly string[];
}

const located = (placed: PlacedCheck): Located => ({ placed, sections: hierarchy(placed) });

/** As deep as the reports have it: Allure names the suites of a test after the describes around it. */
function describeSections(
  checks: readonly Located[],
  judged: Judged,
  describeAs: typeof describe.concurrent,
): void {
  for (const [name, below] of groupedBy(checks, ({ sections }) => sections[0])) {
    if (name === undefined) for (const { placed } of below) judged(placed);
    else
      describeAs(name, () =>
        describeSections(
          below.map(({ placed, sections }) => ({ placed, sections: sections.slice(1) })),
          judged,
          describeAs,
        ),
      );
  }
}
