import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { memberAt } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import { type DesignChange, withRefusalKind, withRules } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState, Rule } from '../design/route.ts';
import { isApproved } from '../state/payment-store.ts';
import { type Deviation, deviation, inHeader, inOneContext, not, rows } from './deviation.ts';

/** The bank breaks down before it has looked at anything else. */
export const breakingDown = (
  operations: readonly BankOperation[],
  isMeant: (request: BankRequest, state: BankState) => boolean,
): DesignChange => {
  const rule: Rule = {
    requirement: 'ERR-06',
    name: 'a breakdown',
    refuses: (request, state) =>
      isMeant(request, state)
        ? { status: 500, code: 'SYSTEM_ERROR', text: 'This bank has broken down.' }
        : undefined,
  };
  return withRules((operation, rules) => (operations.includes(operation) ? [rule, ...rules] : rules));
};

const isGiven =
  (name: string, isOdd: (value: string) => boolean) =>
  ({ query }: BankRequest): boolean => {
    const value = query.get(name);
    return value !== null && isOdd(value);
  };

const isNoBoolean = (value: string): boolean => value !== 'true' && value !== 'false';
const isNoDate = (value: string): boolean => Number.isNaN(Date.parse(value));

const ofTransactions: readonly (readonly [
  way: string,
  title: string,
  isMeant: (request: BankRequest) => boolean,
])[] = [
  [
    'odd-booking-status',
    'a bookingStatus that it does not know',
    isGiven('bookingStatus', (value) => !/^(?:booked|pending|both|all|information)$/.test(value)),
  ],
  ['odd-date-from', 'a dateFrom that is no date', isGiven('dateFrom', isNoDate)],
  ['odd-date-to', 'a dateTo that no calendar has', isGiven('dateTo', (value) => /-02-30$/.test(value))],
  ['odd-limit', 'a limit that is no number', isGiven('limit', (value) => /[^-\d]/.test(value))],
  ['negative-limit', 'a limit below zero', isGiven('limit', (value) => Number(value) < 0)],
  ['limit-of-none', 'a limit of 0', isGiven('limit', (value) => Number(value) === 0)],
  ['huge-limit', 'a limit that no integer holds', isGiven('limit', (value) => Number(value) > 2 ** 63)],
  ['negative-offset', 'an offset below zero', isGiven('offset', (value) => Number(value) < 0)],
  [
    'offset-behind-all',
    'an offset behind the last one',
    isGiven('offset', (value) => Number(value) > 10_000),
  ],
];

const idOf = ({ params }: BankRequest): string => params['paymentId'] ?? params['accountId'] ?? '';

/** Headers for which a bank may have less room than a TPP needs. */
const shortColumns = [
  ['x-request-id', 'X-Request-ID'],
  ['tpp-redirect-uri', 'TPP-Redirect-URI'],
  ['psu-user-agent', 'PSU-User-Agent'],
  ['tpp-brand-logging-information', 'TPP-Brand-Logging-Information'],
] as const;

const oddHeaders: readonly (readonly [header: string, name: string, isRight: (value: string) => boolean])[] =
  [
    ['psu-ip-port', 'a PSU-IP-Port', (value) => /^\d+$/.test(value)],
    ['psu-geo-location', 'a PSU-Geo-Location', (value) => /^GEO:/i.test(value)],
    ['tpp-redirect-preferred', 'a TPP-Redirect-Preferred', (value) => /^(?:true|false)$/i.test(value)],
    ['psu-corporate-id', 'a PSU-Corporate-ID', isUuid],
    ['x-psu-identity', 'an X-PSU-IDENTITY', (value) => /^\d+$/.test(value)],
  ];

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const hasPicture = (value: unknown): boolean => /\p{Extended_Pictographic}/u.test(String(value));

/** Codes and numbers that are looked up before anybody looks at their letters. */
const pictured = [['purposeCode'], ['creditorAgent'], ['creditorAccount', 'bban']] as const;

