import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu, lookAside } from '../../src/checks/context.ts';
import {
  describeAnswer,
  type Expectation,
  expectAnswer,
  mustSucceed,
  refused,
  succeeded,
} from '../../src/checks/expectation.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import {
  aPayment,
  aSimplePayment,
  freshPayments,
  offeredProduct,
  type Subject,
} from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { setAt } from '../../src/payloads/json.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { defaultProduct, everyProduct, type Product, products } from '../../src/spec/products.ts';
import { missingText } from '../../src/target/capabilities.ts';
import type { PaymentReference } from '../../src/target/payments.ts';
import { companyOf } from '../../src/target/psu.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';
import { mustBeOffered, walk, walking } from '../sca/walks.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';
import {
  approve,
  approveByItselfOrInBasket,
  approveOnceRead,
  createOne,
  readablePayment,
  statusAtFirst,
  statusOf,
} from './approved-payments.ts';
import { onceApproved, onceCreated } from './once-approved.ts';
import { paramsOf } from './payments-at-hand.ts';
import { mustBeLeftAsItWas } from './payments-of.ts';
import { bodyOf, responseChecks } from './response-checks.ts';
import { statusTold, toldOf } from './told-status.ts';
import { askForUnknownPayments } from './unknown-payments.ts';

const simple = aSimplePayment(products.domestic);

/** The known issue speaks of domestic payments, and of those that are not approved. */
function expectStatus(
  context: CheckContext,
  answer: Answer,
  { product, isApproved }: { readonly product: string; readonly isApproved: boolean },
): void {
  const mayBeUnreadable = product === products.domestic.path && !isApproved;
  if (mayBeUnreadable && !answer.isSuccess && readOrUnreadable.met(answer, context.readings)) {
    throw new NotApplicable(
      `The payment was created without a link to approve it at, and its status was answered ${answer.status}: it cannot be told from one that is not approved, which may be unreadable (known issue).`,
    );
  }
  expectAnswer(context, answer, succeeded(), 'for the status of an approved payment');
  // Whatever its shape: what has no body tells no status.
  if (answer.bytes.length === 0)
    throw new ExpectationFailed('the status of an approved payment', `${answer.status} without a body`);
}

/** The status of each payment of a basket, once the basket is approved. */
async function eachHasItsStatus(context: CheckContext, product: Product): Promise<void> {
  const paymentIds = await freshPayments(context, 2, aSimplePayment(product));
  const creation = { operation: 'createSigningBasket', body: { paymentIds } } as const;
  const basket = await callThroughSca(context, creation, 'a basket of them');
  const isApproved = await approve(context, basket);
  for (const id of paymentIds) {
    const read = () => statusOf(context, { product: product.path, id }, 'a payment of the basket');
    // Nobody waits for domestic ones that are not approved: they may be unreadable for ever (known issue).
    const readEarly = () => (product === products.domestic ? read() : onceCreated(context, read));
    const answer = await (isApproved ? onceApproved(context, read) : readEarly());
    expectStatus(context, answer, { product: product.path, isApproved });
  }
}

/** A payment of more than any account holds, approved where that can be. Only a sandbox is asked for one. */
async function beyondAllFunds(context: CheckContext): Promise<PaymentReference> {
  const payment = aSimplePayment(offeredProduct(context));
  return approvedOne(context, {
    ...payment,
    bodies: (from) =>
      payment.bodies(from).map((body) => setAt(body, ['instructedAmount', 'amount'], '98765432109.00')),
  });
}

async function approvedOne(context: CheckContext, payment: Subject): Promise<PaymentReference> {
  const needs = [...walking, 'sandbox', 'create-payments'] as const;
  if (needs.some((need) => context.missing(need) !== undefined)) {
    throw new NotApplicable(missingText('unfunded-payment'));
  }
  try {
    const created = await createOne(context, payment);
    await approveByItselfOrInBasket(context, created);
    return { product: offeredProduct(context).path, id: created.id };
  } catch (error) {
    // Refused at creation or at approval, for lack of funds or otherwise: there is no status to look at.
    if (error instanceof Inconclusive) throw new NotApplicable(missingText('unfunded-payment'));
    throw error;
  }
}

