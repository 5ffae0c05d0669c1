import { check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, isUnanswered, NotOffered } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import {
  aBasket,
  drawCall,
  freshPayments,
  isFreshPayment,
  offeredProduct,
} from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { basketStatuses } from '../../src/spec/code-lists.ts';
import { memberAt, parsedJson } from '../../src/spec/json.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';
import { statusAtFirst } from '../payments/approved-payments.ts';
import { ownCustomer, walk, walking } from '../sca/walks.ts';
import { aCorporateBasket } from '../signing/corporate-requests.ts';
import { mustNotCountAsApproved } from './partly-approved.ts';

const createBasket = (context: CheckContext, paymentIds: readonly string[], what: string): Promise<Answer> =>
  callThroughSca(context, { operation: 'createSigningBasket', body: { paymentIds } }, `a basket of ${what}`);

const statusIn = (answer: Answer): string => answer.text('transactionStatus') ?? 'no transactionStatus';

/** Whether it tells a status, which has to be one of those listed. */
function isListed(context: CheckContext, answer: Answer): boolean {
  const status = answer.isSuccess ? answer.text('transactionStatus') : undefined;
  if (status === undefined) return false;
  context.evidence = [answer.exchange];
  if (!basketStatuses.some((listed) => listed === status))
    throw new ExpectationFailed(`transactionStatus ${basketStatuses.join(', ')}`, status);
  return true;
}

const readings = ['readSigningBasketStatus', 'readSigningBasket'] as const;

/** A basket is not rejected whose only payment is not: a bank may have rejected that meanwhile, so it is asked. */
async function mustNotBeRejectedAlone(
  context: CheckContext,
  answer: Answer,
  paymentId: string,
): Promise<void> {
  if (!answer.isSuccess || statusIn(answer) !== 'RJCT') return;
  const params = { product: offeredProduct(context).path, paymentId };
  const call = { operation: 'readPaymentStatus', params } as const;
  const isExcused = (payment: Answer): boolean =>
    !payment.isSuccess || ['RJCT', 'CANC'].includes(statusIn(payment));
  // It may be read from a copy that is a moment behind.
  const payment = await patiently(
    context.run,
    () => callThroughSca(context, call, 'the only payment of a rejected basket'),
    isExcused,
  );
  if (isExcused(payment)) return;
  context.evidence = [answer.exchange, payment.exchange];
  throw new ExpectationFailed(
    `another transactionStatus than RJCT for a basket whose only payment is ${statusIn(payment)}`,
    'RJCT',
  ).breaking('BSK-20');
}

/** That of a company tells its status in the same words. It is deleted then, which breaks nothing. */
async function readOfTheCompany(context: CheckContext): Promise<void> {
  if (context.missing('corporate-psu') !== undefined) return;
  try {
    const creation = await drawCall(context, aCorporateBasket);
    const basketId = (await callThroughSca(context, creation, 'a basket of a company')).text('basketId');
    if (basketId === undefined) return;
    const send = (operation: (typeof readings)[number] | 'deleteSigningBasket') =>
      callThroughSca(
        context,
        { operation, params: { basketId }, psu: corporatePsu(context) },
        'that of a company',
      );
    for (const operation of readings) isListed(context, await send(operation));
    await send('deleteSigningBasket');
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`No basket of a company was read: ${error.message}`);
  }
}

type ReadBasket = (operation: (typeof readings)[number], when: string, id?: string) => Promise<Answer>;

/** Payments have statuses that a basket has not: whatever they are, it tells one of its own. */
async function readOfOtherStates(context: CheckContext, read: ReadBasket): Promise<void> {
  const { pending, unfunded } = context.target.payments;
  // A payment that was rejected for now may be taken up again by whoever signs it once more.
  if (unfunded[0] !== undefined) await statusAtFirst(context, unfunded[0]);
  for (const payment of [pending[0], unfunded[0]]) {
    if (payment === undefined) continue;
    const basket = await createBasket(context, [payment.id], 'a payment in another state');
    const basketId = isListed(context, basket) ? basket.text('basketId') : undefined;
    if (basketId === undefined) continue;
    for (const operation of readings)
      isListed(context, await read(operation, 'of a payment in another state', basketId));
  }
}

/** PATC: a part of the basket was accepted. Which of the two is worse is not said. */
const tellsTheWorst = (answer: Answer): boolean => ['RJCT', 'PATC'].includes(statusIn(answer));

