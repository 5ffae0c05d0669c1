import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { controlBy } from '../../src/checks/controls.ts';
import { describeAnswer, expectAnswer, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, isUnanswered } from '../../src/checks/outcomes.ts';
import { aBasket, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { everyProduct, type Product } from '../../src/spec/products.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Psu } from '../../src/tpp/call.ts';
import { OfferedAuthorisation, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import {
  mustBeDeleted,
  type OwnedPayment,
  paymentOf,
  remove,
  withAnotherPsu,
} from '../payments/payments-of.ts';
import { actsForTheCompany } from '../payments/payments-of-others.ts';
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

const ofPayments = ['readPaymentStatus', 'readPayment', 'deletePayment'] as const;
const ofBaskets = ['readSigningBasketStatus', 'readSigningBasket', 'deleteSigningBasket'] as const;

/** Somebody else, and what forbids us to touch their payments. */
interface Another {
  readonly login: Login;
  /** `another PSU` */
  readonly who: string;
  readonly owning: 'OWN-01' | 'OWN-02';
}

/** Asks for what is theirs. What is not offered is refused to everybody; what is shown needs no control. */
async function mustBeKept(
  context: CheckContext,
  broken: string,
  calls: readonly Call[],
  what: string,
): Promise<void> {
  await context.showing(broken, async () => {
    for (const call of calls) {
      const answer = await context.call(call, {}, what);
      if (answer.isSuccess || answer.isBrokenDown)
        expectAnswer(context, answer, refusedOrAskedForSca(), `for ${what}`);
    }
  });
}

/**
 * Nor is a basket of theirs read or deleted, nor a payment in it. Where they cannot read the basket themselves, a refusal
 * would show nothing.
 */
async function keepsBasketOf(
  context: CheckContext,
  { login, who, owning }: Another,
  { id: paymentId, product }: OwnedPayment,
): Promise<void> {
  const theirs = (call: Call, purpose: string) => callAgainAfterSca(context, login, call, purpose);
  const created = await theirs(basketOf([paymentId]), `a basket of ${who}`);
  const basketId = created.text('basketId');
  if (basketId === undefined) return;
  const inside = { product: product.path, paymentId };
  const paymentCalls = ofPayments.map((operation) => ({ operation, params: inside }));
  await mustBeKept(context, owning, paymentCalls, `a payment in a basket of ${who}`);
  const params = { basketId };
  const read = (purpose: string) => theirs({ operation: ofBaskets[0], params }, purpose);
  if (!(await read(`control as ${who}`)).isSuccess) return;
  const basketCalls = [{}, ...theCompanyBeside(context, login)].flatMap((asking) =>
    [...beginningsOf(created), ...ofBaskets].map((operation) => ({ operation, params, ...asking })),
  );
  await mustBeKept(context, 'BSK-26', basketCalls, `a basket of ${who}`);
  const after = await read(`what became of it, as ${who}`);
  // Whoever refuses to delete it may have done so all the same.
  if (![404, 410].includes(after.status)) return;
  context.evidence = context.exchanges.slice(-2);
  throw new ExpectationFailed(
    `a basket of ${who} that is left as it was when we delete it`,
    describeAnswer(after),
  ).breaking('BSK-26');
}

/** Its approval is begun by a request of its own where that is what the bank has in the place of a link to SCA. */
const beginningsOf = (basket: Answer): readonly 'startBasketAuthorisation'[] =>
  scaLinkOf(basket) instanceof OfferedAuthorisation ? ['startBasketAuthorisation'] : [];

/** The company that the target file names, where somebody else acts for it. */
const theCompanyBeside = (context: CheckContext, login: Login): readonly { readonly psu: Psu }[] =>
  context.missing('corporate-psu') !== undefined || actsForTheCompany(context, login)
    ? []
    : [{ psu: corporatePsu(context) }];

/** A company has no part in their payment either. */
async function companyTakesNone(context: CheckContext, { login, who }: Another, id: string): Promise<void> {
  for (const asking of theCompanyBeside(context, login)) {
    const what = `a basket of a company with a payment of ${who}`;
    await mustBeKept(context, 'BSK-23', [{ ...basketOf([id]), ...asking }], what);
  }
}

/** Nor has a person part in that of a company, unless they act for it. */
async function takesNoneOfTheCompany(context: CheckContext): Promise<void> {
  const isPossible =
    context.target.psu.context !== 'CORPORATE' && context.missing('corporate-psu') === undefined;
  if (!isPossible || actsForTheCompany(context)) return;
  const psu = corporatePsu(context);
  const login: Login = { psu, call: callFor(context, {}, psu) };
  try {
    const payment = await paymentOf(context, login, offeredProduct(context), corporateFacts(context).debtor);
    await mustBeKept(context, 'BSK-23', [basketOf([payment.id])], 'a basket with a payment of a company');
    await keepsBasketOf(context, { login, who: 'a company', owning: 'OWN-02' }, payment);
  } catch (error) {
    if (!(error instanceof Inconclusive) || isUnanswered(error)) throw error;
    context.note(`No payment of a company was put into a basket: ${error.message}`);
  }
}

const basketOf = (paymentIds: readonly string[]) =>
  ({ operation: 'createSigningBasket', body: { paymentIds } }) as const;

/** A basket in which one payment does not belong: between fresh ones, where whoever looks at an end alone misses it, and elsewhere. */
const refusesBasketWith = ({ what, withPayment, ...rest }: UnfitPayment): Check =>
  check({
    ...rest,
    title: `a basket with ${what} is refused`,
    steps: [
      'Create a basket of one fresh payment, as control: it must go through.',
      `Create a basket of two fresh payments with ${what} between them, and one with it behind them.`,
      ...(rest.others === undefined
        ? []
        : [
            'Create a basket of it as the company that the target file names.',
            'Let them create a basket of that payment; read the payment and delete it.',
            'Let them read the status of the basket, as control; read it and delete it, also as that company. Let them read it again.',
          ]),
    ],
    expected: refusedOrAskedForSca().text,
    async run(context) {
      await controlBy(context, aBasket());
      const fit = await freshPayments(context, 2);
      // The first such payment between them and behind them, the next one before them.
      const places = [[1, 2], [0]];
      await withPayment(context, async (unfit) => {
        for (const place of places.shift() ?? [1]) {
          const paymentIds = fit.toSpliced(place, 0, unfit);
          const answer = await context.call(basketOf(paymentIds), {}, `a basket with ${what}`);
          expectAnswer(context, answer, refusedOrAskedForSca(), `for a basket with ${what}`);
        }
      });
    },
  });

/** Of each product that is judged, the offered one first: a bank may keep them apart, and look after one of them. */
async function putOfEachProduct(
  context: CheckContext,
  put: (id: string) => Promise<void>,
  create: (product: Product) => Promise<OwnedPayment>,
): Promise<readonly OwnedPayment[]> {
  const offered = offeredProduct(context);
  const others = everyProduct.filter(
    (product) => product !== offered && context.unjudged([product.profile]) === undefined,
  );
  const payments: OwnedPayment[] = [];
  for (const product of [offered, ...others]) {
    const payment = await create(product);
    await put(payment.id);
    payments.push(payment);
  }
  return payments;
}

/** Whatever is theirs stays theirs, whoever asks for it and wherever it is. */
async function keepsPaymentsOf(
  context: CheckContext,
  another: Another,
  put: (id: string) => Promise<void>,
  debtor?: Parameters<typeof paymentOf>[3],
): Promise<void> {
  const [payment] = await putOfEachProduct(context, put, (product) =>
    paymentOf(context, another.login, product, debtor),
  );
  if (payment === undefined) return;
  await companyTakesNone(context, another, payment.id);
  await keepsBasketOf(context, another, payment);
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

export default suite('Contents of a basket', section('Resources and their fields', 'Signing basket'), () => [
  refusesBasketWith({
    id: 'BSK-23',
    requirement: 'BSK-23',
    others: ['BSK-26', 'OWN-01'],
    what: 'a payment of another TPP',
    needs: [...walking, 'identity:second', 'create-payments'],
    levelUnder: isJudged,
    withPayment: (context, put) =>
      withCustomer(context, 'SECOND_TPP', async (customer) => {
        const login = await logIn(context, customer);
        await keepsPaymentsOf(context, { login, who: 'another TPP', owning: 'OWN-01' }, put);
      }),
  }),
  refusesBasketWith({
    id: 'BSK-23-psu',
    requirement: 'BSK-23',
    others: ['BSK-26', 'OWN-02'],
    what: 'a payment of another PSU',
    needs: ['other-psu', 'create-payments'],
    levelUnder: isJudged,
    withPayment: async (context, put) => {
      await withAnotherPsu(context, (login, debtor) =>
        keepsPaymentsOf(context, { login, who: 'another PSU', owning: 'OWN-02' }, put, debtor),
      );
      await takesNoneOfTheCompany(context);
    },
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
