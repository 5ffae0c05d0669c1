import { decimal } from '../payloads/amounts.ts';
import { toAccountWithoutIban } from '../payloads/cross-border-payments.ts';
import type { JsonObject } from '../payloads/json.ts';
import { referencesOf } from '../payloads/kid.ts';
import type { PaymentFacts } from '../payloads/payment-parts.ts';
import { remittanceFields } from '../spec/bodies/domestic-payment.ts';
import { has, textAt } from '../spec/json.ts';
import { products, staysInAscii } from '../spec/products.ts';
import type { PsuContext } from '../target/psu.ts';
import { type CheckContext, corporateFacts, corporatePsu } from './context.ts';
import type { Context, ContextValue } from './context-value.ts';
import {
  allHeaders,
  backToAQuery,
  basketDigest,
  encodedSignature,
  formattings,
  fromAnotherClient,
  fromIpv6,
  inTheApp,
  lowerCaseNames,
  severalFixes,
  sha512,
  spacious,
  withCharset,
} from './request-contexts.ts';
import type { OpenPayment, Subject } from './subject.ts';

export { type Context, type ContextValue, type Dimension, dimensions } from './context-value.ts';
export { addOptionalHeaders } from './request-contexts.ts';

const isOpen = (
  { payment }: Subject,
  option: 'optional' | 'debtor' | 'creditor' | 'amount' | 'remittance',
): boolean => payment !== undefined && !has(payment.decided, option);

/** Next to the PSU of the run; where that one acts for a company, every request does. */
const hasCompany = ({ target }: CheckContext): boolean => {
  const { id, corporateId } = target.psu.corporate ?? {};
  return id !== undefined && corporateId !== undefined;
};

/** Freedom: offers/less. */
const hasPayingCompany = (context: CheckContext): boolean =>
  hasCompany(context) && context.target.accounts.corporateDebtor !== undefined;

const factsOf = (paidBy: OpenPayment['paidBy'], context: CheckContext): PaymentFacts =>
  paidBy === 'company' ? corporateFacts(context) : context.facts;

export const corporate: ContextValue = {
  dimension: 'psu',
  label: 'for a corporate PSU',
  // The card is that of the private PSU.
  fits: ({ payment, referredTo, ofCompany }, context) => {
    if (payment !== undefined)
      return hasPayingCompany(context) && payment.paidBy === undefined && payment.decided.debtor !== 'card';
    if (referredTo?.profile === 'accounts') return hasCompany(context);
    return ofCompany !== undefined && hasPayingCompany(context);
  },
  psu: corporatePsu,
  body: (body, context) => {
    if (!has(body, 'debtorAccount')) return body;
    const { bban, iban = '', currency } = corporateFacts(context).debtor;
    const isIban = has(body['debtorAccount'], 'iban');
    return { ...body, debtorAccount: isIban ? { iban, currency } : { bban, currency } };
  },
};

/** The PSU of the run who says in which context, which only single-SCA initiation has to. */
const saidToBe = (psuContext: PsuContext): ContextValue => ({
  dimension: 'psuContext',
  label: `with PSU-Context ${psuContext}`,
  fits: ({ payment }, { target }) =>
    payment !== undefined && payment.paidBy === undefined && target.psu.context === psuContext,
  beforeSigning: ({ headers }) => headers.set('PSU-Context', psuContext),
});
const saidToBePrivate = saidToBe('PRIVATE');
const saidToBeCorporate = saidToBe('CORPORATE');

const fromIban: ContextValue = {
  dimension: 'debtor',
  label: 'from an account given as IBAN',
  fits: (of, context) =>
    isOpen(of, 'debtor') &&
    of.payment?.product === products.crossBorder &&
    factsOf(of.payment.paidBy, context).debtor.iban !== undefined,
  body: (body, context) => {
    const isOfCompany = textAt(body, 'debtorAccount', 'bban') === corporateFacts(context).debtor.bban;
    const { iban = '', currency } = factsOf(isOfCompany ? 'company' : undefined, context).debtor;
    return { ...body, debtorAccount: { iban, currency } };
  },
};

