import { randomInt } from 'node:crypto';
import type { CheckContext } from '../../src/checks/context.ts';
import { answeredOk, describeAnswer } from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { syntheticNationalId } from '../../src/spec/check-digits.ts';
import type { Call } from '../../src/tpp/call.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { ownCustomerName } from '../sca/spare-customers.ts';
import { mustBeOffered } from '../sca/walks.ts';

export interface ListedCustomer {
  readonly customerId?: unknown;
  readonly customerNumber?: unknown;
  readonly customerType?: unknown;
  readonly customerName?: unknown;
  readonly accounts?: unknown;
  readonly cardAccounts?: unknown;
}

export async function listedCustomers(context: CheckContext): Promise<readonly ListedCustomer[]> {
  const query = { withAccounts: 'true', withAgreements: 'true' };
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

/** A customer that there is not yet, private or corporate as the PSU of the target file is. */
export function newCustomer({ target }: CheckContext): NewCustomer {
  const customerNumber = syntheticNationalId(randomInt(2 ** 31));
  const type = target.psu.context.toLowerCase();
  const body = { customerNumber, name: `${ownCustomerName} ${customerNumber}`, type };
  return { customerNumber, creation: { operation: 'createSandboxCustomer', body } };
}

/** Creates a customer for one check, and removes it again. */
export async function withNewCustomer(
  context: CheckContext,
  work: (customer: NewCustomer) => Promise<void>,
): Promise<void> {
  const customer = newCustomer(context);
  const { customerNumber, creation } = customer;
  const answer = await context.call(creation, {}, 'create a customer');
  // What died on the way and was sent again may have been carried out the first time.
  if (!answer.isSuccess && !(answer.afterTrouble && answer.status === 409)) {
    mustBeOffered(answer, 'POST /v1/sandbox/customers');
    throw new NotApplicable(
      `The bank does not create a customer from what is sent, whose shape is not shown (${describeAnswer(answer)}): declare createSandboxCustomer as notOffered in the target file.`,
    );
  }
  // Accepted, and not created yet (RFC 9110, 15.3.3).
  if (answer.status === 202)
    await patiently(
      context.run,
      () => listedCustomers(context),
      (listed) => listed.some((customer) => customer.customerNumber === customerNumber),
    );
  try {
    await work(customer);
  } finally {
    await remove(context, customer);
  }
}

/** What removes a customer; undefined where it is not listed. */
export async function removalOf(
  context: CheckContext,
  { customerNumber }: Pick<NewCustomer, 'customerNumber'>,
): Promise<Call | undefined> {
  const evidence = context.evidence;
  const listed = await listedCustomers(context);
  const { customerId } = listed.find((customer) => customer.customerNumber === customerNumber) ?? {};
  context.evidence = evidence;
  return typeof customerId === 'string'
    ? { operation: 'deleteSandboxCustomer', params: { customerId } }
    : undefined;
}

async function remove(context: CheckContext, customer: NewCustomer): Promise<void> {
  const removal = await removalOf(context, customer);
  const answer = removal && (await context.call(removal, {}, 'remove the customer'));
  if (answer?.isSuccess !== true) noteWhatStays(context);
}

export const noteWhatStays = (context: CheckContext): void =>
  context.note('The customer that was created could not be removed again: initialise the sandbox.');
