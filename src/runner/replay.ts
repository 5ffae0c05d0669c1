import type { RunContext } from '../checks/context.ts';
import { judge, placeChecks } from '../checks/judge.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { tellingExchange } from '../report/exchange-text.ts';
import type { Target } from '../target/target.ts';
import type { RequestDraft } from '../tpp/request-draft.ts';
import { loadSuites } from './load-suites.ts';
import { createRunContext } from './run-context.ts';
import { type PassedSca, passScaBeforeRun } from './sca-before-run.ts';

/** A check that was judged once more with the cases of an earlier run. */
export interface Replay {
  readonly result: CheckResult;
  /** Makes the request that shows the verdict again, freshly dated and signed; absent when nothing was sent. */
  readonly again?: () => Promise<RequestDraft>;
  /** Why SCA could not be passed first. */
  readonly blocker?: string;
}

/** Judges one check as the run did, without a test framework. Undefined when this version has no such check. */
export async function replayCheck(
  target: Target,
  { seed, runs }: Pick<RunHeader, 'seed' | 'runs'>,
  id: string,
): Promise<Replay | undefined> {
  const placed = placeChecks(await loadSuites()).find(({ check }) => check.id === id);
  if (placed === undefined) return undefined;
  const { blocker, psu } = await passSca(target, { seed, runs });
  const requests = new Map<string, () => Promise<RequestDraft>>();
  const runContext = createRunContext({
    target: { ...target, psu: { ...target.psu, ...psu } },
    seed,
    runs,
    repeatsPayments: true,
  });
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

/** As the run did before its first check. */
async function passSca(
  target: Target,
  options: Pick<RunHeader, 'seed' | 'runs'>,
): Promise<{ readonly blocker?: string; readonly psu?: PassedSca }> {
  const { client, walker, close } = createRunContext({ target, ...options });
  try {
    const { blocker, passed } = await passScaBeforeRun(target, client, walker);
    return {
      ...(blocker === undefined ? {} : { blocker }),
      ...(passed === undefined ? {} : { psu: passed }),
    };
  } finally {
    await close();
  }
}
