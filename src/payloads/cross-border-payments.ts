import fc from 'fast-check';
import { purposeCodes, regulatoryReportingCodes } from '../spec/code-lists.ts';
import type { Amounts } from './amounts.ts';
import { bankingDaysAfter } from './banking-days.ts';
import { withoutUndefined } from './domestic-payments.ts';
import type { JsonObject } from './json.ts';
import { accountWithoutIban, foreignAccounts, type PaymentFacts, placeIn } from './payment-facts.ts';
import { internationalTexts } from './texts.ts';

export interface CrossBorderOptions {
  readonly optional?: 'all' | 'none' | 'any';
  readonly creditor?: 'iban' | 'bban';
  readonly debtor?: 'iban' | 'bban';
  /** As with domestic payments: every listed code, or one that every bank takes. */
  readonly codes?: 'plain' | 'whole';
}

/** Several, so that a control does not stand and fall with one of them. */
const plainCodes = ['14', '29', '31', '41', '71'];

/** Valid NCBCT bodies in euro. The regulatory fields are always there: no rate tells when they are needed. */
export function crossBorderPayments(
  facts: PaymentFacts,
  amounts: Amounts,
  options: CrossBorderOptions = {},
): fc.Arbitrary<JsonObject> {
  if (options.optional !== undefined && options.optional !== 'any')
    return paymentsWith(facts, amounts, options);
  // Now and then without any optional field: some banks look at one only when another is there.
  return fc.oneof(
    { weight: 2, arbitrary: paymentsWith(facts, amounts, options) },
    { weight: 1, arbitrary: paymentsWith(facts, amounts, { ...options, optional: 'none' }) },
  );
}

function paymentsWith(
  facts: PaymentFacts,
  amounts: Amounts,
  { optional = 'any', creditor = 'iban', debtor = 'bban', codes = 'plain' }: CrossBorderOptions = {},
): fc.Arbitrary<JsonObject> {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    optional === 'all'
      ? arbitrary
      : optional === 'none'
        ? fc.constant(undefined)
        : fc.option(arbitrary, { nil: undefined });
  return fc
    .record({
      account: fc.constantFrom(...creditorAccounts(facts, creditor)),
      creditorName: internationalTexts(70),
      agent: maybe(fc.constant(true)),
      address: maybe(
        fc.record({
          street: internationalTexts(70),
          buildingNumber: fc.constantFrom('1', '12b'),
        }),
      ),
      text: maybe(internationalTexts(140)),
      purposeCode: maybe(codes === 'whole' ? fc.constantFrom(...purposeCodes) : fc.constant('OTHR')),
      requestedExecutionDate: maybe(fc.constantFrom(...bankingDaysAfter(facts.now, 10))),
      code: fc.constantFrom(...(codes === 'whole' ? regulatoryReportingCodes.keys() : plainCodes)),
      information: internationalTexts(140),
    })
    .map(({ account, ...drawn }) =>
      withoutUndefined({
        instructedAmount: { amount: amounts.next('EUR'), currency: 'EUR' },
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
