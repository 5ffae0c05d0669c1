import fc from 'fast-check';
import { soonBankingDaysAfter } from '../spec/banking-days.ts';
import { purposeCodes } from '../spec/code-lists.ts';
import { unsanctionedCountries } from '../spec/countries.ts';
import { staysInAscii } from '../spec/products.ts';
import type { Amounts } from './amounts.ts';
import type { JsonObject } from './json.ts';
import { kidFrom, referencesOf, referencesOfLength } from './kid.ts';
import {
  agentOf,
  internationalNames,
  internationalStreets,
  internationalTexts,
  maybe,
  names,
  type Optional,
  type PaymentFacts,
  type PaymentOptions,
  type Place,
  plainPurposes,
  selected,
  streets,
  texts,
  withoutUndefined,
} from './payment-parts.ts';

export const remittanceForms = ['none', 'unstructured', 'array', 'single'] as const;
export type RemittanceForm = (typeof remittanceForms)[number];

export interface DomesticOptions extends PaymentOptions {
  readonly remittance?: RemittanceForm;
  readonly debtor?: 'account' | 'card';
  /** The usual one, or one that demands a KID. */
  readonly creditor?: 'usual' | 'kid';
}

/** Valid NDCT bodies over the whole domain, each with an amount of its own. */
export const domesticPayments = (
  facts: PaymentFacts,
  amounts: Amounts,
  { optional = 'any', ...options }: DomesticOptions = {},
): fc.Arbitrary<JsonObject> =>
  selected(optional, (chosen) => paymentsWith(facts, amounts, { ...options, optional: chosen }));

function paymentsWith(
  facts: PaymentFacts,
  amounts: Amounts,
  {
    optional,
    remittance,
    debtor = 'account',
    creditor: wanted = 'usual',
    codes = 'plain',
    with: needed,
  }: DomesticOptions & { readonly optional: Optional },
): fc.Arbitrary<JsonObject> {
  const demanding = wanted === 'kid' ? facts.kidCreditor : undefined;
  const creditor = demanding ?? facts.creditor;
  const references = (amount: unknown, count: number) =>
    demanding?.kidLength === undefined
      ? referencesOf(amount, count)
      : referencesOfLength(demanding.kidLength, amount, count);
  const agent = agentOf(creditor);
  const ifChosen = maybe(optional, needed);
  const isInAscii = facts.letters !== undefined && staysInAscii(facts.letters, 'domestic');
  const words = isInAscii ? internationalTexts : texts;
  const nameOf = isInAscii ? internationalNames : names;
  return fc
    .record({
      creditorName: creditor.name === undefined ? nameOf(70) : fc.constant(creditor.name),
      creditorAgent: ifChosen('creditorAgent', fc.constant(agent)),
      street: ifChosen('street', (isInAscii ? internationalStreets : streets)(70)),
      buildingNumber: ifChosen('buildingNumber', fc.integer({ min: 1, max: 199 }).map(houseNumber)),
      // A code and the city that it belongs to: a strict bank knows both.
      place: fc.constantFrom(...norwegianPlaces(isInAscii)),
      postalCode: ifChosen('postalCode', fc.constant(true)),
      city: ifChosen('city', fc.constant(true)),
      country: codes === 'whole' ? fc.constantFrom('NO', ...unsanctionedCountries) : fc.constant('NO'),
      ultimateDebtor: ifChosen('ultimateDebtor', nameOf(70)),
      remittance: remittance === undefined ? fc.constantFrom(...remittanceForms) : fc.constant(remittance),
      text: words(140),
      references: fc.array(fc.constant(true), { minLength: 1, maxLength: 3 }),
      purposeCode: ifChosen(
        'purposeCode',
        fc.constantFrom(...(codes === 'whole' ? purposeCodes : plainPurposes)),
      ),
      requestedExecutionDate: ifChosen(
        'requestedExecutionDate',
        fc.constantFrom(...soonBankingDaysAfter(facts.now)),
      ),
    })
    .map((drawn) => ({ ...drawn, instructedAmount: { amount: amounts.next('NOK'), currency: 'NOK' } }))
    .map((drawn) =>
      withoutUndefined({
        instructedAmount: drawn.instructedAmount,
        creditorName: drawn.creditorName,
        creditorAgent: creditor.currency === 'NOK' ? drawn.creditorAgent : agent,
        creditorAccount: { bban: creditor.bban, currency: creditor.currency },
        creditorAddress: withoutUndefined({
          street: drawn.street,
          buildingNumber: drawn.buildingNumber,
          ...(drawn.country === 'NO'
            ? {
                postalCode: drawn.postalCode && drawn.place.postalCode,
                city: drawn.city && drawn.place.city,
              }
            : {}),
          country: drawn.country,
        }),
        debtorAccount: debtorAccount(facts, debtor),
        ultimateDebtor: drawn.ultimateDebtor,
        ...remittanceFields(
          drawn.remittance,
          drawn.text,
          references(drawn.instructedAmount, drawn.references.length),
        ),
        purposeCode: drawn.purposeCode,
        requestedExecutionDate: drawn.requestedExecutionDate,
      }),
    );
}

/** Houses that share a number have a letter as well. */
const houseNumber = (number: number): string => (number % 3 === 0 ? `${number}B` : String(number));

const norwegianPlaces = (isInAscii: boolean): readonly Place[] => [
  { postalCode: '0152', city: 'Oslo' },
  { postalCode: '5003', city: 'Bergen' },
  { postalCode: '7010', city: 'Trondheim' },
  isInAscii ? { postalCode: '4006', city: 'Stavanger' } : { postalCode: '9008', city: 'Tromsø' },
];

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
