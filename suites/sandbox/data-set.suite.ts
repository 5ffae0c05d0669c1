import { randomInt } from 'node:crypto';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { answeredOk, describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { syntheticNationalId } from '../../src/spec/check-digits.ts';
import { patiently } from '../patience.ts';
import { isOwnCustomer, ownCustomerName } from '../sca/spare-customers.ts';
import { isRefusedAgain, isRefusedSca, mustBeOffered, passSca, walking } from '../sca/walks.ts';

interface ListedCustomer {
  readonly customerId?: unknown;
  readonly customerNumber?: unknown;
  readonly customerType?: unknown;
  readonly customerName?: unknown;
  readonly accounts?: unknown;
  readonly cardAccounts?: unknown;
}

async function listedCustomers(context: CheckContext): Promise<readonly ListedCustomer[]> {
  const query = { withAccounts: 'true', withAgreements: 'true' };
  const answer = await context.call({ operation: 'listSandboxCustomers', query }, {}, 'list customers');
  context.evidence = [answer.exchange];
  if (!answeredOk().met(answer, context.readings) || !Array.isArray(answer.json))
    throw new Inconclusive(`The customers cannot be listed, which is answered ${describeAnswer(answer)}.`);
  return answer.json.filter((customer: unknown) => typeof customer === 'object' && customer !== null);
}

const isOfDataSet = ({ customerName }: ListedCustomer): boolean => !isOwnCustomer(customerName);

const countOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

type CustomerType = 'PRIVATE' | 'CORPORATE';

/** Holds every customer of a type to what the initial data set promises. */
const everyCustomer = (
  id: string,
  type: CustomerType,
  holds: string,
  isKept: (customer: ListedCustomer) => boolean,
): Check =>
  check({
    id,
    requirement: 'SBX-45',
    title: `every ${type.toLowerCase()} customer of the initial data set has ${holds}`,
    needs: ['sandbox', 'initial-data-set'],
    steps: ['List the customers with withAccounts=true and withAgreements=true.'],
    expected: `${holds} for each ${type} customer`,
    async run(context) {
      const customers = (await listedCustomers(context)).filter(isOfDataSet);
      const ofType = customers.filter(({ customerType }) => customerType === type);
      if (ofType.length === 0) throw new NotApplicable(`The sandbox lists no ${type} customer.`);
      context.cases = ofType.length;
      const other = ofType.find((customer) => !isKept(customer));
      if (other !== undefined) {
        throw new ExpectationFailed(
          `${holds} for each ${type} customer`,
          `${countOf(other.accounts)} accounts and ${countOf(other.cardAccounts)} card accounts`,
        );
      }
    },
  });

interface CreatedCustomer {
  readonly customerNumber: string;
}

/** Creates a customer for one check, and removes it again. */
async function withNewCustomer(
  context: CheckContext,
  work: (customer: CreatedCustomer) => Promise<void>,
): Promise<void> {
  const customerNumber = syntheticNationalId(randomInt(2 ** 31));
  // The body is not shown; this is what clients of the interface send.
  const type = context.target.psu.context.toLowerCase();
  const body = { customerNumber, name: `${ownCustomerName} ${customerNumber}`, type };
  const answer = await context.call({ operation: 'createSandboxCustomer', body }, {}, 'create a customer');
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
    await work({ customerNumber });
  } finally {
    await remove(context, customerNumber);
  }
}

async function remove(context: CheckContext, customerNumber: string): Promise<void> {
  const evidence = context.evidence;
  const listed = await listedCustomers(context);
  const { customerId } = listed.find((customer) => customer.customerNumber === customerNumber) ?? {};
  context.evidence = evidence;
  const answer =
    typeof customerId === 'string'
      ? await context.call(
          { operation: 'deleteSandboxCustomer', params: { customerId } },
          {},
          'remove the customer',
        )
      : undefined;
  if (answer?.isSuccess !== true)
    context.note('The customer that was created could not be removed again: initialise the sandbox.');
}

export default suite(
  'Sandbox data',
  section('Resources and their fields', 'Sandbox customer (list element)'),
  [
    everyCustomer(
      'SBX-45',
      'PRIVATE',
      'two accounts and a card account',
      ({ accounts, cardAccounts }) => countOf(accounts) === 2 && countOf(cardAccounts) >= 1,
    ),
    everyCustomer('SBX-45-corporate', 'CORPORATE', 'two accounts', ({ accounts }) => countOf(accounts) === 2),
    check({
      id: 'SBX-48',
      requirement: 'SBX-48',
      title: 'the initial data set has private and corporate customers',
      needs: ['sandbox', 'initial-data-set'],
      steps: ['List the customers.', 'Look for a PRIVATE and a CORPORATE one.'],
      expected: 'customers of both types',
      async run(context) {
        const customers = (await listedCustomers(context)).filter(isOfDataSet);
        const missing = (['PRIVATE', 'CORPORATE'] as const).filter(
          (type) => !customers.some(({ customerType }) => customerType === type),
        );
        if (missing.length > 0)
          throw new ExpectationFailed(
            'PRIVATE and CORPORATE customers',
            `no ${missing.join(' and no ')} one`,
          );
      },
    }),
    check({
      id: 'SBX-43',
      requirement: 'SBX-43',
      title: 'a customer created with POST /v1/sandbox/customers is listed',
      needs: ['sandbox', 'sandbox-changes'],
      steps: [
        'Create a customer, private or corporate as the PSU of the target file is.',
        'List the customers.',
        'Remove the customer again.',
      ],
      expected: 'the customer in the listing, with its customerNumber',
      run: (context) =>
        withNewCustomer(context, async ({ customerNumber }) => {
          const customers = await listedCustomers(context);
          if (!customers.some((customer) => customer.customerNumber === customerNumber)) {
            throw new ExpectationFailed(
              'the created customer in the listing',
              `${customers.length} others, and not this one`,
            );
          }
        }),
    }),
    check({
      id: 'SBX-47-created',
      requirement: 'SBX-47',
      title: 'the customerNumber of a created customer passes SCA',
      // A company that was just created has no agreement by which anybody could act for it.
      needs: ['sandbox', 'sandbox-changes', 'private-psu', ...walking],
      steps: [
        'Create a private customer.',
        'Pass SCA with its customerNumber.',
        'If that fails, pass it with the number of the target file, as control: it must go through.',
        'Remove the customer again.',
      ],
      expected: 'a redirect with a psu-id',
      run: (context) =>
        withNewCustomer(context, async ({ customerNumber }) => {
          const customer = { nationalId: customerNumber, context: 'PRIVATE' } as const;
          try {
            await passSca(context, customer);
          } catch (error) {
            if (!isRefusedSca(error)) throw error;
            await passOwnSca(context);
            if (!(await isRefusedAgain(context, customer))) return;
            throw new ExpectationFailed(
              'SCA to be passed with the customerNumber of a created customer',
              error.message,
            );
          }
        }),
    }),
  ],
);

/** In the session of the run, where it ends no other. */
async function passOwnSca(context: CheckContext): Promise<void> {
  const { nationalId = '' } = context.target.psu;
  const { id: _, ...session } = context.psu;
  await passSca(context, { nationalId, context: 'PRIVATE' }, session);
}