function mustLackFunds(context: CheckContext, answer: Answer, id: string): void {
  expectAnswer(context, answer, succeeded(), `for the status of ${id}, which lacks funds`);
  const status = statusTold(answer);
  if (status !== 'ACCP') throw new ExpectationFailed(`transactionStatus ACCP of ${id}`, status ?? 'nothing');
  if (!tellsOfLack(answer)) {
    throw new ExpectationFailed(
      `fundsAvailable that indicates lack of funds of ${id}`,
      JSON.stringify(toldOf(answer, 'fundsAvailable')) ?? 'nothing',
    );
  }
}

const isAccp = (answer: Answer): boolean => statusTold(answer) === 'ACCP';

const tellsOfLack = (answer: Answer): boolean =>
  ![undefined, null, true, 'true'].includes(toldOf(answer, 'fundsAvailable') as string | undefined);

/** Whether ACCP says nothing of funds yet: what has them is in it as well, until the payments of the day are run. */
async function isAccpForAll(context: CheckContext): Promise<boolean> {
  const answer = await lookAside(context, async () => {
    const funded = await approvedOne(context, aSimplePayment(offeredProduct(context)));
    return statusOf(context, funded, 'one that has funds');
  });
  return isAccp(answer) && !tellsOfLack(answer);
}

/** Known issue: a domestic payment may be unreadable before approval, which is a 4xx. */
const readOrUnreadable: Expectation = {
  text: 'the status (2xx), or a 4xx while the payment is not approved',
  met: ({ status, isSuccess }, { statusBeforeApproval }) =>
    isSuccess || (statusBeforeApproval === 'tolerated' && status >= 400 && status < 500),
};

/** In place of a payment of the target file: a check that needs one is not run without. */
const none: PaymentReference = { product: defaultProduct.path, id: '' };

const remove = (context: CheckContext, payment: PaymentReference, purpose: string): Promise<Answer> =>
  callThroughSca(context, { operation: 'deletePayment', params: paramsOf(payment) }, purpose);

/** The control of a deletion that has to be refused (freedom payments/deletion). */
async function deleteFreshOne(context: CheckContext, pendingWasRead: boolean): Promise<void> {
  const product = offeredProduct(context);
  const { id, answer } = await createOne(context, aSimplePayment(product));
  const control = await remove(context, { product: product.path, id }, 'control');
  mustBeOffered(control, 'the deletion of payments');
  if (answer.text('transactionStatus') === 'PDNG')
    expectAnswer(context, control, refused(), 'for deleting a fresh payment with status PDNG');
  // The pending one was read in the same session: the bank knows it, and refuses nothing else about it.
  else if (pendingWasRead && !control.isSuccess)
    context.note(`A fresh payment cannot be deleted either (${describeAnswer(control)}).`);
  else mustSucceed(control, 'deleting a fresh payment');
}

/** Its deletion is refused, and has no effect. */
async function mustNotBeDeleted(
  context: CheckContext,
  payment: PaymentReference,
  before: Answer,
): Promise<void> {
  const answer = await remove(context, payment, 'the pending payment');
  expectAnswer(context, answer, refused(), `for deleting the pending payment ${payment.id}`);
  await mustBeLeftAsItWas(context, {
    read: () => statusOf(context, payment, 'what became of it'),
    before,
    when: 'when its deletion is refused',
  });
}

/** The statuses of payments in states to which none of the run may come. */
const statusesInRun = new KeptInRun<'named', Promise<readonly PromiseSettledResult<Answer>[]>>();

const statusesOfNamed = (context: CheckContext): Promise<readonly PromiseSettledResult<Answer>[]> =>
  statusesInRun.of(context.run, 'named', () => {
    const { rejected, pending, unfunded } = context.target.payments;
    const named = [...rejected, ...pending.slice(0, 1), ...unfunded.slice(0, 1)];
    return Promise.allSettled(named.map((payment) => statusAtFirst(context, payment)));
  });

