import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const endpoint = statements('bank', ['sandbox'], 'Endpoints', 'GET /v1/sandbox/customers');
const customers = statements(
  'bank',
  ['sandbox'],
  'Resources and their fields',
  'Sandbox customer (list element)',
);

export const sandboxRequirements: readonly Requirement[] = [
  endpoint('SBX-40', 'The listing of sandbox customers is answered 200 with an array.', {
    status: 200,
    remedies: ['internalModel'],
  }),
  endpoint('SBX-41', 'withAccounts is accepted with true and false; the account arrays stay present.', {
    reading: 'withoutDetails',
    remedies: ['queryIgnored'],
  }),
  endpoint('SBX-42', 'withAgreements is accepted with true and false; the agreements array stays present.', {
    reading: 'withoutDetails',
    remedies: ['queryIgnored'],
  }),
  endpoint('SBX-43', 'The listing contains customers created with POST /v1/sandbox/customers.', {
    remedies: ['internalModel'],
  }),
  endpoint('SBX-44', 'Sandbox operations are not part of the production interface.', {
    // The profile of sandboxes does not bind in production.
    profiles: ['core'],
    remedies: ['sandboxInProduction'],
  }),
  customers(
    'SBX-45',
    'Private customers of the initial data set have two accounts and a card account, corporate ones two accounts.',
    { remedies: ['dataSetOtherwise', 'queryIgnored'] },
  ),
  customers('SBX-46', 'Initialisation removes customers and accounts that were created by hand.', {
    unobservable: 'the initialisation operation is not shown, and would destroy the data of other users',
  }),
  customers('SBX-47', 'customerNumber is the identifier to use when performing SCA in the sandbox.', {
    remedies: ['sandboxNumbersUnknown'],
  }),
  customers('SBX-48', 'The initial data set has private and corporate customers.', {
    remedies: ['dataSetOtherwise'],
  }),
];
