import { randomInt, randomUUID } from 'node:crypto';
import { member } from '../../spec/json.ts';
import { type BankRequest, type Route, type Rule, rule } from '../design/route.ts';
import { bbanCheckDigit, ibanOf, isBban, isIban } from '../state/check-digits.ts';
import {
  type Account,
  type CardAccount,
  type CashAccountType,
  cashAccountTypes,
} from '../state/customers.ts';
import {
  BodyFault,
  balanceIn,
  bodyCanBeRead,
  conflict,
  currencyIn,
  customerNumberIn,
  optionalMoneyIn,
  optionalTextIn,
  sandboxHasRoom,
  textIn,
  unknown,
} from './body-reader.ts';

/** Accounts of sandbox customers, in the shape that clients of the interface send. */
export const sandboxAccountRoutes = (): readonly Route[] => [
  {
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/accounts',
    rules: [
      bodyCanBeRead('ACC-08', accountIn),
      sandboxHasRoom,
      ownerIsKnown((body) => member(body, 'customerNumber')),
      numberIsNew,
    ],
    handle: (request, state) => {
      const account = accountIn(request);
      state.customers.addAccount(account);
      const { id, bban, iban, currency } = account;
      return { status: 201, body: { accountId: id, bban, iban, currency } };
    },
  },
];

function accountIn({ body }: BankRequest): Account {
  const currency = currencyIn(body);
  const bban = textIn(body, 'bban');
  if (!isBban(bban))
    throw new BodyFault('bban', 'is an account number of 11 digits with a right check digit');
  const iban = optionalTextIn(body, 'iban') ?? ibanOf(bban);
  if (!isIban(iban)) throw new BodyFault('iban', 'is an IBAN with right check digits');
  return {
    id: randomUUID(),
    customerNumber: customerNumberIn(body, 'customerNumber'),
    bban,
    iban,
    currency,
    name: optionalTextIn(body, 'accountName') ?? 'Account',
    product: optionalTextIn(body, 'product') ?? 'Current account',
    cashAccountType: cashAccountTypeIn(body),
    creditLine: optionalMoneyIn(body, 'creditLine', currency),
    openingBalance: balanceIn(body, currency),
    transactions: [],
  };
}

/** By its own name or by the ISO 20022 code. */
function cashAccountTypeIn(body: unknown): CashAccountType {
  const asked = optionalTextIn(body, 'cashAccountType') ?? 'CURRENT';
  const known = (Object.entries(cashAccountTypes) as [CashAccountType, string][]).find((names) =>
    names.includes(asked),
  );
  if (known !== undefined) return known[0];
  throw new BodyFault(
    'cashAccountType',
    `is one of ${[...new Set(Object.entries(cashAccountTypes).flat())].join(', ')}`,
  );
}

/** The customer that a body names exists. */
export function ownerIsKnown(numberIn: (body: unknown) => unknown, path = 'customerNumber'): Rule {
  return rule(
    'ACC-08',
    'the owner is a customer of the sandbox',
    'sandboxUnknown',
    ({ body }, { customers }) =>
      customers.byNumber(String(numberIn(body))) === undefined ? unknown(path, 'customer') : undefined,
    { ownChoice: true },
  );
}

const numberIsNew = rule(
  'ACC-08',
  'the account number is not in use',
  'sandboxConflict',
  (request, { customers }) => {
    const { bban, iban } = accountIn(request);
    if (customers.accountByReference({ bban }) !== undefined)
      return conflict('bban', 'There is such an account.');
    if (customers.accountByReference({ iban }) !== undefined)
      return conflict('iban', 'There is such an account.');
    return undefined;
  },
  { ownChoice: true },
);

/** Card accounts of sandbox customers, in the shape that clients of the interface send. */
export const sandboxCardAccountRoutes = (): readonly Route[] => [
  {
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/card-accounts',
    rules: [
      bodyCanBeRead('ACC-08', cardAccountIn),
      sandboxHasRoom,
      ownerIsKnown((body) => member(body, 'customerNumber')),
    ],
    handle: (request, state) => {
      const card = cardAccountIn(request);
      state.customers.addCardAccount(card);
      const { id, maskedPan, currency, identification } = card;
      return { status: 201, body: { cardAccountId: id, maskedPan, currency, identification } };
    },
  },
];

function cardAccountIn({ body }: BankRequest): CardAccount {
  const currency = currencyIn(body);
  return {
    id: randomUUID(),
    customerNumber: customerNumberIn(body, 'customerNumber'),
    maskedPan: textIn(body, 'maskedPan'),
    identification: newIdentification(),
    currency,
    name: optionalTextIn(body, 'accountName') ?? 'Credit card',
    product: optionalTextIn(body, 'product') ?? 'Credit card',
    creditLimit: optionalMoneyIn(body, 'creditLimit', currency),
    openingBalance: balanceIn(body, currency),
    transactions: [],
  };
}

/** A number in the form of an account number, in a series apart from that of accounts. */
function newIdentification(): string {
  for (;;) {
    const firstTen = `9538${String(randomInt(1_000_000)).padStart(6, '0')}`;
    const checkDigit = bbanCheckDigit(firstTen);
    if (checkDigit !== undefined) return firstTen + checkDigit;
  }
}
