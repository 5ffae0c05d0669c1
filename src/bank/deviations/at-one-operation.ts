import { byProduct, everyProduct, type Product } from '../../spec/products.ts';
import { routesOf } from '../bank.ts';
import { type DesignChange, withRoutes } from '../design-changes.ts';
import type { BankOperation } from '../route.ts';
import type { Deviation } from './deviation.ts';

/** The names that ids and titles use for operations whose requests and answers the specification shows in full. */
export const shownOperations: Readonly<Record<ShownOperation, BankOperation>> = {
  ...byProduct('word', ({ creation }) => creation),
  basket: 'createSigningBasket',
  sandbox: 'listSandboxCustomers',
};

export type ShownOperation = Product['word'] | 'basket' | 'sandbox';

/** The rules of one operation, and what it does, come from the changed design; the others know nothing of it. */
const onlyAt =
  (operation: BankOperation, change: DesignChange): DesignChange =>
  (design) => {
    const changed = routesOf(change(design)).find((route) => route.operation === operation);
    return withRoutes((route) => (route.operation === operation ? (changed ?? route) : route))(design);
  };

/**
 * A deviation as it is, and at single operations: each of them has a check of its own, which no other check stands in
 * for.
 */
export const alsoAt = (places: readonly ShownOperation[], whole: Deviation): readonly Deviation[] => [
  whole,
  ...places.map((place) => ({
    ...whole,
    id: `${whole.id}-at-${place}`,
    title: `${whole.title} (${place})`,
    apply: onlyAt(shownOperations[place], whole.apply),
  })),
];

export const atPayments: readonly ShownOperation[] = everyProduct.map(({ word }) => word);
export const atCreations: readonly ShownOperation[] = [...atPayments, 'basket'];
export const atAll: readonly ShownOperation[] = [...atCreations, 'sandbox'];
