import { products } from '../products.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const says = statements('bank', ['core'], 'Errors');
const state = statements('bank', ['payment-lifecycle'], 'States and transitions');

export const errorRequirements: readonly Requirement[] = [
  says('ERR-02', 'An OCR/KID error is answered 400, not 401.', {
    reading: 'kidAccounts',
    profiles: ['domestic-payments'],
    status: 400,
    demandedOf: [products.domestic.creation],
    remedies: ['oneCheckDigitMethod'],
  }),
  says('ERR-03', 'A request that needs SCA is answered 401 with a link scaRedirect.', {
    profiles: ['sca-redirect'],
    status: 401,
    remedies: ['linkMissing'],
  }),
  says('ERR-04', 'Deleting a payment with status PDNG is answered with an error.', {
    profiles: ['payment-lifecycle'],
    reading: 'pendingAndFunds',
    remedies: ['stateNotLookedAt'],
  }),
  says(
    'ERR-05',
    'A payment rejected for lack of funds has status ACCP, and its status response tells fundsAvailable.',
    { profiles: ['payment-lifecycle'], reading: 'pendingAndFunds', remedies: ['stateNotLookedAt'] },
  ),
  says('ERR-06', 'A refused request is no server error: faults of the TPP are never answered 5xx.', {
    level: 'should',
    remedies: ['faultsUnmapped'],
  }),
  says('ERR-07', 'The code REFERENCE_MIX_INVALID may be returned in addition to the listed codes.', {
    profiles: ['signing-baskets'],
    level: 'advisory',
    unobservable: 'a permission; where it is demanded the basket requirements judge it',
    reading: 'referenceMix',
  }),
  state('STA-01', 'A temporarily rejected payment allows only a restricted set of operations.', {
    unobservable: 'neither the state nor the set of operations is shown',
  }),
  state(
    'STA-02',
    'Status and details of a domestic payment cannot be fetched before the PSU has approved it (known issue).',
    {
      level: 'advisory',
      unobservable: 'a defect that a bank may have fixed',
      reading: 'statusBeforeApproval',
    },
  ),
  state('STA-03', 'Transitions between payment, basket and SCA states follow the model of the bank.', {
    unobservable: 'transitions are not shown',
    level: 'advisory',
  }),
  state(
    'STA-10',
    'In whichever order payments are created, approved, read, put into baskets and deleted and sessions begun, the answers agree with the states and limits.',
    { remedies: ['stateInSeveralSystems'] },
  ),
];
