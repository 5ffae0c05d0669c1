import type { RunContext } from '../checks/context.ts';
import { judge, placeChecks } from '../checks/engine.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { tellingExchange } from '../report/exchange-text.ts';
import type { Target } from '../target/target.ts';
import type { Redactor } from '../tpp/redaction.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import { loadSuites } from './load-suites.ts';
import { prepareRun } from './prepare-run.ts';

/** A check that was judged once more with the cases of an earlier run. */
export interface Replay {
  readonly result: CheckResult;
  /** Makes the request that shows the verdict again, freshly dated and signed; absent when nothing was sent. */
  readonly again?: () => Promise<RequestDraft>;
  /** Why no check can be run. */
  readonly blocker?: string;
}

/** Judges one check as the run did, without a test framework. Undefined when this version has no such check. */
export async function replayCheck(
  target: Target,
  redactor: Redactor,
  { seed, runs }: Pick<RunHeader, 'seed' | 'runs'>,
  id: string,
): Promise<Replay | undefined> {
  const placed = placeChecks(await loadSuites()).find(({ check }) => check.id === id);
  if (placed === undefined) return undefined;
  const { runContext, blocker } = await prepareRun(target, {
    seed,
    runs,
    repeatsPayments: true,
    command: 'xs2a-conformance run',
    redactor,
  });
  const requests = new Map<string, () => Promise<RequestDraft>>();
  try {
    const listening: RunContext = {
      ...runContext,
      onExchange: (exchange, _, again) => void requests.set(exchange.id, again),
    };
    const result = await judge(placed, listening);
    const telling = tellingExchange(result);
    const again = telling === undefined ? undefined : requests.get(telling.id);
    return {
      result,
      ...(again === undefined ? {} : { again }),
      ...(blocker === undefined ? {} : { blocker }),
    };
  } finally {
    await runContext.close();
  }
}
