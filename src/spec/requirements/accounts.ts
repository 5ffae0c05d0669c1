import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const paths = statements('bank', ['accounts'], 'Endpoints', 'Other paths referred to');
const limit = statements('bank', ['accounts'], 'Limits');
const state = statements('bank', ['accounts'], 'States and transitions');
const resources = statements(
  'bank',
  ['accounts'],
  'Resources and their fields',
  'Sandbox customer (list element)',
);
const release = statements('bank', ['accounts'], 'Versioning');

const shapeNotShown = 'the shapes of this operation are not shown';

export const accountRequirements: readonly Requirement[] = [
  paths('ACC-01', 'GET /v1/accounts lists the consented accounts after SCA.', {
    remedies: ['consentUnderOtherKey'],
  }),
  paths('ACC-02', 'GET /v1/accounts/{id}/balances returns balances.', { remedies: ['consentUnderOtherKey'] }),
  paths('ACC-03', 'GET /v1/accounts/{id}/transactions takes bookingStatus both, pending and all.', {
    remedies: ['queryIgnored'],
  }),
  paths('ACC-04', 'GET /v1/accounts/{id}/transactions takes dateFrom, dateTo, limit and offset.', {
    remedies: ['queryIgnored'],
  }),
  paths('ACC-05', 'GET /v1/agreements gives the corporate agreements of a PSU.', {
    profiles: ['corporate-psus'],
    remedies: ['consentUnderOtherKey'],
  }),
  paths('ACC-06', 'GET /v1/user starts an SCA flow for a PISP that is not an AISP.', {
    profiles: ['sca-redirect'],
    remedies: ['linkMissing'],
  }),
  paths('ACC-07', 'POST /v1/consents ignores its body and returns an SCA redirect.', {
    remedies: ['linkMissing'],
  }),
  paths('ACC-08', 'Transaction details, sandbox data and TPP dialogue operations exist.', {
    level: 'advisory',
    unobservable: shapeNotShown,
  }),
  limit('ACC-10', 'Balances are read at most 4 times in 24 hours without the PSU present.', {
    reading: 'longTimes',
    remedies: ['unattendedUncounted'],
  }),
  limit('ACC-11', 'Transactions are read at most 4 times in 24 hours without the PSU present.', {
    reading: 'longTimes',
    remedies: ['unattendedUncounted'],
  }),
  limit('ACC-12', 'Transactions read without the PSU present are at most 90 days old.', {
    reading: 'longTimes',
    remedies: ['unattendedUncounted'],
  }),
  limit('ACC-13', 'Transactions without the PSU present need online access with SCA in the last 180 days.', {
    unobservable: 'it takes 180 days',
  }),
  limit(
    'ACC-14',
    'Without parameters a page holds 200 transactions, and pagination links carry 200 explicitly.',
    { remedies: ['queryIgnored'] },
  ),
  limit(
    'ACC-15',
    'Pending transactions are always returned whole; dateFrom, dateTo and limit do not filter them.',
    { remedies: ['pendingFiltered'] },
  ),
  state('ACC-16', 'Booked transactions are final; pending ones may change between reads.', {
    remedies: ['bookedAnew'],
  }),
  resources('ACC-17', 'transactionId is stable for booked transactions.', {
    remedies: ['idsMadeUp'],
  }),
  release('ACC-18', '/v1/consents is replaced by /v1/bank-offered-consents.', {
    level: 'advisory',
    unobservable: 'both may be offered during the change',
  }),
  paths('ACC-19', 'Balances and transactions of an account that nobody has are refused.', {
    remedies: ['accountByIdAlone'],
  }),
  limit('ACC-20', 'Balances and transactions of an account without consent are refused.', {
    remedies: ['accountByIdAlone', 'consentUnderOtherKey'],
  }),
  limit('ACC-22', 'dateFrom, dateTo and limit filter booked transactions, and offset goes on behind them.', {
    reading: 'transactionFilters',
    remedies: ['queryIgnored'],
  }),
  paths('ACC-21', 'bookingStatus pending gives no booked transactions; both and all give them.', {
    remedies: ['queryIgnored'],
  }),
];
