import fc from 'fast-check';
import { purposeCodes } from '../spec/code-lists.ts';
import { countries } from '../spec/countries.ts';
import type { Amounts } from './amounts.ts';
import { bankingDaysAfter } from './banking-days.ts';
import type { Json, JsonObject } from './json.ts';
import { kidFrom } from './kid.ts';
import { domesticAgent, type PaymentFacts } from './payment-facts.ts';
import { texts } from './texts.ts';

export const remittanceForms = ['none', 'unstructured', 'array', 'single'] as const;
export type RemittanceForm = (typeof remittanceForms)[number];

export interface DomesticOptions {
  /** All optional fields, none of them, or any selection. */
  readonly optional?: 'all' | 'none' | 'any';
  readonly remittance?: RemittanceForm;
  readonly debtor?: 'account' | 'card';
  /**
   * Every listed country and purpose, or one that every bank takes. Only the checks of the lists want the whole domain:
   * elsewhere a gap in a list would fail checks that are about something else.
   */
  readonly codes?: 'plain' | 'whole';
}

const references = fc.integer({ min: 0, max: 700_000 }).map((number) => ({ reference: kidFrom(number) }));

/** Valid NDCT bodies over the whole domain, each with an amount of its own. */
export function domesticPayments(
  facts: PaymentFacts,
  amounts: Amounts,
  options: DomesticOptions = {},
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
  { optional = 'any', remittance, debtor = 'account', codes = 'plain' }: DomesticOptions = {},
): fc.Arbitrary<JsonObject> {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    optional === 'all'
      ? arbitrary
      : optional === 'none'
        ? fc.constant(undefined)
        : fc.option(arbitrary, { nil: undefined });
  return fc
    .record({
      creditorName: facts.creditor.name === undefined ? texts(70) : fc.constant(facts.creditor.name),
      creditorAgent: maybe(fc.constant(facts.creditor.agent ?? domesticAgent)),
      street: maybe(texts(70)),
      buildingNumber: maybe(fc.integer({ min: 1, max: 199 }).map(String)),
      postalCode: maybe(fc.constantFrom('0152', '5003', '7010', '9008')),
      city: maybe(fc.constantFrom('Oslo', 'Bergen', 'Trondheim', 'Tromsø')),
      country: codes === 'whole' ? fc.constantFrom('NO', ...countries) : fc.constant('NO'),
      ultimateDebtor: maybe(texts(70)),
      remittance: remittance === undefined ? fc.constantFrom(...remittanceForms) : fc.constant(remittance),
      text: texts(140),
      references: fc.array(references, { minLength: 1, maxLength: 3 }),
      purposeCode: maybe(codes === 'whole' ? fc.constantFrom(...purposeCodes) : fc.constant('OTHR')),
      requestedExecutionDate: maybe(fc.constantFrom(...bankingDaysAfter(facts.now, 10))),
    })
    .map((drawn) => {
      const { creditor } = facts;
      return withoutUndefined({
        instructedAmount: { amount: amounts.next('NOK'), currency: 'NOK' },
        creditorName: drawn.creditorName,
        creditorAgent: creditor.currency === 'NOK' ? drawn.creditorAgent : (creditor.agent ?? domesticAgent),
        creditorAccount: { bban: creditor.bban, currency: creditor.currency },
        creditorAddress: withoutUndefined({
          street: drawn.street,
          buildingNumber: drawn.buildingNumber,
          ...(drawn.country === 'NO' ? { postalCode: drawn.postalCode, city: drawn.city } : {}),
          country: drawn.country,
        }),
        debtorAccount: debtorAccount(facts, debtor),
        ultimateDebtor: drawn.ultimateDebtor,
        ...remittanceFields(drawn.remittance, drawn.text, drawn.references),
        purposeCode: drawn.purposeCode,
        requestedExecutionDate: drawn.requestedExecutionDate,
      });
    });
}

function debtorAccount({ debtor, card }: PaymentFacts, kind: 'account' | 'card'): JsonObject {
  if (kind === 'account' || card === undefined) return { bban: debtor.bban, currency: debtor.currency };
  return {
    currency: card.currency,
    other: { identification: card.identification, schemeNameProprietary: 'creditCardAccount' },
  };
}

function remittanceFields(
  form: RemittanceForm,
  text: string,
  references: readonly { reference: string }[],
): JsonObject {
  switch (form) {
    case 'none':
      return {};
    case 'unstructured':
      return { remittanceInformationUnstructured: text };
    case 'array':
      return { remittanceInformationStructuredArray: references };
    case 'single':
      return { remittanceInformationStructured: references[0] ?? { reference: kidFrom(0) } };
  }
}

export const withoutUndefined = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
