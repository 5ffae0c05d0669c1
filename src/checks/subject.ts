import fc from 'fast-check';
import type { Amounts } from '../payloads/amounts.ts';
import { type CrossBorderOptions, crossBorderPayments } from '../payloads/cross-border-payments.ts';
import { type DomesticOptions, domesticPayments } from '../payloads/domestic-payments.ts';
import type { JsonObject } from '../payloads/json.ts';
import type { PaymentFacts, PaymentOptions } from '../payloads/payment-parts.ts';
import { paymentsOf, simplePaymentsOf } from '../payloads/payments.ts';
import { member } from '../spec/json.ts';
import { defaultProduct, everyProduct, type Product, products } from '../spec/products.ts';
import type { ProfileId } from '../spec/profiles.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Call, Psu } from '../tpp/call.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { createAnew } from './awaiting-sca.ts';
import { type CheckContext, freshPaymentPurpose } from './context.ts';
import { KeptInRun } from './kept-in-run.ts';
import { notCreated } from './outcomes.ts';
import { callThroughSca } from './through-sca.ts';

/** A kind of valid request: what a check sends when it puts no fault into it. */
export interface Subject {
  /** `a domestic payment` */
  readonly title: string;
  readonly bodies: (context: CheckContext) => fc.Arbitrary<JsonObject>;
  /**
   * The call with such a body; it may have to create what the body refers to. For a call that has to be refused, what was
   * created for another such call will do, as long as nothing came of it.
   */
  readonly call: (context: CheckContext, body: JsonObject, use?: 'fresh' | 'spare') => Call | Promise<Call>;
  /** Hears of a call that was refused: what was created for it can be used again. */
  readonly takeBack?: (context: CheckContext, call: Call) => void;
  /** Why the bank need not take it, when it has just been refused without any fault; and the way out. */
  readonly excuse?: (context: CheckContext) => string | undefined;
  /** There is nothing in it to write otherwise. */
  readonly hasNoBody?: true;
  /** A listing that takes withAccounts and withAgreements. */
  readonly mayLeaveOutDetails?: true;
  /** What it creates, where it creates a payment. */
  readonly product?: Product;
  /** The kind that it is for the bank under test, where that decides. */
  readonly at?: (context: CheckContext) => Subject | Promise<Subject>;
  /** Another kind of request is asked the same in every context: here one context for each question will do. */
  readonly isAskedElsewhere?: true;
  /** Of a payment: what of it is open, so that it can be sent in several contexts. */
  readonly payment?: OpenPayment;
  /** The same kind of request for the company of the target file, where that takes more than another PSU. */
  readonly ofCompany?: Subject;
  /** Of an operation that belongs to one profile and is only referred to, so that it need not be there. */
  readonly referredTo?: { readonly profile: ProfileId; readonly needs: readonly Capability[] };
}

/** A payment whose body is drawn, and what of it a check has decided. */
export interface OpenPayment {
  readonly product: Product;
  /** The options that the check has given: `remittance`. */
  readonly decided: DomesticOptions | CrossBorderOptions;
  /** Whose account it is paid from, where that is not the PSU of the run. */
  readonly paidBy?: 'company';
  /** The same kind of payment with all optional fields, or without any that it can do without. */
  readonly bodiesWith: (context: CheckContext, optional: 'all' | 'none') => fc.Arbitrary<JsonObject>;
}

const asPayment = (product: Product, bodies: Subject['bodies']): Subject => ({
  title: `a ${product.word} payment`,
  product,
  bodies,
  call: (_, body) => ({ operation: product.creation, body }),
});

type Payments<Options> = (
  facts: PaymentFacts,
  amounts: Amounts,
  options?: Options,
) => fc.Arbitrary<JsonObject>;

