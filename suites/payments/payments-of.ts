import { createAnew } from '../../src/checks/awaiting-sca.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import {
  describeAnswer,
  expectAnswer,
  mustSucceed,
  refused,
  refusedOrAskedForSca,
} from '../../src/checks/expectation.ts';
import {
  doneBefore,
  ExpectationFailed,
  isRefusedRepetition,
  NotApplicable,
  notCreated,
} from '../../src/checks/outcomes.ts';
import { pageOf } from '../../src/checks/through-sca.ts';
import type { Product } from '../../src/spec/products.ts';
import type { DebtorAccount } from '../../src/target/accounts.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { type Customer, type CustomerWish, withCustomer } from '../sca/spare-customers.ts';
import { callAgainAfterSca, callFor, type Login, logIn, mustBeOffered, otherPsu } from '../sca/walks.ts';
import { paymentFrom } from './named-debtors.ts';
import { onceCreated } from './once-approved.ts';
import { debtorOf, hasNamedAccount } from './payable-accounts.ts';
import { statusTold } from './told-status.ts';

/** Whose a payment is. */
type Owner = Pick<Login, 'call' | 'customer'>;

/** A payment with whoever may act on it. */
export interface OwnedPayment {
  readonly owner: Owner;
  readonly product: Product;
  readonly id: string;
  readonly created: Answer;
}

/** Creates a payment of that customer, from an account of theirs: a bank lets nobody pay from that of another. */
export async function paymentOf(
  context: CheckContext,
  owner: Owner,
  product: Product,
  debtor = context.facts.debtor,
): Promise<OwnedPayment> {
  const purpose = `create a ${product.word} payment`;
  const created = await createAnew(
    context,
    () => paymentFrom(context, product, debtor),
    (call) => callAgainAfterSca(context, owner, call, purpose),
  );
  const id = created.text('paymentId');
  if (id === undefined)
    throw notCreated(created, `Creation was answered ${describeAnswer(created)}, without a paymentId.`);
  return { owner, product, id, created };
}

const paramsOf = ({ product, id }: Pick<OwnedPayment, 'product' | 'id'>) => ({
  product: product.path,
  paymentId: id,
});

export const readStatus = (
  context: CheckContext,
  reader: Owner,
  payment: Pick<OwnedPayment, 'product' | 'id'>,
  purpose: string,
): Promise<Answer> =>
  callAgainAfterSca(context, reader, { operation: 'readPaymentStatus', params: paramsOf(payment) }, purpose);

/** The same of a payment that was just created, by whoever may act on it. */
export const readFreshStatus = (
  context: CheckContext,
  payment: OwnedPayment,
  purpose: string,
): Promise<Answer> => onceCreated(context, () => readStatus(context, payment.owner, payment, purpose));

/** Its details, whose request is not shown either. */
export const readDetails = (
  context: CheckContext,
  reader: Owner,
  payment: Pick<OwnedPayment, 'product' | 'id'>,
  purpose: string,
): Promise<Answer> =>
  callAgainAfterSca(context, reader, { operation: 'readPayment', params: paramsOf(payment) }, purpose);

export const remove = (
  context: CheckContext,
  whoever: Owner,
  payment: Pick<OwnedPayment, 'product' | 'id'>,
  purpose: string,
): Promise<Answer> =>
  callAgainAfterSca(context, whoever, { operation: 'deletePayment', params: paramsOf(payment) }, purpose);

/**
 * Whoever does not own a payment neither begins its approval nor hears how far that has come; where the bank gives a link
 * to SCA with what it creates, nobody has to begin anything.
 */
