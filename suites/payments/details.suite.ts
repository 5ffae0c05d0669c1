import { withBody } from '../../src/checks/call-body.ts';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { describeAnswer, mustSucceed } from '../../src/checks/expectation.ts';
import { AnswersInRun, KeptInRun } from '../../src/checks/kept-in-run.ts';
import { ExpectationFailed, Inconclusive, isUnanswered, NotOffered } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { aPayment, drawCall, type Subject } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { transactionStatuses } from '../../src/spec/code-lists.ts';
import { products, staysInAscii } from '../../src/spec/products.ts';
import type { PaymentReference } from '../../src/target/payments.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { callFor, walking } from '../sca/walks.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';
import { amountsOf, datesOf, isIsoDate, membersCalled } from '../told-values.ts';
import {
  approveByItselfOrInBasket,
  type CreatedPayment,
  createOne,
  readablePayment,
} from './approved-payments.ts';
import { furtherOnesMustBeGone, mustBeGone, mustBeGoneInFull, mustStayGone } from './deletions.ts';
import { isOurs, isSpoiled, lettered } from './lettered-names.ts';
import { onceApproved, onceCreated } from './once-approved.ts';
import { paramsOf } from './payments-at-hand.ts';
import {
  mustBeDeleted,
  mustBeLeftAsItWas,
  paymentOf,
  readFreshStatus,
  readStatus,
  remove,
} from './payments-of.ts';

interface PaymentToRead {
  readonly payment: PaymentReference;
  /** Of one that this check has created, and that nobody has approved. */
  readonly created?: CreatedPayment;
}

/** One with every field, a day of execution among them, where the known issue lets it be read. */
async function completePayment(context: CheckContext): Promise<PaymentToRead> {
  const { crossBorder } = products;
  if (context.unjudged([crossBorder.profile]) !== undefined)
    return { payment: await readablePayment(context) };
  const subject = aPayment(crossBorder, { optional: 'all' });
  const created = (await createWithLetters(context, subject)) ?? (await createOne(context, subject));
  return { payment: { product: crossBorder.path, id: created.id }, created };
}

/** What letters of Norway become is seen where they are read back. Those who pay abroad may be refused them (400). */
async function createWithLetters(
  context: CheckContext,
  subject: Subject,
): Promise<CreatedPayment | undefined> {
  if (staysInAscii(context.readings.letters, products.crossBorder.name)) return undefined;
  const call = withBody(await drawCall(context, subject), (body) => ({ ...body, creditorName: lettered }));
  const answer = await callThroughSca(context, call, `create ${subject.title} to ${lettered}`);
  const id = answer.text('paymentId');
  return id === undefined ? undefined : { answer, id };
}

const readInRun = new AnswersInRun<'details', Answer>(({ asksForSca }) => !asksForSca);
const readInStatesInRun = new KeptInRun<'details', Promise<void>>();

/** Freedom: payments/unreadable. */
async function readComplete(context: CheckContext): Promise<Answer> {
  const { payment, created } = await completePayment(context);
  const params = paramsOf(payment);
  const read = () =>
    callThroughSca(context, { operation: 'readPayment', params }, 'the details of a payment');
  const answer = await onceCreated(context, read);
  const isForWantOfApproval =
    created !== undefined && isRefused(answer) && (await isApprovedNow(context, created));
  return isForWantOfApproval ? onceApproved(context, read) : answer;
}

const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 401;

async function isApprovedNow(context: CheckContext, created: CreatedPayment): Promise<boolean> {
  if (walking.some((need) => context.missing(need) !== undefined)) return false;
  try {
    return await approveByItselfOrInBasket(context, created);
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`No payment was approved to read its details: ${error.message}`);
    return false;
  }
}

/** One of the company that the target file names next to another PSU. Where it cannot be read, others tell enough. */
async function readOfCompany(context: CheckContext): Promise<void> {
  const { crossBorder } = products;
  const isPossible =
    context.target.psu.context !== 'CORPORATE' &&
    context.missing('corporate-psu') === undefined &&
    context.unjudged([crossBorder.profile]) === undefined;
  if (!isPossible) return;
  try {
    const { id: paymentId } = await createOne(context, aCorporatePayment(crossBorder));
    const params = { product: crossBorder.path, paymentId };
    const call = { operation: 'readPayment', params, psu: corporatePsu(context) } as const;
    await onceCreated(context, () => callThroughSca(context, call, 'the details of a payment of a company'));
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`The details of no payment of a company were read: ${error.message}`);
  }
}

/** One in each of the states to which no payment of the run may come. */
async function readNamedOnes(context: CheckContext): Promise<void> {
  const { approved, pending, rejected, unfunded } = context.target.payments;
  const named = [approved, pending, rejected, unfunded].flatMap(([payment]) => payment ?? []);
  await Promise.all(
    named.map((payment) =>
      callThroughSca(
        context,
        { operation: 'readPayment', params: paramsOf(payment) },
        'the details of a payment of the target file',
      ),
    ),
  );
}

/** All details that the run has read. Their shape is not shown, so that a bank which has none owes none. */
async function detailsRead(context: CheckContext): Promise<readonly Answer[]> {
  const answer = await readInRun.of(context.run, 'details', () => readComplete(context));
  if (!answer.isSuccess)
    throw new NotOffered(`The details of a payment were answered ${describeAnswer(answer)}.`);
  await readInStatesInRun.of(context.run, 'details', async () => {
    await Promise.all([readOfCompany(context), readNamedOnes(context)]);
  });
  return successes(context, 'readPayment');
}

