import { isUuid } from '../../spec/formats.ts';
import { memberAt } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import { type DesignChange, withRefusalKind, withRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, Rule } from '../design/route.ts';
import { isApproved } from '../state/payment-store.ts';
import { sentIds } from './baskets.ts';
import {
  both,
  breakdown,
  type Condition,
  type Deviation,
  each,
  type Form,
  inBytes,
  inHeader,
  marked,
  not,
  table,
} from './deviation.ts';

/** The bank breaks down before it has looked at anything else. */
export const breakingDown = (operations: readonly BankOperation[], isMeant: Condition): DesignChange => {
  const rule: Rule = {
    requirement: 'ERR-06',
    name: 'a breakdown',
    refuses: (request, state) =>
      isMeant(request, state) ? { ...breakdown, text: 'This bank has broken down.' } : undefined,
  };
  return withRules((operation, rules) => (operations.includes(operation) ? [rule, ...rules] : rules));
};

/** What it breaks down at. */
const breakdowns = (
  operations: readonly BankOperation[],
  ...several: readonly (readonly [way: string, atWhat: string, isMeant: Condition])[]
): readonly Deviation[] =>
  each(several, (way, what, isMeant) => [
    `ERR-06/${way}`,
    `breaks down ${what}`,
    breakingDown(operations, isMeant),
  ]);

const odd = (header: string, right: Form) => both(inHeader(header), not(inHeader(header, right)));
const tooLong = (text: unknown): boolean => String(text).length > 255;

const given =
  (name: string, isOdd: (value: string) => boolean): Condition =>
  ({ query }) =>
    isOdd(query.get(name) ?? '') && query.has(name);

const isNoBoolean = (value: string): boolean => !/^(?:true|false)$/.test(value);
const hasPicture = (value: unknown): boolean => /\p{Extended_Pictographic}/u.test(String(value));
const idOf = ({ params }: BankRequest): string => params['paymentId'] ?? params['accountId'] ?? '';
const isUnknown: Condition = (request, { payments }) =>
  isUuid(idOf(request)) && payments.get(idOf(request)) === undefined;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const basket = ['createSigningBasket'] as const;
const signed = [...creations, ...basket, 'listSandboxCustomers', 'listAccounts'] as const;