export async function mustNotAuthorise(
  context: CheckContext,
  { owner, created }: OwnedPayment,
  other: Owner,
  who: string,
): Promise<void> {
  const link = scaLinkOf(created);
  if (link === undefined || typeof link === 'string') return;
  await pageOf(context, link);
  const authorisationId = link.started?.text('authorisationId');
  const read: Call = {
    operation: 'readPaymentAuthorisation',
    params: { ...link.call.params, authorisationId: authorisationId ?? '' },
  };
  const mustBeRefused = (answer: Answer, what: string): void =>
    expectAnswer(
      context,
      answer,
      refusedOrAskedForSca(),
      `for ${what} the authorisation of a payment, as ${who}`,
    );
  mustBeRefused(await other.call(link.call, link.there, `start it as ${who}`), 'starting');
  if (authorisationId === undefined) return;
  const control = await owner.call(read, {}, 'read its authorisation, as control');
  if (control.isSuccess) mustBeRefused(await other.call(read, {}, `read it as ${who}`), 'reading');
}

/** What was refused has no effect: a payment that could be read is there as before. */
export async function mustBeLeftAsItWas(
  context: CheckContext,
  {
    read,
    before,
    when,
  }: { readonly read: () => Promise<Answer>; readonly before: Answer; readonly when: string },
): Promise<void> {
  if (!before.isSuccess || isCancelled(before)) return;
  const after = await read();
  if (!refused().met(after, context.readings) && !isCancelled(after)) return;
  context.evidence = context.exchanges.slice(-2);
  throw new ExpectationFailed(`a payment that is left as it was ${when}`, describeState(after));
}

/**
 * Whether a payment whose deletion is refused has been deleted before: one that can still be read is there, and was
 * refused for another reason, such as that it is executed by now.
 */
export async function isGone(read: () => Promise<Answer>): Promise<boolean> {
  return isDeleted(await read());
}

/** As the status of a payment tells that was deleted. */
export const isDeleted = (status: Answer): boolean =>
  isCancelled(status) || (status.status >= 400 && status.status < 500);

const isCancelled = (status: Answer): boolean => statusTold(status) === 'CANC';

const describeState = (status: Answer): string =>
  isCancelled(status)
    ? 'one that has been cancelled'
    : `one whose status is answered ${describeAnswer(status)}`;

/**
 * A deletion that has to succeed before anything can be concluded. Which payments can be deleted is not said, and some
 * banks begin with PDNG, of which none can: where a fresh one is refused, the check does not apply.
 */
export function mustBeDeleted(context: CheckContext, answer: Answer, what: string): void {
  mustBeOffered(answer, 'the deletion of payments');
  if (isRefusedRepetition(answer)) throw doneBefore(answer);
  if (refused().met(answer, context.readings))
    throw new NotApplicable(`The bank refuses ${what}: it was answered ${describeAnswer(answer)}.`);
  mustSucceed(answer, what);
}

/** Another customer than the PSU of the target file: the one that it names, or one of the sandbox. */
export async function withAnotherCustomer(
  context: CheckContext,
  work: (customer: Customer) => Promise<void>,
  wish: CustomerWish = {},
): Promise<void> {
  const { other = {}, context: inContext } = context.target.psu;
  const { nationalId, sessionId } = other;
  // Who keeps a session is lent to nobody who would end it, and passes SCA at links of others all the same.
  if (nationalId !== undefined && sessionId !== undefined) return work({ nationalId, context: inContext });
  return withCustomer(
    context,
    'OTHER',
    (customer) => {
      if (customer.identity !== undefined)
        throw new NotApplicable(
          'No other customer is known: add psu.other.nationalId to the target file, or create one with POST /v1/sandbox/customers.',
        );
      return work(customer);
    },
    wish,
  );
}

/** The same after SCA, with an account to pay from. */
export async function withAnotherPsu(
  context: CheckContext,
  work: (other: Login, debtor: Pick<DebtorAccount, 'bban' | 'currency'>) => Promise<void>,
): Promise<void> {
  const { psu } = context.target;
  const { nationalId } = psu.other ?? {};
  const known = otherPsu(context);
  if (known !== undefined) {
    const other: Login = {
      psu: known,
      call: callFor(context, {}, known),
      ...(nationalId === undefined ? {} : { customer: { nationalId, context: psu.context } }),
    };
    return work(other, await debtorOf(context, other));
  }
  return withAnotherCustomer(
    context,
    async (customer) => {
      const other = await logIn(context, customer);
      await work(other, await debtorOf(context, other));
    },
    { preferred: hasNamedAccount(context) },
  );
}
