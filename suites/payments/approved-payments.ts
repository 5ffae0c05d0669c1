import { createAnew } from '../../src/checks/awaiting-sca.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { AnswersInRun, KeptInRun } from '../../src/checks/kept-in-run.ts';
import { Inconclusive, NotApplicable, notCreated } from '../../src/checks/outcomes.ts';
import { aSimplePayment, drawCall, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { products } from '../../src/spec/products.ts';
import { missingText } from '../../src/target/capabilities.ts';
import type { PaymentReference } from '../../src/target/payments.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { ownCustomer, walk, walking } from '../sca/walks.ts';
import { freshPayment, paramsOf } from './payments-at-hand.ts';
import { statusTold } from './told-status.ts';

export interface CreatedPayment {
  readonly answer: Answer;
  readonly id: string;
}

export async function createOne(context: CheckContext, subject: Subject): Promise<CreatedPayment> {
  const answer = await createAnew(
    context,
    () => drawCall(context, subject),
    (call) => callThroughSca(context, call, `create ${subject.title}`),
  );
  const id = answer.text('paymentId');
  if (id === undefined)
    throw notCreated(answer, `Creation was answered ${describeAnswer(answer)}, without a paymentId.`);
  return { answer, id };
}

export const statusOf = (
  context: CheckContext,
  payment: PaymentReference,
  purpose: string,
): Promise<Answer> =>
  // SCA may be required on any transaction.
  callThroughSca(context, { operation: 'readPaymentStatus', params: paramsOf(payment) }, purpose);

const atFirst = new AnswersInRun<string, Answer>(({ asksForSca }) => !asksForSca);

/** The status of a payment before a check of this run has done anything with it, such as to have it signed in a basket. */
export const statusAtFirst = (context: CheckContext, payment: PaymentReference): Promise<Answer> =>
  atFirst.of(context.run, payment.id, () => statusOf(context, payment, 'what it is at first'));

/**
 * Approves a payment or basket by SCA, in the session of the run: that ends no session. False without a link
 * (freedom sca/exempt).
 */
export async function approve(context: CheckContext, created: Answer): Promise<boolean> {
  const link = scaLinkOf(created);
  if (link === undefined && created.isSuccess) return false;
  if (link === undefined)
    throw notCreated(
      created,
      `There is nothing to approve: creation was answered ${describeAnswer(created)}.`,
    );
  await walk(context, link, ownCustomer(context));
  return true;
}

/** What has no link of its own may await its signature in a basket. */
export async function approveByItselfOrInBasket(
  context: CheckContext,
  { answer, id }: CreatedPayment,
): Promise<boolean> {
  if (await approve(context, answer)) return true;
  const basket = await callThroughSca(
    context,
    { operation: 'createSigningBasket', body: { paymentIds: [id] } },
    'a basket to approve it in',
  );
  return basket.isSuccess && approve(context, basket);
}

/**
 * The same for one whose status was read. SCA that was asked for then may have been its approval: the payment has moved on
 * since it was created, and nothing is left to approve.
 */
export async function approveOnceRead(
  context: CheckContext,
  payment: CreatedPayment,
  read: Answer | undefined,
): Promise<boolean> {
  try {
    return await approveByItselfOrInBasket(context, payment);
  } catch (error) {
    const status = read && statusTold(read);
    const hasMovedOn =
      status?.startsWith('AC') === true && status !== payment.answer.text('transactionStatus');
    if (error instanceof Inconclusive && hasMovedOn) return true;
    throw error;
  }
}

/** Approved so that it can be read. */
const approvedInRun = new KeptInRun<'domestic', Promise<PaymentReference>>();

/**
 * A payment whose status and details can be read: an approved one of the target file, or a new cross-border one. The known
 * issue is that domestic ones may be unreadable before they are approved: so a bank that offers no others approves one.
 */
export async function readablePayment(context: CheckContext): Promise<PaymentReference> {
  const [named] = context.target.payments.approved;
  if (named !== undefined) return named;
  const { crossBorder } = products;
  if (context.unjudged([crossBorder.profile]) === undefined) return freshPayment(context, crossBorder);
  return approvedInRun.of(context.run, 'domestic', () => approvedDomestic(context));
}

async function approvedDomestic(context: CheckContext): Promise<PaymentReference> {
  if (walking.some((need) => context.missing(need) !== undefined))
    throw new NotApplicable(missingText('approved-payment'));
  const created = await createOne(context, aSimplePayment(products.domestic));
  await approveByItselfOrInBasket(context, created);
  return { product: products.domestic.path, id: created.id };
}