/** Requests of a TPP that make no sense, and that the bank takes for an error of its own. */
// biome-ignore format: a table
export const breakdownDeviations: readonly Deviation[] = [
  ...pictured.map((path) =>
    deviation(`ERR-06/picture-in-${path.join('-')}`, `breaks down at an emoji in ${path.join('.')}`,
      breakingDown(creations, ({ body }) => hasPicture(memberAt(body, ...path))))),
  deviation('ERR-06/picture-in-paymentIds', 'breaks down at an emoji in the id of a payment in a basket',
    breakingDown(['createSigningBasket'], ({ body }) => [memberAt(body, 'paymentIds')].flat().some(hasPicture))),
  ...inOneContext(deviation('CRT-06/breaks-down', 'breaks down at a TPP-Signature-Certificate that is no Base64',
    breakingDown([...creations, 'createSigningBasket', 'listSandboxCustomers', 'listAccounts'], inHeader('tpp-signature-certificate', /[^\w+/=-]/)))),
  ...inOneContext(deviation('CRT-06/breaks-down-when-cut', 'breaks down at a TPP-Signature-Certificate that is cut off',
    breakingDown(
      [...creations, 'createSigningBasket', 'listSandboxCustomers', 'listAccounts'],
      (request) => request.certificate === undefined && /^MII[\w+/]+=*$/.test(request.header('tpp-signature-certificate') ?? ''),
    ))),
  ...rows(
    ['ERR-06/odd-duplicates', 'breaks down at an allowLogicalDuplicate that is neither true nor false',
      breakingDown(creations, isGiven('allowLogicalDuplicate', isNoBoolean))],
    ['ERR-06/odd-listing', 'breaks down at a withAccounts that is neither true nor false',
      breakingDown(['listSandboxCustomers'], isGiven('withAccounts', isNoBoolean))],
    ['ERR-06/unknown-product', 'breaks down at a payment product that it does not know',
      breakingDown(['other'], ({ params }) => params['product'] !== undefined)],
  ),
  ...shortColumns.map(([header, name]) =>
    deviation(`ERR-06/long-${header}`, `breaks down at ${name} of more than 255 characters`,
      breakingDown(creations, (request) => (request.header(header) ?? '').length > 255))),
  deviation('ERR-06/no-content-type', 'breaks down at a payment without Content-Type', breakingDown(creations, not(inHeader('content-type')))),
  deviation('ERR-06/odd-address', 'breaks down at a PSU-IP-Address that is no address',
    breakingDown(creations, (request) => !/[.:]/.test(request.header('psu-ip-address') ?? '.'))),
  ...oddHeaders.map(([header, name, isRight]) =>
    deviation(`ERR-06/odd-${header}`, `breaks down at ${name} that makes no sense`,
      breakingDown([...creations, 'listAccounts'], (request) => {
        const value = request.header(header);
        return value !== undefined && !isRight(value);
      }))),
  ...rows(
    ['ERR-06/odd-psu-id-at-accounts', 'breaks down at a PSU-ID that is no UUID (accounts)',
      breakingDown(['listAccounts'], (request) => !isUuid(request.header('psu-id') ?? randomUUID()))],
    ['ERR-06/twice-in-a-basket', 'breaks down at a payment that is in a basket twice',
      breakingDown(['createSigningBasket'], ({ body }) => {
        const ids = [memberAt(body, 'paymentIds')].flat();
        return new Set(ids).size < ids.length;
      })],
    ['ERR-06/in-two-baskets', 'breaks down at a payment that is in another basket as well',
      breakingDown(['createSigningBasket'], ({ body }, { baskets }) => {
        const ids = [memberAt(body, 'paymentIds')].flat();
        return [...baskets.values()].some(({ paymentIds }) => paymentIds.some((id) => ids.includes(id)));
      })],
    ['ERR-06/deletion-of-approved', 'breaks down when a payment is deleted that the PSU has approved',
      breakingDown(['deletePayment'], (request, { payments }) => {
        const payment = payments.get(idOf(request));
        return payment !== undefined && isApproved(payment) && payment.standsStill !== true;
      })],
  ),
  ...([
    ['unknown-basket', 'a basket that is not there', 'basketUnknown'],
    ['unknown-transaction', 'a transaction that is not there', 'transactionUnknown'],
    ['duplicate', 'a payment that is another’s duplicate and is to be none', 'duplicate'],
  ] as const).map(([way, what, kind]) =>
    deviation(`ERR-06/${way}`, `breaks down at ${what}`, withRefusalKind(kind, { status: 500, code: 'SYSTEM_ERROR' }))),
  ...([
    ['status', 'readPaymentStatus', 'the status is asked for of a payment that is not there'],
    ['details', 'readPayment', 'the details are asked for of a payment that is not there'],
    ['deletion', 'deletePayment', 'a payment is deleted that is not there'],
  ] as const).map(([place, operation, when]) =>
    deviation(`ERR-06/unknown-payment-at-${place}`, `breaks down when ${when}`,
      breakingDown([operation], (request, { payments }) => isUuid(idOf(request)) && payments.get(idOf(request)) === undefined))),
  ...rows(
    ['ERR-06/null-body', 'breaks down at a body that is null', breakingDown(creations, ({ bytes }) => bytes.toString('utf8').trim() === 'null')],
    ['ERR-06/deep-body', 'breaks down at a body that is nested deeper than a hundred times', breakingDown(creations, ({ body }) => depthOf(body) > 100)],
    ['ERR-06/long-id-at-basket', 'breaks down at an id of more than 255 characters (basket)',
      breakingDown(['createSigningBasket'], ({ body }) => [memberAt(body, 'paymentIds')].flat().some((id) => String(id).length > 255))],
  ),
  ...ofTransactions.map(([way, title, isMeant]) => deviation(`ERR-06/${way}`, `breaks down at ${title}`, breakingDown(['readTransactions'], isMeant))),
  ...([['payment', 'readPaymentStatus'], ['account', 'readBalances']] as const).flatMap(([place, operation]) =>
    [
      deviation(`ERR-06/long-id-at-${place}`, `breaks down at an id of more than 255 characters (${place})`,
        breakingDown([operation], (request) => idOf(request).length > 255)),
      deviation(`ERR-06/odd-id-at-${place}`, `breaks down at an id with other letters than those of ASCII (${place})`,
        breakingDown([operation], (request) => /[^\p{ASCII}]/u.test(idOf(request)))),
    ]),
];
