import type { CheckContext } from '../../src/checks/context.ts';
import { mustSucceed } from '../../src/checks/expectation.ts';
import { AnswersInRun } from '../../src/checks/kept-in-run.ts';
import {
  ExpectationFailed,
  Inconclusive,
  isUnanswered,
  NotApplicable,
  NotOffered,
} from '../../src/checks/outcomes.ts';
import { callThroughSca, pageOf } from '../../src/checks/through-sca.ts';
import { products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Exchange } from '../../src/tpp/exchange.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { abortSca, linkOfCreated, ownCustomer, walk } from '../sca/walks.ts';
import { type OwnedPayment, paymentOf, readFreshStatus, readStatus } from './payments-of.ts';
import { ourselves } from './payments-of-others.ts';
import { statusTold } from './told-status.ts';

/** Two payments of which the PSU has approved the younger, and what each of them tells then. */
interface OneOfTwo {
  readonly older: OwnedPayment;
  readonly younger: OwnedPayment;
  readonly approved: string | undefined;
  readonly left: string | undefined;
  readonly shownBy: readonly Exchange[];
}

/** Several checks go on from there. */
const oneOfTwo = new AnswersInRun<'cross-border', OneOfTwo>();

const ofOurs = (context: CheckContext): Promise<OwnedPayment> =>
  paymentOf(context, ourselves(context), products.crossBorder);

const wordOf = async (
  context: CheckContext,
  payment: OwnedPayment,
  when: string,
): Promise<string | undefined> =>
  statusTold(
    mustSucceed(
      await readFreshStatus(context, payment, when),
      'reading the status of a payment of one’s own',
    ),
  );

const approveOneOfTwo = (context: CheckContext): Promise<OneOfTwo> =>
  oneOfTwo.of(context.run, 'cross-border', async () => {
    const older = await ofOurs(context);
    // The younger one: a newer link of the PSU may end the older ones.
    const younger = await ofOurs(context);
    await walk(context, await linkOfCreated(context, younger.created), ownCustomer(context));
    const approved = await wordOf(context, younger, 'after approval');
    const left = await wordOf(context, older, 'of the one that nobody approved');
    return { older, younger, approved, left, shownBy: context.exchanges.slice(-2) };
  });

const cannotBeTold = 'A payment has the same status once it is approved, so that this cannot be told.';

/**
 * SCA of one payment is that of no other: each asks for its own (dynamic linking). What has no link of its own may await its
 * signature elsewhere.
 */
export async function leavesTheOtherOne(context: CheckContext): Promise<void> {
  const { older, younger, approved, left, shownBy } = await approveOneOfTwo(context).catch(
    (error: unknown) => {
      throw error instanceof NotApplicable ? new NotOffered(error.message) : error;
    },
  );
  if ([older, younger].some(({ created }) => scaLinkOf(created) === undefined))
    throw new NotOffered(
      'Not each payment has a link to SCA of its own, so that one SCA may be for several.',
    );
  if (approved === undefined || approved === older.created.text('transactionStatus'))
    throw new NotOffered(cannotBeTold);
  if (left !== approved) return;
  const fresh = await ofOurs(context);
  const read = () => readStatus(context, fresh.owner, fresh, 'of one that nobody has approved');
  const byItself = await patiently(context.run, read, (answer) => statusTold(answer) === approved);
  if (statusTold(byItself) === approved)
    throw new NotOffered('The bank goes on by itself with what nobody has approved.');
  context.evidence = [...shownBy];
  throw new ExpectationFailed(
    'a payment that is not approved with another one, since each has a link to SCA of its own',
    `status ${left}, as that of the approved one`,
  );
}

/** What the PSU has cancelled is left as it was: a payment at its own link, and one at that of a basket. */
export async function leavesCancelledOnes(context: CheckContext): Promise<void> {
  const { older, approved, left } = await approveOneOfTwo(context);
  // Freedom: payments/status.
  if (approved === undefined || approved === left) throw new NotOffered(cannotBeTold);
  const cancelled = await ofOurs(context);
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
  const inBasket = { ...older, owner: ourselves(context) };
  const body = { paymentIds: [inBasket.id] };
  const basket = await callThroughSca(context, { operation: 'createSigningBasket', body }, 'a basket');
  const link = basket.isSuccess ? scaLinkOf(basket) : undefined;
  if (link === undefined || approved === (await wordOf(context, inBasket, 'in a basket'))) return;
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
  // Freedom: payments/status.
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
