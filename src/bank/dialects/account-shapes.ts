import { isObject } from '../../spec/json.ts';
import { consentedCardAccounts } from '../accounts/consent-rules.ts';
import { type DesignChange, serves, withAnswers, withRules } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import { type Dialect, dialect, independent } from './dialect.ts';
import { eachAccount, withAccounts } from './listed-accounts.ts';
import { alsoRefusing } from './own-choice.ts';

type Body = Readonly<Record<string, unknown>>;

const answering = (operation: BankOperation, change: (body: Body) => unknown): DesignChange =>
  withAnswers([operation], (answer) =>
    isObject(answer.body) && answer.status < 300 ? { ...answer, body: change(answer.body) } : answer,
  );

const loan = { resourceId: 'loan-1', bban: '95360599001', currency: 'NOK', product: 'Loan' };

/** What an offset leads to is said nowhere: a page behind the last transaction may be none. */
const withoutEmptyPages: DesignChange = withAnswers(['readTransactions'], (answer, { query }) => {
  const { transactions = answer.body } = isObject(answer.body) ? answer.body : {};
  const { booked } = isObject(transactions) ? transactions : {};
  const isEmpty = Array.isArray(booked) && booked.length === 0;
  return isEmpty && Number(query.get('offset') ?? 0) > 0 ? { status: 404 } : answer;
});

/** "Only an SCA redirect is returned": one of HTTP, where others put a link into a body. */
const redirecting: DesignChange = withAnswers(['createConsent', 'createBankOfferedConsent'], (answer) => {
  const links = isObject(answer.body) ? answer.body._links : undefined;
  const link = isObject(links) ? links.scaRedirect : undefined;
  return isObject(link) && typeof link.href === 'string'
    ? { status: 303, headers: { ...answer.headers, Location: link.href } }
    : answer;
});

/** Who has revoked what they granted is not asked to grant it again: the TPP does that by a consent that the bank offers. */
const forbiddenOnceRevoked: DesignChange = withRules((_, rules) =>
  rules.map((rule) =>
    serves(rule, 'SCA-09')
      ? {
          ...rule,
          refuses: (request, state) => {
            const refusal = rule.refuses(request, state);
            const psu = identifyPsu(request, state);
            const hasGranted = psu !== undefined && state.consents.find(psu.tppId, psu) !== undefined;
            return refusal?.links === undefined || !hasGranted
              ? refusal
              : { status: 403, code: 'CONSENT_UNKNOWN', text: 'The PSU has revoked this consent.' };
          },
        }
      : rule,
  ),
);

/** Account information in other shapes: none is shown (Other paths referred to). */
export const accountShapeDialects: readonly Dialect[] = [
  dialect(
    'account-list/bare',
    'lists accounts as an array, without an object around them',
    answering('listAccounts', (body) => body.accounts),
  ),
  dialect(
    'account-list/other-name',
    'lists accounts deeper inside, under a name of its own',
    answering('listAccounts', ({ accounts, ...body }) => ({ ...body, data: { kontoer: accounts } })),
  ),
  independent(
    'consents/forbidden-once-revoked',
    'answers 403 CONSENT_UNKNOWN, without a link, where the PSU has revoked a consent',
    forbiddenOnceRevoked,
  ),
  independent(
    'card-accounts/none-404',
    'answers 404 to who asks for the card accounts of a PSU who has none',
    alsoRefusing(
      ['listCardAccounts'],
      (request, state) => consentedCardAccounts(request, state).length === 0,
      { status: 404, code: 'RESOURCE_UNKNOWN' },
    ),
  ),
  independent('consents/redirects', 'answers a consent with a redirect of HTTP to SCA', redirecting),
  independent(
    'accounts/no-links',
    'lists accounts without links and names',
    eachAccount(({ _links: _, name: __, ownerName: ___, ...account }) => account),
  ),
  independent(
    'accounts/ids-in-links',
    'names the ids of accounts in their links alone',
    // Where there are no links, there is nothing else that could name them.
    eachAccount(({ resourceId, ...account }) =>
      isObject(account._links) ? account : { ...account, resourceId },
    ),
  ),
  dialect(
    'transactions/one-list',
    'lists booked and pending transactions in one list',
    answering('readTransactions', ({ transactions, ...body }) => {
      const { booked, pending, ...rest } = isObject(transactions) ? transactions : {};
      const marked = (listed: unknown, status: string): readonly unknown[] =>
        (Array.isArray(listed) ? listed : []).map((each: unknown) =>
          isObject(each) ? { ...each, status } : each,
        );
      return { ...body, ...rest, transactions: [...marked(booked, 'BOOK'), ...marked(pending, 'PDNG')] };
    }),
  ),
  dialect(
    'transactions/empty-left-out',
    'leaves out lists of transactions that have nothing in them',
    answering('readTransactions', ({ transactions, ...body }) => ({
      ...body,
      transactions: Object.fromEntries(
        Object.entries(isObject(transactions) ? transactions : {}).filter(
          ([, listed]) => !Array.isArray(listed) || listed.length > 0,
        ),
      ),
    })),
  ),
  independent(
    'page-links/existing-pages',
    'answers 404 to a page behind the last transaction',
    withoutEmptyPages,
  ),
  independent(
    'page-links/decorated',
    'writes the addresses of pages with a slash before the query, and names a place on the page',
    answering('readTransactions', (body) =>
      JSON.parse(JSON.stringify(body).replaceAll(/\/transactions\?([^"]*)"/g, '/transactions/?$1#booked"')),
    ),
  ),
  independent(
    'accounts/as-written',
    'writes account numbers with dots and IBANs with spaces, as people do',
    eachAccount(({ bban, iban, ...account }) => ({
      ...account,
      ...(typeof bban === 'string' ? { bban: bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3') } : {}),
      ...(typeof iban === 'string' ? { iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 ') } : {}),
    })),
  ),
  independent(
    'accounts/loan-first',
    'lists a loan before the accounts, which nobody can pay from and which has nothing else to read',
    // Payment permission may be removed for an account that still appears (PSU identification and SCA).
    withAccounts((accounts) => [loan, ...accounts]),
  ),
  independent(
    'accounts/more',
    'tells much more of its accounts',
    eachAccount((account) => ({
      ...account,
      bic: 'DABANO22XXX',
      usage: 'PRIV',
      details: null,
      balances: [],
      linkedAccounts: [],
      ownerAddressStructured: { country: 'NO' },
    })),
  ),
  ...(['readBalances', 'readTransactions'] as const).map((operation) =>
    independent(
      `own-amounts/${operation === 'readBalances' ? 'balances' : 'transactions'}`,
      'tells numbers of its own that it calls amounts, next to those of the framework',
      answering(operation, (body) => ({
        bonus: { amount: 12.5, unit: 'points' },
        savingsGoals: [{ name: 'Hytte', amount: 250000, currency: 'NOK' }],
        ...body,
      })),
    ),
  ),
  independent(
    'balances/none-booked',
    'tells the expected balance alone',
    answering('readBalances', (body) => ({
      ...body,
      balances: [body.balances]
        .flat()
        .filter((balance) => isObject(balance) && balance.balanceType === 'expected'),
    })),
  ),
  dialect(
    'balances/own-words',
    'tells balances in words of its own',
    answering('readBalances', () => ({ saldo: [{ navn: 'Disponibelt', sum: 'kr 1 250,50' }] })),
  ),
];