const fromCard: ContextValue = {
  dimension: 'debtor',
  label: 'from a card account',
  fits: (of, { facts }) =>
    isOpen(of, 'debtor') &&
    of.payment?.product === products.domestic &&
    of.payment.paidBy === undefined &&
    facts.card !== undefined,
  body: (body, { facts: { card } }) => ({
    ...body,
    debtorAccount: {
      currency: card?.currency ?? '',
      other: { identification: card?.identification ?? '', schemeNameProprietary: 'creditCardAccount' },
    },
  }),
  onlyForFaults: true,
};

const isAcrossTheBorder = ({ payment }: Subject): boolean => payment?.product === products.crossBorder;

const toBban: ContextValue = {
  dimension: 'creditor',
  label: 'to an account given as BBAN',
  fits: (of, context) =>
    isOpen(of, 'creditor') && isAcrossTheBorder(of) && context.missing('foreign-bban') === undefined,
  body: (body, { facts }) => toAccountWithoutIban(body, facts),
  onlyForFaults: true,
};

/** What the amount is, in the smallest unit of its currency. */
const minorOf = (body: JsonObject): number =>
  Math.round(Number(textAt(body, 'instructedAmount', 'amount')) * 100);

const paying = (body: JsonObject, minor: number, currency: string): JsonObject => ({
  ...body,
  instructedAmount: { amount: decimal(minor, 2), currency },
});

/** A few of them: what is foreign, or small, may be looked at in another way. */
const inEuro: ContextValue = {
  dimension: 'amount',
  label: 'of a few EUR',
  fits: (of) => isOpen(of, 'amount'),
  body: (body) => paying(body, 100 + (minorOf(body) % 9_000), 'EUR'),
  // Freedom: payments/amounts.
  onlyForFaults: true,
};

/** What is not to be taken is nobody's duplicate, so that amounts may be alike. */
const inWholeKroner: ContextValue = {
  dimension: 'amount',
  label: 'of whole kroner',
  fits: (of) => isOpen(of, 'amount'),
  body: (body) => paying(body, Math.ceil(minorOf(body) / 100) * 100, 'NOK'),
  onlyForFaults: true,
};

const isSmall = ({ payment }: Subject): boolean =>
  payment !== undefined && 'amount' in payment.decided && payment.decided.amount === 'small';

/** Too few for anything to be reported: whoever looks at what is reported then alone lets the rest through. */
const inFewKroner: ContextValue = {
  dimension: 'amount',
  label: 'of a few whole kroner',
  fits: (of) => isAcrossTheBorder(of) && (isOpen(of, 'amount') || isSmall(of)),
  body: (body) => paying(body, (100 + (minorOf(body) % 9_000)) * 100, 'NOK'),
  onlyForFaults: true,
};

/** Those who pay abroad write none. */
const toNorwegian: ContextValue = {
  dimension: 'letters',
  label: 'to somebody with a letter of Norway in the name',
  fits: ({ payment }, { facts: { creditor, letters } }) =>
    payment?.product === products.domestic &&
    creditor.name === undefined &&
    !(letters !== undefined && staysInAscii(letters, 'domestic')),
  body: (body) => {
    const name = textAt(body, 'creditorName');
    return name === undefined ? body : { ...body, creditorName: name.replace(/^./u, 'Ø') };
  },
};

const allowingDuplicates: ContextValue = {
  dimension: 'query',
  label: 'with allowLogicalDuplicate in the query',
  fits: ({ payment }) => payment !== undefined,
  query: { allowLogicalDuplicate: 'true' },
  // What has to be taken is taken without it.
  onlyForFaults: true,
};

/** Whoever compares addresses whole takes one with a query for another. */
const withoutAccounts: ContextValue = {
  dimension: 'query',
  label: 'with withAccounts in the query',
  fits: ({ mayLeaveOutDetails }) => mayLeaveOutDetails === true,
  query: { withAccounts: 'false' },
  // That it is taken, a check of its own asks.
  onlyForFaults: true,
};

const bare: ContextValue = {
  dimension: 'fields',
  label: 'without optional fields',
  fits: (of) => isOpen(of, 'optional'),
  optional: 'none',
};

const full: ContextValue = {
  dimension: 'fields',
  label: 'with every optional field',
  fits: (of) => isOpen(of, 'optional'),
  optional: 'all',
};

