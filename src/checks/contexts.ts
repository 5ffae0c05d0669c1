import { decimal } from '../payloads/amounts.ts';
import { toAccountWithoutIban } from '../payloads/cross-border-payments.ts';
import type { JsonObject } from '../payloads/json.ts';
import { referencesOf } from '../payloads/kid.ts';
import type { PaymentFacts } from '../payloads/payment-parts.ts';
import { serialisations } from '../payloads/serialisations.ts';
import { digestHeader } from '../signing/digest.ts';
import { encodeWord, isEncodedWord } from '../signing/encoded-word.ts';
import { remittanceFields } from '../spec/bodies/domestic-payment.ts';
import { headerRows, headerSamples, optionalHeaders, requiredHeaders } from '../spec/headers.ts';
import { has, textAt } from '../spec/json.ts';
import { operations } from '../spec/operations.ts';
import { products } from '../spec/products.ts';
import type { PsuContext } from '../target/psu.ts';
import type { Call, Psu, Variation } from '../tpp/call.ts';
import type { RequestDraft, SigningPlan } from '../tpp/signing-plan.ts';
import { type CheckContext, corporateFacts, corporatePsu } from './context.ts';
import type { OpenPayment, Subject } from './subject.ts';

/**
 * What can be different about a valid request without its rules becoming others: a bug often shows only for a company,
 * with SHA-512, or when another field is there. The usual value of each dimension is what a request is without any of
 * this, and is not listed.
 */
export const dimensions = [
  'psu',
  'psuContext',
  'debtor',
  'creditor',
  'amount',
  'fields',
  'remittance',
  'query',
  'digest',
  'headers',
  'names',
  'mediaType',
  'formatting',
  'signature',
] as const;
export type Dimension = (typeof dimensions)[number];

/** One value of a dimension: how a request with it differs from the usual one, and where it is compliant. */
export interface ContextValue {
  readonly dimension: Dimension;
  /** Completes "it was sent …": `for a corporate PSU`. */
  readonly label: string;
  /** Whether such a request is compliant for the kind of request, and the target file has what it takes. */
  readonly fits: (of: Subject, context: CheckContext) => boolean;
  /** Every optional field, or none. */
  readonly optional?: 'all' | 'none';
  readonly body?: (body: JsonObject, context: CheckContext) => JsonObject;
  readonly psu?: (context: CheckContext) => Psu;
  readonly query?: NonNullable<Call['query']>;
  readonly write?: (body: JsonObject) => string;
  readonly beforeSigning?: NonNullable<Variation['beforeSigning']>;
  readonly signing?: SigningPlan;
  /** How the request is written in the end, fault and all. */
  readonly afterSigning?: NonNullable<Variation['afterSigning']>;
  /** How the Signature header is written, whatever is in it. */
  readonly writeSignature?: (value: string) => string;
  /**
   * Only for faults. A bank that takes a request in this context has to refuse the fault in it, and yet need not take
   * everything in it that it takes elsewhere: the specification does not say so.
   */
  readonly onlyForFaults?: true;
}

/** Values of several dimensions at once, at most one of each. None at all is the usual context. */
export type Context = readonly ContextValue[];

const isOpen = (
  { payment }: Subject,
  option: 'optional' | 'debtor' | 'creditor' | 'amount' | 'remittance',
): boolean => payment !== undefined && !has(payment.decided, option);

/** Next to the PSU of the run; where that one acts for a company, every request does. */
const hasCompany = ({ target }: CheckContext): boolean => {
  const { id, corporateId } = target.psu.corporate ?? {};
  return id !== undefined && corporateId !== undefined && target.accounts.corporateDebtor !== undefined;
};

const factsOf = (paidBy: OpenPayment['paidBy'], context: CheckContext): PaymentFacts =>
  paidBy === 'company' ? corporateFacts(context) : context.facts;

