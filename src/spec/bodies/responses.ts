import { transactionStatuses } from '../code-lists.ts';
import { type Body, boolean, object, string } from '../field.ts';
import { ofPayments } from '../profiles.ts';
import { amount, currency, linksField, messagesField } from './shared-types.ts';

/** Payment creation response (NDCT and NCBCT). */
export const paymentResponse: Body = {
  name: 'payment creation response',
  section: ['Resources and their fields', 'Payment creation response (NDCT and NCBCT)'],
  profiles: ofPayments,
  origin: 'specification',
  direction: 'response',
  level: 'must',
  fields: [
    string('paymentId', { required: 'PRS-01', type: 'PRS-02' }),
    string(
      'transactionStatus',
      { required: 'PRS-03', type: 'PRS-04', values: 'PRS-05' },
      { values: transactionStatuses },
    ),
    object('transactionFees', { type: 'PRS-06' }, [
      amount({ required: 'PRS-07', type: 'PRS-08', format: 'PRS-09' }),
      currency({ required: 'PRS-10', type: 'PRS-11', values: 'PRS-12' }),
    ]),
    boolean('transactionFeeIndicator', { type: 'PRS-13' }),
    messagesField('PRS-14'),
    string('psuMessage', { type: 'PRS-15', maxLength: 'PRS-16' }, { maxLength: 512 }),
    linksField('PRS-17'),
  ],
};

/** Status of one payment. Not shown in the specification: the framework's shape, whose status values this interface lists. */
export const paymentStatusResponse: Body = {
  name: 'payment status response',
  section: ['Endpoints', 'GET /v1/payments/{payment-product}/{payment-id}/status'],
  profiles: ['payment-lifecycle'],
  origin: 'framework',
  direction: 'response',
  level: 'advisory',
  fields: [
    string(
      'transactionStatus',
      { required: 'PST-02', type: 'PST-03', values: 'PST-04' },
      {
        values: transactionStatuses,
        // States and transitions: the statuses themselves are listed.
        binding: { values: { level: 'must', interpretation: 'statusValues' } },
      },
    ),
    boolean('fundsAvailable', { type: 'PST-05' }),
    string('psuMessage', { type: 'PST-06', maxLength: 'PST-07' }, { maxLength: 512 }),
    messagesField('PST-08'),
    linksField('PST-09'),
  ],
};

/**
 * The error body. The specification shows none; the framework's is used by the reference bank,
 * and what a bank sends is only held to the message object.
 */
export const errorResponse: Body = {
  name: 'error response',
  section: ['Errors'],
  profiles: ['core'],
  origin: 'framework',
  direction: 'response',
  level: 'must',
  fields: [messagesField('ERR-01')],
};
