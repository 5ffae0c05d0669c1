import type { TwistList } from '../src/checks/case.ts';
import { aBasket, aPayment, type Subject, theAccounts, theSandboxListing } from '../src/checks/subject.ts';
import type { SpecifiedProfile } from '../src/spec/headers.ts';
import { everyProduct, type Product } from '../src/spec/products.ts';
import { suffixes } from './id-suffixes.ts';
import { aCorporateBasket } from './signing/corporate-requests.ts';

/** An operation under test: what the ids of its checks end with, and its valid requests. */
export interface NamedSubject {
  /** `-basket`, as in `SIG-01-basket`. Empty for one product, whose checks bear the plain ids. */
  readonly suffix: string;
  readonly of: Subject;
  /** Its column of the header table. */
  readonly headers: SpecifiedProfile;
  /** A query that it takes. */
  readonly query?: Readonly<Record<string, string>>;
  /**
   * Its part of what is one of many in a list that every request is asked: each is asked of every payment, and of one request
   * that reads.
   */
  readonly sharesList: NonNullable<TwistList['sharesList']>;
}

export interface PaymentSubject extends NamedSubject {
  readonly product: Product;
}

/** What holds for every request is tried in every context with payments, and in one context with all else. */
const oneOfMany = (of: Subject): Subject => ({ ...of, isAskedElsewhere: true });

const payment = (product: Product): PaymentSubject => ({
  suffix: product.suffix,
  of: aPayment(product),
  headers: product.name,
  query: { allowLogicalDuplicate: 'true' },
  sharesList: { place: 0, among: 1 },
  product,
});

/** Where any payment would do. */
export const payments: readonly PaymentSubject[] = everyProduct.map(payment);
export const basket: NamedSubject = {
  suffix: suffixes.basket,
  of: oneOfMany({ ...aBasket(), ofCompany: aCorporateBasket }),
  headers: 'basket',
  // None of them.
  sharesList: { place: 1, among: 1 },
};
export const sandbox: NamedSubject = {
  suffix: suffixes.sandbox,
  of: oneOfMany(theSandboxListing()),
  headers: 'sandbox',
  query: { withAccounts: 'true' },
  sharesList: { place: 0, among: 2 },
};

/** What a PSU has to approve. */
export const initiations: readonly NamedSubject[] = [...payments, basket];
/** The operations that the specification shows in full. */
export const everyOperation: readonly NamedSubject[] = [...initiations, sandbox];

/** With one that it only refers to: what holds for every request holds there, and some banks offer nothing else. */
export const everyRequest: readonly (Omit<NamedSubject, 'headers'> & Partial<NamedSubject>)[] = [
  ...everyOperation,
  { suffix: suffixes.accounts, of: oneOfMany(theAccounts()), sharesList: { place: 1, among: 2 } },
];
