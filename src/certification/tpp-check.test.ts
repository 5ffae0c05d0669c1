import { beforeAll, expect, test } from 'vitest';
import type { LoadedSuite } from '../checks/check.ts';
import { certifyInProcess, createTppKeys, type TppKeys } from '../proof/tpp/certify.ts';
import { tppDeviations } from '../proof/tpp/conditional.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { isObject } from '../spec/json.ts';
import { products } from '../spec/products.ts';
import { judgeSession } from './judge-session.ts';
import { type BehaviourChange, withBody } from './reference-tpp/behaviour.ts';
import type { TppCheck } from './tpp-check.ts';

let keys: TppKeys;
let suites: readonly LoadedSuite<TppCheck>[];
beforeAll(async () => {
  [keys, suites] = await Promise.all([createTppKeys(), loadSuites('tpp')]);
});

async function verdictOn(id: string, change: BehaviourChange) {
  const { session } = await certifyInProcess(keys, change);
  return (await judgeSession(session, suites, 'again')).find((result) => result.id === id);
}

test.each([
  ['TPP-03/crlf', /^The signature fits if .*CR/],
  ['TPP-03/other-key', /not made with the private key of the certificate/],
])('whose signature is broken is told the mistake: %s', async (id, mistake) => {
  const deviation = tppDeviations.find((candidate) => candidate.id === id);
  const result = await verdictOn('TPP-03', deviation?.change(keys) ?? ((behaviour) => behaviour));
  expect(result).toMatchObject({ verdict: 'fail', notes: [expect.stringMatching(mistake)] });
});

test.each(['TPP-28', 'TPP-52'])('who writes zeros before an amount is warned only: %s', async (id) => {
  const result = await verdictOn(
    id,
    withBody(products.domestic.creation, (body) => {
      const { instructedAmount: sum } = body;
      return isObject(sum)
        ? { ...body, instructedAmount: { ...sum, amount: `0${String(sum.amount)}` } }
        : body;
    }),
  );
  expect(result?.verdict).toBe(id === 'TPP-28' ? 'pass' : 'warning');
});
