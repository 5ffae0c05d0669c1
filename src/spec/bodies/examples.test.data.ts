import type { BodyName } from './index.ts';

export type Example = Readonly<Record<string, unknown>>;
const links = { scaRedirect: { href: 'https://bank.example/sca', verbs: ['GET'] } };
const messages = [{ category: 'ERROR', code: 'REFERENCE_MIX_INVALID', path: 'a', text: 'b' }];
const self = { href: '/v1/sandbox/customers/1', verbs: ['GET', 'PATCH'] };

/** A good example of every body; those of responses have every field. */
export const good: Readonly<Record<BodyName, Example>> = {
  domesticPayment: {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    creditorName: 'Ola Nordmann',
    creditorAccount: { bban: '86011117947', currency: 'NOK' },
    creditorAddress: { country: 'NO' },
    debtorAccount: { bban: '95360573002', currency: 'NOK' },
  },
  crossBorderPayment: {
    instructedAmount: { amount: '100.00', currency: 'EUR' },
    creditorName: 'Erika Mustermann',
    creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
    debtorAccount: { bban: '95360573002', currency: 'NOK' },
  },
  paymentResponse: {
    paymentId: 'p1',
    transactionStatus: 'RCVD',
    transactionFees: { amount: '50.00', currency: 'NOK' },
    transactionFeeIndicator: true,
    tppMessages: messages,
    psuMessage: 'Thank you.',
    _links: links,
  },
  basketRequest: { paymentIds: ['p1', 'p2'] },
  basketResponse: { transactionStatus: 'PATC', basketId: 'b1', _links: links },
  sandboxCustomer: {
    customerId: '1',
    customerNumber: '01819010001',
    customerType: 'CORPORATE',
    customerName: 'Fjord AS',
    agreements: [{ id: 'a', name: 'Agreement', engagements: ['e'], _links: { self, engagements: self } }],
    accounts: ['a'],
    cardAccounts: ['c'],
    _links: { self },
  },
  paymentStatusResponse: {
    transactionStatus: 'ACCP',
    fundsAvailable: false,
    psuMessage: 'Thank you.',
    tppMessages: messages,
    _links: links,
  },
  errorResponse: { tppMessages: messages },
};