/** What the table of fields calls so; whatever else a bank tells of a payment is its own affair. */
const amountNames = new Set(['instructedAmount', 'transactionFees']);
const dateNames = new Set(['requestedExecutionDate']);
const statusNames = new Set(['transactionStatus']);
const creditorNames = new Set(['creditorName']);

interface Told {
  readonly id: string;
  readonly requirement: string;
  readonly title: string;
  readonly what: string;
  readonly expected: string;
  readonly valuesIn: (details: unknown) => readonly unknown[];
  readonly isRight: (value: unknown) => boolean;
}

const told = ({ id, requirement, title, what, expected, valuesIn, isRight }: Told): Check =>
  check({
    id,
    requirement,
    title,
    profiles: ['payment-lifecycle'],
    needs: ['create-payments'],
    steps: [
      'Create a cross-border payment with every optional field, and read its details: GET on its path, as in the framework; where they are refused, again once the PSU has approved it. Do so with one of the company that the target file names, and with those that it names for their states.',
      `Look at ${what} in all details of payments that this run has read, where they have it: the shape is not shown.`,
    ],
    expected,
    observes: true,
    async run(context) {
      context.cases = 0;
      for (const answer of await detailsRead(context)) {
        const values = valuesIn(answer.json);
        context.cases += values.length;
        const wrong = values.find((value) => !isRight(value));
        if (wrong === undefined) continue;
        context.evidence = [answer.exchange];
        throw new ExpectationFailed(expected, JSON.stringify(wrong));
      }
      if (context.cases === 0) throw new NotOffered(`The details of a payment do not tell ${what}.`);
    },
  });

export default suite('Details of payments', section('Resources and their fields'), () => [
  told({
    id: `VER-03${suffixes.details}`,
    requirement: 'VER-03',
    title: 'amounts in the details of a payment are strings',
    what: 'instructedAmount and transactionFees',
    expected: 'a string as amount',
    valuesIn: (details) => amountsOf(amountNames, details),
    isRight: (amount) => amount === null || typeof amount === 'string',
  }),
  told({
    id: `TRN-10${suffixes.details}`,
    requirement: 'TRN-10',
    title: 'requestedExecutionDate in the details of a payment has the form YYYY-MM-DD',
    what: 'requestedExecutionDate',
    expected: 'YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with an offset',
    valuesIn: (details) => datesOf(dateNames, details),
    isRight: (date) => isIsoDate(String(date)),
  }),
  told({
    id: `PST-04${suffixes.details}`,
    requirement: 'PST-04',
    title: 'the status in the details of a payment is one of those that a payment has',
    what: 'transactionStatus',
    expected: `one of ${transactionStatuses.join(', ')}`,
    valuesIn: (details) => membersCalled(statusNames, details),
    isRight: (status) => status === null || (transactionStatuses as readonly unknown[]).includes(status),
  }),
  told({
    id: `TRN-04${suffixes.details}`,
    requirement: 'TRN-04',
    title: 'Norwegian letters of a payment are those that were sent, where its details tell them',
    what: `creditorName “${lettered}”, by which one was sent`,
    expected: 'its letters, or such as stand for them',
    valuesIn: (details) => membersCalled(creditorNames, details).filter(isOurs),
    isRight: (name) => !isSpoiled(String(name)),
  }),
  check({
    id: 'PST-14',
    requirement: 'PST-14',
    others: ['PST-15'],
    title: 'a payment whose deletion is answered 204 is gone, and no other with it',
    needs: ['create-payments'],
    steps: [
      'Create two cross-border payments and read their status, as control: it must go through.',
      'Delete one; where that is not answered 204, nothing is judged, for it may await SCA.',
      'Read the status of both again, and the details of the deleted one.',
      'Pass SCA at the link of the deleted one, and read its status once more.',
      'Delete a domestic one, one of the company that the target file names, an approved one and one in a basket, and read the status of each that is answered 204.',
    ],
    expected: 'a refusal (4xx), or transactionStatus CANC, of the deleted one alone',
    async run(context) {
      const ourselves = { call: callFor(context, {}, context.psu) };
      const payment = await paymentOf(context, ourselves, products.crossBorder);
      mustSucceed(await readFreshStatus(context, payment, 'control'), 'reading the status of a payment');
      const another = await paymentOf(context, ourselves, products.crossBorder);
      const before = await readFreshStatus(context, another, 'another one');
      const removal = await remove(context, ourselves, payment, 'delete it');
      mustBeDeleted(context, removal, 'deleting a fresh payment');
      if (removal.status !== 204)
        throw new NotOffered(`Deletions are answered ${describeAnswer(removal)}, and may await SCA.`);
      await mustBeGone(context, payment);
      await mustBeGoneInFull(context, payment);
      const readAnother = () => readStatus(context, ourselves, another, 'what became of the other');
      await context.showing('PST-15', () =>
        mustBeLeftAsItWas(context, { read: readAnother, before, when: 'when another is deleted' }),
      );
      await mustStayGone(context, payment);
      await furtherOnesMustBeGone(context);
    },
  }),
]);
