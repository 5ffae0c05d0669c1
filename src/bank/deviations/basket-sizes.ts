import { memberAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import { type DesignChange, withLimits } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { withoutScaLinks } from '../dialects/success-bodies.ts';
import { paymentsIn } from '../rules/basket-rules.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Deviation, deviation, overlooks, refuses, rows } from './deviation.ts';

export const basket = ['createSigningBasket'] as const;

const holding = (basketPayments: number): DesignChange => withLimits({ basketPayments });

export const containing =
  (matchesId: (payments: readonly Payment[]) => boolean) =>
  (request: BankRequest, state: BankState): boolean =>
    matchesId(paymentsIn(request, state));

export const sentIds = ({ body }: BankRequest): readonly unknown[] => [memberAt(body, 'paymentIds')].flat();

export const isOfACompany = (request: BankRequest): boolean =>
  request.header('psu-corporate-id') !== undefined;

export const isCrossBorder = ({ product }: Payment): boolean => product === products.crossBorder.path;

/** How many payments a basket holds. */
// biome-ignore format: a table
export const basketSizes: readonly Deviation[] = [
  refuses('BSK-11/several-only', 'has no basket for a single payment', basket, containing((payments) => payments.length === 1)),
  refuses('BSK-11/not-two', 'holds one payment in a basket, or three and more', basket, containing((payments) => payments.length === 2)),
  refuses('BSK-11/not-three', 'holds two payments in a basket, or four and more', basket, containing((payments) => payments.length === 3)),
  { ...deviation('BSK-14/never-limited', 'takes baskets up to the limit of today where the former one is agreed', holding(100)), under: { basketLimit: '10' } },
  ...rows(
    ['BSK-11/one-only', 'holds one payment in a basket', holding(1)],
    ['BSK-11/nine', 'holds nine payments in a basket', holding(9)],
    ['BSK-12/ten', 'holds ten payments in a basket, as the field description still says', holding(10)],
  ),
  ...(['companies', 'people'] as const).map((whose) =>
    refuses(`BSK-12/ten-of-${whose}`, `holds ten payments in a basket, but only of ${whose}`,
      basket, (request) => isOfACompany(request) === (whose === 'companies') && sentIds(request).length > 10)),
  refuses('BSK-12/ten-abroad', 'holds ten payments in a basket, but only of cross-border ones',
    basket, containing((payments) => payments.length > 10 && payments.every(isCrossBorder))),
  overlooks('BSK-14/companies-without-end', 'sets no limit to the baskets of companies', isOfACompany),
  refuses('BSK-13/fifty-of-companies', 'holds 50 payments in a basket of a company', basket, (request) => isOfACompany(request) && sentIds(request).length > 50),
  refuses('BSK-13/some-of-companies', 'holds 32 payments in a basket of a company', basket, (request) => isOfACompany(request) && sentIds(request).length > 32),
  refuses('BSK-13/some-abroad', 'holds 20 cross-border payments in a basket',
    basket, containing((payments) => payments.length > 20 && payments.every(isCrossBorder))),
  overlooks('BSK-14/without-end-abroad', 'sets no limit to baskets of cross-border payments', containing((payments) => payments.every(isCrossBorder))),
  ...rows(
    ['BSK-13/one-fewer', 'holds 99 payments in a basket', holding(99)],
    ['BSK-13/fifty', 'holds 50 payments in a basket', holding(50)],
    ['BSK-14/one-more', 'holds 101 payments in a basket', holding(101)],
    ['BSK-12/ten-without-links', 'holds ten payments in a basket, and sends no link with any', withoutScaLinks, holding(10)],
    ['BSK-13/one-fewer-without-links', 'holds 99 payments in a basket, and sends no link with any', withoutScaLinks, holding(99)],
  ),
];
