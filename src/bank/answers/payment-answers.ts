import { isObject } from '../json.ts';
import type { Payment } from '../payments/payment.ts';
import type { Answers } from './answers.ts';

const get = ['GET'] as const;

/** Payment creation response (NDCT and NCBCT), and the framework's shapes for status, details and deletion. */
export const paymentAnswers: Pick<
  Answers,
  'paymentCreated' | 'paymentStatus' | 'paymentDetails' | 'paymentDeleted'
> = {
  paymentCreated: ({ payment, fee, psuMessage, warnings, scaRedirect, address }) => ({
    status: 201,
    headers: { Location: address, 'ASPSP-SCA-Approach': 'REDIRECT' },
    body: {
      paymentId: payment.paymentId,
      transactionStatus: payment.transactionStatus,
      ...(fee === undefined ? {} : { transactionFees: fee }),
      transactionFeeIndicator: fee !== undefined,
      ...(warnings.length === 0 ? {} : { tppMessages: warnings }),
      ...(psuMessage === undefined ? {} : { psuMessage }),
      _links: {
        scaRedirect,
        self: { href: address, verbs: ['GET', 'DELETE'] },
        status: { href: `${address}/status`, verbs: get },
      },
    },
  }),
  paymentStatus: (payment, address) => ({
    status: 200,
    body: {
      ...statusOf(payment),
      ...(payment.fundsAvailable === false
        ? { psuMessage: 'There are not enough funds on the account.' }
        : {}),
      _links: { self: { href: address, verbs: ['GET', 'DELETE'] } },
    },
  }),
  paymentDetails: (payment, address) => ({
    status: 200,
    body: {
      ...(isObject(payment.body) ? payment.body : {}),
      paymentId: payment.paymentId,
      ...statusOf(payment),
      _links: { status: { href: `${address}/status`, verbs: get } },
    },
  }),
  paymentDeleted: () => ({ status: 204 }),
};

const statusOf = ({ transactionStatus, fundsAvailable }: Payment) => ({
  transactionStatus,
  ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
});
