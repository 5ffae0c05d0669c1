import { withBody } from '../../src/checks/call-body.ts';
import type { CarriedList } from '../../src/checks/carried-rows.ts';
import type { Carrier } from '../../src/checks/carrier.ts';
import { aPayment } from '../../src/checks/subject.ts';
import type { Twist } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { accountsIn, canBePaidIn } from '../../src/payloads/creditors.ts';
import { removeAt, setAt } from '../../src/payloads/json.ts';
import { agentsByIban, ibansOfEveryLength } from '../../src/payloads/payment-parts.ts';
import { regulatoryReportingCodes } from '../../src/spec/code-lists.ts';
import {
  currencies as everyCurrency,
  judgedCurrencies,
  minorUnits,
  tellingCurrencies,
} from '../../src/spec/currencies.ts';
import { demandsOf, pathText } from '../../src/spec/field.ts';
import { once } from '../../src/spec/once.ts';
import {
  createdBy,
  everyProduct,
  type Product,
  type ProductName,
  products,
} from '../../src/spec/products.ts';
import { amount } from './amount-twists.ts';
import { isAtAnEnd, isJudgedCurrency, listOf } from './listed-values.ts';

export function rightDigits(currency: string, product: ProductName): Twist {
  const right = amount(
    `the amount in ${currency} has ${minorUnits.get(currency)} fraction digits`,
    currency,
    decimal,
  );
  return {
    ...right,
    otherwise: inOtherPayments(right, currency),
    under: (readings) => isJudgedCurrency(currency, readings),
    excusedBy: ({ accounts }) =>
      currency === accounts.debtor.currency || canBePaidIn(currency, product, accounts)
        ? []
        : inUsualCurrencies(product, accounts),
  };
}

/** Currencies that every bank deals in, if it deals in any but those of the two accounts. */
const usualCurrencies = ['EUR', 'USD', 'SEK', 'GBP', 'DKK', 'CHF'];

const fewUsual = 3;

/** Freedom: payments/currencies. */
const inUsualCurrencies = (
  product: ProductName,
  accounts: Parameters<typeof canBePaidIn>[2] & { readonly debtor: { readonly currency: string } },
): readonly Twist[] =>
  usualCurrencies
    .filter((each) => each !== accounts.debtor.currency && !canBePaidIn(each, product, accounts))
    .slice(0, fewUsual)
    .map((each) => amount(`the amount in ${each} is one in the currency of neither account`, each, decimal));

/** Each where the one before it is refused: a bank may have reasons of its own against a payment in that currency. */
function inOtherPayments(twist: Twist, currency: string): Twist {
  const paid = toAnAccountInIt(twist, currency);
  // In kroner it is so much that they are needed.
  if (currency === 'NOK') return paid;
  return { ...withoutReport(twist), otherwise: { ...paid, otherwise: withoutReport(paid) } };
}

/**
 * It may take regulatory fields with those transfers alone that need them, by its rates: less is sent in other currencies.
 * And where a currency is at home there are other holidays.
 */
const withoutReport = (twist: Twist): Twist => ({
  ...twist,
  call: (call, context) =>
    withBody(twist.call?.(call, context) ?? call, (body) =>
      ['regulatoryReportingCode', 'regulatoryReportingInformation', 'requestedExecutionDate'].reduce(
        (rest, field) => removeAt(rest, [field]),
        body,
      ),
    ),
});

/** It may pay in the currency of one of the two accounts alone. An address across the border would be that of another account. */
const toAnAccountInIt = (twist: Twist, currency: string): Twist => ({
  ...twist,
  call: (call, context) => {
    const sent = twist.call?.(call, context) ?? call;
    const product = createdBy(sent.operation)?.name;
    const { accounts } = context.target;
    if (product === undefined || !canBePaidIn(currency, product, accounts)) return sent;
    return withBody(sent, (body) => ({
      ...(product === 'crossBorder' ? removeAt(body, ['creditorAddress']) : body),
      ...accountsIn[product](currency, accounts),
    }));
  },
});

/** One currency for each number of digits. */
export const exemplary: ReadonlySet<string> = new Set(['NOK', 'JPY', 'KWD']);