const asOpenPayment = <Options extends PaymentOptions>(
  product: Product,
  payments: Payments<Options>,
  options: Options,
): Subject => ({
  ...asPayment(product, ({ facts, amounts }) => payments(facts, amounts, options)),
  payment: {
    product,
    decided: options,
    bodiesWith: ({ facts, amounts }, optional) => payments(facts, amounts, { ...options, optional }),
  },
});

export const aPayment = (product: Product = defaultProduct, options: PaymentOptions = {}): Subject =>
  asOpenPayment<PaymentOptions>(
    product,
    (facts, amounts, chosen) => paymentsOf(product, facts, amounts, chosen),
    options,
  );

/** A payment without optional fields: for what needs some payment, whatever is in it. */
export const aSimplePayment = (product: Product = defaultProduct): Subject =>
  asPayment(product, ({ facts, amounts }) => simplePaymentsOf(product, facts, amounts));

export const aDomesticPayment = (options: DomesticOptions = {}): Subject =>
  asOpenPayment(products.domestic, domesticPayments, options);

export const aCrossBorderPayment = (options: CrossBorderOptions = {}): Subject =>
  asOpenPayment(products.crossBorder, crossBorderPayments, options);

/** A signing basket of payments. Its body is made when it is called. */
export const aBasket = (): Subject => basketOfOne('a signing basket', usualPayment);

/** A basket with one payment of that kind, for the PSU who pays it. */
export const basketOfOne = (
  title: string,
  payment: (context: CheckContext) => Subject,
  psu?: (context: CheckContext) => Psu,
): Subject => ({
  title,
  bodies: () => fc.constant({}),
  call: async (context, body, use = 'fresh') => {
    const take = use === 'spare' ? sparePayments : freshPayments;
    return {
      operation: 'createSigningBasket',
      body: { paymentIds: await take(context, 1, payment(context)), ...body },
      ...(psu === undefined ? {} : { psu: psu(context) }),
    };
  },
  takeBack: (context, { body }) => keepSpare(context, idsIn(body), payment(context)),
  excuse: ({ exchanges }) =>
    nothingAwaitsSca(exchanges)
      ? 'None of its payments asked for SCA, so that there was nothing to sign. Where the bank has no such payments signed, declare signing-baskets as notOffered in the target file.'
      : undefined,
});

/** Whether it created a payment for what follows, such as a basket. */
export const isFreshPayment = ({ purpose }: Exchange): boolean =>
  purpose?.startsWith(freshPaymentPurpose) === true;

/**
 * A bank may exempt payments from SCA, or ask for it before it creates them, and execute them at once; such ones it need
 * not take into a basket. What asks for SCA first, with 401, has created nothing that awaits it.
 */
export const nothingAwaitsSca = (exchanges: readonly Exchange[]): boolean =>
  exchanges
    .filter(isFreshPayment)
    .every(
      ({ response }) =>
        response?.status === 401 || !/"(?:scaRedirect|startAuthorisation)"/.test(response?.body ?? ''),
    );

const idsIn = (body: unknown): readonly unknown[] => [member(body, 'paymentIds')].flat();

export const theSandboxListing = (): Subject => ({
  title: 'the listing of sandbox customers',
  bodies: () => fc.constant({}),
  call: () => ({ operation: 'listSandboxCustomers' }),
  hasNoBody: true,
  mayLeaveOutDetails: true,
});

export const theAccounts = (): Subject => ({
  title: 'a request for accounts',
  bodies: () => fc.constant({}),
  call: () => ({ operation: 'listAccounts' }),
  hasNoBody: true,
  referredTo: { profile: 'accounts', needs: ['aisp-role'] },
});

/** The first product that the bank is judged by: any will do. */
export const offeredProduct = ({ target }: CheckContext): Product =>
  everyProduct.find(({ profile }) => target.profiles.includes(profile)) ?? defaultProduct;

/** Where no payments are judged, what every request shows is shown by reading. */
const offeredRequest = (context: CheckContext): Subject => {
  const { profiles } = context.target;
  const pays = everyProduct.some(({ profile }) => profiles.includes(profile));
  return !pays && profiles.includes('accounts') ? theAccounts() : aPayment(offeredProduct(context));
};