export const corporate: ContextValue = {
  dimension: 'psu',
  label: 'for a corporate PSU',
  // The card is that of the private PSU.
  fits: ({ payment, referredTo, ofCompany }, context) =>
    hasCompany(context) &&
    (payment === undefined
      ? ofCompany !== undefined || referredTo?.profile === 'accounts'
      : payment.paidBy === undefined && payment.decided.debtor !== 'card'),
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

/** A few of them: a bank may take this product for large transfers only, and then not at all. */
const inEuro: ContextValue = {
  dimension: 'amount',
  label: 'in EUR',
  fits: (of) => isOpen(of, 'amount') && isAcrossTheBorder(of),
  // As unique as the amount in NOK, which is that much above what the product is meant for.
  body: (body) => {
    const oere = Math.round(Number(textAt(body, 'instructedAmount', 'amount')) * 100);
    const cents = oere - products.crossBorder.meantFromOere;
    return cents > 0 ? { ...body, instructedAmount: { amount: decimal(cents, 2), currency: 'EUR' } } : body;
  },
  onlyForFaults: true,
};

const allowingDuplicates: ContextValue = {
  dimension: 'query',
  label: 'with allowLogicalDuplicate in the query',
  fits: ({ payment }) => payment !== undefined,
  query: { allowLogicalDuplicate: 'true' },
  // What has to be taken is taken without it.
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
  remittanceInformationUnstructured: 'Invoice 4711',
}));
const unremitted = remitting('without remittance information', () => ({}));

/** Where a Digest is required; a basket has none by default. */
const sha512: ContextValue = {
  dimension: 'digest',
  label: 'with a SHA-512 Digest',
  fits: ({ product }) =>
    product !== undefined && requiredHeaders(operations[product.creation].headers).includes('Digest'),
  signing: { digest: (body) => digestHeader(body, 'SHA-512') },
};

/** Those that say who the PSU is are no mere addition, and the others stand in every request. */
const leftAlone = ['X-PSU-IDENTITY', 'PSU-Corporate-ID', 'PSU-Context', 'Host', 'Accept'];

/** Adds every optional header of the operation. */
export function addOptionalHeaders({ operation, headers }: RequestDraft): void {
  if (operation === 'other') return;
  for (const name of optionalHeaders(operations[operation].headers)) {
    const listed = headerRows.find((row) => row.name === name)?.type?.field.values ?? [];
    const [sample] = headerSamples[name] ?? listed;
    if (sample !== undefined && !leftAlone.includes(name)) headers.set(name, sample);
  }
}

const allHeaders: ContextValue = {
  dimension: 'headers',
  label: 'with every optional header',
  fits: () => true,
  beforeSigning: addOptionalHeaders,
};

/** RFC 7230, 3.2: names of headers have no case, and those who come over HTTP/2 write them so. */
const lowerCaseNames: ContextValue = {
  dimension: 'names',
  label: 'with header names in lower case',
  fits: () => true,
  afterSigning({ headers }) {
    const lines = [...headers.lines()];
    for (const [name] of lines) headers.remove(name);
    for (const [name, value] of lines) headers.add(name.toLowerCase(), value);
  },
};

const withCharset: ContextValue = {
  dimension: 'mediaType',
  label: 'with a charset in Content-Type',
  fits: () => true,
  beforeSigning({ headers }) {
    if (headers.has('Content-Type')) headers.set('Content-Type', 'application/json; charset=UTF-8');
  },
};

const formattings: readonly ContextValue[] = serialisations.map(({ label, write }) => ({
  dimension: 'formatting',
  label: `so that ${label}`,
  fits: ({ hasNoBody }) => hasNoBody !== true,
  write,
}));

/** Those with white space, which is what banks are most likely to stumble over. */
const spacious = formattings.filter(({ write }) => /\s/.test(write?.({ member: '' }) ?? ''));

/** The specification asks for it where a value is not ASCII, and does not say that others are taken so as well. */
const encodedSignature: ContextValue = {
  dimension: 'signature',
  label: 'with an encoded Signature header',
  fits: () => true,
  writeSignature: (value) => (isEncodedWord(value) ? value : encodeWord(value)),
  onlyForFaults: true,
};

/** All of them, for whoever wants to know where a rule holds. */
export const contextValues: readonly ContextValue[] = [
  corporate,
  saidToBePrivate,
  saidToBeCorporate,
  fromIban,
  fromCard,
  toBban,
  inEuro,
  bare,
  full,
  severalReferences,
  unstructured,
  unremitted,
  allowingDuplicates,
  sha512,
  allHeaders,
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
  const remittance = (number + context.seed) % 2 === 0 ? unstructured : unremitted;
  const rows = [
    [
      fromIban,
      fromCard,
      bare,
      remittance,
      encodedSignature,
      lowerCaseNames,
      saidToBePrivate,
      saidToBeCorporate,
      inEuro,
    ],
    // SHA-512 comes last: where a bank does not go along with all of them, a check of its own is about that.
    [
      corporate,
      full,
      severalReferences,
      allHeaders,
      formatting,
      toBban,
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
