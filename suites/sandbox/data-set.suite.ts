import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import { takenOutBy } from '../../src/spec/profiles.ts';
import { beginningOf } from '../../src/tpp/limits.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { withoutOwnCustomers } from '../sca/own-customers.ts';
import { isRefusedAgain, isRefusedSca, passSca, walking } from '../sca/walks.ts';
import {
  type CreatedCustomer,
  type ListedCustomer,
  listedCustomers,
  newCustomer,
  withNewCustomer,
} from './new-customers.ts';

const customersOfDataSet = async (context: CheckContext): Promise<readonly ListedCustomer[]> =>
  withoutOwnCustomers(context, await listedCustomers(context));

const countOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

/** Whoever was created by hand, or by a run that could not remove them again, is known by the name. */
const calledBy = ({ customerName }: ListedCustomer): string =>
  typeof customerName === 'string' ? ` (${beginningOf(customerName, 60)})` : '';

type CustomerType = 'PRIVATE' | 'CORPORATE';

/** Two may share their accounts, and masked card numbers may look alike: only what is so of all of them is held against it. */
function mustHaveTheirOwn(customers: readonly ListedCustomer[], list: 'accounts' | 'cardAccounts'): void {
  const listings = new Set(
    customers.map((customer) => JSON.stringify([customer[list]].flat().map(String).toSorted())),
  );
  const count = countOf(customers[0]?.[list]);
  if (customers.length > 2 && count > 1 && listings.size === 1)
    throw new ExpectationFailed(
      `${list} of its own for each customer`,
      `the same ${count} for all ${customers.length} of them`,
    );
}

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
    steps: [
      'List the customers with withAccounts=true and withAgreements=true.',
      'Look whether all of them, if there are three or more, have the same accounts or card accounts.',
    ],
    expected: `${holds} for each ${type} customer`,
    async run(context) {
      const customers = await customersOfDataSet(context);
      const ofType = customers.filter(({ customerType }) => customerType === type);
      if (ofType.length === 0) throw new NotApplicable(`The sandbox lists no ${type} customer.`);
      context.cases = ofType.length;
      const other = ofType.find((customer) => !isKept(customer));
      if (other !== undefined) {
        throw new ExpectationFailed(
          `${holds} for each ${type} customer`,
          `${countOf(other.accounts)} accounts and ${countOf(other.cardAccounts)} card accounts for customer ${customers.indexOf(other) + 1} of the listing${calledBy(other)}`,
        );
      }
      mustHaveTheirOwn(ofType, 'accounts');
      mustHaveTheirOwn(ofType, 'cardAccounts');
    },
  });

export default suite(
  'Sandbox data',
  section('Resources and their fields', 'Sandbox customer (list element)'),
  () => [
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
        const customers = await customersOfDataSet(context);
        // A bank that serves no companies has none to show.
        const noCompanies = takenOutBy('corporate-psus', context.target.notOffered);
        const types = ['PRIVATE', ...(noCompanies === undefined ? ['CORPORATE'] : [])];
        const missing = types.filter((type) => !customers.some(({ customerType }) => customerType === type));
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
        'List the customers with every detail, without any, and without parameters.',
        'Remove the customer again.',
        'Do so with a customer of the other type, where the bank creates such as well.',
      ],
      expected: 'the customer in the listing, with its customerNumber',
      async run(context) {
        const { context: own } = context.target.psu;
        await withNewCustomer(context, (customer) => mustBeListed(context, customer));
        try {
          const other = own === 'PRIVATE' ? 'CORPORATE' : 'PRIVATE';
          await withNewCustomer(context, (customer) => mustBeListed(context, customer), other);
        } catch (error) {
          // Companies may have numbers of another form; nothing shows how they are created.
          if (!(error instanceof NotApplicable)) throw error;
          context.note(error.message);
        }
      },
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
        'Try a number that nobody has: a customer who gets further than that is known, and lacks only accounts to grant.',
        'Remove the customer again.',
      ],
      expected: 'a redirect with a psu-id',
      run: (context) =>
        withNewCustomer(context, async ({ customerNumber }) => {
          if (customerNumber === undefined) throw new NotApplicable(noNumber);
          const customer = { nationalId: customerNumber, context: 'PRIVATE' } as const;
          try {
            await passSca(context, customer);
          } catch (error) {
            if (!isRefusedSca(error)) throw error;
            await passOwnSca(context);
            if (!(await isRefusedAgain(context, customer))) return;
            await mustBeTakenForNobody(context, error);
            throw new ExpectationFailed(
              'SCA to be passed with the customerNumber of a created customer',
              error.message,
            );
          }
        }),
    }),
  ],
);

const noNumber =
  'The bank gives created customers numbers of its own, and its answer does not tell which: declare createSandboxCustomer as notOffered in the target file.';

/** Whatever is told of customers, it is told of each of them. */
const furtherListings = [{ withAccounts: 'false', withAgreements: 'false' }, {}] as const;

async function mustBeListed(context: CheckContext, customer: CreatedCustomer): Promise<void> {
  const { isListed, others, customerId } = customer;
  if (!isListed)
    throw new ExpectationFailed('the created customer in the listing', `${others} others, and not this one`);
  // A bank that makes up another id for each listing is told by that.
  if (typeof customerId !== 'string') return;
  for (const query of furtherListings) {
    // A list may be read from a copy that is a moment behind.
    const listed = await patiently(
      context.run,
      () => listedCustomers(context, query),
      (all) => all.some((each) => each.customerId === customerId),
    );
    if (listed.some((each) => each.customerId === customerId)) continue;
    const how = new URLSearchParams(query).toString() || 'no parameters';
    throw new ExpectationFailed(
      `the created customer in the listing with ${how}`,
      `${listed.length} others, and not this one`,
    );
  }
}

/**
 * A customer who was just created has no accounts, and a bank may end SCA where none can be granted. It knows the customer
 * all the same, who gets further than a number that nobody has.
 */
async function mustBeTakenForNobody(context: CheckContext, { message }: Error): Promise<void> {
  try {
    await passSca(context, { nationalId: newCustomer(context).customerNumber, context: 'PRIVATE' });
  } catch (error) {
    const isChosen = error instanceof NotApplicable;
    if (!isChosen && !isRefusedSca(error)) throw error;
    if (isChosen || withoutAddresses(error.message) !== withoutAddresses(message))
      throw new NotApplicable(`The customer is known, and gets no further without accounts: ${message}`);
  }
}

/** Every walk has a link of its own. */
const withoutAddresses = (text: string): string => text.replaceAll(/https?:\/\/[^\s)]+/g, '');

/** In the session of the run, where it ends no other. */
async function passOwnSca(context: CheckContext): Promise<void> {
  const { nationalId = '' } = context.target.psu;
  const { id: _, ...session } = context.psu;
  await passSca(context, { nationalId, context: 'PRIVATE' }, session);
}
