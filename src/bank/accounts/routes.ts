import { accountSchemes } from '../../spec/code-lists.ts';
import { textAt } from '../../spec/json.ts';
import { type BankAnswer, type BankRequest, type Route, readable, rule } from '../design/route.ts';
import {
  agreementRules,
  corporateIdIsPresent,
  psuIsKnown,
  redirectUriIsAnAddress,
  requestIdIsPresent,
  sessionHolds,
  wishOf,
} from '../rules/psu-rules.ts';
import { identifyPsu, tppIdOf } from '../sca/identify-psu.ts';
import { accessFor, requestSca } from '../sca/request-sca.ts';
import { isoDateTime } from '../state/clock.ts';
import { availableFunds, bookedBalance, type CardAccount, type CardTransaction } from '../state/customers.ts';
import type { PsuState, TppContact } from '../state/psu-state.ts';
import { accountRoutes, amountWriter, isFixed } from './account-routes.ts';
import {
  cardAccountIsGranted,
  consentedCardAccount,
  consentedCardAccounts,
  consentRules,
  fewUnattendedCalls,
} from './consent-rules.ts';
import { queryIsWellFormed, transactionPage, transactionQuery } from './transactions.ts';

/** `longer-names`: before it, a card account's name was cut at 35 characters, then at 70 (Versioning). */
const nameLengths = { before: 35, after: 70 } as const;

/** Card account details, in the framework's shape. */
function cardAccountBody(card: CardAccount, request: BankRequest, state: PsuState): object {
  const self = `${state.baseUrl()}/v1/card-accounts/${card.id}`;
  const length = nameLengths[isFixed('longer-names', request, state) ? 'after' : 'before'];
  return {
    resourceId: card.id,
    maskedPan: card.maskedPan,
    currency: card.currency,
    name: [...card.name].slice(0, length).join(''),
    product: card.product,
    status: 'enabled',
    ownerName: state.customers.byNumber(card.customerNumber)?.customerName ?? '',
    creditLimit: amountWriter(request, state)(card.creditLimit, card.currency),
    // Can be used as it is for `debtorAccount` of a domestic payment (NDCT payment request body).
    relatedAccount: {
      currency: card.currency,
      other: { identification: card.identification, schemeNameProprietary: accountSchemes[0] },
    },
    _links: {
      self: readable(self),
      balances: readable(`${self}/balances`),
      transactions: readable(`${self}/transactions`),
    },
  };
}

function cardBalancesBody(card: CardAccount, request: BankRequest, state: PsuState): object {
  const amount = amountWriter(request, state);
  const lastChangeDateTime = isoDateTime(state.clock.now());
  const balance = (balanceType: string, minor: bigint) => ({
    balanceType,
    balanceAmount: amount(minor, card.currency),
    lastChangeDateTime,
  });
  return {
    cardAccount: { maskedPan: card.maskedPan, currency: card.currency },
    balances: [
      balance('interimBooked', bookedBalance(card)),
      { ...balance('interimAvailable', availableFunds(card)), creditLimitIncluded: true },
    ],
  };
}

/**
 * A card transaction, in the framework's shape. Until its fix became the default, the amount on the account and the
 * amount at the merchant stood in each other's place (Versioning).
 */
function cardTransactionBody(
  transaction: CardTransaction,
  card: CardAccount,
  request: BankRequest,
  state: PsuState,
): object {
  const amount = amountWriter(request, state);
  const charged = amount(transaction.amount, card.currency);
  const original = amount(transaction.original.amount, transaction.original.currency);
  const right = isFixed('cardaccount-switch-originalamount-and-transactionamount', request, state);
  return {
    cardTransactionId: transaction.transactionId,
    transactionDate: transaction.transactionDate,
    bookingDate: transaction.bookingDate,
    transactionAmount: right ? charged : original,
    originalAmount: right ? original : charged,
    cardAcceptorAddress: { townName: transaction.city },
    transactionDetails: transaction.merchant,
    invoiced: transaction.bookingStatus === 'booked',
  };
}

/** Card accounts, in the framework's shape. The details carry `relatedAccount`, with which one can pay. */
const cardAccountRoutes = (): readonly Route[] => [
  {
    operation: 'listCardAccounts',
    method: 'GET',
    path: '/v1/card-accounts',
    rules: consentRules,
    handle: (request, state) => ({
      status: 200,
      body: {
        cardAccounts: consentedCardAccounts(request, state).map((card) =>
          cardAccountBody(card, request, state),
        ),
      },
    }),
  },
  {
    operation: 'readCardAccount',
    method: 'GET',
    path: '/v1/card-accounts/:accountId',
    rules: [...consentRules, cardAccountIsGranted],
    handle: ofCardAccount((card, request, state) => ({ cardAccount: cardAccountBody(card, request, state) })),
  },
  {
    operation: 'readCardBalances',
    method: 'GET',
    path: '/v1/card-accounts/:accountId/balances',
    rules: [...consentRules, cardAccountIsGranted, fewUnattendedCalls('balances')],
    handle: ofCardAccount(cardBalancesBody),
  },
  {
    operation: 'readCardTransactions',
    method: 'GET',
    path: '/v1/card-accounts/:accountId/transactions',
    rules: [...consentRules, cardAccountIsGranted, queryIsWellFormed, fewUnattendedCalls('transactions')],
    handle: ofCardAccount(listing),
  },
];

function listing(card: CardAccount, request: BankRequest, state: PsuState): object {
  const page = transactionPage(card.transactions, transactionQuery(request, state), request, state);
  const body = (transaction: CardAccount['transactions'][number]) =>
    cardTransactionBody(transaction, card, request, state);
  return {
    cardAccount: { maskedPan: card.maskedPan, currency: card.currency },
    cardTransactions: {
      ...(page.booked && { booked: page.booked.map(body) }),
      ...(page.pending && { pending: page.pending.map(body) }),
      _links: { cardAccount: readable(`${state.baseUrl()}/v1/card-accounts/${card.id}`), ...page.links },
    },
  };
}