/** Those in exemplary currencies are tried in every context, those in telling ones with every product. */
export const inEachCurrency = (
  currencies: readonly string[],
  twistsIn: (currency: string) => readonly Twist[],
): readonly Twist[] =>
  currencies.flatMap((currency) =>
    twistsIn(currency).map(
      (twist): Twist => ({
        ...twist,
        ...(exemplary.has(currency) ? { standsForOthers: true } : {}),
        ...(tellingCurrencies.has(currency) || isAtAnEnd(currency, currencies) ? {} : { isOneOfMany: true }),
        turn: everyCurrency.indexOf(currency),
      }),
    ),
  );

/** The right amount in every currency. */
const rightAmounts: ReadonlyMap<ProductName, readonly Twist[]> = new Map(
  everyProduct.map(({ name }) => [
    name,
    inEachCurrency(judgedCurrencies, (currency) => [rightDigits(currency, name)]),
  ]),
);

export const rightAmountsOf = ({ name }: Pick<Product, 'name'>): readonly Twist[] =>
  rightAmounts.get(name) ?? [];

/** Every code of a transfer that needs one. */
export const reportingCodes = [...regulatoryReportingCodes].map(
  ([code, meaning]): Twist => ({
    label: `regulatoryReportingCode is ${code} (${meaning})`,
    body: (body) => setAt(body, ['regulatoryReportingCode'], code),
  }),
);

/** Freedom: payments/agents. */
function withItsAgent(iban: string): Pick<Twist, 'otherwise'> {
  const agent = agentsByIban.get(iban);
  if (agent === undefined) return {};
  const label = `creditorAccount.iban has ${iban.length} characters, and creditorAgent is ${agent}`;
  return {
    otherwise: {
      label,
      body: (body) => setAt(setAt(body, ['creditorAccount', 'iban'], iban), ['creditorAgent'], agent),
    },
  };
}

/** Accounts abroad, whose numbers have the length that their country gives them. */
export const longAndShortIbans: CarriedList = {
  twists: ibansOfEveryLength.map(
    (iban): Twist => ({
      label: `creditorAccount.iban has ${iban.length} characters`,
      body: (body) => removeAt(setAt(body, ['creditorAccount', 'iban'], iban), ['creditorAgent']),
      isOneOfMany: true,
      under: (_, { accounts: { creditors } }) =>
        creditors?.crossBorder === undefined || creditors.crossBorder.some((named) => named.iban === iban),
      ...withItsAgent(iban),
    }),
  ),
  // Money that moves should find its account.
  needs: ['sandbox'],
};

/** Whoever is paid, in what, where and what for: fields of their own, which have nothing to do with each other. */
const carriedFields: Readonly<Record<string, Pick<CarriedList, 'isForeign' | 'isOptional'>>> = {
  'creditorAccount.currency': { isForeign: true },
  'creditorAddress.country': {},
  purposeCode: { isOptional: true },
};

const listsOf = ({ table }: Product): readonly CarriedList[] =>
  demandsOf(table)
    .filter(({ facet }) => facet === 'values')
    .flatMap((demand) => {
      const carried = carriedFields[pathText(demand.path)];
      return carried === undefined ? [] : [{ ...listOf(table, demand), ...carried }];
    });

const carriers = once(
  (): ReadonlyMap<Product, Carrier> =>
    new Map(
      everyProduct.map((product, place) => [
        product,
        {
          // The BIC is always there: a payment in another currency may be one to a currency account.
          of: aPayment(product, { with: ['creditorAgent'] }),
          place,
          lists: [
            { twists: rightAmountsOf(product), isForeign: true },
            ...listsOf(product),
            // An ordinary payment of this product is in NOK, and as large as to need a code.
            // Account numbers come last: an account in another currency is one of these then.
            ...(product === products.crossBorder ? [{ twists: reportingCodes }, longAndShortIbans] : []),
          ],
          dependsOnTheHolder: true,
        },
      ]),
    ),
);

/** A payment of that product that carries a value of each list. */
export const carrierOf = (product: Product): Carrier => {
  const carrier = carriers().get(product);
  if (carrier === undefined) throw new Error(`No lists of ${product.title} are carried.`);
  return carrier;
};
