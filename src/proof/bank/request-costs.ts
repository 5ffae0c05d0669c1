import { compliantDesign } from '../../bank/compliant-design.ts';
import { placeChecks, runChecks } from '../../checks/engine.ts';
import { loadSuites } from '../../runner/load-suites.ts';
import { createBankKeys, createBankRunContext } from './bank-under-test.ts';

/** How many requests each check on a bank sends with one case of each property. */
export async function requestCosts(): Promise<ReadonlyMap<string, number>> {
  const { runContext } = await createBankRunContext(await createBankKeys(), compliantDesign, { runs: 1 });
  const results = await runChecks(placeChecks(await loadSuites('bank')), runContext);
  return new Map(results.map(({ id, requests = 0 }) => [id, requests]));
}
