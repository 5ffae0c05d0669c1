import { type CheckContext, corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, isUnanswered, NotApplicable } from '../../src/checks/outcomes.ts';
import { products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { callAgainAfterSca, callFor, ownCustomer, walk, walking } from '../sca/walks.ts';
import { isDeleted, type OwnedPayment, paymentOf, readDetails, readStatus, remove } from './payments-of.ts';
import { statusTold } from './told-status.ts';

/** What was deleted, as its owner sees it. */
export async function mustBeGone(
  context: CheckContext,
  payment: OwnedPayment,
  what = 'the deleted payment',
): Promise<void> {
  const read = () => readStatus(context, payment.owner, payment, `what became of ${what}`);
  const after = await patiently(context.run, read, isDeleted);
  context.evidence = context.exchanges.slice(-2);
  if (!isDeleted(after))
    throw new ExpectationFailed(
      `a refusal (4xx), or transactionStatus CANC, of ${what}`,
      describeAnswer(after),
    );
}

/** Its details may come from another system than its status. Where they tell no status, they may be kept for whoever looks back. */
export async function mustBeGoneInFull(context: CheckContext, payment: OwnedPayment): Promise<void> {
  const read = () => readDetails(context, payment.owner, payment, 'details of a deleted one');
  const tellsNothingElse = (answer: Answer): boolean => isDeleted(answer) || statusTold(answer) === undefined;
  const after = await patiently(context.run, read, tellsNothingElse);
  context.evidence = context.exchanges.slice(-2);
  if (!tellsNothingElse(after))
    throw new ExpectationFailed(
      'a refusal (4xx), or transactionStatus CANC, in the details of the deleted payment',
      `transactionStatus ${statusTold(after)}`,
    );
}

/** Nobody can approve it any more, at whatever the page of its link says. */
export async function mustStayGone(context: CheckContext, payment: OwnedPayment): Promise<void> {
  const link = scaLinkOf(payment.created);
  if (link === undefined || !canWalk(context)) return;
  try {
    await walk(context, link, ownCustomer(context));
  } catch (error) {
    if (!isOfTheCase(error)) throw error;
  }
  await mustBeGone(context, payment, 'the deleted payment, at whose link SCA was passed');
}

const canWalk = (context: CheckContext): boolean =>
  walking.every((need) => context.missing(need) === undefined);

const isOfTheCase = (error: unknown): error is Error =>
  error instanceof NotApplicable || (error instanceof Inconclusive && !isUnanswered(error));

/** One to delete; undefined where there can be none. */
type Making = (context: CheckContext) => Promise<OwnedPayment | undefined>;

const { crossBorder } = products;

const ownOne = (context: CheckContext): Promise<OwnedPayment> =>
  paymentOf(context, { call: callFor(context, {}, context.psu) }, crossBorder);

/** Of the company that the target file names next to another PSU. */
const ofTheCompany: Making = async (context) => {
  if (context.target.psu.context === 'CORPORATE' || context.missing('corporate-psu') !== undefined)
    return undefined;
  const company = { call: callFor(context, {}, corporatePsu(context)) };
  return paymentOf(context, company, crossBorder, corporateFacts(context).debtor);
};

const approvedOne: Making = async (context) => {
  if (!canWalk(context)) return undefined;
  const payment = await ownOne(context);
  const link = scaLinkOf(payment.created);
  if (link === undefined) return undefined;
  await walk(context, link, ownCustomer(context));
  return payment;
};

const oneInABasket: Making = async (context) => {
  if (context.unjudged(['signing-baskets']) !== undefined) return undefined;
  const payment = await ownOne(context);
  const creation = { operation: 'createSigningBasket', body: { paymentIds: [payment.id] } } as const;
  const basket = await callAgainAfterSca(context, payment.owner, creation, 'a basket of one');
  return basket.isSuccess ? payment : undefined;
};

/** A bank may keep the two products apart. Before it is approved its status may be unreadable, which tells nothing. */
const domesticOne: Making = async (context) =>
  context.unjudged([products.domestic.profile]) === undefined
    ? paymentOf(context, { call: callFor(context, {}, context.psu) }, products.domestic)
    : undefined;

const furtherOnes: readonly (readonly [string, Making])[] = [
  ['a domestic payment', domesticOne],
  ['a payment of a company', ofTheCompany],
  ['an approved payment', approvedOne],
  ['a payment in a basket', oneInABasket],
];

/** Freedom: sca/of-deletions. It is done once SCA is passed for it. */
async function isCancelledBySca(context: CheckContext, removal: Answer): Promise<boolean> {
  const link = removal.status === 202 ? scaLinkOf(removal) : undefined;
  if (link === undefined || !canWalk(context)) return false;
  return (await walk(context, link, ownCustomer(context))).psuId !== undefined;
}

/** What is deleted with a 204 is gone, whosever it is and however far it has come. */
export async function furtherOnesMustBeGone(context: CheckContext): Promise<void> {
  for (const [what, make] of furtherOnes) {
    try {
      const payment = await make(context);
      if (payment === undefined) continue;
      const removal = await remove(context, payment.owner, payment, `delete ${what}`);
      if (removal.status === 204 || (await isCancelledBySca(context, removal)))
        await mustBeGone(context, payment, what);
    } catch (error) {
      if (!isOfTheCase(error)) throw error;
      context.note(`Nothing was judged of ${what}: ${error.message}`);
    }
  }
}
