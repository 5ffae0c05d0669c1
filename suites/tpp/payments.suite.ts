import {
  each,
  exampleKids,
  isReportableAmount,
  type SeenExchange,
  type Session,
  type TppCheck,
} from '../../src/certification/index.ts';
import {
  type BrokenDemand,
  brokenDemands,
  describeBroken,
  nullMembers,
} from '../../src/checks/broken-demands.ts';
import { suite } from '../../src/checks/check.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { isKid } from '../../src/spec/check-digits.ts';
import { minorUnits } from '../../src/spec/currencies.ts';
import type { Body, FacetName } from '../../src/spec/field.ts';
import { isObject, memberAt, textAt } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import { type CreationName, createdBy, products } from '../../src/spec/products.ts';

const domestic = (session: Session): readonly SeenExchange[] =>
  session.of(products.domestic.creation).filter(({ json }) => isObject(json));
const crossBorder = (session: Session): readonly SeenExchange[] =>
  session.of(products.crossBorder.creation).filter(({ json }) => isObject(json));

/** A member that is null counts as left out (reading nullMembers), as the bank has it. */
const isSet = (value: unknown, ...names: readonly string[]): boolean =>
  (memberAt(value, ...names) ?? undefined) !== undefined;

/** A list of no references at all: whether such a list is set is not said. */
const namesNothing = (references: unknown): boolean => Array.isArray(references) && references.length === 0;

/** In NOK no bank of the creditor has to be named. What is no currency of the list has that fault. */
const isToCurrencyAccount = (json: unknown): boolean => {
  const currency = textAt(json, 'creditorAccount', 'currency') ?? '';
  return currency !== 'NOK' && minorUnits.has(currency);
};

/** What is optional in general, and demanded of this very payment. */
const demandedOf = ({ operation, json }: SeenExchange): readonly string[] =>
  operation === products.domestic.creation
    ? isToCurrencyAccount(json)
      ? ['creditorAgent']
      : []
    : [
        ...(isSet(json, 'creditorAccount', 'bban') ? ['creditorAgent'] : []),
        ...(isReportableAmount(json) ? regulatoryFields : []),
      ];

const regulatoryFields = ['regulatoryReportingCode', 'regulatoryReportingInformation'];

const missingIn = (exchange: SeenExchange): readonly string[] =>
  demandedOf(exchange).filter((name) => !isSet(exchange.json, name));

const kindsOfDemand: readonly {
  readonly name: string;
  readonly title: string;
  readonly facets: readonly FacetName[];
}[] = [
  { name: 'required', title: 'every required field is there', facets: ['required'] },
  { name: 'types', title: 'every field has its type', facets: ['type'] },
  { name: 'bounds', title: 'every text keeps to its bounds', facets: ['nonEmpty', 'maxLength'] },
  { name: 'lists', title: 'every code is one of its list', facets: ['values'] },
  { name: 'dates', title: 'every date is an ISO 8601 date', facets: ['format'] },
];

/** What a body breaks first of the demands that a check judges. */
function faultIn(
  body: Body,
  sent: unknown,
  isJudged: (demand: BrokenDemand['demand']) => boolean,
): string | undefined {
  const first = brokenDemands(body, sent).find(({ demand }) => isJudged(demand));
  return first === undefined ? undefined : describeBroken(first);
}

const isOneOf =
  (...ids: readonly string[]) =>
  ({ id }: BrokenDemand['demand']): boolean =>
    ids.includes(id);

/** Type and form of amounts are left out, because they have a requirement of their own. */
const isOf =
  (facets: readonly FacetName[]) =>
  (demand: BrokenDemand['demand']): boolean =>
    'facet' in demand &&
    facets.includes(demand.facet) &&
    (demand.field.format !== 'amount' || demand.facet === 'required');

const fieldChecks = (
  requirement: string,
  payment: string,
  body: Body,
  of: (session: Session) => readonly SeenExchange[],
): readonly TppCheck[] =>
  kindsOfDemand.map(({ name, title, facets }) =>
    each({
      id: `${requirement}-${name}`,
      title: `in a ${payment} ${title}`,
      requirement,
      looksAt: `a ${payment}`,
      expected: `a ${payment} in which ${title}`,
      of,
      fault: ({ json }) => faultIn(body, json, isOf(facets)),
    }),
  );

/** A body that is an array or a text has no fields to judge. */
const objectCheck = (requirement: string, payment: string, operation: CreationName): TppCheck =>
  each({
    id: `${requirement}-object`,
    title: `the body of a ${payment} is an object`,
    requirement,
    looksAt: `a ${payment} with a JSON body`,
    expected: 'a JSON object',
    of: (session) => session.of(operation).filter(({ json }) => json !== undefined),
    fault: ({ json }) =>
      isObject(json)
        ? undefined
        : `the body is ${Array.isArray(json) ? 'an array' : json === null ? 'null' : `a ${typeof json}`}`,
  });

