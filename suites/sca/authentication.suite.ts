import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import {
  asksForSca,
  describeAnswer,
  expectAnswer,
  mustSucceed,
  succeeded,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { answersSoFar } from '../../src/checks/samples.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { isSameNumber } from '../../src/spec/customer-number.ts';
import { isObject, memberAt } from '../../src/spec/json.ts';
import { type Call, withHeader } from '../../src/tpp/call.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { detailsOf } from '../accounts/transaction-lists.ts';
import { suffixes } from '../id-suffixes.ts';
import { readablePayment } from '../payments/approved-payments.ts';
import { freshPayment, paramsOf } from '../payments/payments-at-hand.ts';
import { creationsWithoutSca } from './creations-without-sca.ts';
import { mustHoldOtherwise } from './ended-by-others.ts';
import { accountOf, readingOf, withReadyReader } from './readers.ts';
import { mustAskAispAlone } from './single-roles.ts';
import { type Customer, withCustomer } from './spare-customers.ts';
import { accountsIn, mustStillBeListed } from './still-listed.ts';
import {
  askForSca,
  callAgainAfterSca,
  callFor,
  isRefusedAgain,
  isRefusedSca,
  linkOfUnapprovedPayment,
  logIn,
  mustBeOffered,
  mustLeadToAPage,
  newSession,
  ownCustomer,
  passSca,
  walking,
  whatIsAt,
} from './walks.ts';

/** What may be asked of a payment later on, with what goes through in the session of the run. */
async function laterCalls(context: CheckContext): Promise<readonly Call[]> {
  const read = paramsOf(await readablePayment(context));
  const removed = paramsOf(await freshPayment(context));
  return [
    { operation: 'readPaymentStatus', params: read },
    { operation: 'readPayment', params: read },
    { operation: 'deletePayment', params: removed },
  ];
}

export default suite(
  'Strong customer authentication',
  section('Authentication', 'PSU identification and SCA'),
  () => [
    check({
      id: 'SCA-01',
      requirement: 'SCA-01',
      others: ['ERR-03'],
      title: 'accounts without prior consent are answered 401 with a link named scaRedirect',
      needs: ['aisp-role'],
      steps: [
        'Ask for accounts without PSU-ID in a new session.',
        'Ask in the same way with a certificate that has the AISP role alone. Where that is refused, it counts if the bank takes that certificate for the user or the agreements.',
      ],
      expected: asksForSca().text,
      async run(context) {
        const answer = await context.call({ operation: 'listAccounts', psu: newSession(context) });
        mustBeOffered(answer, 'GET /v1/accounts');
        expectAnswer(context, answer, asksForSca(), 'for accounts without PSU-ID');
        await mustAskAispAlone(context);
      },
    }),
    ...(
      [
        { id: 'ERR-03', what: 'balances' },
        { id: 'ERR-03-transactions', what: 'transactions' },
      ] as const
    ).map(({ id, what }) =>
      check({
        id,
        requirement: 'ERR-03',
        others: ['SCA-02'],
        title: `${what} in a session without SCA are answered 401 with a link named scaRedirect`,
        steps: [
          `Read the ${what} of a PSU who has passed SCA, as control: it must go through.`,
          `Read them again in a session in which the PSU has not passed SCA${what === 'balances' ? '' : ', and the details of the account and of one of them'}.`,
          'Open the link scaRedirect as a browser does: it leads to a page.',
        ],
        expected: asksForSca().text,
        run: (context) =>
          withReadyReader(context, async (reader) => {
            const call = readingOf(what, accountOf(reader));
            const control = await callAgainAfterSca(context, reader, call, 'control');
            mustBeOffered(control, `GET /v1/accounts/{id}/${what}`);
            mustSucceed(control, `reading the ${what} within the session`);
            const elsewhere = withHeader('TPP-Session-ID', newSession(context).sessionId);
            const answer = await reader.call(call, elsewhere, 'in a session without SCA');
            expectAnswer(context, answer, asksForSca(), `for ${what} in a session without SCA`);
            await mustLeadToAPage(context, answer, what);
            if (what === 'balances') return;
            for (const details of detailsOf(accountOf(reader).accountId, control)) {
              const shown = await reader.call(details, elsewhere, 'details in a session without SCA');
              // Details need not be offered: what is not shown is judged where it is shown otherwise.
              const lacksLink = shown.status === 401 && !shown.asksForSca;
              if (shown.isSuccess || (lacksLink && (await reader.call(details, {}, 'control')).isSuccess))
                expectAnswer(context, shown, asksForSca(), 'for details in a session without SCA');
            }
          }),
      }),
    ),
    check({
      id: 'ERR-03-agreements',
      requirement: 'ERR-03',
      others: ['SCA-02'],
      title: 'agreements are not answered 401 in a session without SCA, unless with a link named scaRedirect',
      steps: [
        'Ask for the agreements of a PSU who has passed SCA, as control: it must go through.',
        'Ask for them in a session in which the PSU has not passed SCA. A PSU-ID may be enough to list them; where it is not, 401 asks for SCA, and its link leads to a page.',
      ],
      expected: `${asksForSca().text}, or no 401`,
      async run(context) {
        const control = await callThroughSca(context, { operation: 'listAgreements' }, 'control');
        mustBeOffered(control, 'GET /v1/agreements');
        if (!control.isSuccess)
          throw new NotApplicable(`The PSU is refused within the session (${describeAnswer(control)}).`);
        const psu = { ...context.psu, ...newSession(context) };
        const answer = await context.call(
          { operation: 'listAgreements', psu },
          {},
          'in a session without SCA',
        );
        if (answer.status === 401)
          expectAnswer(context, answer, asksForSca(), 'for agreements in a session without SCA');
        await mustLeadToAPage(context, answer, 'agreements');
      },
    }),
    check({
      id: `ERR-03${suffixes.status}`,
      requirement: 'ERR-03',
      others: ['SCA-02'],
      title:
        'status, details and deletion of a payment are not answered 401 in a session without SCA, unless with a link named scaRedirect',
      needs: ['create-payments'],
      steps: [
        'Ask for the status of a payment and for its details, and delete one, each in a session in which the PSU has not passed SCA. Whatever else they are answered, 401 asks for SCA, and its link leads to a page.',
        'Where one is answered 401 without a link, send it in the session of the run, as control: what does not go through is not judged.',
      ],
      expected: `${asksForSca().text}, or no 401`,
      async run(context) {
        const psu = { ...context.psu, ...newSession(context) };
        for (const call of await laterCalls(context)) {
          const answer = await context.call({ ...call, psu }, {}, 'in a session without SCA');
          await mustLeadToAPage(context, answer, call.operation);
          if (answer.status !== 401 || answer.asksForSca) continue;
          const control = await callThroughSca(context, call, 'control');
          if (control.isSuccess)
            expectAnswer(context, answer, asksForSca(), `for ${call.operation} in a session without SCA`);
        }
      },
    }),
    ...creationsWithoutSca,
    check({
      id: 'SCA-02',
      requirement: 'SCA-02',
      title: 'the link scaRedirect leads to a page',
      steps: [
        'Ask for accounts without PSU-ID in a new session.',
        'Open the link scaRedirect as a browser does.',
      ],
      expected: 'an HTML page (2xx)',
      async run(context) {
        const link = await askForSca(context, {}, newSession(context));
        const actual = await whatIsAt(context, link);
        context.evidence = context.exchanges.slice(-2);
        if (actual !== undefined)
          throw new ExpectationFailed('the link scaRedirect to lead to an HTML page (2xx)', actual);
      },
    }),
    check({
      id: 'SCA-02-payment',
      requirement: 'SCA-02',
      title: 'the link scaRedirect of a payment leads to a page',
      needs: ['create-payments'],
      steps: [
        'Create a domestic payment. Where the bank exempts it from SCA, put it into a basket, or create one in a session without SCA.',
        'Open its link scaRedirect as a browser does.',
      ],
      expected: 'an HTML page (2xx)',
      async run(context) {
        const actual = await whatIsAt(context, await linkOfUnapprovedPayment(context));
        context.evidence = context.exchanges.slice(-2);
        if (actual !== undefined)
          throw new ExpectationFailed('the link scaRedirect to lead to an HTML page (2xx)', actual);
      },
    }),
    check({
      id: `SCA-02${suffixes.ever}`,
      requirement: 'SCA-02',
      title: 'a link scaRedirect that is there has an address',
      steps: ['Look at every success and every 401 of this run that has a link scaRedirect.'],
      expected: 'an address in each of them',
      observes: true,
      async run(context) {
        const answers = (await answersSoFar(context, 'successes', 'scaRequests')).filter(
          ({ isSuccess, status, json }) =>
            (isSuccess || status === 401) && (memberAt(json, '_links', 'scaRedirect') ?? null) !== null,
        );
        context.cases = answers.length;
        const without = answers.find((answer) => answer.link('scaRedirect') === undefined);
        if (without === undefined) return;
        context.evidence = [without.exchange];
        throw new ExpectationFailed(
          'an address in the link scaRedirect',
          JSON.stringify(memberAt(without.json, '_links', 'scaRedirect')),
        );
      },
    }),
    check({
      id: 'SCA-04',
      requirement: 'SCA-04',
      title: 'the same PSU gets the same PSU-ID from every SCA',
      needs: walking,
      steps: [
        'Pass SCA as a customer whom no other check acts for.',
        'Pass it again as the same customer, in another session.',
        'Compare the two PSU-IDs.',
      ],
      expected: 'the same psu-id in both redirects',
      run: (context) =>
        withCustomer(context, 'OTHER', async (customer) => {
          const first = psuIdIn(await passSca(context, customer));
          const second = psuIdIn(await passSca(context, customer));
          if (first !== second) throw new ExpectationFailed(`psu-id ${first} again`, second);
        }),
    }),
    check({
      id: 'SCA-05',
      requirement: 'SCA-05',
      title: 'another TPP gets another PSU-ID for the same PSU',
      needs: [...walking, 'identity:second'],
      steps: [
        'Pass SCA as the PSU of the target file for a second TPP.',
        'Compare its PSU-ID with that of the first TPP.',
      ],
      expected: 'another psu-id than the first TPP has',
      run: (context) =>
        withCustomer(context, 'SECOND_TPP', async (customer) => {
          const { id } = context.psu;
          const other = psuIdIn(await passSca(context, customer));
          if (other.toLowerCase() === id?.toLowerCase())
            throw new ExpectationFailed('another psu-id than the first TPP has', `the same one, ${other}`);
        }),
    }),
    check({
      id: 'SCA-08',
      requirement: 'SCA-08',
      others: ['ACC-01'],
      title: 'SCA for another TPP leaves the session of this one valid',
      needs: [...walking, 'identity:second', 'aisp-role'],
      steps: [
        'Ask for the accounts of the PSU of the target file, as control: it must go through.',
        'Pass SCA as this PSU for a second TPP, and ask for the accounts again for the first.',
        'If that asks for SCA, pass it and ask three times with nothing in between: they have to go through.',
        'If it does not, all accounts that were listed before are listed still.',
      ],
      expected: succeeded().text,
      run: (context) =>
        withReadyReader(context, (reader) =>
          withCustomer(context, 'SECOND_TPP', async (customer) => {
            if (reader.psu.id !== context.psu.id)
              throw new NotApplicable('The accounts of the PSU of the target file cannot be read.');
            const accounts = { operation: 'listAccounts' } as const;
            const before = await reader.call(accounts, {}, 'control');
            mustSucceed(before, 'asking for accounts');
            await passSca(context, customer);
            const after = await reader.call(accounts, {}, 'after SCA for another TPP');
            if (!after.asksForSca)
              return mustStillBeListed(context, accountsIn(before), after, 'SCA for another TPP');
            await mustHoldOtherwise(context, reader, after);
            expectAnswer(context, after, succeeded(), 'for accounts after SCA for another TPP');
          }),
        ),
    }),
    check({
      id: 'SCA-06',
      requirement: 'SCA-06',
      title: 'after SCA the call that asked for it goes through with the PSU-ID',
      needs: [...walking, 'aisp-role'],
      steps: [
        'Ask for accounts without PSU-ID in a new session: the answer asks for SCA.',
        'Pass SCA at its link.',
        'Repeat the call in the same session with the PSU-ID of the redirect.',
      ],
      expected: succeeded().text,
      run: (context) =>
        withCustomer(context, 'OTHER', async (customer) => {
          const session = newSession(context);
          const before = await callFor(context, customer, session)({ operation: 'listAccounts' });
          mustBeOffered(before, 'GET /v1/accounts');
          const { call } = await logIn(context, customer, session);
          const answer = await call({ operation: 'listAccounts' }, {}, 'after SCA');
          expectAnswer(context, answer, succeeded(), 'for accounts after SCA');
        }),
    }),
    check({
      id: 'SBX-47',
      requirement: 'SBX-47',
      title: 'the customerNumber of a listed customer passes SCA',
      needs: ['sandbox', ...walking],
      steps: [
        'List the sandbox customers.',
        'Pass SCA with the customerNumber of one whom the target file does not name.',
        'If that fails, pass it with the number of the target file, as control: it must go through.',
      ],
      expected: 'a redirect with a psu-id',
      run: (context) =>
        withCustomer(
          context,
          'PRIVATE',
          (customer) => (customer.isListed === true ? pass(context, customer) : passAsListed(context)),
          { preferred: ({ isListed }) => isListed === true },
        ),
    }),
    check({
      id: `SBX-47${suffixes.corporate}`,
      requirement: 'SBX-47',
      title: 'the customerNumber of a listed company passes SCA',
      needs: ['sandbox', ...walking],
      steps: [
        'List the sandbox customers.',
        'Pass SCA in corporate context with the customerNumber of a corporate one whom the target file does not name.',
        'If that fails, pass it with the number of the target file, as control: it must go through.',
      ],
      expected: 'a redirect with a psu-id',
      run: (context) =>
        withCustomer(
          context,
          'CORPORATE',
          (customer) => {
            if (customer.isListed === true) return pass(context, customer);
            if (context.target.psu.context === 'CORPORATE') return passAsListed(context);
            throw new NotApplicable(
              'The sandbox lists no corporate customer other than that of the target file: create one with POST /v1/sandbox/customers.',
            );
          },
          { preferred: ({ isListed }) => isListed === true },
        ),
    }),
  ],
);

/** SCA with a number of the listing. Where it fails, that of the target file says whether SCA can be passed at all. */
async function pass(context: CheckContext, customer: Customer, listed = customer): Promise<void> {
  try {
    psuIdIn(await passSca(context, customer));
  } catch (error) {
    if (!isRefusedSca(error)) throw error;
    // A company without an agreement may have nobody who acts for it; its number passes SCA all the same.
    if (customer.context === 'CORPORATE') return pass(context, { ...customer, context: 'PRIVATE' }, customer);
    const session = { ...newSession(context), sessionId: context.psu.sessionId };
    psuIdIn(await passSca(context, ownCustomer(context), session));
    if (!(await isRefusedAgain(context, listed))) return;
    throw new ExpectationFailed('SCA to be passed with a customerNumber of the listing', error.message);
  }
}

/** Where the listing has no other customer, that of the target file passes SCA, in the session that is there already. */
async function passAsListed(context: CheckContext): Promise<void> {
  const listing = await context.call({ operation: 'listSandboxCustomers' }, {}, 'look for the customer');
  const own = ownCustomer(context);
  const isListed = ((Array.isArray(listing.json) ? listing.json : []) as readonly unknown[]).some(
    (customer) => isObject(customer) && isSameNumber(customer.customerNumber, own.nationalId),
  );
  if (!isListed)
    throw new NotApplicable(
      `The sandbox lists no ${own.context.toLowerCase()} customer: create one with POST /v1/sandbox/customers.`,
    );
  psuIdIn(await passSca(context, own, { ...newSession(context), sessionId: context.psu.sessionId }));
}

function psuIdIn({ psuId }: ScaReturn): string {
  if (psuId === undefined) throw new Inconclusive('The bank sent the PSU back without psu-id.');
  return psuId;
}