/** Requests of a TPP that make no sense, and that the bank takes for an error of its own. */
// biome-ignore format: a table
export const breakdownDeviations = table(
  // Codes and numbers that are looked up before anybody looks at their letters.
  breakdowns(creations, ...[['purposeCode'], ['creditorAgent'], ['creditorAccount', 'bban']].map((path) =>
    [`picture-in-${path.join('-')}`, `at an emoji in ${path.join('.')}`, ({ body }: BankRequest) => hasPicture(memberAt(body, ...path))] as const)),
  breakdowns(basket, ['picture-in-paymentIds', 'at an emoji in the id of a payment in a basket', (request) => sentIds(request).some(hasPicture)]),
  marked({ inOneContext: true },
    ['CRT-06/breaks-down', 'breaks down at a TPP-Signature-Certificate that is no Base64', breakingDown(signed, inHeader('tpp-signature-certificate', /[^\w+/=-]/))],
    ['CRT-06/breaks-down-when-cut', 'breaks down at a TPP-Signature-Certificate that is cut off',
      breakingDown(signed, both(({ certificate }) => certificate === undefined, inHeader('tpp-signature-certificate', /^MII[\w+/]+=*$/)))]),
  breakdowns(creations, ['odd-duplicates', 'at an allowLogicalDuplicate that is neither true nor false', given('allowLogicalDuplicate', isNoBoolean)]),
  breakdowns(['listSandboxCustomers'], ['odd-listing', 'at a withAccounts that is neither true nor false', given('withAccounts', isNoBoolean)]),
  breakdowns(['other'], ['unknown-product', 'at a payment product that it does not know', ({ params }) => params['product'] !== undefined]),
  // Headers for which a bank may have less room than a TPP needs.
  breakdowns(creations, ...['X-Request-ID', 'TPP-Redirect-URI', 'PSU-User-Agent', 'TPP-Brand-Logging-Information'].map((name) =>
    [`long-${name.toLowerCase()}`, `at ${name} of more than 255 characters`, inHeader(name.toLowerCase(), (text) => tooLong(text))] as const)),
  breakdowns(creations,
    ['no-content-type', 'at a payment without Content-Type', not(inHeader('content-type'))],
    ['odd-address', 'at a PSU-IP-Address that is no address', odd('psu-ip-address', /[.:]/)]),
  breakdowns([...creations, 'listAccounts'],
    ['odd-psu-ip-port', 'at a PSU-IP-Port that makes no sense', odd('psu-ip-port', /^\d+$/)],
    ['odd-psu-geo-location', 'at a PSU-Geo-Location that makes no sense', odd('psu-geo-location', /^GEO:/i)],
    ['odd-tpp-redirect-preferred', 'at a TPP-Redirect-Preferred that makes no sense', odd('tpp-redirect-preferred', /^(?:true|false)$/i)],
    ['odd-psu-corporate-id', 'at a PSU-Corporate-ID that makes no sense', odd('psu-corporate-id', isUuid)],
    ['odd-x-psu-identity', 'at an X-PSU-IDENTITY that makes no sense', odd('x-psu-identity', /^\d+$/)]),
  breakdowns(['listAccounts'], ['odd-psu-id-at-accounts', 'at a PSU-ID that is no UUID (accounts)', odd('psu-id', isUuid)]),
  breakdowns(basket,
    ['twice-in-a-basket', 'at a payment that is in a basket twice', (request) => new Set(sentIds(request)).size < sentIds(request).length],
    ['in-two-baskets', 'at a payment that is in another basket as well', (request, { baskets }) => [...baskets.values()].some(({ paymentIds }) => paymentIds.some((id) => sentIds(request).includes(id)))]),
  breakdowns(['deletePayment'], ['deletion-of-approved', 'when a payment is deleted that the PSU has approved', (request, { payments }) => {
    const payment = payments.get(idOf(request));
    return payment !== undefined && isApproved(payment) && payment.standsStill !== true;
  }]),
  each([
    ['unknown-basket', 'a basket that is not there', 'basketUnknown'],
    ['unknown-transaction', 'a transaction that is not there', 'transactionUnknown'],
    ['duplicate', 'a payment that is another’s duplicate and is to be none', 'duplicate'],
  ], (way, what, kind) => [`ERR-06/${way}`, `breaks down at ${what}`, withRefusalKind(kind, breakdown)]),
  breakdowns(['readPaymentStatus'], ['unknown-payment-at-status', 'when the status is asked for of a payment that is not there', isUnknown]),
  breakdowns(['readPayment'], ['unknown-payment-at-details', 'when the details are asked for of a payment that is not there', isUnknown]),
  breakdowns(['deletePayment'], ['unknown-payment-at-deletion', 'when a payment is deleted that is not there', isUnknown]),
  breakdowns(creations,
    ['null-body', 'at a body that is null', inBytes((text) => text.trim() === 'null')],
    ['deep-body', 'at a body that is nested deeper than a hundred times', ({ body }) => depthOf(body) > 100]),
  breakdowns(basket, ['long-id-at-basket', 'at an id of more than 255 characters (basket)', (request) => sentIds(request).some(tooLong)]),
  breakdowns(['readTransactions'],
    ['odd-booking-status', 'at a bookingStatus that it does not know', given('bookingStatus', (value) => !/^(?:booked|pending|both|all|information)$/.test(value))],
    ['odd-date-from', 'at a dateFrom that is no date', given('dateFrom', (value) => Number.isNaN(Date.parse(value)))],
    ['odd-date-to', 'at a dateTo that no calendar has', given('dateTo', (value) => /-02-30$/.test(value))],
    ['odd-limit', 'at a limit that is no number', given('limit', (value) => /[^-\d]/.test(value))],
    ['negative-limit', 'at a limit below zero', given('limit', (value) => Number(value) < 0)],
    ['limit-of-none', 'at a limit of 0', given('limit', (value) => Number(value) === 0)],
    ['huge-limit', 'at a limit that no integer holds', given('limit', (value) => Number(value) > 2 ** 63)],
    ['negative-offset', 'at an offset below zero', given('offset', (value) => Number(value) < 0)],
    ['offset-behind-all', 'at an offset behind the last one', given('offset', (value) => Number(value) > 10_000)]),
  each([['payment', 'readPaymentStatus'], ['account', 'readBalances']], (place, operation) => breakdowns([operation],
    [`long-id-at-${place}`, `at an id of more than 255 characters (${place})`, (request) => tooLong(idOf(request))],
    [`odd-id-at-${place}`, `at an id with other letters than those of ASCII (${place})`, (request) => /[^\p{ASCII}]/u.test(idOf(request))])),
);
