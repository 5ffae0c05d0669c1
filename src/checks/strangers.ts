import { toStranger } from '../payloads/creditors.ts';
import { parsedJson, textAt } from '../spec/json.ts';
import type { Product, ProductName } from '../spec/products.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Variation } from '../tpp/call.ts';
import { sendPlain } from './case.ts';
import type { CheckContext } from './context.ts';
import { describeAnswer, wentThrough } from './expectation.ts';
import { Inconclusive, NotApplicable } from './outcomes.ts';
import { addOptionalHeaders } from './request-contexts.ts';
import { aCrossBorderPayment, aPayment, aSimplePayment, drawCall, type Subject } from './subject.ts';

/**
 * A payment to an account that is made up, which a bank takes unless it pays only accounts that it knows. Where the
 * target file names all of these, none is made up.
 */
export const aPaymentToAStranger = (product: Product): Subject =>
  sentToAStranger(product, aSimplePayment(product));

const sentToAStranger = (product: Product, payment: Subject): Subject => ({
  ...payment,
  title: `${payment.title} to an account that is made up`,
  bodies: (context) =>
    context.facts.creditors?.[product.name] === undefined
      ? payment.bodies(context).map((body) => toStranger(product.name, body, context.facts))
      : payment.bodies(context),
});

const settings: Readonly<Record<ProductName, string>> = {
  domestic: 'accounts.creditor, or all that there are as accounts.creditors.domestic,',
  crossBorder: 'accounts.creditorForeign, or all that there are as accounts.creditors.crossBorder,',
};

/** What to do where payments of a product are refused for whom they go to. */
export const nameTheCreditor = ({ name }: Product): string =>
  `Where the bank pays only accounts that it knows, name one as ${settings[name]} in the target file.`;

/**
 * Freedom: payments/creditors. Where the one of a refused payment is made up, another one that is made up tells, and
 * one that is known whether the bank takes payments at all now.
 */
export async function mustKnowTheCreditor(
  context: CheckContext,
  product: Product | undefined,
  refusal: Answer,
): Promise<void> {
  const number = creditorIn(refusal);
  if (product === undefined || number === undefined || isNamed(context, number)) return;
  if (refusal.asksForSca || refusal.status < 400 || refusal.status >= 500) return;
  const stranger = aPaymentToAStranger(product);
  const answer = await sendPlain(context, stranger);
  if (wentThrough(answer, context.readings)) return;
  const known = await sendPlain(context, aSimplePayment(product));
  const told = `${stranger.title} was answered ${describeAnswer(answer)}`;
  if (wentThrough(known, context.readings)) throw new NotApplicable(`${told}. ${nameTheCreditor(product)}`);
  if (isNamed(context, creditorIn(known) ?? ''))
    throw new Inconclusive(
      `The control was refused: ${told}, and a ${product.word} payment to an account that is known ${describeAnswer(known)}.`,
    );
  if ((await isTakenComplete(context, product)) || (await isTakenFromAnIban(context, product))) return;
  throw new NotApplicable(
    `${told}, and so was every other one: nobody has named an account that can be paid. ${nameTheCreditor(product)}`,
  );
}

/**
 * Who takes a payment to an account that is made up, once it has every optional part, knows whom it goes to: what was
 * refused lacked something that nobody has to send. The headers come later: a bank may stumble over all of them together.
 */
async function isTakenComplete(context: CheckContext, product: Product): Promise<boolean> {
  const complete = sentToAStranger(product, aPayment(product, { optional: 'all' }));
  const withHeaders: Variation = {
    beforeSigning: (draft) => {
      addOptionalHeaders(draft);
      draft.headers.set('PSU-Context', context.target.psu.context);
    },
  };
  for (const variation of [{}, withHeaders]) {
    const call = { ...(await drawCall(context, complete)), query: { allowLogicalDuplicate: 'true' } };
    const answer = await context.call(call, variation, 'control, complete');
    if (wentThrough(answer, context.readings)) return true;
  }
  return false;
}

/** The account that pays may be given in both forms: who takes one of them knows whom the payment goes to. */
async function isTakenFromAnIban(context: CheckContext, product: Product): Promise<boolean> {
  if (product.name !== 'crossBorder' || context.facts.debtor.iban === undefined) return false;
  const fromAnIban = aCrossBorderPayment({ optional: 'none', debtor: 'iban' });
  return wentThrough(await sendPlain(context, sentToAStranger(product, fromAnIban)), context.readings);
}

const isNamed = ({ target }: CheckContext, number: string): boolean =>
  target.accounts.namedCreditors.includes(number);

/** The account that a payment was to go to. */
export function creditorIn({ exchange }: Pick<Answer, 'exchange'>): string | undefined {
  const body = parsedJson(exchange.request.body);
  return textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAccount', 'bban');
}
