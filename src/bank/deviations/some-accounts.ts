import { randomUUID } from 'node:crypto';

import { consentedAccounts } from '../accounts/consent-rules.ts';
import {
  allOf,
  type DesignChange,
  onRefusal,
  telling,
  withoutRules,
  withRoutes,
} from '../design/design-changes.ts';

import { answeringForAny, keepingRevoked } from './account-limits.ts';
import {
  asIfPresent,
  at,
  byDots,
  type Condition,
  type Deviation,
  deviation,
  handling,
  inHeader,
  inQuery,
  isOfACompany,
  type Mistake,
  mistaking,
  not,
  overlooking,
  overlooks,
  rows,
  serving,
  withParam,
} from './deviation.ts';
import {
  asTheOtherTpp,
  asThePsuOfTheSession,
  sessionByItsBeginning,
  withAnyAgreement,
} from './identities.ts';

/** Rules that hold at the first account of a PSU who is present, and were forgotten elsewhere. */

const isFurtherAccount: Condition = ({ params }, { customers }) =>
  customers
    .list()
    .some(({ customerNumber }) =>
      customers.accountsOf(customerNumber).some(({ id }, place) => place > 0 && id === params.accountId),
    );

const isUnattended = not(inHeader('psu-ip-address'));

/** It still has to see the other requests: what it mistakes one for is told by them. */
const mistakingSome = (isMeant: Condition, make: () => Mistake): DesignChange => {
  const mistake = make();
  return mistaking('listAccounts', (request, state) => {
    const mistaken = mistake(request, state);
    return isMeant(request, state) ? mistaken : request;
  });
};

const isDetail = at('readAccount', 'readTransaction');

/** The details of any transaction, to whoever names it. */
const tellingAnyTransaction: DesignChange = allOf(
  withoutRules(
    ({ requirement, name }, operation) =>
      operation === 'readTransaction' && (requirement === 'ACC-01' || /transaction/.test(name)),
  ),
  withRoutes((route) =>
    route.operation === 'readTransaction'
      ? {
          ...route,
          handle: ({ params: { transactionId } }) => ({
            status: 200,
            body: { transactionsDetails: { transactionId } },
          }),
        }
      : route,
  ),
);

// biome-ignore format: a table
export const someAccountDeviations: readonly Deviation[] = [
  ...rows(
    ['ACC-02/of-the-first', 'tells the balances of the first account for every other one',
      handling('readBalances', (request, state) => {
        const [first] = consentedAccounts(request, state);
        return first === undefined ? request : withParam(request, 'accountId', first.id);
      })],
    ['ERR-03/details', 'shows details of accounts and transactions in a session without SCA', overlooking(serving('SES-02'), isDetail)],
    ['ERR-03/details-without-the-link', 'asks for SCA without a link where details of accounts and transactions are read in a session without it',
      onRefusal(serving('SES-02'), ({ links, ...told }, request) => isDetail(request) ? told : { ...told, ...(links && { links }) })],
    ['TRN-10/transaction-details', 'writes the day of booking in the details of a transaction as DD.MM.YYYY', telling('readTransaction', 'bookingDate', byDots)],
    ['ACC-20/details-of-a-transaction', 'shows the details of a transaction of another PSU', tellingAnyTransaction],
    ['ACC-20/details-of-an-account', 'shows the details of an account of another PSU', answeringForAny('readAccount', true)],
    ['SCA-09/details-kept', 'goes on showing the details of an account that the PSU has deselected', keepingRevoked('readAccount')],
  ),
  overlooks('CRT-05/details', 'shows the details of a transaction to a TPP without the AISP role', at('readTransaction')),
  deviation('VER-03/number-in-further-balances', 'writes the balances of all accounts but the first as JSON numbers',
    telling('readBalances', 'amount', Number, isFurtherAccount)),
  deviation('TRN-10/further-transactions', 'writes the days of booking of all accounts but the first as DD.MM.YYYY',
    telling('readTransactions', 'bookingDate', byDots, isFurtherAccount)),
  ...([
    ['further', 'of all accounts but the first', isFurtherAccount],
    ['companies', 'of companies', isOfACompany],
    ['unattended', 'that are read without the PSU present', isUnattended],
  ] as const).map(([way, which, isMeant]) =>
    deviation(`ACC-17/made-up-${way}`, `makes up the transactionId of booked transactions ${which} for each answer`,
      telling('readTransactions', 'transactionId', () => randomUUID(), isMeant))),
  ...(['offset', 'limit'] as const).map((name) =>
    deviation(`ACC-12/with-${name}`, `shows old transactions without the PSU to whoever asks with ${name}`, asIfPresent(inQuery(name)))),
  deviation('ACC-12/without-an-end', 'shows old transactions without the PSU to whoever names no dateTo', asIfPresent(not(inQuery('dateTo')))),
  ...([
    ['SCA-15', 'companies', 'lets another TPP use a PSU-ID and session of a company', isOfACompany, asTheOtherTpp],
    ['SCA-15', 'unattended', 'lets another TPP use a PSU-ID without the PSU present', isUnattended, asTheOtherTpp],
    ['COR-04', 'unattended', 'takes the PSU-Corporate-ID of others without the PSU present', isUnattended, () => withAnyAgreement(true)],
  ] as const).map(([requirement, way, title, isMeant, mistake]) =>
    deviation(`${requirement}/taken-${way}`, title, (design) => mistakingSome(isMeant, mistake)(design))),
  deviation('SCA-15/told-agreements', 'tells another TPP the agreements of a PSU', (design) => mistaking('listAgreements', asTheOtherTpp())(design)),
  ...([['balances', 'readBalances'], ['transactions', 'readTransactions']] as const).map(([what, operation]) =>
    deviation(`SES-02/by-its-beginning-at-${what}`, `compares the beginning of TPP-Session-ID only (${what})`, mistaking(operation, sessionByItsBeginning))),
  deviation('SCA-17/told-agreements', 'tells the agreements of the PSU of a session to whoever sends any PSU-ID',
    mistaking('listAgreements', asThePsuOfTheSession)),
  overlooks('CRT-05/unattended', 'asks for the AISP role with the PSU present only', isUnattended),
];