function mustTellTheWorst(context: CheckContext, answer: Answer, when = ''): void {
  if (tellsTheWorst(answer)) return;
  context.evidence = [answer.exchange];
  throw new ExpectationFailed(
    `transactionStatus RJCT or PATC for a basket with a rejected payment${when}`,
    statusIn(answer),
  );
}

/** Whatever has become of it. */
async function mustTellTheWorstWhenRead(
  context: CheckContext,
  basketId: string | undefined,
  when: string,
): Promise<void> {
  if (basketId === undefined) return;
  for (const operation of readings) {
    // It may be read from a copy that is a moment behind.
    const answer = await patiently(
      context.run,
      () => callThroughSca(context, { operation, params: { basketId } }, 'what it is when read'),
      (told) => !told.isSuccess || tellsTheWorst(told),
    );
    const isTold = context.showing('BKR-04', () => isListed(context, answer));
    if (isTold) mustTellTheWorst(context, answer, when);
  }
}

/** Approving a basket may give a rejected payment another chance: only what is still rejected is the worst case. */
async function mustTellTheWorstOnceApproved(
  context: CheckContext,
  basket: Answer,
  { product, id }: { readonly product: string; readonly id: string },
): Promise<void> {
  const link = scaLinkOf(basket);
  if (link === undefined || context.missing('sca-unattended') !== undefined) return;
  try {
    await walk(context, link, ownCustomer(context));
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`A basket with a rejected payment was not approved: ${error.message}`);
    return;
  }
  const call = { operation: 'readPaymentStatus', params: { product, paymentId: id } } as const;
  const status = await callThroughSca(context, call, 'the rejected payment once the basket is approved');
  if (status.isSuccess && statusIn(status) === 'RJCT')
    await mustTellTheWorstWhenRead(context, basket.text('basketId'), ', once it is approved');
}

/** Payments that were created for baskets and are nowhere else: in a second basket one may be rejected. */
function onlyFreshOnes(context: CheckContext, baskets: readonly Answer[]): (basket: Answer) => boolean {
  const { kept } = context.run.observations;
  const fresh = new Set<unknown>(
    kept
      .filter(({ exchange }) => isFreshPayment(exchange))
      .flatMap(({ answer }) => answer.text('paymentId') ?? []),
  );
  const removals = kept
    .filter(({ exchange }) => exchange.operation === 'deletePayment')
    .map(({ exchange }) => percentDecoded(exchange.request.url))
    .join('\n');
  const all = baskets.flatMap(idsIn);
  return (basket) =>
    idsIn(basket).every(
      (id) =>
        fresh.has(id) && !removals.includes(String(id)) && all.filter((each) => each === id).length === 1,
    );
}

const idsIn = ({ exchange }: Answer): readonly unknown[] =>
  [memberAt(parsedJson(exchange.request.body), 'paymentIds')].flat();

