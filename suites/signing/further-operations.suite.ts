import { type Check, check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { rejectedWith } from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { freshPayments } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { member } from '../../src/spec/json.ts';
import type { Call } from '../../src/tpp/call.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { transactionsIn } from '../accounts/transaction-lists.ts';
import { suffixes } from '../id-suffixes.ts';
import { readablePayment } from '../payments/approved-payments.ts';
import { paramsOf } from '../payments/payments-at-hand.ts';
import { type NewCustomer, newCustomer, noteWhatStays, removalOf } from '../sandbox/new-customers.ts';
import { rememberCustomers } from '../sca/own-customers.ts';
import { accountIdsIn, accountOf, type Reader, readingOf, withReadyReader } from '../sca/readers.ts';
import { newSession } from '../sca/walks.ts';
import {
  type Fault,
  judgeAll,
  judgeOperation,
  type Operation,
  possibleOnes,
  unsigned,
  untimely,
  untrusted,
} from './operation-faults.ts';

/** Whatever every request can be refused for: what is forgotten at one operation is rarely forgotten at the next. */
const faultsOfEach = (context: CheckContext): readonly Fault[] =>
  possibleOnes(context, [...unsigned, ...untimely, ...untrusted]);

const judge = (context: CheckContext, operations: readonly Operation[]): Promise<void> =>
  judgeAll(context, operations, faultsOfEach(context));

const operationOf =
  (context: CheckContext) =>
  (what: string, call: Call): Operation => ({
    what,
    send: (variation, purpose) => context.call(call, variation, purpose),
  });

const refusedUnlessSigned = (
  definition: Pick<Check, 'id' | 'title' | 'profiles' | 'run'> & Partial<Check>,
  sent: string,
): Check =>
  check({
    requirement: 'SIG-01',
    others: ['SIG-02', 'CLK-03', 'CLK-04', 'CLK-05', 'CRT-01', 'CRT-02'],
    isOnlyMeantByName: true,
    steps: [
      `Send, without a Signature header and with the signature of another text: ${sent}.`,
      'Send each of them with a Date a little too old, with one a little too far ahead and without any, and signed with a certificate of an unknown authority and with an expired one. They are refused.',
      'Send each of them without any fault, as control: those that do not go through are not judged.',
    ],
    expected: rejectedWith(400).text,
    ...definition,
  });

/** The details of a transaction, where the account has one. */
async function transactionOf({ call }: Reader, accountId: string): Promise<readonly Call[]> {
  const listed = await call(readingOf('transactions', { accountId }), {}, 'transactions');
  if (!listed.isSuccess) return [];
  const ids = transactionsIn(listed).booked.map((transaction) => member(transaction, 'transactionId'));
  const transactionId = ids.find((id) => typeof id === 'string' && id !== '');
  return typeof transactionId === 'string'
    ? [{ operation: 'readTransaction', params: { accountId, transactionId } }]
    : [];
}

/** What can be read of a card account, where the PSU has granted one. */
async function cardsOf({ call }: Reader): Promise<readonly (readonly [string, Call])[]> {
  const listed = await call({ operation: 'listCardAccounts' }, {}, 'card accounts');
  const cards = member(listed.json, 'cardAccounts') ?? listed.json;
  const [accountId] = listed.isSuccess ? accountIdsIn(cards) : [];
  if (accountId === undefined) return [];
  const params = { accountId };
  const query = { bookingStatus: 'both' };
  return [
    ['GET /v1/card-accounts/{id}', { operation: 'readCardAccount', params }],
    ['GET /v1/card-accounts/{id}/balances', { operation: 'readCardBalances', params }],
    ['GET /v1/card-accounts/{id}/transactions', { operation: 'readCardTransactions', params, query }],
  ];
}

async function accountOperations(context: CheckContext, reader: Reader): Promise<readonly Operation[]> {
  const { accountId } = accountOf(reader);
  const reading = (what: string, call: Call): Operation => ({
    what,
    send: (variation, purpose) => reader.call(call, variation, purpose),
  });
  return [
    reading('GET /v1/accounts/{id}', { operation: 'readAccount', params: { accountId } }),
    ...(await transactionOf(reader, accountId)).map((call) => reading('the details of a transaction', call)),
    reading('GET /v1/card-accounts', { operation: 'listCardAccounts' }),
    ...(await cardsOf(reader)).map(([what, call]) => reading(what, call)),
    {
      what: 'POST /v1/bank-offered-consents',
      send: (variation, purpose) =>
        context.call(
          { operation: 'createBankOfferedConsent', psu: newSession(context), body: {} },
          variation,
          purpose,
        ),
    },
  ];
}

/** The known issue speaks of details as well. */
async function paymentDetails(context: CheckContext): Promise<Operation> {
  const params = paramsOf(await readablePayment(context));
  return operationOf(context)('the details of a payment', { operation: 'readPayment', params });
}

/** A basket that nobody else knows. Deletion comes last, since the control deletes it. */
async function basketOperations(context: CheckContext): Promise<readonly Operation[]> {
  const paymentIds = await freshPayments(context, 1);
  const creation = { operation: 'createSigningBasket', body: { paymentIds } } as const;
  const basketId = (await callThroughSca(context, creation, 'a basket')).text('basketId');
  if (basketId === undefined) throw new NotApplicable('The basket that was created has no basketId.');
  const operation = operationOf(context);
  const params = { basketId };
  return [
    operation('a signing basket that is read', { operation: 'readSigningBasket', params }),
    operation('the status of a signing basket', { operation: 'readSigningBasketStatus', params }),
    operation('DELETE of a signing basket', { operation: 'deleteSigningBasket', params }),
  ];
}

/** What is wrong with creation is told, whatever becomes of the customer. */
async function removeAfterFailure(context: CheckContext, customer: NewCustomer): Promise<void> {
  try {
    const removal = await removalOf(context, customer);
    const answer = removal && (await context.call(removal, {}, 'remove the customer'));
    if (answer?.isSuccess === false) noteWhatStays(context);
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    noteWhatStays(context);
  }
}

/** Whatever was created is removed again, by a request that has to be signed as well. */
async function judgeCustomers(context: CheckContext): Promise<void> {
  await rememberCustomers(context);
  const customer = newCustomer(context);
  const operation = operationOf(context);
  try {
    await judge(context, [operation('POST /v1/sandbox/customers', customer.creation)]);
  } catch (error) {
    await removeAfterFailure(context, customer);
    throw error;
  }
  // Accepted, and perhaps not created yet (RFC 9110, 15.3.3).
  const removal = await patiently(
    context.run,
    () => removalOf(context, customer),
    (found) => found !== undefined,
  );
  const isRemoved =
    removal !== undefined &&
    (await judgeOperation(
      context,
      operation('DELETE of a sandbox customer', removal),
      faultsOfEach(context),
    ));
  if (!isRemoved) noteWhatStays(context);
}

export default suite(
  'What is read in full or taken back',
  section('Authentication', 'Transport and signing'),
  () => [
    refusedUnlessSigned(
      {
        id: `SIG-01${suffixes.details}${suffixes.accounts}`,
        title: 'details of accounts and transactions, and bank-offered consents, are rejected unless signed',
        profiles: ['accounts'],
        needs: ['aisp-role'],
        run: (context) =>
          withReadyReader(context, async (reader) =>
            judge(context, await accountOperations(context, reader)),
          ),
      },
      'an account, the details of a transaction, card accounts, what one of them holds, and a bank-offered consent',
    ),
    refusedUnlessSigned(
      {
        id: `SIG-01${suffixes.details}`,
        title: 'the details of a payment are rejected with 400 unless the request is signed',
        profiles: ['payment-lifecycle'],
        needs: ['create-payments'],
        run: async (context) => judge(context, [await paymentDetails(context)]),
      },
      'a request for the details of a payment',
    ),
    refusedUnlessSigned(
      {
        id: `SIG-01${suffixes.baskets}`,
        title: 'reading and deleting a signing basket is rejected with 400 unless it is signed',
        profiles: ['signing-baskets'],
        needs: ['create-payments'],
        run: async (context) => judge(context, await basketOperations(context)),
      },
      'GET of a basket, of its status, and DELETE of it',
    ),
    refusedUnlessSigned(
      {
        id: `SIG-01${suffixes.customers}`,
        title: 'creating and removing a sandbox customer is rejected with 400 unless it is signed',
        profiles: ['sandbox'],
        needs: ['sandbox', 'sandbox-changes'],
        run: judgeCustomers,
      },
      'POST /v1/sandbox/customers, and the removal of the customer',
    ),
  ],
);
