import { acceptedAmong } from '../../src/checks/carrier.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { askedOnce } from '../../src/checks/controls.ts';
import { refused } from '../../src/checks/expectation.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { limits } from '../../src/spec/limits.ts';
import { type Product, products } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { carrierOf } from '../payments/carried-lists.ts';

const limit = limits.basketPayments;

interface Part {
  readonly from: number;
  readonly count: number;
}

/** Payments that carry listed values have to be accepted anyway: a part of them for each basket of many. */
async function lentPayments(
  context: CheckContext,
  part: Part,
  product: Product = offeredProduct(context),
): Promise<readonly string[] | undefined> {
  const answers = await acceptedAmong(context, carrierOf(product), part);
  const ids = answers.flatMap((answer) => answer.text('paymentId') ?? []);
  return ids.length < part.count ? undefined : ids;
}

/** The same, where nothing can be said without them. */
export async function mustBeLent(context: CheckContext, part: Part): Promise<readonly string[]> {
  const ids = await lentPayments(context, part);
  if (ids === undefined) throw new Inconclusive(`There are no ${part.count} payments with listed values.`);
  return ids;
}

const basketOfLent = (
  context: CheckContext,
  ids: readonly string[],
  { word }: Product = offeredProduct(context),
): Promise<Answer> => {
  const title = `basket of ${ids.length} ${word} payments`;
  return askedOnce(context, `lent/${title}`, (sender) =>
    callThroughSca(sender, { operation: 'createSigningBasket', body: { paymentIds: ids } }, title),
  );
};

/** The answer to a basket of a part of them; undefined where not all of these were accepted. */
export const basketOfLentPart =
  (part: Part) =>
  async (context: CheckContext): Promise<Answer | undefined> => {
    const ids = await lentPayments(context, part);
    return ids && basketOfLent(context, ids);
  };

/** The same with another payment at its end, which others have not created. */
export const basketOfLentAnd =
  (last: () => string, part: Part) =>
  async (context: CheckContext): Promise<Answer | undefined> => {
    const ids = await lentPayments(context, part);
    return ids && basketOfLent(context, [...ids, last()]);
  };

/** The same of cross-border payments, where they are not those that all other baskets are made of. */
export async function basketOfLentAbroad(context: CheckContext, count: number): Promise<Answer | undefined> {
  const product = products.crossBorder;
  if (offeredProduct(context) === product) return undefined;
  const ids = await lentPayments(context, { from: limit + 1, count }, product);
  return ids && basketOfLent(context, ids, product);
}

/** One payment too many, and then without it: such a basket is refused for its size alone. */
export async function lentAroundTheLimit(
  context: CheckContext,
  product: Product = offeredProduct(context),
): Promise<{ readonly tooMany: Answer; readonly full: Answer } | undefined> {
  const ids = await lentPayments(context, { from: 0, count: limit + 1 }, product);
  if (ids === undefined) return undefined;
  const tooMany = await basketOfLent(context, ids, product);
  if (!refused().met(tooMany, context.readings)) return undefined;
  const full = await basketOfLent(context, ids.slice(0, limit), product);
  return full.isSuccess ? { tooMany, full } : undefined;
}
