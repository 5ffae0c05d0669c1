import fc from 'fast-check';
import { laterBankingDaysAfter } from '../spec/banking-days.ts';
import { purposeCodes, regulatoryReportingCodes } from '../spec/code-lists.ts';
import { products } from '../spec/products.ts';
import { type Amounts, decimal, leastOfProduct } from './amounts.ts';
import type { JsonObject } from './json.ts';
import {
  accountWithoutIban,
  dealtIn,
  type ForeignCreditor,
  foreignAccounts,
  internationalNames,
  internationalStreets,
  internationalTexts,
  maybe,
  type Optional,
  type PaymentFacts,
  type PaymentOptions,
  placeIn,
  plainPurposes,
  selected,
  withoutUndefined,
} from './payment-parts.ts';

export interface CrossBorderOptions extends PaymentOptions {
  readonly creditor?: 'iban' | 'bban';
  readonly debtor?: 'iban' | 'bban';
  /** What the product is meant for, NOK 100 000 or more, or a few euro. */
  readonly amount?: 'meant' | 'small';
}

/** Several, so that a control does not stand and fall with one of them. */
const plainCodes = ['14', '29', '31', '41', '71'];

/** Valid NCBCT bodies. The regulatory fields are always there: no rate tells when they are needed. */
export const crossBorderPayments = (
  facts: PaymentFacts,
  amounts: Amounts,
  { optional = 'any', ...options }: CrossBorderOptions = {},
): fc.Arbitrary<JsonObject> =>
  selected(optional, (chosen) => paymentsWith(facts, amounts, { ...options, optional: chosen }));

function paymentsWith(
  facts: PaymentFacts,
  amounts: Amounts,
  {
    optional,
    creditor = 'iban',
    debtor = 'bban',
    codes = 'plain',
    with: needed,
    amount = 'meant',
  }: CrossBorderOptions & { readonly optional: Optional },
): fc.Arbitrary<JsonObject> {
  const ifChosen = maybe(optional, needed);
  // Parts of an address are left out where that is the question; elsewhere it stands or falls as a whole.
  const ifWhole = optional === 'any' ? maybe('all') : ifChosen;
  return fc
    .record({
      account: fc.constantFrom(...creditorAccounts(facts, creditor)),
      creditorName: internationalNames(70),
      agent: ifChosen('creditorAgent', fc.constant(true)),
      address: ifChosen(
        'creditorAddress',
        fc.record({
          street: ifWhole('street', internationalStreets(70)),
          buildingNumber: ifWhole('buildingNumber', fc.constantFrom('1', '12b')),
          postalCode: ifWhole('postalCode', fc.constant(true)),
          city: ifWhole('city', fc.constant(true)),
        }),
      ),
      text: ifChosen('remittanceInformationUnstructured', internationalTexts(140)),
      purposeCode: ifChosen(
        'purposeCode',
        fc.constantFrom(...(codes === 'whole' ? purposeCodes : plainPurposes)),
      ),
      requestedExecutionDate: ifChosen(
        'requestedExecutionDate',
        fc.constantFrom(...laterBankingDaysAfter(facts.now)),
      ),
      code: fc.constantFrom(...(codes === 'whole' ? regulatoryReportingCodes.keys() : plainCodes)),
      information: internationalTexts(140),
    })
    .map(({ account, ...drawn }) =>
      withoutUndefined({
        instructedAmount:
          amount === 'meant'
            ? amountIn('NOK', amounts)
            : amountIn(dealtIn('EUR', facts.currencies), amounts, facts),
        creditorName: drawn.creditorName,
        creditorAgent: account.bban !== undefined || drawn.agent ? account.agent : undefined,
        creditorAccount: withoutUndefined({
          bban: account.bban,
          iban: account.iban,
          currency: account.currency,
        }),
        creditorAddress: drawn.address && addressIn(account.country, drawn.address),
        debtorAccount: debtorAccount(facts, debtor),
        remittanceInformationUnstructured: drawn.text,
        purposeCode: drawn.purposeCode,
        requestedExecutionDate: drawn.requestedExecutionDate,
        regulatoryReportingCode: drawn.code,
        regulatoryReportingInformation: drawn.information,
      }),
    );
}

/** The same payment to an account that has no IBAN, in another country perhaps, and with the agent that it needs. */
export function toAccountWithoutIban(body: JsonObject, facts: PaymentFacts): JsonObject {
  const [account] = creditorAccounts(facts, 'bban');
  if (account === undefined) return body;
  const { bban = '', agent = '', country, currency } = account;
  const address = (body['creditorAddress'] ?? {}) as JsonObject;
  const place = placeIn(country);
  const there = withoutUndefined({
    ...address,
    postalCode: address['postalCode'] && place?.postalCode,
    city: address['city'] && place?.city,
    country,
  });
  return {
    ...body,
    creditorAgent: agent,
    creditorAccount: { bban, currency },
    ...('creditorAddress' in body ? { creditorAddress: there } : {}),
  };
}

interface DrawnAddress {
  readonly street: string | undefined;
  readonly buildingNumber: string | undefined;
  readonly postalCode: true | undefined;
  readonly city: true | undefined;
}

/** The place is one of that country, where one is known. */
function addressIn(country: string, { street, buildingNumber, postalCode, city }: DrawnAddress): JsonObject {
  const place = placeIn(country);
  return withoutUndefined({
    street,
    buildingNumber,
    postalCode: postalCode && place?.postalCode,
    city: city && place?.city,
    country,
  });
}

/** As much as the product is meant for in NOK, since no rate tells what is as much in another currency. */
const amountIn = (
  currency: string,
  amounts: Amounts,
  { smallTransfers }: Partial<PaymentFacts> = {},
): JsonObject => ({
  amount: decimal(
    leastOfProduct(products.crossBorder, currency, smallTransfers) + amounts.nextMinor(currency),
    2,
  ),
  currency,
});

/** The accounts that the target names in that form; where it names none, such as are made up. */
function creditorAccounts(
  { creditorForeign, creditors, currencies }: PaymentFacts,
  form: 'iban' | 'bban',
): readonly ForeignCreditor[] {
  const [named] = [creditorForeign ?? [], creditors?.crossBorder ?? []]
    .flat()
    .filter((account) => account[form] !== undefined);
  if (named !== undefined) {
    const { iban: _, bban: __, ...account } = named;
    return [{ [form]: named[form], ...account }];
  }
  return form === 'iban'
    ? foreignAccounts.map((account) => ({ ...account, currency: dealtIn('EUR', currencies) }))
    : [{ ...accountWithoutIban, currency: dealtIn('USD', currencies) }];
}

function debtorAccount({ debtor }: PaymentFacts, form: 'iban' | 'bban'): JsonObject {
  return form === 'iban' && debtor.iban !== undefined
    ? { iban: debtor.iban, currency: debtor.currency }
    : { bban: debtor.bban, currency: debtor.currency };
}
