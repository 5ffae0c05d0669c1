import { randomUUID } from 'node:crypto';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { expectAnswer, mustSucceed, refused } from '../../src/checks/expectation.ts';
import { everyProduct, products } from '../../src/spec/products.ts';
import { unknownOnesLike } from '../near-ids.ts';
import { readablePayment, statusOf } from './approved-payments.ts';
import { onceCreated } from './once-approved.ts';
import { paramsOf } from './payments-at-hand.ts';

/** Asks for the status of payments that do not exist. */
export async function askForUnknownPayments(context: CheckContext): Promise<void> {
  const known = await readablePayment(context);
  const control = await onceCreated(context, () => statusOf(context, known, 'control'));
  mustSucceed(control, 'reading the status of a payment that exists');
  for (const { path: product } of everyProduct) {
    for (const id of product === known.product ? unknownOnesLike(known.id) : [randomUUID()]) {
      const answer = await statusOf(context, { product, id }, 'unknown');
      expectAnswer(context, answer, refused(), `for an unknown payment of ${product}`);
    }
  }
  // Whoever reads numbers or UUIDs out of ids may stumble over what is neither.
  const answer = await statusOf(context, { ...known, id: 'nonesuch' }, 'unknown, of another form');
  expectAnswer(context, answer, refused(), 'for an id that no payment has');
  await askAsACompany(context);
}

/** What is refused to a company needs a control; what is shown to it needs none. */
async function askAsACompany(context: CheckContext): Promise<void> {
  if (context.missing('corporate-psu') !== undefined) return;
  const unknown = { product: products.crossBorder.path, id: randomUUID() };
  const call = {
    operation: 'readPaymentStatus',
    params: paramsOf(unknown),
    psu: corporatePsu(context),
  } as const;
  const answer = await context.call(call, {}, 'unknown, as a company');
  if (answer.isSuccess)
    expectAnswer(context, answer, refused(), 'for an unknown payment, asked by a company');
}
