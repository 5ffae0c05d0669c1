import { transactionStatuses } from '../code-lists.ts';
import { currencies } from '../currencies.ts';
import { type Body, boolean, object, string } from '../field.ts';
import { linksField } from './link.ts';
import { messagesField } from './message.ts';

/** Payment creation response (NDCT and NCBCT). */
export const paymentResponse: Body = {
  name: 'payment creation response',
  section: ['Resources and their fields', 'Payment creation response (NDCT and NCBCT)'],
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
      string('amount', { required: 'PRS-07', type: 'PRS-08', format: 'PRS-09' }, { format: 'amount' }),
      string('currency', { required: 'PRS-10', type: 'PRS-11', values: 'PRS-12' }, { values: currencies }),
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
  origin: 'framework',
  direction: 'response',
  level: 'advisory',
  fields: [
    string(
      'transactionStatus',
      { required: 'PST-02', type: 'PST-03', values: 'PST-04' },
      { values: transactionStatuses },
    ),
    boolean('fundsAvailable', { type: 'PST-05' }),
    string('psuMessage', { type: 'PST-06', maxLength: 'PST-07' }, { maxLength: 512 }),
    messagesField('PST-08'),
    linksField('PST-09'),
  ],
};