export default suite('Status of a basket', section('Resources and their fields', 'Signing basket'), () => [
  check({
    id: 'BSK-20',
    requirement: 'BSK-20',
    title: 'a basket of payments of which none was rejected is not rejected',
    needs: ['create-payments'],
    steps: [
      'Create two domestic payments and a basket of them.',
      'Look at its status, and at that of every basket that any check of this run has created, of payments that were made for it and are in no other one.',
    ],
    expected: 'another transactionStatus than RJCT',
    observes: true,
    async run(context) {
      const answer = await createBasket(context, await freshPayments(context, 2), 'two fresh payments');
      context.evidence = [answer.exchange];
      if (!answer.isSuccess)
        throw new Inconclusive(`The basket was not created, but answered ${describeAnswer(answer)}.`);
      const baskets = await successes(context, 'createSigningBasket');
      const judged = [answer, ...baskets.filter(onlyFreshOnes(context, baskets))];
      context.cases = judged.length;
      const rejected = judged.find((basket) => statusIn(basket) === 'RJCT');
      if (rejected === undefined) return;
      context.evidence = [rejected.exchange];
      throw new ExpectationFailed('another transactionStatus than RJCT', 'RJCT');
    },
  }),
  check({
    id: `BKR-04${suffixes.status}`,
    requirement: 'BKR-04',
    others: ['BSK-20'],
    title: 'the status of a basket that is read is one of those that a basket has',
    needs: ['create-payments'],
    steps: [
      'Create a basket of one fresh domestic payment.',
      'Read its status, as in the framework: /v1/signing-baskets/{id}/status. Where there is none, there is nothing to object to.',
      'Approve it by SCA, where that can be passed unattended, and read its status and the whole basket again.',
      'Where it is RJCT, read the status of its payment, which has to be rejected then.',
      'Read the same of a basket of a company, where the target file names one, and delete it.',
      'Put each of payments.pending and payments.unfunded of the target file into a basket, where it names one, and read that. A bank may refuse such a basket.',
    ],
    expected: `transactionStatus ${basketStatuses.join(', ')}`,
    async run(context) {
      const [paymentId = ''] = await freshPayments(context, 1);
      const basket = await createBasket(context, [paymentId], 'a fresh payment');
      const basketId = basket.text('basketId');
      if (!basket.isSuccess || basketId === undefined)
        throw new NotOffered('No basket was created that could be read by its basketId.');
      const read: ReadBasket = (operation, when, id = basketId) =>
        callThroughSca(context, { operation, params: { basketId: id } }, when);
      const fresh = await read('readSigningBasketStatus', 'its status');
      if (!isListed(context, fresh))
        throw new NotOffered('The status of a basket cannot be read at the path of the framework.');
      await mustNotBeRejectedAlone(context, fresh, paymentId);
      const link = scaLinkOf(basket);
      if (link !== undefined && context.missing('sca-unattended') === undefined) {
        await walk(context, link, ownCustomer(context));
        for (const operation of readings) {
          const approved = await read(operation, 'once it is approved');
          isListed(context, approved);
          await mustNotBeRejectedAlone(context, approved, paymentId);
        }
      }
      await readOfTheCompany(context);
      await readOfOtherStates(context, read);
    },
  }),
  check({
    id: 'BSK-20-partly',
    requirement: 'BSK-20',
    title: 'a basket of which one payment is approved does not count as approved',
    needs: [...walking, 'create-payments'],
    steps: [
      'Create a basket of two payments and read its status, approve it by SCA and read it again, as control: it tells another status.',
      'Create a basket of two further payments, approve the first of them at its own link, where it has one, and read the status of the basket; do the same with the last of two.',
      'Where the basket tells the status of an approved one, read that of both payments: the other is not approved.',
    ],
    expected: 'another transactionStatus than that of an approved basket',
    run: mustNotCountAsApproved,
  }),
  check({
    id: 'BSK-20-rejected',
    requirement: 'BSK-20',
    others: ['BKR-04'],
    title: 'the status of a basket with a rejected payment tells the worst case',
    needs: ['rejected-payment', 'create-payments'],
    steps: [
      'Create a basket of one fresh domestic payment, as control: it must go through.',
      'Create a basket of a fresh domestic payment and one that was rejected, in both orders, and one of the rejected payment alone.',
      'Look at the status of each, at its creation and when it is read; a bank may refuse such a basket.',
      'Approve one of them by SCA, where that can be passed unattended, and read it again: the payment may still be rejected then.',
    ],
    expected: 'transactionStatus RJCT or PATC, or a refusal',
    async run(context) {
      await controlBy(context, aBasket());
      const [rejected = { product: '', id: '' }] = context.target.payments.rejected;
      const baskets = [
        [...(await freshPayments(context, 1)), rejected.id],
        [rejected.id, ...(await freshPayments(context, 1))],
        [rejected.id],
      ];
      let taken: Answer | undefined;
      for (const paymentIds of baskets) {
        const what = paymentIds.length === 1 ? 'a rejected payment' : 'a fresh and a rejected payment';
        const answer = await createBasket(context, paymentIds, what);
        context.evidence = [answer.exchange];
        if (!answer.isSuccess) {
          context.note(`The bank takes no rejected payment into a basket: ${describeAnswer(answer)}.`);
          continue;
        }
        context.showing('BKR-04', () => isListed(context, answer));
        mustTellTheWorst(context, answer);
        await mustTellTheWorstWhenRead(context, answer.text('basketId'), ', when it is read');
        if (paymentIds.length > 1) taken = answer;
      }
      if (taken !== undefined) await mustTellTheWorstOnceApproved(context, taken, rejected);
    },
  }),
]);
