import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const says = statements('bank', ['signing-baskets'], 'Resources and their fields', 'Signing basket');
const endpoint = statements('bank', ['signing-baskets'], 'Endpoints', 'Create payments signing basket');
const limit = statements('bank', ['signing-baskets'], 'Limits');
const release = statements('bank', ['signing-baskets'], 'Versioning');

export const basketRequirements: readonly Requirement[] = [
  endpoint('BSK-10', 'A created basket is answered 201.', {
    reading: 'basketPath',
    status: 201,
    remedies: ['basketCreatedOtherwise'],
  }),
  limit('BSK-11', 'A basket of one payment is accepted.', { remedies: ['basketLimitOutdated'] }),
  limit('BSK-12', 'A basket of more than ten payments is accepted.', {
    reading: 'basketLimit',
    remedies: ['basketLimitOutdated'],
  }),
  limit('BSK-13', 'A basket of 100 payments is accepted.', {
    reading: 'basketLimit',
    remedies: ['basketLimitOutdated'],
  }),
  limit('BSK-14', 'A basket of 101 payments is refused.', {
    reading: 'basketLimit',
    remedies: ['basketLimitOutdated'],
  }),
  says('BSK-15', 'A basket without payments is refused.', {
    reading: 'basketContents',
    remedies: ['paymentsLookedUpLate'],
  }),
  says('BSK-16', 'A basket with a payment that does not exist is refused.', {
    reading: 'basketContents',
    remedies: ['paymentsLookedUpLate'],
  }),
  says('BSK-17', 'A bulk payment in a basket is answered 400 with code REFERENCE_MIX_INVALID.', {
    reading: 'referenceMix',
    status: 400,
    remedies: ['paymentsLookedUpLate'],
  }),
  says('BSK-18', 'A periodic payment in a basket is answered 400 with code REFERENCE_MIX_INVALID.', {
    reading: 'referenceMix',
    status: 400,
    remedies: ['paymentsLookedUpLate'],
  }),
  release('BSK-19', 'Cross-border payments are accepted in a basket, alone and next to domestic ones.', {
    profiles: ['sandbox'],
    remedies: ['otherProductForgotten', 'paymentsLookedUpLate'],
  }),
  says('BSK-20', 'The status of a basket reflects the worst case of its payments.', {
    reading: 'basketStatus',
    remedies: ['stateInSeveralSystems'],
  }),
  says('BSK-21', 'A basket operation is not atomic.', {
    unobservable: 'a permission; a bank that is atomic breaks nothing',
  }),
  says('BSK-23', 'A basket with a payment of another TPP or of another PSU is refused.', {
    reading: 'paymentOwnership',
    remedies: ['ownerNotAsked'],
  }),
  says('BSK-24', 'A basket with a payment that was deleted is refused.', {
    level: 'should',
    remedies: ['paymentsLookedUpLate', 'stateNotLookedAt'],
  }),
  says('BSK-25', 'A basket with a payment that is approved already is refused.', {
    level: 'advisory',
    remedies: ['paymentsLookedUpLate', 'stateNotLookedAt'],
  }),
  says(
    'BSK-26',
    'A basket is neither read nor deleted, nor its approval begun, by another TPP or for another PSU than its own.',
    {
      reading: 'paymentOwnership',
      remedies: ['ownerNotAsked'],
    },
  ),
  says('BSK-22', 'The status of each payment of a basket is obtained individually.', {
    remedies: ['stateInSeveralSystems'],
  }),
];