type CardReader = (card: CardAccount, request: BankRequest, state: PsuState) => object;

function ofCardAccount(read: CardReader): Route['handle'] {
  return (request, state): BankAnswer => {
    const card = consentedCardAccount(request, state);
    return card === undefined ? { status: 404 } : { status: 200, body: read(card, request, state) };
  };
}

const toIdentify = () => 'identification' as const;

/** The PSU itself: who it is, its corporate agreements, and the consents that only lead to SCA. */
const psuRoutes = (): readonly Route[] => [
  {
    operation: 'startUserFlow',
    method: 'GET',
    path: '/v1/user',
    rules: [
      redirectUriIsAnAddress,
      psuIsKnown(toIdentify, 'ACC-06'),
      corporateIdIsPresent,
      ...agreementRules,
      sessionHolds(toIdentify, 'everybody'),
    ],
    handle: (request, state) => ({ status: 200, body: userBody(request, state) }),
  },
  {
    operation: 'listAgreements',
    method: 'GET',
    path: '/v1/agreements',
    // Without PSU-Corporate-ID, because this is where a TPP that has a PSU-ID finds it.
    rules: [
      requestIdIsPresent,
      redirectUriIsAnAddress,
      psuIsKnown(accessFor, 'ACC-05'),
      sessionHolds(accessFor),
    ],
    handle: (request, state) => ({ status: 200, body: { agreements: agreementBodies(request, state) } }),
  },
  consentRoute('createConsent', '/v1/consents'),
  consentRoute('createBankOfferedConsent', '/v1/bank-offered-consents'),
];

/** Consent is bank-offered (PSU identification and SCA): the body is ignored, and the PSU chooses during SCA. */
function consentRoute(operation: 'createConsent' | 'createBankOfferedConsent', path: string): Route {
  return {
    operation,
    method: 'POST',
    path,
    rules: [redirectUriIsAnAddress],
    handle: (request, state) => ({
      status: 201,
      headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
      body: {
        _links: {
          scaRedirect: requestSca(request, state, { purpose: 'consent', ...wishOf(request, state) }),
        },
      },
    }),
  };
}

function userBody(request: BankRequest, state: PsuState): object {
  const psu = identifyPsu(request, state);
  return {
    name: state.customers.byNumber(psu?.customerNumber ?? '')?.customerName,
    context: psu?.context,
    ...(psu?.agreement && { agreement: { id: psu.agreement.id, name: psu.agreement.name } }),
    _links: {
      self: readable(`${state.baseUrl()}/v1/user`),
      agreements: readable(`${state.baseUrl()}/v1/agreements`),
    },
  };
}

/** `id` is what PSU-Corporate-ID carries. */
const agreementBodies = (request: BankRequest, state: PsuState): readonly object[] =>
  state.customers
    .agreementsOf(identifyPsu(request, state)?.customerNumber ?? '')
    .map(({ id, name, owner }) => ({
      id,
      name,
      ownerName: state.customers.byNumber(owner)?.customerName,
      _links: { accounts: readable(`${state.baseUrl()}/v1/accounts`) },
    }));

const path = '/v1/tpp/contact';

/**
 * TPP dialogue operations (Other paths referred to): the contact address for operational notices (Events). Path and
 * shape are not shown in the specification, and the framework has no such operation: both are this bank's own.
 */
const tppContactRoutes = (): readonly Route[] => [
  {
    operation: 'other',
    method: 'POST',
    path,
    rules: [addressIsMailbox],
    handle: (request, state) => {
      const contact = contactIn(request);
      if (contact !== undefined) state.tppContacts.register(tppIdOf(request), contact);
      return { status: 201, body: contact };
    },
  },
  {
    operation: 'other',
    method: 'GET',
    path,
    rules: [contactIsRegistered],
    handle: (request, state) => ({ status: 200, body: state.tppContacts.of(tppIdOf(request)) }),
  },
];

const mailbox = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;
const mostCharacters = 70;

function contactIn({ body }: BankRequest): TppContact | undefined {
  const emailAddress = textAt(body, 'emailAddress');
  if (emailAddress === undefined || !mailbox.test(emailAddress)) return undefined;
  const [name, phoneNumber] = [textAt(body, 'name'), textAt(body, 'phoneNumber')];
  if ([name, phoneNumber].some((text) => text !== undefined && text.length > mostCharacters))
    return undefined;
  return { emailAddress, ...(name && { name }), ...(phoneNumber && { phoneNumber }) };
}

const addressIsMailbox = rule(
  'ACC-08',
  'the contact has an e-mail address',
  'field',
  (request) =>
    contactIn(request) === undefined
      ? {
          path: 'emailAddress',
          text: `emailAddress is no mailbox, or name or phoneNumber has more than ${mostCharacters} characters.`,
        }
      : undefined,
  { ownChoice: true },
);

const contactIsRegistered = rule(
  'ACC-08',
  'the TPP has registered a contact',
  'contactUnknown',
  (request, state) =>
    state.tppContacts.of(tppIdOf(request)) === undefined
      ? { text: `No contact is registered; POST ${path} registers one.` }
      : undefined,
  { ownChoice: true },
);

/** Account information, consent, the PSU itself, and the contact address of the TPP. */
export const accountInformationRoutes = (): readonly Route[] => [
  ...accountRoutes(),
  ...cardAccountRoutes(),
  ...psuRoutes(),
  ...tppContactRoutes(),
];
