import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import { expectAnswer, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { aBasket, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { everyProduct, type Product } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Call } from '../../src/tpp/call.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import {
  mustBeDeleted,
  type OwnedPayment,
  paymentOf,
  remove,
  withAnotherPsu,
} from '../payments/payments-of.ts';
import { withCustomer } from '../sca/spare-customers.ts';
import { callAgainAfterSca, callFor, type Login, logIn, ownCustomer, walk, walking } from '../sca/walks.ts';

const isJudged = ({ paymentOwnership }: Readings): Level | undefined =>
  paymentOwnership === 'refused' ? 'must' : undefined;

interface UnfitPayment {
  readonly id: string;
  readonly requirement: string;
  readonly others?: readonly string[];
  /** `a deleted payment` */
  readonly what: string;
  readonly needs: readonly Capability[];
  readonly levelUnder?: (readings: Readings) => Level | undefined;
  /** Brings such a payment about and hands its id on; whoever it belongs to stays logged in until then. */
  readonly withPayment: (context: CheckContext, put: (id: string) => Promise<void>) => Promise<void>;
}

const ofBaskets = ['readSigningBasketStatus', 'readSigningBasket', 'deleteSigningBasket'] as const;

/** Nor is a basket of theirs read or deleted. Where they cannot read it themselves, a refusal would show nothing. */
async function keepsBasketOf(
  context: CheckContext,
  owner: Login,
  paymentId: string,
  whose: string,
): Promise<void> {
  const theirs = (call: Call, purpose: string) => callAgainAfterSca(context, owner, call, purpose);
  const creation = { operation: 'createSigningBasket', body: { paymentIds: [paymentId] } } as const;
  const basketId = (await theirs(creation, `a basket of ${whose}`)).text('basketId');
  if (basketId === undefined) return;
  const params = { basketId };
  if (!(await theirs({ operation: ofBaskets[0], params }, `control as ${whose}`)).isSuccess) return;
  context.broken = 'BSK-26';
  for (const operation of ofBaskets) {
    const answer = await context.call({ operation, params }, {}, `a basket of ${whose}`);
    // What is not offered is refused to everybody.
    if (answer.isSuccess || (answer.status >= 500 && answer.status !== 501))
      expectAnswer(context, answer, refusedOrAskedForSca(), `for a basket of ${whose}`);
  }
  context.broken = undefined;
}

/** A basket in which one payment does not belong: between fresh ones, where whoever looks at an end alone misses it. */
const refusesBasketWith = ({ what, withPayment, ...rest }: UnfitPayment): Check =>
  check({
    ...rest,
    title: `a basket with ${what} is refused`,
    steps: [
      'Create a basket of one fresh payment, as control: it must go through.',
      `Create a basket of two fresh payments with ${what} between them.`,
      ...(rest.others === undefined
        ? []
        : [
            'Let them create a basket of that payment and read its status, as control; read it and delete it.',
          ]),
    ],
    expected: refusedOrAskedForSca().text,
    async run(context) {
      await controlBy(context, aBasket());
      const [first = '', last = ''] = await freshPayments(context, 2);
      await withPayment(context, async (unfit) => {
        const paymentIds = [first, unfit, last];
        const answer = await context.call(
          { operation: 'createSigningBasket', body: { paymentIds } },
          {},
          `a basket with ${what}`,
        );
        expectAnswer(context, answer, refusedOrAskedForSca(), `for a basket with ${what}`);
      });
    },
  });

/** Of each product that is judged, the offered one first: a bank may keep them apart, and look after one of them. */
async function putOfEachProduct(
  context: CheckContext,
  put: (id: string) => Promise<void>,
  create: (product: Product) => Promise<OwnedPayment>,
): Promise<readonly string[]> {
  const offered = offeredProduct(context);
  const others = everyProduct.filter(
    (product) => product !== offered && context.unjudged([product.profile]) === undefined,
  );
  const ids: string[] = [];
  for (const product of [offered, ...others]) {
    const { id } = await create(product);
    await put(id);
    ids.push(id);
  }
  return ids;
}

async function deleted(context: CheckContext): Promise<string> {
  const ourselves = { call: callFor(context, {}, context.psu) };
  const payment = await paymentOf(context, ourselves, offeredProduct(context));
  const answer = await remove(context, ourselves, payment, 'delete it first');
  mustBeDeleted(context, answer, 'deleting a fresh payment');
  // A deletion that is accepted may await SCA as well.
  const link = scaLinkOf(answer);
  if (link !== undefined && context.missing('sca-unattended') === undefined)
    await walk(context, link, ownCustomer(context));
  return payment.id;
}

export default suite('Contents of a basket', section('Resources and their fields', 'Signing basket'), [
  refusesBasketWith({
    id: 'BSK-23',
    requirement: 'BSK-23',
    others: ['BSK-26'],
    what: 'a payment of another TPP',
    needs: [...walking, 'identity:second', 'create-payments'],
    levelUnder: isJudged,
    withPayment: (context, put) =>
      withCustomer(context, 'SECOND_TPP', async (customer) => {
        const other = await logIn(context, customer);
        const [id = ''] = await putOfEachProduct(context, put, (product) =>
          paymentOf(context, other, product),
        );
        await keepsBasketOf(context, other, id, 'another TPP');
      }),
  }),
  refusesBasketWith({
    id: 'BSK-23-psu',
    requirement: 'BSK-23',
    others: ['BSK-26'],
    what: 'a payment of another PSU',
    needs: ['other-psu', 'create-payments'],
    levelUnder: isJudged,
    withPayment: (context, put) =>
      withAnotherPsu(context, async (other, debtor) => {
        const [id = ''] = await putOfEachProduct(context, put, (product) =>
          paymentOf(context, other, product, debtor),
        );
        await keepsBasketOf(context, other, id, 'another PSU');
      }),
  }),
  refusesBasketWith({
    id: 'BSK-24',
    requirement: 'BSK-24',
    what: 'a deleted payment',
    needs: ['create-payments'],
    withPayment: async (context, put) => put(await deleted(context)),
  }),
  refusesBasketWith({
    id: 'BSK-25',
    requirement: 'BSK-25',
    what: 'a payment that is approved already',
    needs: ['approved-payment', 'create-payments'],
    withPayment: (context, put) => put(context.target.payments.approved[0]?.id ?? ''),
  }),
]);
