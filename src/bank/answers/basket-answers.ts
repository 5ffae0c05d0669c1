import type { Answers } from './answers.ts';

/** Signing basket, response body; reading and deletion as in the framework. */
export const basketAnswers: Pick<
  Answers,
  'basketCreated' | 'basketStatus' | 'basketDetails' | 'basketDeleted'
> = {
  basketCreated: ({ basket, transactionStatus, scaRedirect, address }) => ({
    status: 201,
    headers: { Location: address, 'ASPSP-SCA-Approach': 'REDIRECT' },
    body: {
      basketId: basket.basketId,
      transactionStatus,
      _links: {
        scaRedirect,
        self: { href: address, verbs: ['GET', 'DELETE'] },
        status: { href: `${address}/status`, verbs: ['GET'] },
      },
    },
  }),
  basketStatus: (_, transactionStatus) => ({ status: 200, body: { transactionStatus } }),
  basketDetails: (basket, transactionStatus, address) => ({
    status: 200,
    body: {
      basketId: basket.basketId,
      payments: basket.paymentIds,
      transactionStatus,
      _links: { status: { href: `${address}/status`, verbs: ['GET'] } },
    },
  }),
  basketDeleted: () => ({ status: 204 }),
};
