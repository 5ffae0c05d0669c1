import fc from 'fast-check';
import { purposeCodes, regulatoryReportingCodes } from '../spec/code-lists.ts';
import { products } from '../spec/products.ts';
import { type Amounts, decimal } from './amounts.ts';
import { bankingDaysAfter } from './banking-days.ts';
import type { JsonObject } from './json.ts';
import { maybe, type Optional, selected, withoutUndefined } from './optional-fields.ts';
import { accountWithoutIban, foreignAccounts, type PaymentFacts, placeIn } from './payment-facts.ts';
import { internationalTexts } from './texts.ts';

export interface CrossBorderOptions {
  readonly optional?: Optional;
  readonly creditor?: 'iban' | 'bban';
  readonly debtor?: 'iban' | 'bban';
  /** As with domestic payments: every listed code, or one that every bank takes. */
  readonly codes?: 'plain' | 'whole';
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
    amount = 'meant',
  }: CrossBorderOptions & { readonly optional: Optional },
): fc.Arbitrary<JsonObject> {
  const ifChosen = maybe(optional);
  return fc
    .record({
      account: fc.constantFrom(...creditorAccounts(facts, creditor)),
      creditorName: internationalTexts(70),
      agent: ifChosen(fc.constant(true)),
      address: ifChosen(
        fc.record({
          street: internationalTexts(70),
          buildingNumber: fc.constantFrom('1', '12b'),
        }),
      ),
      text: ifChosen(internationalTexts(140)),
      purposeCode: ifChosen(codes === 'whole' ? fc.constantFrom(...purposeCodes) : fc.constant('OTHR')),
      requestedExecutionDate: ifChosen(fc.constantFrom(...bankingDaysAfter(facts.now, 10))),
      code: fc.constantFrom(...(codes === 'whole' ? regulatoryReportingCodes.keys() : plainCodes)),
      information: internationalTexts(140),
    })
    .map(({ account, ...drawn }) =>
      withoutUndefined({
        instructedAmount:
          amount === 'meant' ? meantAmount(amounts) : { amount: amounts.next('EUR'), currency: 'EUR' },
        creditorName: drawn.creditorName,
        creditorAgent: account.bban !== undefined || drawn.agent ? account.agent : undefined,
        creditorAccount: withoutUndefined({
          bban: account.bban,
          iban: account.iban,
          currency: account.currency,
        }),
        creditorAddress:
          drawn.address === undefined
            ? undefined
            : { ...drawn.address, ...placeIn(account.country), country: account.country },
        debtorAccount: debtorAccount(facts, debtor),
        remittanceInformationUnstructured: drawn.text,
        purposeCode: drawn.purposeCode,
        requestedExecutionDate: drawn.requestedExecutionDate,
        regulatoryReportingCode: drawn.code,
        regulatoryReportingInformation: drawn.information,
      }),
    );
}

/** In NOK, since no rate tells what is as much in another currency. */
const meantAmount = (amounts: Amounts): JsonObject => ({
  amount: decimal(products.crossBorder.meantFromOere + amounts.nextMinor('NOK'), 2),
  currency: 'NOK',
});

interface CreditorAccount {
  readonly iban?: string;
  readonly bban?: string;
  readonly agent?: string | undefined;
  readonly country: string;
  readonly currency: string;
}

function creditorAccounts(
  { creditorForeign }: PaymentFacts,
  form: 'iban' | 'bban',
): readonly CreditorAccount[] {
  if (creditorForeign !== undefined && creditorForeign[form] !== undefined) {
    const { agent, country, currency } = creditorForeign;
    return [{ [form]: creditorForeign[form], agent, country, currency }];
  }
  return form === 'iban'
    ? foreignAccounts.map((account) => ({ ...account, currency: 'EUR' }))
    : [{ ...accountWithoutIban, currency: 'USD' }];
}

function debtorAccount({ debtor }: PaymentFacts, form: 'iban' | 'bban'): JsonObject {
  return form === 'iban' && debtor.iban !== undefined
    ? { iban: debtor.iban, currency: debtor.currency }
    : { bban: debtor.bban, currency: debtor.currency };
}
