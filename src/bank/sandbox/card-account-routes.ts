import { randomInt, randomUUID } from 'node:crypto';
import { member } from '../json.ts';
import type { BankRequest, Route } from '../route.ts';
import { ownerIsKnown } from './account-routes.ts';
import type { CardAccount } from './accounts.ts';
import {
  amountIn,
  balanceIn,
  bodyCanBeRead,
  currencyIn,
  customerNumberIn,
  optionalTextIn,
  textIn,
} from './body-reader.ts';
import { bbanCheckDigit } from './check-digits.ts';
import { sandboxHasRoom } from './sandbox-rules.ts';

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
    creditLimit: member(body, 'creditLimit') === undefined ? 0n : amountIn(body, 'creditLimit', currency),
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
