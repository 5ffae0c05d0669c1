import { check, section, suite } from '../../src/checks/check.ts';
import { expectAnswer, mustSucceed, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotOffered } from '../../src/checks/outcomes.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { accountIdsIn, listedAccounts } from './readers.ts';
import { withCustomer } from './spare-customers.ts';
import { askForSca, callFor, logIn, mustBeOffered, newSession, walk, walking } from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

/** What a page may call an account: its id and its numbers. */
function wordsFor({ json }: Answer, accountId: string): readonly string[] {
  const account = listedAccounts(json).find((candidate) => accountIdsIn([candidate])[0] === accountId);
  const numbers = ['bban', 'iban'].map((name) => member(account, name));
  return [accountId, ...numbers].filter((word) => typeof word === 'string' && word !== '') as string[];
}

export default suite('Checklist of accounts', section('Authentication', 'PSU identification and SCA'), [
  check({
    id: 'SCA-09',
    requirement: 'SCA-09',
    others: ['SCA-19'],
    title: 'an account that the PSU deselects during SCA is shown no more',
    needs: [...walking, 'aisp-role'],
    steps: [
      'Pass SCA as a customer whom no other check acts for, and ask for accounts: there must be two at least.',
      'Pass SCA as the same customer in a new session, and leave the box of the last account empty.',
      'Ask for accounts in the new session, which must go through, and for the balances of that account.',
      'Look whether the box had been ticked by the bank, for the account was granted before.',
      'Pass SCA once more with every box ticked.',
    ],
    expected: 'a listing without the account, its balances refused, and a box that was ticked before',
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const first = await logIn(context, customer);
        const before = await first.call(accounts, {}, 'control');
        mustBeOffered(before, 'GET /v1/accounts');
        mustSucceed(before, 'asking for accounts after SCA');
        const [accountId, ...others] = accountIdsIn(before.json).toReversed();
        if (accountId === undefined || others.length === 0)
          throw new NotOffered(
            'The customer has granted fewer than two accounts, so that none can be left out.',
          );
        const session = newSession(context);
        const link = await askForSca(context, customer, session);
        const person = { ...customer, deselects: wordsFor(before, accountId) };
        const { psuId, psuCorporateId, hasDeselected, wasPreselected } = await walk(
          context,
          link,
          person,
          session.redirectUri,
        );
        if (hasDeselected !== true)
          throw new NotOffered('The SCA pages have no box of a single account that could be left empty.');
        try {
          if (psuId === undefined)
            throw new Inconclusive('SCA was passed, but the bank sent the PSU back without psu-id.');
          const company = psuCorporateId === undefined ? {} : { corporateId: psuCorporateId };
          const call = callFor(context, customer, { ...session, id: psuId, ...company });
          const after = mustSucceed(
            await call(accounts, {}, 'after it was deselected'),
            'asking for accounts',
          );
          context.evidence = context.exchanges.slice(-1);
          if (accountIdsIn(after.json).includes(accountId))
            throw new ExpectationFailed(
              'accounts without the one that the PSU has deselected',
              'all of them',
            );
          const read = await call(
            { operation: 'readBalances', params: { accountId } },
            {},
            'of the deselected one',
          );
          expectAnswer(
            context,
            read,
            refusedOrAskedForSca(),
            'for balances of an account that was deselected',
          );
          if (wasPreselected === undefined)
            context.note(
              'Whether the box of an account that was granted before is ticked already was not judged: the page has a script, which may tick it.',
            );
          context.broken = 'SCA-19';
          if (wasPreselected === false)
            throw new ExpectationFailed(
              'a box that is ticked already for an account that was granted before',
              'one that is not ticked',
            );
        } finally {
          // Whoever comes next finds the customer as before.
          await logIn(context, customer);
        }
      }),
  }),
]);