export default suite('Payments', ['Resources and their fields'], () => [
  objectCheck('TPP-26', 'domestic payment', products.domestic.creation),
  fieldChecks('TPP-26', 'domestic payment', bodies.domesticPayment, domestic),
  each({
    id: 'TPP-26-agent',
    title: 'a domestic payment to a currency account names creditorAgent',
    requirement: 'TPP-26',
    looksAt: 'a domestic payment to an account in another currency than NOK',
    expected: 'creditorAgent to be set',
    of: (session) => domestic(session).filter(({ json }) => isToCurrencyAccount(json)),
    fault: ({ json }) => (isSet(json, 'creditorAgent') ? undefined : 'creditorAgent is missing'),
  }),

  objectCheck('TPP-27', 'cross-border payment', products.crossBorder.creation),
  fieldChecks('TPP-27', 'cross-border payment', bodies.crossBorderPayment, crossBorder),
  each({
    id: 'TPP-27-accounts',
    title: 'the accounts of a cross-border payment are a BBAN or an IBAN each',
    requirement: 'TPP-27',
    looksAt: 'a cross-border payment',
    expected: 'creditorAccount and debtorAccount to have bban or iban',
    of: crossBorder,
    fault: ({ json }) =>
      faultIn(bodies.crossBorderPayment, json, isOneOf('NCB-60', 'NCB-62')) ?? emptyAccountIn(json),
  }),

  each({
    id: 'TPP-53',
    title: 'an optional member of a payment that has no value is left out, and not null',
    requirement: 'TPP-53',
    looksAt: 'a payment',
    expected: 'no optional member that is null',
    of: (session) => [...domestic(session), ...crossBorder(session)],
    fault: (exchange) => {
      const { json, operation } = exchange;
      const missing = missingIn(exchange);
      const place = nullMembers(bodies[createdBy(operation)?.body ?? 'domesticPayment'], json).find(
        (each) => !missing.includes(each),
      );
      return place === undefined ? undefined : `${place} is null`;
    },
  }),

  each({
    id: 'TPP-28',
    title: 'amounts are strings with exactly the minor units of their currency',
    requirement: 'TPP-28',
    looksAt: 'a payment with an amount',
    expected: 'a string of digits with as many decimals as ISO 4217 gives the currency',
    of: (session) =>
      [...domestic(session), ...crossBorder(session)].filter(({ json }) =>
        isSet(json, 'instructedAmount', 'amount'),
      ),
    fault: ({ json }) => faultOfAmount(memberAt(json, 'instructedAmount')),
  }),

  each({
    id: 'TPP-29',
    title: 'remittanceInformationUnstructured and remittanceInformationStructuredArray are not both set',
    requirement: 'TPP-29',
    looksAt: 'a domestic payment',
    expected: 'at most one of the two',
    of: domestic,
    fault: ({ json }) =>
      namesNothing(memberAt(json, 'remittanceInformationStructuredArray'))
        ? undefined
        : faultIn(bodies.domesticPayment, json, isOneOf('NDC-63')),
  }),

  each({
    id: 'TPP-30',
    title: 'the debtor account of a domestic payment has exactly one of bban and other',
    requirement: 'TPP-30',
    looksAt: 'a domestic payment with a debtor account',
    expected: 'exactly one of bban and other',
    of: (session) => domestic(session).filter(({ json }) => isObject(memberAt(json, 'debtorAccount'))),
    fault: ({ json }) => faultIn(bodies.domesticPayment, json, isOneOf('NDC-60', 'NDC-61')),
  }),

  each({
    id: 'TPP-31',
    title: 'transfers of NOK 100 000 or more carry both regulatory fields',
    requirement: 'TPP-31',
    looksAt: 'a cross-border payment of NOK 100 000 or more',
    expected: 'regulatoryReportingCode and regulatoryReportingInformation',
    of: (session) => crossBorder(session).filter(({ json }) => isReportableAmount(json)),
    fault: ({ json }) => {
      const missing = regulatoryFields.filter((name) => !isSet(json, name));
      if (missing.length > 0) return `${missing.join(' and ')} is missing`;
      // A purpose without a word documents nothing. An empty code is none of the list.
      const isBlank = textAt(json, 'regulatoryReportingInformation')?.trim() === '';
      return isBlank ? 'regulatoryReportingInformation is empty' : undefined;
    },
  }),

  each({
    id: 'TPP-32',
    title: 'creditorAgent is set when a cross-border creditor account uses a BBAN',
    requirement: 'TPP-32',
    looksAt: 'a cross-border payment to a BBAN',
    expected: 'creditorAgent to be set',
    of: (session) => crossBorder(session).filter(({ json }) => isSet(json, 'creditorAccount', 'bban')),
    fault: ({ json }) => faultIn(bodies.crossBorderPayment, json, isOneOf('NCB-64')),
  }),

  each({
    id: 'TPP-55',
    title: 'creditorAgent is a BIC',
    requirement: 'TPP-55',
    looksAt: 'a payment with creditorAgent',
    expected: 'a BIC of 8 or 11 letters and digits, such as DNBANOKK',
    of: (session) =>
      [...domestic(session), ...crossBorder(session)].filter(
        ({ json }) => textAt(json, 'creditorAgent') !== undefined,
      ),
    fault: ({ json }) => {
      const agent = textAt(json, 'creditorAgent') ?? '';
      // ISO 9362 of 2022 has digits in any of the first four places; which case is written is not said.
      return /^[a-z0-9]{4}[a-z]{2}[a-z0-9]{2}(?:[a-z0-9]{3})?$/i.test(agent)
        ? undefined
        : `creditorAgent is "${agent}"`;
    },
  }),

  each({
    id: 'TPP-33',
    title: 'an OCR/KID reference stands in the structured form',
    requirement: 'TPP-33',
    looksAt: 'a domestic payment with remittance information',
    expected: 'a KID in remittanceInformationStructuredArray, not in the text',
    of: (session) =>
      domestic(session).filter(({ json }) =>
        [
          'remittanceInformationUnstructured',
          'remittanceInformationStructured',
          'remittanceInformationStructuredArray',
        ].some((name) => isSet(json, name)),
      ),
    fault: ({ json }) => {
      const text = textAt(json, 'remittanceInformationUnstructured')?.trim() ?? '';
      return isMeantAsKid(text) ? `remittanceInformationUnstructured is "${text}"` : undefined;
    },
  }),

  each({
    id: 'TPP-34',
    title: 'structured remittance is sent in the array form',
    requirement: 'TPP-34',
    looksAt: 'a domestic payment with structured remittance information',
    expected: 'remittanceInformationStructuredArray instead of the single object',
    of: (session) =>
      domestic(session).filter(
        ({ json }) =>
          isSet(json, 'remittanceInformationStructured') ||
          isSet(json, 'remittanceInformationStructuredArray'),
      ),
    fault: ({ json }) =>
      isSet(json, 'remittanceInformationStructured') ? 'remittanceInformationStructured is used' : undefined,
  }),
]);

