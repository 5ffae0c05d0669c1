import { customerTypes, transactionStatuses } from '../code-lists.ts';
import { array, type Body, boolean, type Field, object, string } from '../field.ts';
import { ofPayments } from '../profiles.ts';
import {
  amount,
  currency,
  exampleLinks,
  exampleMessages,
  linksField,
  messagesField,
} from './shared-types.ts';

const section = ['Resources and their fields', 'Sandbox customer (list element)'];

/** A link of a sandbox customer: the verbs are plain strings here, not the list of Link. */
const selfLink = (
  name: string,
  ids: readonly [string, string, string, string, string, string, string],
): Field =>
  object(name, { required: ids[0], type: ids[1] }, [
    string('href', { required: ids[2], type: ids[3] }),
    array('verbs', { required: ids[4], type: ids[5] }, string('*', { type: ids[6] })),
  ]);

const agreementFields: readonly Field[] = [
  string('id', { required: 'AGR-01', type: 'AGR-02' }),
  string('name', { required: 'AGR-03', type: 'AGR-04' }),
  array('engagements', { required: 'AGR-05', type: 'AGR-06' }, string('*', { type: 'AGR-07' })),
  object('_links', { required: 'AGR-08', type: 'AGR-09' }, [
    selfLink('self', ['AGR-10', 'AGR-11', 'AGR-12', 'AGR-13', 'AGR-14', 'AGR-15', 'AGR-16']),
    selfLink('engagements', ['AGR-17', 'AGR-18', 'AGR-19', 'AGR-20', 'AGR-21', 'AGR-22', 'AGR-23']),
  ]),
];

const self = { href: '/v1/sandbox/customers/1', verbs: ['GET', 'PATCH'] };

/** One element of the sandbox customer listing. */
export const sandboxCustomer: Body = {
  name: 'sandbox customer',
  section,
  profiles: ['sandbox'],
  origin: 'specification',
  direction: 'response',
  level: 'must',
  fields: [
    string('customerId', { required: 'SBX-01', type: 'SBX-02' }),
    string('customerNumber', { required: 'SBX-03', type: 'SBX-04' }),
    string(
      'customerType',
      { required: 'SBX-05', type: 'SBX-06', values: 'SBX-07' },
      { values: customerTypes },
    ),
    string('customerName', { required: 'SBX-08', type: 'SBX-09' }),
    array(
      'agreements',
      { required: 'SBX-10', type: 'SBX-11' },
      object('*', { type: 'SBX-12' }, agreementFields),
    ),
    array('accounts', { required: 'SBX-13', type: 'SBX-14' }, string('*', { type: 'SBX-15' })),
    array('cardAccounts', { required: 'SBX-16', type: 'SBX-17' }, string('*', { type: 'SBX-18' })),
    object('_links', { required: 'SBX-19', type: 'SBX-20' }, [
      selfLink('self', ['SBX-21', 'SBX-22', 'SBX-23', 'SBX-24', 'SBX-25', 'SBX-26', 'SBX-27']),
    ]),
  ],
  example: {
    customerId: '1',
    customerNumber: '01819010001',
    customerType: 'CORPORATE',
    customerName: 'Fjord AS',
    agreements: [{ id: 'a', name: 'Agreement', engagements: ['e'], _links: { self, engagements: self } }],
    accounts: ['a'],
    cardAccounts: ['c'],
    _links: { self },
  },
};

/** Payment creation response (NDCT and NCBCT). */
export const paymentResponse: Body = {
  name: 'payment creation response',
  section: ['Resources and their fields', 'Payment creation response (NDCT and NCBCT)'],
  profiles: ofPayments,
  origin: 'specification',
  direction: 'response',
  level: 'must',
  fields: [
    string('paymentId', { required: 'PRS-01', type: 'PRS-02', nonEmpty: 'PRS-25' }),
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
  example: {
    paymentId: 'p1',
    transactionStatus: 'RCVD',
    transactionFees: { amount: '50.00', currency: 'NOK' },
    transactionFeeIndicator: true,
    tppMessages: exampleMessages,
    psuMessage: 'Thank you.',
    _links: exampleLinks,
  },
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
  example: {
    transactionStatus: 'ACCP',
    fundsAvailable: false,
    psuMessage: 'Thank you.',
    tppMessages: exampleMessages,
    _links: exampleLinks,
  },
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
  example: { tppMessages: exampleMessages },
};
