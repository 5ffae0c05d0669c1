import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive, isUnanswered, NotOffered } from '../../src/checks/outcomes.ts';
import { aSimplePayment, offeredProduct } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { approve, createOne, statusOf } from '../payments/approved-payments.ts';
import { statusTold } from '../payments/told-status.ts';

type Created = Awaited<ReturnType<typeof createOne>>;

const twoPayments = async (context: CheckContext): Promise<readonly [Created, Created]> => {
  const create = () => createOne(context, aSimplePayment(offeredProduct(context)));
  return [await create(), await create()];
};

async function basketOf(context: CheckContext, payments: readonly Created[]): Promise<Answer> {
  const body = { paymentIds: payments.map(({ id }) => id) };
  return callThroughSca(context, { operation: 'createSigningBasket', body }, 'a basket of two payments');
}

/** Approved at its link. Who cannot be walked to the end shows nothing of it. */
async function isApproved(context: CheckContext, created: Answer, what: string): Promise<boolean> {
  try {
    return await approve(context, created);
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`${what} was not approved: ${error.message}`);
    return false;
  }
}

const readStatus = (context: CheckContext, basket: Answer, when: string): Promise<Answer> =>
  callThroughSca(
    context,
    { operation: 'readSigningBasketStatus', params: { basketId: basket.text('basketId') ?? '' } },
    when,
  );

/** What a bank tells of a basket before and once all of it is approved; undefined where it tells the same. */
async function wordForAll(context: CheckContext): Promise<string | undefined> {
  const basket = await basketOf(context, await twoPayments(context));
  if (basket.text('basketId') === undefined) return undefined;
  const fresh = await readStatus(context, basket, 'of which none is approved');
  if (!fresh.isSuccess || !(await isApproved(context, basket, 'A basket of two payments'))) return undefined;
  const read = () => readStatus(context, basket, 'that is approved');
  const all = await patiently(context.run, read, (told) => statusTold(told) !== statusTold(fresh));
  const word = all.isSuccess ? statusTold(all) : undefined;
  return word === statusTold(fresh) || word === 'RJCT' ? undefined : word;
}

/** A bank may approve them together, or show neither: then nothing is known of the other one. */
async function isLeft(
  context: CheckContext,
  [approved, other]: readonly [Created, Created],
): Promise<boolean> {
  const product = offeredProduct(context).path;
  const read = ({ id }: Created, what: string) => statusOf(context, { product, id }, what);
  const done = await read(approved, 'the approved one');
  const left = await read(other, 'the other one');
  if (!done.isSuccess) return false;
  // Known issue: a domestic payment may show itself only once it is approved.
  return left.isSuccess ? statusTold(left) !== statusTold(done) : left.isAbsent || left.status === 403;
}

/** One of two payments of a basket is approved at its own link: the worst case is the other one. */
export async function mustNotCountAsApproved(context: CheckContext): Promise<void> {
  const word = await wordForAll(context);
  if (word === undefined)
    throw new NotOffered(
      'A basket has no status of its own once it is approved, so that nothing can be told.',
    );
  context.cases = 0;
  for (const place of [0, 1] as const) {
    const payments = await twoPayments(context);
    const basket = await basketOf(context, payments);
    const pair = [payments[place], payments[1 - place] as Created] as const;
    if (basket.text('basketId') === undefined) continue;
    if (!(await isApproved(context, pair[0].answer, 'A payment of a basket'))) continue;
    const read = () => readStatus(context, basket, 'of which one is approved');
    const told = await patiently(context.run, read, (answer) => statusTold(answer) !== word);
    if (!told.isSuccess) continue;
    context.cases += 1;
    if (statusTold(told) !== word || !(await isLeft(context, pair))) continue;
    context.evidence = [told.exchange, ...context.exchanges.slice(-2)];
    throw new ExpectationFailed(
      `another transactionStatus than ${word} for a basket of which one payment is not approved`,
      word,
    );
  }
  if (context.cases === 0)
    throw new NotOffered('No payment of a basket could be approved at a link of its own.');
}
