import type { CheckContext } from '../../src/checks/context.ts';
import { mustSucceed } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, isUnanswered, NotOffered } from '../../src/checks/outcomes.ts';
import { callThroughSca, pageOf } from '../../src/checks/through-sca.ts';
import { products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { abortSca, linkOfCreated, ownCustomer, walk } from '../sca/walks.ts';
import { type OwnedPayment, paymentOf, readFreshStatus, readStatus } from './payments-of.ts';
import { ourselves } from './payments-of-others.ts';
import { statusTold } from './told-status.ts';

/** What the PSU has cancelled is left as it was: a payment at its own link, and one at that of a basket. */
export async function leavesCancelledOnes(context: CheckContext): Promise<void> {
  const create = () => paymentOf(context, ourselves(context), products.crossBorder);
  const statusOf = async (payment: OwnedPayment, when: string): Promise<string | undefined> =>
    statusTold(
      mustSucceed(
        await readFreshStatus(context, payment, when),
        'reading the status of a payment of one’s own',
      ),
    );
  const control = await create();
  await walk(context, await linkOfCreated(context, control.created), ownCustomer(context));
  // Only now: a newer link of the PSU may end the older ones.
  const cancelled = await create();
  const approved = await statusOf(control, 'after approval');
  // Read now: a bank may go on by itself with what nobody has approved.
  if (approved === undefined || approved === (await statusOf(cancelled, 'before approval')))
    throw new NotOffered('A payment has the same status once it is approved, so that this cannot be told.');
  const mustStayUnapproved = async (link: ScaLink, payment: OwnedPayment): Promise<void> => {
    await abortSca(context, await startedAgain(context, link), ownCustomer(context));
    await startedAgain(context, link);
    const after = await readStatus(context, payment.owner, payment, 'after its approval was cancelled');
    context.evidence = context.exchanges.slice(-2);
    if (statusTold(after) === approved)
      throw new ExpectationFailed(
        'a payment that is not approved once the PSU has cancelled',
        `status ${approved}`,
      );
  };
  await mustStayUnapproved(await linkOfCreated(context, cancelled.created), cancelled);
  if (context.unjudged(['signing-baskets']) !== undefined) return;
  const inBasket = await create();
  const body = { paymentIds: [inBasket.id] };
  const basket = await callThroughSca(context, { operation: 'createSigningBasket', body }, 'a basket');
  const link = basket.isSuccess ? scaLinkOf(basket) : undefined;
  if (link === undefined || approved === (await statusOf(inBasket, 'in a basket'))) return;
  await mustStayUnapproved(link, inBasket);
}

/** Where an authorisation is offered, one more of it: the latest link, of which a bank may give no further one. */
async function startedAgain(context: CheckContext, link: ScaLink): Promise<ScaLink> {
  if (typeof link === 'string') return link;
  const first = await pageOf(context, link);
  return pageOf(context, link.anew).catch((error: unknown) => {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    return first;
  });
}

/**
 * Whoever was turned away has approved nothing, however the page has told them so. Where a payment tells the same before it
 * is approved, or was refused, nothing can be told.
 */
export async function mustBeLeftUnapproved(
  context: CheckContext,
  payment: OwnedPayment,
  approved: OwnedPayment,
): Promise<void> {
  const read = (one: OwnedPayment, when: string) => readStatus(context, one.owner, one, when);
  const wordIn = (answer: Answer): string | undefined => (answer.isSuccess ? statusTold(answer) : undefined);
  const word = wordIn(await read(approved, 'of the one that the PSU has approved'));
  if (word === undefined || word === 'RJCT') return;
  if (wordIn(await read(payment, 'of the one that another PSU was to approve')) !== word) return;
  const fresh = await paymentOf(context, payment.owner, payment.product);
  // A bank may go on by itself with what nobody has approved.
  const left = await patiently(
    context.run,
    () => read(fresh, 'of one that nobody has approved'),
    (answer) => wordIn(answer) === word,
  );
  if (wordIn(left) === word) return;
  context.evidence = context.exchanges.slice(-3);
  throw new ExpectationFailed(
    'a payment that is not approved after another PSU was turned away',
    `status ${word}, as that of an approved one`,
  );
}
