import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import { drawCall, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import type { PaymentReference } from '../../src/target/payments.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { scaLinkOf } from '../../src/tpp/sca/sca-return.ts';
import { ownCustomer, walk } from '../sca/walks.ts';
import { paramsOf } from './payments-at-hand.ts';

interface CreatedPayment {
  readonly answer: Answer;
  readonly id: string;
}

export async function createOne(context: CheckContext, subject: Subject): Promise<CreatedPayment> {
  const call = await drawCall(context, subject);
  const answer = await callThroughSca(context, call, `create ${subject.title}`);
  const id = answer.text('paymentId');
  if (id === undefined)
    throw new Inconclusive(`Creation was answered ${describeAnswer(answer)}, without a paymentId.`);
  return { answer, id };
}

export const statusOf = (
  context: CheckContext,
  payment: PaymentReference,
  purpose: string,
): Promise<Answer> =>
  // SCA may be required on any transaction.
  callThroughSca(context, { operation: 'readPaymentStatus', params: paramsOf(payment) }, purpose);

/**
 * Approves a payment or basket by SCA, in the session of the run: that ends no session. False without a link: a bank may
 * have exempted it, or want its signature elsewhere.
 */
export async function approve(context: CheckContext, created: Answer): Promise<boolean> {
  const link = scaLinkOf(created);
  if (link === undefined && created.isSuccess) return false;
  if (link === undefined)
    throw new Inconclusive(`There is nothing to approve: creation was answered ${describeAnswer(created)}.`);
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
