import type { CarriedList } from '../../src/checks/carried-rows.ts';
import type { Twist } from '../../src/checks/trial.ts';
import { accountsIn, canBePaidIn } from '../../src/payloads/creditors.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import { dealtIn, type PaymentFacts } from '../../src/payloads/payment-parts.ts';
import { sanctionedCountries, sanctionedCurrencies, tellingCountries } from '../../src/spec/countries.ts';
import { doubtfulCurrencies, minorUnits, tellingCurrencies } from '../../src/spec/currencies.ts';
import { type Body, type Demand, pathText } from '../../src/spec/field.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { everyProduct, products } from '../../src/spec/products.ts';
import type { Target } from '../../src/target/target.ts';

/** Freedom: payments/currencies. ISO 4217 has withdrawn some of the listed ones and never had others. */
const isUndoubted = (value: string): boolean =>
  !doubtfulCurrencies.has(value) && (minorUnits.get(value) !== undefined || !minorUnits.has(value));

const isOfCreditorAccount = ({ path }: Demand): boolean => pathText(path) === 'creditorAccount.currency';

function withListed(
  table: Body,
  demand: Demand,
  value: string,
  body: JsonObject,
  facts: PaymentFacts,
): JsonObject {
  const { path } = demand;
  const product = everyProduct.find((each) => each.table === table);
  if (isOfCreditorAccount(demand) && product !== undefined)
    return { ...body, ...accountsIn[product.name](value, facts) };
  // A country stands alone: a bank that knows the post codes of another one would refuse those of the first.
  return isOfCountry(demand) ? setAt(body, path.slice(0, -1), { country: value }) : setAt(body, path, value);
}

const isOfCountry = ({ path }: Demand): boolean => path.at(-1) === 'country';

/** Where a bank takes no address but one in the country of the account: an account there, which nobody has. */
export const heldIn = (country: string, address: JsonObject = { country }): Twist => ({
  label: `creditorAddress.country is ${country}, as is that of the account`,
  body: (body, facts) => ({
    ...body,
    creditorAccount: { bban: '12345678', currency: dealtIn('USD', facts.currencies) },
    creditorAgent: `TEST${country}22`,
    creditorAddress: address,
  }),
  under: (_, target) => canBeHeldAnywhere(target),
});

/** Accounts are made up only where no money moves, and where the bank pays such as it does not know. */
export const canBeHeldAnywhere = ({ environment, accounts }: Target): boolean =>
  environment === 'sandbox' && accounts.creditors?.crossBorder === undefined;

/** Who is under sanctions may be refused for that reason. */
const underSanctions = ({ field }: Demand, value: string): boolean =>
  (field.name === 'country' && sanctionedCountries.has(value)) ||
  (field.name === 'currency' && sanctionedCurrencies.has(value));

/** Whether a bank is judged by taking it: it may be under sanctions, or none that the bank deals in. */
export const isJudgedCurrency = (currency: string, { currencies, sanctions }: Readings): boolean =>
  (currencies === 'all' || currency === 'NOK') &&
  (sanctions === 'judged' || !sanctionedCurrencies.has(currency));

const isJudged = ({ field }: Demand, value: string, readings: Readings): boolean =>
  field.name === 'currency'
    ? isJudgedCurrency(value, readings)
    : readings.sanctions === 'judged' || field.name !== 'country' || !sanctionedCountries.has(value);

/** Freedom: payments/addresses. The product for payments at home is the other one. */
const isAtHome = (table: Body, demand: Demand, value: string): boolean =>
  table === products.crossBorder.table && isOfCountry(demand) && value === 'NO';

/** Of so many values most are all of a kind. */
const longList = 100;

/** Of such a list these are asked with an ordinary payment: what is likely to be missing, and that the list is there at all. */
const isTelling = (value: string, judged: readonly string[]): boolean =>
  tellingCurrencies.has(value) || tellingCountries.has(value) || isAtAnEnd(value, judged);

/** Lists that were copied lack their first or last value, if any. */
export const isAtAnEnd = (value: string, values: readonly string[]): boolean =>
  value === values.at(0) || value === values.at(-1);

/** By table and path: the check of a list and what carries it speak of the same values. */
const lists = new Map<string, CarriedList>();

/** Every listed value of a field, as a payment has it. */
export function listOf(table: Body, demand: Demand): CarriedList {
  const key = `${table.name} ${pathText(demand.path)}`;
  const known = lists.get(key) ?? makeList(table, demand);
  lists.set(key, known);
  return known;
}

function makeList(table: Body, demand: Demand): CarriedList {
  const { values = [] } = demand.field;
  const payee = isOfCreditorAccount(demand)
    ? everyProduct.find((product) => product.table === table)?.name
    : undefined;
  const judged = values.filter((value) => isUndoubted(value) && !underSanctions(demand, value));
  const asked = values.filter((value) => isUndoubted(value) && !isAtHome(table, demand, value));
  const twists = asked.map(
    (value): Twist => ({
      label: `${pathText(demand.path)} is ${value}`,
      body: (body, facts) => withListed(table, demand, value, body, facts),
      under: (readings, { accounts }) =>
        isJudged(demand, value, readings) && (payee === undefined || canBePaidIn(value, payee, accounts)),
      ...(values.length < longList || isTelling(value, judged) ? {} : { isOneOfMany: true }),
      ...(table === products.crossBorder.table && isOfCountry(demand) ? { otherwise: heldIn(value) } : {}),
    }),
  );
  return {
    twists,
    // Accounts are made up for it, which is only done where no money moves.
    ...(payee === undefined ? {} : { needs: ['sandbox'], toStrangers: payee }),
  };
}
