import type { CheckContext } from '../../src/checks/context.ts';
import { expectAnswer, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { aSimplePayment, drawCall, offeredProduct } from '../../src/checks/subject.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { notJudged } from '../sca/not-judged.ts';
import { namedByIdentity } from '../sca/psu-identity.ts';
import { type Login, ownCustomer, walk, walking } from '../sca/walks.ts';
import { onceApproved } from './once-approved.ts';
import { readDetails, readStatus } from './payments-of.ts';
import { ourselves } from './payments-of-others.ts';

/**
 * Whose it is the bank hears by another header, and knows for certain once it is approved. Where the PSU has no number to
 * be named by, or the bank gives no link, there is nothing to see of it.
 */
export async function identityMustNotBeSeen(context: CheckContext, other: Login): Promise<void> {
  const isPossible =
    context.target.psu.context !== 'CORPORATE' &&
    [...walking, 'personal-number' as const].every((need) => context.missing(need) === undefined);
  if (!isPossible) return;
  const product = offeredProduct(context);
  const call = { ...(await drawCall(context, aSimplePayment(product))), psu: namedByIdentity(context) };
  const created = await context.call(call, {}, 'create a payment by X-PSU-IDENTITY');
  const [id, link] = [created.text('paymentId'), created.isSuccess ? scaLinkOf(created) : undefined];
  if (id === undefined || link === undefined) return;
  const approved = await walk(context, link, ownCustomer(context)).catch(
    notJudged(context, 'Who sees a payment of a PSU named by X-PSU-IDENTITY'),
  );
  if (approved?.psuId === undefined) return;
  const payment = { product, id };
  const control = await onceApproved(context, () =>
    readStatus(context, ourselves(context), payment, 'control of one by X-PSU-IDENTITY'),
  );
  if (!control.isSuccess) return;
  for (const read of [readStatus, readDetails]) {
    const answer = await read(context, other, payment, 'one by X-PSU-IDENTITY, as another PSU');
    // Freedom: payments/details.
    if (read === readStatus || answer.isSuccess)
      expectAnswer(
        context,
        answer,
        refusedOrAskedForSca(),
        'for a payment of a PSU named by X-PSU-IDENTITY, asked by another PSU',
      );
  }
}
