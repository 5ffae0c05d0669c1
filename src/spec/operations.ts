import { byProduct, type ProductName } from './products.ts';
import type { ProfileId } from './profiles.ts';

/** Every operation that the suite calls, with the place where its shape comes from. */
export interface Operation {
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path after the base address; `{name}` is filled in, percent-encoded. */
  readonly path: string;
  /** Which column of the header table applies. */
  readonly headers: HeaderProfile;
  /** Declared by whoever offers it. */
  readonly profile: ProfileId;
  /** `framework`: the specification names or implies the operation, the framework gives its shape. */
  readonly origin: 'specification' | 'framework';
}

/** Columns of the header table: what an operation requires and allows. */
export type HeaderProfile = ProductName | 'basket' | 'sandbox' | 'reading';

const operation = (
  title: string,
  method: Operation['method'],
  path: string,
  headers: HeaderProfile,
  profile: ProfileId,
  origin: Operation['origin'] = 'framework',
): Operation => ({ title, method, path, headers, profile, origin });

export const operations = {
  ...byProduct('creation', ({ title, path, name, profile }) =>
    operation(`Create a ${title}`, 'POST', `/v1/payments/${path}`, name, profile, 'specification'),
  ),
  createSigningBasket: operation(
    'Create a signing basket',
    'POST',
    '/v1/signing-baskets',
    'basket',
    'signing-baskets',
    'specification',
  ),
  readSigningBasket: operation(
    'Read a signing basket',
    'GET',
    '/v1/signing-baskets/{basketId}',
    'reading',
    'signing-baskets',
  ),
  readSigningBasketStatus: operation(
    'Read the status of a signing basket',
    'GET',
    '/v1/signing-baskets/{basketId}/status',
    'reading',
    'signing-baskets',
  ),
  deleteSigningBasket: operation(
    'Delete a signing basket',
    'DELETE',
    '/v1/signing-baskets/{basketId}',
    'reading',
    'signing-baskets',
  ),
  readPaymentStatus: operation(
    'Read the status of a payment',
    'GET',
    '/v1/payments/{product}/{paymentId}/status',
    'reading',
    'payment-lifecycle',
    'specification',
  ),
  readPayment: operation(
    'Read a payment',
    'GET',
    '/v1/payments/{product}/{paymentId}',
    'reading',
    'payment-lifecycle',
  ),
  deletePayment: operation(
    'Delete a payment',
    'DELETE',
    '/v1/payments/{product}/{paymentId}',
    'reading',
    'payment-lifecycle',
  ),
  startPaymentAuthorisation: operation(
    'Start the authorisation of a payment',
    'POST',
    '/v1/payments/{product}/{paymentId}/authorisations',
    'reading',
    'sca-redirect',
  ),
  readPaymentAuthorisation: operation(
    'Read how far the authorisation of a payment has come',
    'GET',
    '/v1/payments/{product}/{paymentId}/authorisations/{authorisationId}',
    'reading',
    'sca-redirect',
  ),
  startPaymentCancellation: operation(
    'Start the authorisation of the cancellation of a payment',
    'POST',
    '/v1/payments/{product}/{paymentId}/cancellation-authorisations',
    'reading',
    'sca-redirect',
  ),
  startBasketAuthorisation: operation(
    'Start the authorisation of a signing basket',
    'POST',
    '/v1/signing-baskets/{basketId}/authorisations',
    'reading',
    'sca-redirect',
  ),
  listAccounts: operation(
    'List consented accounts',
    'GET',
    '/v1/accounts',
    'reading',
    'accounts',
    'specification',
  ),
  readAccount: operation('Read an account', 'GET', '/v1/accounts/{accountId}', 'reading', 'accounts'),
  readBalances: operation(
    'Read balances',
    'GET',
    '/v1/accounts/{accountId}/balances',
    'reading',
    'accounts',
    'specification',
  ),
  readTransactions: operation(
    'Read transactions',
    'GET',
    '/v1/accounts/{accountId}/transactions',
    'reading',
    'accounts',
    'specification',
  ),
  readTransaction: operation(
    'Read the details of a transaction',
    'GET',
    '/v1/accounts/{accountId}/transactions/{transactionId}',
    'reading',
    'accounts',
  ),
  listCardAccounts: operation('List card accounts', 'GET', '/v1/card-accounts', 'reading', 'accounts'),
  readCardAccount: operation(
    'Read a card account',
    'GET',
    '/v1/card-accounts/{accountId}',
    'reading',
    'accounts',
  ),
  readCardBalances: operation(
    'Read the balances of a card account',
    'GET',
    '/v1/card-accounts/{accountId}/balances',
    'reading',
    'accounts',
  ),
  readCardTransactions: operation(
    'Read the transactions of a card account',
    'GET',
    '/v1/card-accounts/{accountId}/transactions',
    'reading',
    'accounts',
  ),
  listAgreements: operation(
    'List corporate agreements',
    'GET',
    '/v1/agreements',
    'reading',
    'corporate-psus',
    'specification',
  ),
  startUserFlow: operation(
    'Start an SCA flow',
    'GET',
    '/v1/user',
    'reading',
    'sca-redirect',
    'specification',
  ),
  createConsent: operation(
    'Ask for a bank-offered consent',
    'POST',
    '/v1/consents',
    'reading',
    'accounts',
    'specification',
  ),
  createBankOfferedConsent: operation(
    'Ask for a bank-offered consent',
    'POST',
    '/v1/bank-offered-consents',
    'reading',
    'accounts',
    'specification',
  ),
  listSandboxCustomers: operation(
    'List sandbox customers',
    'GET',
    '/v1/sandbox/customers',
    'sandbox',
    'sandbox',
    'specification',
  ),
  createSandboxCustomer: operation(
    'Create a sandbox customer',
    'POST',
    '/v1/sandbox/customers',
    'sandbox',
    'sandbox',
    'specification',
  ),
  deleteSandboxCustomer: operation(
    'Remove a sandbox customer',
    'DELETE',
    '/v1/sandbox/customers/{customerId}',
    'sandbox',
    'sandbox',
  ),
} as const satisfies Record<string, Operation>;
export type OperationName = keyof typeof operations;

/** What gives a link to SCA, where a bank has `startAuthorisation` in the place of `scaRedirect`. */
export const authorisationStarts = [
  'startPaymentAuthorisation',
  'startPaymentCancellation',
  'startBasketAuthorisation',
] as const satisfies readonly OperationName[];
export type AuthorisationStart = (typeof authorisationStarts)[number];
