import { crossBorderPayment } from './bodies/cross-border-payment.ts';
import { domesticPayment } from './bodies/domestic-payment.ts';
import { type Body, demandsOf, type FacetName, pathText } from './field.ts';
import type { Readings } from './interpretations.ts';
import { limits } from './limits.ts';
import type { ProfileId } from './profiles.ts';

/**
 * One kind of payment that a TPP can create. Everything that treats payments alike (operations, headers, requirements,
 * subjects, checks, rules and routes of the bank, journeys) maps over these values; only what the specification says of
 * one product alone names that product.
 */
export interface PaymentProduct {
  /** The column of the header table, and how code calls the product. */
  readonly name: string;
  /** How ids and titles call it: `cross-border`, as in `PST-01-cross-border` and "a cross-border payment". */
  readonly word: string;
  /** What ids of checks end with where every product has a check: `AMT-02` and `AMT-02-cross-border`. */
  readonly suffix: string;
  /** `Norwegian domestic credit transfer` */
  readonly title: string;
  /** `{payment-product}` of the paths: `/v1/payments/{payment-product}`. */
  readonly path: string;
  /** Declared by whoever offers it. */
  readonly profile: ProfileId;
  /** The operation that creates it. */
  readonly creation: string;
  /** The name of its request body among all bodies, and the table of that body. */
  readonly body: string;
  readonly table: Body;
  /** What the ids of its header requirements begin with; their numbers are those of the rows. */
  readonly headerPrefix: string;
  /** Requirements that each product has in its own words. Those on single fields stand in its body table. */
  readonly requirements: {
    readonly created: string;
    readonly duplicateAllowed: string;
    readonly withoutDuplicate: string;
    /** Accepted whatever optional fields it has. */
    readonly anyOptionalFields: string;
  };
  /** NOK amounts below it are unusual for the product, in øre. */
  readonly meantFromOere: number;
}

export const products = {
  domestic: {
    name: 'domestic',
    word: 'domestic',
    suffix: '',
    title: 'Norwegian domestic credit transfer',
    path: 'norwegian-domestic-credit-transfers',
    profile: 'domestic-payments',
    creation: 'createDomesticPayment',
    body: 'domesticPayment',
    table: domesticPayment,
    headerPrefix: 'HDN',
    requirements: {
      created: 'PAY-01',
      duplicateAllowed: 'PAY-02',
      withoutDuplicate: 'PAY-05',
      anyOptionalFields: 'NDC-69',
    },
    meantFromOere: 0,
  },
  crossBorder: {
    name: 'crossBorder',
    word: 'cross-border',
    suffix: '-cross-border',
    title: 'Norwegian cross-border credit transfer',
    path: 'norwegian-cross-border-credit-transfers',
    profile: 'cross-border-payments',
    creation: 'createCrossBorderPayment',
    body: 'crossBorderPayment',
    table: crossBorderPayment,
    headerPrefix: 'HDC',
    requirements: {
      created: 'PAY-03',
      duplicateAllowed: 'PAY-04',
      withoutDuplicate: 'PAY-06',
      anyOptionalFields: 'NCB-69',
    },
    // What the service does: meant for transfers of NOK 100 000 or more.
    meantFromOere: limits.regulatoryReportingFromOere,
  },
} as const satisfies Readonly<Record<string, PaymentProduct>>;

export type ProductName = keyof typeof products;
export type Product = (typeof products)[ProductName];
export type ProductPath = Product['path'];
export type CreationName = Product['creation'];

/** In the specification's order. */
export const everyProduct: readonly Product[] = Object.values(products);
export const creations: readonly CreationName[] = everyProduct.map(({ creation }) => creation);

/** The operations that a PSU has to approve. */
export const initiations: readonly (CreationName | 'createSigningBasket')[] = [
  ...creations,
  'createSigningBasket',
];

/** A table with an entry for each product: `byProduct('word', ({ creation }) => creation)`. */
export const byProduct = <Key extends 'name' | 'word' | 'creation' | 'body', Value>(
  key: Key,
  value: (product: Product) => Value,
): Readonly<Record<Product[Key], Value>> =>
  Object.fromEntries(everyProduct.map((product) => [product[key], value(product)])) as Record<
    Product[Key],
    Value
  >;

/** Where any product would do, and where a target file names none. */
export const defaultProduct: Product = products.domestic;

/** The product that an operation creates. */
export const createdBy = (operation: string): Product | undefined =>
  everyProduct.find(({ creation }) => creation === operation);

/** The requirement on a facet of a field of its body: `instructedAmount.amount`, `format` is NDC-05 for domestic payments. */
export function fieldRequirement({ table }: Product, path: string, facet: FacetName): string {
  const demand = demandsOf(table).find((each) => pathText(each.path) === path && each.facet === facet);
  if (demand === undefined) throw new Error(`The ${table.name} says nothing of ${path} (${facet}).`);
  return demand.id;
}

export const isCreation = (operation: string): operation is CreationName =>
  createdBy(operation) !== undefined;

/** Whether payments of a product hold no letter outside ASCII under a reading. */
export const staysInAscii = (letters: Readings['letters'], product: ProductName): boolean =>
  letters === 'ascii-only' || (letters === 'ascii-abroad' && product !== 'domestic');
