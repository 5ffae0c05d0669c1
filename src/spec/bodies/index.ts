import { basketStatuses } from '../code-lists.ts';
import { array, type Body, string } from '../field.ts';
import { byProduct } from '../products.ts';
import { errorResponse, paymentResponse, paymentStatusResponse, sandboxCustomer } from './responses.ts';
import { exampleLinks, linksField } from './shared-types.ts';

const section = ['Resources and their fields', 'Signing basket'];

const basketRequest: Body = {
  name: 'signing basket request',
  section,
  profiles: ['signing-baskets'],
  origin: 'specification',
  direction: 'request',
  level: 'must',
  fields: [array('paymentIds', { required: 'BSK-01', type: 'BSK-02' }, string('*', { type: 'BSK-03' }))],
  example: { paymentIds: ['p1', 'p2'] },
};

const basketResponse: Body = {
  name: 'signing basket response',
  section,
  profiles: ['signing-baskets'],
  origin: 'specification',
  direction: 'response',
  level: 'must',
  fields: [
    string('basketId', { type: 'BKR-01' }),
    string(
      'transactionStatus',
      { required: 'BKR-02', type: 'BKR-03', values: 'BKR-04' },
      { values: basketStatuses },
    ),
    linksField('BKR-05'),
  ],
  example: { transactionStatus: 'PATC', basketId: 'b1', _links: exampleLinks },
};

/** Every body of the interface, in the specification's order. */
export const bodies = {
  ...byProduct('body', ({ table }) => table),
  paymentResponse,
  basketRequest,
  basketResponse,
  sandboxCustomer,
  paymentStatusResponse,
  errorResponse,
} as const satisfies Record<string, Body>;
export type BodyName = keyof typeof bodies;