/** A payment of that product, or a request for accounts, for what holds for every request and needs one to show it. */
export const anOfferedRequest: Subject = {
  title: 'a payment, or a request for accounts where none are judged,',
  at: offeredRequest,
  bodies: (context) => offeredRequest(context).bodies(context),
  call: (context, body) => offeredRequest(context).call(context, body),
};

/** One body of a kind of request, another one with each number. */
export const drawBody = (
  context: CheckContext,
  { bodies }: Pick<Subject, 'bodies'>,
  number = 0,
): JsonObject => fc.sample(bodies(context), { seed: context.seed + number, numRuns: 1 })[0] ?? {};

/** One request of a kind. */
export const drawCall = async (context: CheckContext, subject: Subject, number = 0): Promise<Call> =>
  subject.call(context, drawBody(context, subject, number));

interface CreatedPayment {
  readonly id: string;
  readonly creation: Exchange;
}

const usualPayment = (context: CheckContext): Subject => aSimplePayment(offeredProduct(context));

/** Creates payments and returns their ids. */
export async function freshPayments(
  context: CheckContext,
  count: number,
  subject: Subject = usualPayment(context),
): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const created = await Promise.all(numbers.map((index) => freshPayment(context, subject, index)));
  return created.map(({ id }) => id);
}

/** What was refused may be the like of an earlier payment, so a second one is tried, with another amount. */
async function freshPayment(
  context: CheckContext,
  subject: Subject,
  index = 0,
  attempts = 2,
): Promise<CreatedPayment> {
  const answer = await createAnew(
    context,
    () => drawCall(context, subject, index),
    (call) => callThroughSca(context, call, freshPaymentPurpose),
  );
  const id = answer.text('paymentId');
  if (id !== undefined) {
    const payment = { id, creation: answer.exchange };
    paymentsIn(context, subject).byId.set(id, payment);
    return payment;
  }
  if (attempts > 1) return freshPayment(context, subject, index, attempts - 1);
  throw notCreated(
    answer,
    `What follows needs a payment, but its creation was answered ${answer.status} without a paymentId.`,
  );
}

/** Payments of one kind that the checks of a run have created, and which of them are in no basket after all. */
interface CreatedPayments {
  readonly byId: Map<unknown, CreatedPayment>;
  readonly spare: CreatedPayment[];
}

/** By the title of their kind. */
const createdInRun = new KeptInRun<string, CreatedPayments>();

const paymentsIn = ({ run }: CheckContext, { title }: Subject): CreatedPayments =>
  createdInRun.of(run, title, () => ({ byId: new Map(), spare: [] }));

/** How long they are used again (freedom payments/status). */
const spareForMs = 30_000;

/** Payments that were meant for a basket which has been refused, and fresh ones where these are not enough. */
export async function sparePayments(
  context: CheckContext,
  count: number,
  subject: Subject = usualPayment(context),
): Promise<readonly string[]> {
  const { spare: kept } = paymentsIn(context, subject);
  const since = Date.now() - spareForMs;
  const young = kept.splice(0).filter(({ creation }) => Date.parse(creation.startedAt) > since);
  const spare = young.splice(0, count);
  kept.push(...young);
  for (const { creation } of spare) context.adopt(creation);
  const more = await freshPayments(context, count - spare.length, subject);
  return [...spare.map(({ id }) => id), ...more];
}

/** After a refusal of the basket that they were meant for. */
export function keepSpare(
  context: CheckContext,
  ids: readonly unknown[],
  subject: Subject = usualPayment(context),
): void {
  const { byId, spare } = paymentsIn(context, subject);
  for (const id of ids) {
    const payment = byId.get(id);
    if (payment !== undefined && !spare.includes(payment)) spare.push(payment);
  }
}
