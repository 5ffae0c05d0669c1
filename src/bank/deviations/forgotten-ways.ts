import { everyProduct, fieldRequirement, type Product, products } from '../../spec/products.ts';
import type { BankRequest } from '../design/route.ts';
import { type Deviation, demandedBy, deviation, inBody, inOneContext, overlooking } from './deviation.ts';
import { isLarge } from './payment-bodies.ts';

/** A kind of payments that has a way of its own through the bank, on which a rule is forgotten. */
interface Way {
  readonly name: string;
  /** The end of a sentence. */
  readonly title: string;
  readonly product: Product;
  readonly isTaken: (request: BankRequest) => boolean;
  readonly forgotten: readonly string[];
}

const ways: readonly Way[] = [
  {
    name: 'next-to-a-single-reference',
    title: 'next to the single form of a reference',
    product: products.domestic,
    isTaken: inBody('remittanceInformationStructured'),
    forgotten: [fieldRequirement(products.domestic, 'creditorName', 'maxLength'), 'AMT-02', 'DIG-03'],
  },
  ...everyProduct.map(
    (product): Way => ({
      name: `with-several-fixes-at-${product.word}`,
      title: `where x-accept-fix has several values (${product.word})`,
      product,
      isTaken: (request) => request.header('x-accept-fix')?.includes(',') === true,
      forgotten: [fieldRequirement(product, 'creditorName', 'maxLength'), 'AMT-02', 'SIG-02', 'DIG-03'],
    }),
  ),
  {
    name: 'of-what-is-reported',
    title: 'in a transfer that has to be reported',
    product: products.crossBorder,
    isTaken: isLarge,
    forgotten: [fieldRequirement(products.crossBorder, 'requestedExecutionDate', 'format'), 'DIG-03'],
  },
];

/** Each is tried in some contexts of a run, and in others with the next seed. */
export const forgottenWayDeviations: readonly Deviation[] = inOneContext(
  ...ways.flatMap(({ name, title, product, isTaken, forgotten }) =>
    forgotten.map((requirement) =>
      deviation(
        `${requirement}/overlooked-${name}`,
        `forgets the rule ${title}`,
        overlooking(
          demandedBy(requirement),
          (request) => request.operation === product.creation && isTaken(request),
        ),
      ),
    ),
  ),
);
