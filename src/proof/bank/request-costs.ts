import { compliantDesign } from '../../bank/compliant-design.ts';
import { CheckContext, type RunContext } from '../../checks/context.ts';
import { judge, type PlacedCheck } from '../../checks/engine.ts';
import { Observations } from '../../checks/observations.ts';
import type { CheckCost } from '../../checks/proof-findings.ts';
import { prepared } from '../../runner/prepare-run.ts';
import { type BankKeys, createBankRunContext, type RunContextParts } from './bank-under-test.ts';

/** As a run with a small budget is, with one case of each property. */
const aRun = async (keys: BankKeys, parts: RunContextParts = {}): Promise<RunContext> => {
  const sparing = { runs: 1, oneContextEach: true, verdictsOnly: true, remembersControls: true };
  return (await createBankRunContext(keys, compliantDesign, { ...sparing, ...parts })).runContext;
};

/** What each check sends where no other has sent anything: for itself, and by senders that several checks share. */
export async function requestsAlone(
  checks: readonly PlacedCheck[],
  keys: BankKeys,
): Promise<ReadonlyMap<string, CheckCost>> {
  const run = await aRun(keys);
  const costs = new Map<string, CheckCost>();
  for (const placed of checks) {
    const { id } = placed.check;
    const senders = new Map<string, CheckContext>();
    const alone: RunContext = {
      ...run,
      observations: new Observations(),
      contextFor(sender, place) {
        const context = new CheckContext(this, sender, place);
        senders.set(sender, context);
        return context;
      },
    };
    const before = run.client.options.pace.sent;
    await judge(placed, alone);
    senders.delete(id);
    const shared = new Map([...senders].map(([sender, { exchanges }]) => [sender, exchanges.length]));
    const sent = run.client.options.pace.sent - before;
    costs.set(id, { own: [...shared.values()].reduce((left, requests) => left - requests, sent), shared });
  }
  return costs;
}

/** What each check sends behind those before it. */
export async function requestsInTurn(
  checks: readonly PlacedCheck[],
  keys: BankKeys,
): Promise<ReadonlyMap<string, number>> {
  const run = await aRun(keys);
  const sent = new Map<string, number>();
  for (const placed of checks) {
    const before = run.client.options.pace.sent;
    await judge(placed, run);
    sent.set(placed.check.id, run.client.options.pace.sent - before);
  }
  return sent;
}

/** What a run sends before its first check. */
export async function requestsOfPreparation(keys: BankKeys): Promise<number> {
  const { runContext } = await prepared(await aRun(keys, { leavesSca: true }));
  return runContext.client.options.pace.sent;
}