/** Every status that the run has read, and that of a payment of the target file or a new one. */
async function statuses(context: CheckContext): Promise<readonly Answer[]> {
  await statusOf(context, await readablePayment(context), 'sample of a status');
  await statusesOfNamed(context);
  return successes(context, 'readPaymentStatus');
}

export default suite(
  'Payment status',
  section('Endpoints', 'GET /v1/payments/{payment-product}/{payment-id}/status'),
  () => [
    check({
      id: 'PST-01',
      requirement: 'PST-01',
      title: 'the status of an approved payment of the target file can be read',
      needs: ['approved-payment'],
      steps: ['Read the status of a payment that the PSU has approved.'],
      expected: succeeded().text,
      async run(context) {
        const [approved = none] = context.target.payments.approved;
        const answer = await statusOf(context, approved, 'an approved payment');
        expectStatus(context, answer, { product: approved.product, isApproved: true });
      },
    }),
    ...everyProduct.map((product) => {
      // Domestic ones are read as simply as they can be; what a bank makes of KIDs is the affair of others.
      const subject = product === products.domestic ? simple : aPayment(product);
      // The known issue is one of domestic payments alone.
      const isSpared = product !== products.domestic;
      return check({
        id: `PST-01-${product.word}`,
        requirement: 'PST-01',
        title: `the status of ${subject.title} can be read ${isSpared ? 'before and after' : 'once'} the PSU has approved it`,
        needs: [...walking, 'create-payments'],
        steps: [
          `Create ${subject.title}.`,
          ...(isSpared ? ['Read its status, which the known issue spares.'] : []),
          'Approve it by SCA, in the same session; where it has no link, in a basket.',
          'Read its status.',
        ],
        expected: succeeded().text,
        async run(context) {
          const payment = await createOne(context, subject);
          const reference = { product: product.path, id: payment.id };
          const readEarly = () => statusOf(context, reference, 'before approval');
          const early = isSpared ? await onceCreated(context, readEarly) : undefined;
          // SCA may be required on any transaction.
          if (early?.asksForSca === false) expectAnswer(context, early, succeeded(), 'before approval');
          const isApproved = await approveOnceRead(context, payment, early);
          const read = () => statusOf(context, reference, 'after approval');
          const answer = isApproved ? await onceApproved(context, read) : await read();
          expectStatus(context, answer, { product: product.path, isApproved });
        },
      });
    }),
    check({
      id: `PST-01${suffixes.corporate}`,
      requirement: 'PST-01',
      title: 'the status of a payment of a company can be read once it is approved',
      needs: ['sca-unattended', 'corporate-sca', 'corporate-psu', 'create-payments'],
      steps: [
        'Create a cross-border payment with PSU-Corporate-ID.',
        'Approve it by SCA in corporate context, in the same session.',
        'Read its status.',
      ],
      expected: succeeded().text,
      async run(context) {
        const payment = await createOne(context, aCorporatePayment(products.crossBorder));
        const link = scaLinkOf(payment.answer);
        const nationalId = companyOf(context.target.psu)?.nationalId ?? '';
        if (link !== undefined) await walk(context, link, { nationalId, context: 'CORPORATE' });
        const params = { product: products.crossBorder.path, paymentId: payment.id };
        const call = { operation: 'readPaymentStatus', params, psu: corporatePsu(context) } as const;
        const answer = await onceApproved(context, () => callThroughSca(context, call, 'after approval'));
        expectAnswer(context, answer, succeeded(), 'for the status of an approved payment of a company');
      },
    }),
    responseChecks({
      body: bodies.paymentStatusResponse,
      title: 'a payment status response',
      answers: statuses,
      valuesIn: bodyOf,
    }),
    check({
      id: 'PST-10',
      requirement: 'PST-10',
      title: 'the status of a payment that does not exist is refused',
      needs: ['create-payments'],
      steps: [
        'Read the status of a payment that exists, as control: it must go through.',
        'Read the status of some that do not, by ids that are close to its own, by one of another form, and as the company that the target file names.',
      ],
      expected: refused().text,
      run: askForUnknownPayments,
    }),
    check({
      id: 'PST-11',
      requirement: 'PST-11',
      title: 'the status of a domestic payment can be read before approval, or is refused with a 4xx',
      needs: ['create-payments'],
      steps: [
        'Create a domestic payment.',
        'Read its status before the PSU has approved it, and that of the rejected ones of the target file.',
      ],
      expected: readOrUnreadable.text,
      async run(context) {
        const { id } = await createOne(context, simple);
        const answer = await statusOf(context, { product: products.domestic.path, id }, 'before approval');
        if (!answer.isSuccess)
          context.note('The status is unreadable before approval, which is a known issue.');
        expectAnswer(context, answer, readOrUnreadable, 'before approval');
        for (const read of await statusesOfNamed(context))
          if (read.status === 'fulfilled' && read.value.status >= 500)
            expectAnswer(context, read.value, readOrUnreadable, 'for the status of a rejected payment');
      },
    }),
    check({
      id: 'ERR-04',
      requirement: 'ERR-04',
      title: 'deleting a payment with status PDNG is answered with an error',
      needs: ['pending-payment', 'create-payments'],
      steps: [
        'Read the status of the pending payment: it must be PDNG, if it can be read.',
        'Delete a fresh payment, as control: it must go through. Where a bank deletes no fresh ones, it is control enough that the status of the pending one can be read.',
        'Delete the pending payment, and read its status again: it is left as it was.',
      ],
      expected: refused().text,
      async run(context) {
        const [pending = none, ...others] = context.target.payments.pending;
        const before = await statusOf(context, pending, 'is it pending');
        const status = statusTold(before);
        if (status !== undefined && status !== 'PDNG') {
          throw new NotApplicable(
            `The payment ${pending.id} has status ${status}: give one in status PDNG as payments.pending of the target file.`,
          );
        }
        await deleteFreshOne(context, status === 'PDNG');
        await mustNotBeDeleted(context, pending, before);
        // The others that the target file names, of which some may be of another product.
        for (const other of others) {
          const then = await statusOf(context, other, 'is it pending');
          if ((statusTold(then) ?? 'PDNG') === 'PDNG') await mustNotBeDeleted(context, other, then);
        }
      },
    }),
    check({
      id: 'ERR-05',
      requirement: 'ERR-05',
      title: 'a payment that lacks funds has status ACCP and says so in fundsAvailable',
      steps: [
        'Take the payments of the target file that lack funds; without one, create and approve one of more than any account holds.',
        'Read the status of each.',
      ],
      expected: 'transactionStatus ACCP, and fundsAvailable that is not true',
      async run(context) {
        const named = context.target.payments.unfunded;
        for (const one of named) mustLackFunds(context, await statusAtFirst(context, one), one.id);
        if (named.length > 0) return;
        const made = await beyondAllFunds(context);
        // Funds may be looked at a moment after the approval.
        const answer = await patiently(
          context.run,
          () => statusOf(context, made, 'lack of funds'),
          (read) => isAccp(read) && tellsOfLack(read),
        );
        // Or much later, or it is refused for another reason: what was made here proves nothing against the bank.
        if (!isAccp(answer) || (!tellsOfLack(answer) && (await isAccpForAll(context)))) {
          throw new NotApplicable(missingText('unfunded-payment'));
        }
        mustLackFunds(context, answer, made.id);
      },
    }),
    check({
      id: 'BSK-22',
      requirement: 'BSK-22',
      title: 'the status of each payment of a basket is obtained individually',
      needs: [...walking, 'create-payments'],
      steps: [
        'Create two domestic payments and a basket of them.',
        'Approve the basket by SCA, in the same session.',
        'Read the status of each payment.',
        'Where the basket has no link and they are unreadable, do so with cross-border payments, in a sandbox.',
      ],
      expected: `${succeeded().text} for each of them`,
      async run(context) {
        try {
          await eachHasItsStatus(context, offeredProduct(context));
        } catch (error) {
          // The known issue spares cross-border payments, which baskets of a sandbox take (Versioning).
          const isUnreadable = error instanceof NotApplicable && !(error instanceof NotOffered);
          if (!isUnreadable || context.missing('sandbox') !== undefined) throw error;
          await eachHasItsStatus(context, products.crossBorder);
        }
      },
    }),
  ],
);
