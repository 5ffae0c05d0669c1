import { textAt } from '../spec/json.ts';
import type { ProductName } from '../spec/products.ts';
import {
  furtherGermanAccount,
  furtherNorwegianAccount,
  germanAccountIn,
  norwegianAccountIn,
} from './amounts.ts';
import type { JsonObject } from './json.ts';
import { agentOf, dealtIn, type PaymentFacts, withoutUndefined } from './payment-parts.ts';

type Payable = Pick<PaymentFacts, 'creditors'>;

/** Members of a body: who is paid, in an account that is held in that currency, and by which bank. */
type ToAccountIn = (currency: string, facts?: Payable) => JsonObject;

/** An account that is held in that currency, with its bank: the one that the target names, or one that is made up. */
export const accountsIn: Readonly<Record<ProductName, ToAccountIn>> = {
  // A payment to a currency account needs the BIC of its bank.
  domestic: (currency, { creditors } = {}) => {
    const named = creditors?.domestic?.find((account) => account.currency === currency);
    const { number: bban, agent } = norwegianAccountIn(currency);
    return named === undefined
      ? { creditorAccount: { bban, currency }, creditorAgent: agent }
      : withoutUndefined({
          creditorAccount: { bban: named.bban, currency },
          creditorAgent: agentOf(named),
        });
  },
  crossBorder: (currency, { creditors } = {}) => {
    const named = creditors?.crossBorder?.find((account) => account.currency === currency);
    const { number: iban, agent } = germanAccountIn(currency);
    return named === undefined
      ? { creditorAccount: { iban, currency }, creditorAgent: agent }
      : withoutUndefined({
          creditorAccount:
            named.iban === undefined ? { bban: named.bban ?? '', currency } : { iban: named.iban, currency },
          creditorAgent: named.agent,
        });
  },
};

/** Whether there is an account in that currency to pay to: any can be made up, unless the target names all that there are. */
export const canBePaidIn = (currency: string, product: ProductName, { creditors }: Payable): boolean =>
  creditors?.[product]?.some((account) => account.currency === currency) ?? true;

/** The currency that nobody wonders about in an account of that kind. */
const plainCurrency: Readonly<Record<ProductName, string>> = { domestic: 'NOK', crossBorder: 'EUR' };

/** The same payment to an account that is made up, and has nothing else about it. */
export const toStranger = (
  product: ProductName,
  body: JsonObject,
  facts: Pick<PaymentFacts, 'currencies'>,
): JsonObject => ({ ...body, ...accountsIn[product](dealtIn(plainCurrency[product], facts.currencies)) });

/** The same payment to an account that nothing else of a run pays to, another one with each number. */
export function toAnother(product: ProductName, body: JsonObject, number: number): JsonObject {
  const currency = textAt(body, 'creditorAccount', 'currency') ?? plainCurrency[product];
  if (product === 'crossBorder') {
    const { number: iban, agent } = furtherGermanAccount(number);
    return { ...body, creditorAccount: { iban, currency }, creditorAgent: agent };
  }
  const { number: bban, agent } = furtherNorwegianAccount(number, currency);
  return {
    ...body,
    creditorAccount: { bban, currency },
    ...('creditorAgent' in body ? { creditorAgent: agent } : {}),
  };
}