/** In place of whatever remittance information there is: two forms together may be a fault. */
const remitting = (label: string, informationOf: (body: JsonObject) => JsonObject): ContextValue => ({
  dimension: 'remittance',
  label,
  fits: (of) => isOpen(of, 'remittance') && of.payment?.product === products.domestic,
  body: (body) => ({ ...withoutRemittance(body), ...informationOf(body) }),
});

const withoutRemittance = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !remittanceFields.includes(name)));

const severalReferences = remitting('with several references', (body) => ({
  remittanceInformationStructuredArray: referencesOf(body['instructedAmount'], 3),
}));
const unstructured = remitting('with unstructured remittance information', () => ({
  remittanceInformationUnstructured: 'Fakturanummer 20418',
}));
const unremitted = remitting('without remittance information', () => ({}));
/** To be deprecated, so that a bank may have left it to an older part of itself. */
const singleReference: ContextValue = {
  ...remitting('with the single form of a reference', (body) => ({
    remittanceInformationStructured: referencesOf(body['instructedAmount'], 1)[0] ?? {},
  })),
  onlyForFaults: true,
};
/** One of them in each next row. */
const remittances: readonly ContextValue[] = [unstructured, unremitted, singleReference];

/** All of them, for whoever wants to know where a rule holds. */
export const contextValues: readonly ContextValue[] = [
  corporate,
  saidToBePrivate,
  saidToBeCorporate,
  fromIban,
  fromCard,
  toBban,
  inEuro,
  inWholeKroner,
  inFewKroner,
  toNorwegian,
  bare,
  full,
  severalReferences,
  unstructured,
  unremitted,
  singleReference,
  allowingDuplicates,
  withoutAccounts,
  sha512,
  basketDigest,
  fromAnotherClient,
  allHeaders,
  fromIpv6,
  backToAQuery,
  inTheApp,
  severalFixes,
  lowerCaseNames,
  withCharset,
  ...formattings,
  encodedSignature,
];

/**
 * A covering array of two rows: each has one half of every dimension, so that what is sent in both has met every
 * dimension at both of its ends. Of the values of a long dimension each next row has the next one.
 */
export function rowsOf(
  context: CheckContext,
  of: Subject,
  number: number,
  isUsable: (value: ContextValue) => boolean,
): readonly Context[] {
  const formatting = spacious[number % spacious.length] as ContextValue;
  const turn = number + context.seed;
  const forms = remittances.filter(isUsable);
  const remittance = forms[turn % forms.length] ?? unremitted;
  // Across the border the usual amount is one that has to be reported, and a few kroner are not.
  const kroner = isAcrossTheBorder(of) && (turn % 2 !== 0 || isSmall(of)) ? inFewKroner : inWholeKroner;
  // Next to an IBAN an agent is optional like much else, and next to a BBAN it is not.
  const isBareToBban = turn % 2 !== 0;
  const rows = [
    [
      fromIban,
      fromCard,
      bare,
      ...(isBareToBban ? [toBban] : []),
      remittance,
      encodedSignature,
      lowerCaseNames,
      saidToBePrivate,
      saidToBeCorporate,
      inEuro,
      fromIpv6,
      inTheApp,
      basketDigest,
      withoutAccounts,
      severalFixes,
    ],
    // SHA-512 comes last: where a bank does not go along with all of them, a check of its own is about that.
    [
      corporate,
      full,
      toNorwegian,
      kroner,
      severalReferences,
      backToAQuery,
      fromAnotherClient,
      allHeaders,
      formatting,
      ...(isBareToBban ? [] : [toBban]),
      allowingDuplicates,
      withCharset,
      sha512,
    ],
  ].map((row) => row.filter((value) => isUsable(value) && value.fits(of, context)));
  return rows.every(({ length }) => length === 0) ? [[]] : rows;
}

/** Values that change nothing about whom or what is paid, one at a time, for cases beyond the rows. */
export const singlesOf = (
  context: CheckContext,
  of: Subject,
  number: number,
  isUsable: (value: ContextValue) => boolean,
): readonly Context[] =>
  [formattings[number % formattings.length] as ContextValue, sha512, allHeaders]
    .filter((value) => isUsable(value) && value.fits(of, context))
    .map((value) => [value]);

/** How a context is told: `for a corporate PSU, with a SHA-512 Digest`. */
export const describeContext = (context: Context): string => context.map(({ label }) => label).join(', ');
