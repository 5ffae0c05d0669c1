import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { withAnswers, withRoutes } from '../../bank/design/design-changes.ts';
import { processBatch } from '../../bank/payments/batch.ts';
import type { RunContext } from '../../checks/context.ts';
import { runChecks } from '../../checks/engine.ts';
import { isObject } from '../../spec/json.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

/** A bank that looks at the funds as soon as a payment is approved. */
const lookingAtOnce = withRoutes((route) =>
  route.operation === 'page'
    ? {
        ...route,
        handle: async (request, state) => {
          const answer = await route.handle(request, state);
          processBatch(state);
          return answer;
        },
      }
    : route,
)(compliantDesign);

async function judged(design: BankDesign) {
  const { checks, keys } = await proofSetup();
  const { runContext } = await createBankRunContext(keys, design);
  const { target } = runContext;
  const payments = { ...target.payments, unfunded: [] };
  const without: RunContext = { ...runContext, target: { ...target, payments } };
  const [result] = await runChecks(citing(checks, 'ERR-05'), without);
  return result;
}

test('without an unfunded payment at hand one of more than any account holds is tried', async () => {
  expect(await judged(lookingAtOnce)).toMatchObject({ verdict: 'pass' });
});

/** What a payment status says, which is asked for so many times. */
const telling = (change: (body: Readonly<Record<string, unknown>>, times: number) => object) => {
  let times = 0;
  return withAnswers(['readPaymentStatus'], (answer) =>
    isObject(answer.body) ? { ...answer, body: change(answer.body, times++) } : answer,
  );
};

test('a bank that tells of the funds a moment later is asked once more', async () => {
  const later = telling((body, times) => (times > 0 ? body : { transactionStatus: 'ACCP' }));
  expect(await judged(later(lookingAtOnce))).toMatchObject({ verdict: 'pass' });
});

test('a bank that has ACCP for whatever awaits the funds is asked for one in the target file', async () => {
  const forAll = telling((body) => ({ ...body, transactionStatus: 'ACCP' }));
  expect(await judged(forAll(compliantDesign))).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('payments.unfunded'),
  });
});

test('a bank that never tells of the funds is found', async () => {
  const untold = telling(({ fundsAvailable: _, ...body }) => body);
  expect(await judged(untold(lookingAtOnce))).toMatchObject({ verdict: 'fail' });
});

test('a bank that looks at the funds later is asked for one in the target file', async () => {
  expect(await judged(compliantDesign)).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('payments.unfunded'),
  });
});
