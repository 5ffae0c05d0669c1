import { randomInt } from 'node:crypto';
import { type CheckContext, lookAside } from '../../src/checks/context.ts';
import { answeredOk, describeAnswer } from '../../src/checks/expectation.ts';
import { doneBefore, Inconclusive, isRefusedRepetition, NotApplicable } from '../../src/checks/outcomes.ts';
import { syntheticNationalId } from '../../src/spec/check-digits.ts';
import { isSameNumber } from '../../src/spec/customer-number.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { ownCustomerName, rememberCustomers } from '../sca/own-customers.ts';
import { mustBeOffered } from '../sca/walks.ts';

export interface ListedCustomer {
  readonly customerId?: unknown;
  readonly customerNumber?: unknown;
  readonly customerType?: unknown;
  readonly customerName?: unknown;
  readonly accounts?: unknown;
  readonly cardAccounts?: unknown;
}

const everyDetail: Readonly<Record<string, string>> = { withAccounts: 'true', withAgreements: 'true' };

export async function listedCustomers(
  context: CheckContext,
  query = everyDetail,
): Promise<readonly ListedCustomer[]> {
  const answer = await context.call({ operation: 'listSandboxCustomers', query }, {}, 'list customers');
  context.evidence = [answer.exchange];
  if (!answeredOk().met(answer, context.readings) || !Array.isArray(answer.json))
    throw new Inconclusive(`The customers cannot be listed, which is answered ${describeAnswer(answer)}.`);
  return answer.json.filter((customer: unknown) => typeof customer === 'object' && customer !== null);
}

export interface NewCustomer {
  readonly customerNumber: string;
  /** What creates it. The body is not shown; this is what clients of the interface send. */
  readonly creation: Call;
}

/** A customer that there is not yet, private or corporate as the PSU of the target file is, unless told otherwise. */
export function newCustomer({ target }: CheckContext, type = target.psu.context): NewCustomer {
  const customerNumber = syntheticNationalId(randomInt(2 ** 31));
  const name = `${ownCustomerName} ${customerNumber}`;
  const body = { customerNumber, name, type: type.toLowerCase() };
  return { customerNumber, creation: { operation: 'createSandboxCustomer', body } };
}

/** A customer that was created, as far as the bank tells. */
export interface CreatedCustomer {
  readonly isListed: boolean;
  /** Freedom: sandbox/creation. */
  readonly customerNumber: string | undefined;
  /** As it is listed. */
  readonly customerId: unknown;
  /** How many the listing has besides. */
  readonly others: number;
}

/** Creates a customer for one check, and removes it again. */
export async function withNewCustomer(
  context: CheckContext,
  work: (customer: CreatedCustomer) => Promise<void>,
  type = context.target.psu.context,
): Promise<void> {
  const before = await rememberCustomers(context);
  const customer = newCustomer(context, type);
  const answer = await context.call(customer.creation, {}, 'create a customer');
  // What died on the way and was sent again may have been carried out the first time: the listing tells.
  const mayBeThere = isRefusedRepetition(answer);
  if (!answer.isSuccess && !mayBeThere) {
    mustBeOffered(answer, 'POST /v1/sandbox/customers');
    throw new NotApplicable(
      `The bank does not create a customer from what is sent, whose shape is not shown (${describeAnswer(answer)}): declare createSandboxCustomer as notOffered in the target file.`,
    );
  }
  const isMeant = meantBy(customer, answer);
  // Nothing is said of when: a list may be read from a copy that is a moment behind, and 202 promises nothing.
  const listed = await patiently(
    context.run,
    () => listedCustomers(context),
    (all) => all.some(isMeant),
  );
  if (mayBeThere && !listed.some(isMeant)) {
    mustBeOffered(answer, 'POST /v1/sandbox/customers');
    throw doneBefore(answer);
  }
  try {
    await work(createdAmong(listed, isMeant, { before, answer, customer }));
  } finally {
    await remove(context, isMeant);
  }
}

type IsMeant = (listed: ListedCustomer) => boolean;

/** By the number that was asked for, or by what the answer to creation tells. */
function meantBy({ customerNumber }: NewCustomer, answer?: Answer): IsMeant {
  const told = ['customerId', 'customerNumber'] as const;
  return (listed) =>
    isSameNumber(listed.customerNumber, customerNumber) ||
    told.some((name) => answer?.text(name) !== undefined && listed[name] === answer.text(name));
}

function createdAmong(
  listed: readonly ListedCustomer[],
  isMeant: IsMeant,
  {
    before,
    answer,
    customer,
  }: { before: ReadonlySet<unknown> | undefined; answer: Answer; customer: NewCustomer },
): CreatedCustomer {
  const found = listed.find(isMeant);
  const told = answer.text('customerNumber');
  const isToldNothing = told === undefined && answer.text('customerId') === undefined;
  // Without a word of the answer, whoever has come since may be the one.
  const newcomer = isToldNothing
    ? listed.find(({ customerId }) => before?.has(customerId) === false)
    : undefined;
  const number = found?.customerNumber ?? told ?? (newcomer ? undefined : customer.customerNumber);
  return {
    isListed: (found ?? newcomer) !== undefined,
    customerId: found?.customerId,
    customerNumber: typeof number === 'string' ? number : undefined,
    others: listed.length,
  };
}

/** What removes a customer; undefined where it is not listed. */
export async function removalOf(
  context: CheckContext,
  customer: NewCustomer | IsMeant,
): Promise<Call | undefined> {
  const isMeant = typeof customer === 'function' ? customer : meantBy(customer);
  const listed = await lookAside(context, () => listedCustomers(context));
  const { customerId } = listed.find(isMeant) ?? {};
  return typeof customerId === 'string'
    ? { operation: 'deleteSandboxCustomer', params: { customerId } }
    : undefined;
}

async function remove(context: CheckContext, customer: IsMeant): Promise<void> {
  const removal = await removalOf(context, customer);
  const answer = removal && (await context.call(removal, {}, 'remove the customer'));
  if (answer?.isSuccess !== true) noteWhatStays(context);
}

export const noteWhatStays = (context: CheckContext): void =>
  context.note('The customer that was created could not be removed again: initialise the sandbox.');