/**
 * Called a KID, or one of those that the journey offers. Any number may pass a check digit by chance, so an unnamed
 * one is nobody's proof.
 */
function isMeantAsKid(text: string): boolean {
  const [, digits = ''] =
    /^(?:KID|OCR)(?:[-.\s]?(?:nr|nummer))?[-:.#=\s]*([\d\s]{2,30}-?)$/i.exec(text) ?? [];
  const number = digits.replace(/\s/g, '');
  return exampleKids.some((kid) => kid === text.replace(/\s/g, '')) || isKid(number) || hasNamedKid(text);
}

/** Among other words a short number may be an age or a year, and one in a hundred of all has both check digits. */
const shortestAmongWords = 6;

/** `Invoice 12, KID 2345676` and `2345676 (KID)` */
const namedKid =
  /(?<![\p{L}\d])(?:KID|OCR)(?:[-.\s]?(?:nr|nummer))?[-:.#=\s]{0,3}(\d{2,25})(?![\p{L}\d])|(?<![\p{L}\d])(\d{2,25})\s?\((?:KID|OCR)\)/giu;

const hasNamedKid = (text: string): boolean =>
  [...text.matchAll(namedKid)].some(([, after = '', before = after]) => {
    return before.length >= shortestAmongWords && isKid(before);
  });

/** An account whose number is empty refers to none. */
function emptyAccountIn(json: unknown): string | undefined {
  const places = ['creditorAccount', 'debtorAccount'].flatMap((account) =>
    ['bban', 'iban'].map((form) => [account, form] as const),
  );
  const empty = places.find((place) => textAt(json, ...place)?.trim() === '');
  return empty && `${empty.join('.')} is empty`;
}

/** Judged here by itself: the reference bank has its own reading of amounts, on purpose. */
/** Nothing is said of leading zeros, nor of a point with nothing on one side: a bank that refuses them shows it (TPP-52). */
const plainDecimal = /^(?:\d+\.?\d*|\.\d+)$/;

function faultOfAmount(instructed: unknown): string | undefined {
  const amount = memberAt(instructed, 'amount');
  if (typeof amount !== 'string') return `the amount ${JSON.stringify(amount)} is not a string`;
  if (!plainDecimal.test(amount)) return `the amount "${amount}" is not a plain decimal number`;
  const digits = amount.split('.')[1]?.length ?? 0;
  if (amount.replace('.', '').length > limits.amountPrecision) {
    return `the amount "${amount}" has more than ${limits.amountPrecision} digits`;
  }
  const currency = textAt(instructed, 'currency') ?? '';
  const units = minorUnits.get(currency);
  return units === undefined || digits === units
    ? undefined
    : `the amount "${amount}" has ${digits} decimals, ${currency} has ${units}`;
}
