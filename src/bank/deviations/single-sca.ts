import { headerRequirement } from '../../spec/headers.ts';
import { everyProduct, fieldRequirement, type Product, products } from '../../spec/products.ts';
import { allOf, type DesignChange, serves } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Deviation, deviation, of, overlooking } from './deviation.ts';
import { trustsPsuWhen } from './dropped-rules.ts';

/** The PSU is named by X-PSU-IDENTITY in place of PSU-ID. */
export const isNamedByIdentity = (request: BankRequest): boolean =>
  request.header('psu-id') === undefined && request.header('x-psu-identity') !== undefined;

const overlooked = (requirement: string, { creation }: Product): DesignChange =>
  overlooking(
    (rule) => serves(rule, requirement) && rule.ownChoice !== true,
    (request) => request.operation === creation && isNamedByIdentity(request),
  );

const requirementsOf = (product: Product): readonly (readonly [requirement: string, title: string])[] => [
  ...['x-accept-fix', 'X-Request-ID', 'TPP-Redirect-URI', 'Digest', 'PSU-IP-Address'].map(
    (header) => [headerRequirement(product.name, header), `does not demand ${header}`] as const,
  ),
  ['SIG-02', 'does not verify signatures'],
  ['DIG-03', 'does not compare the Digest with the body'],
  ['CLK-03', 'takes any Date of the past'],
  ['CRT-01', 'trusts every authority'],
  ['CRT-02', 'takes expired certificates'],
  ['CRT-04', 'demands no role'],
  [fieldRequirement(product, 'creditorName', 'required'), 'does not demand creditorName'],
  [fieldRequirement(product, 'creditorName', 'maxLength'), 'takes a creditorName of any length'],
  [fieldRequirement(product, 'instructedAmount.currency', 'values'), 'takes unknown currencies'],
  ['AMT-02', 'takes amounts with too many fraction digits'],
  ...(product === products.crossBorder
    ? ([
        ['REG-01', 'does not demand regulatoryReportingCode'],
        ['REG-02', 'does not demand regulatoryReportingInformation'],
        ['NCB-64', 'does not demand creditorAgent next to a BBAN'],
      ] as const)
    : ([
        ['NDC-61', 'takes a debtorAccount without any number'],
        ['NDC-63', 'takes a text next to references'],
      ] as const)),
];

const basketPsuId = headerRequirement('basket', 'PSU-ID');

/** Rules that are forgotten on the way of single-SCA initiation, where the PSU has no PSU-ID yet. */
export const singleScaDeviations: readonly Deviation[] = [
  deviation(
    `${basketPsuId}/by-identity`,
    'takes X-PSU-IDENTITY in place of PSU-ID for baskets as well',
    overlooking(of(basketPsuId), isNamedByIdentity),
  ),
  ...everyProduct.flatMap((product) => [
    ...requirementsOf(product).map(([requirement, title]) =>
      deviation(
        `${requirement}/overlooked-when-named-at-${product.word}`,
        `${title} of a PSU who is named by X-PSU-IDENTITY (${product.word})`,
        overlooked(requirement, product),
      ),
    ),
    deviation(
      `${headerRequirement(product.name, 'TPP-Session-ID')}/overlooked-when-named-at-${product.word}`,
      `does not demand TPP-Session-ID of a PSU who is named by X-PSU-IDENTITY (${product.word})`,
      allOf(
        overlooked(headerRequirement(product.name, 'TPP-Session-ID'), product),
        trustsPsuWhen(
          (request) => isNamedByIdentity(request) && request.header('tpp-session-id') === undefined,
        ),
      ),
    ),
  ]),
];
