import { defaultProduct } from '../../spec/products.ts';
import type { PaymentReference, TargetPayments } from '../target.ts';
import type { PaymentEntry, PaymentsSection } from '../target-file.ts';

export function loadPayments(given: PaymentsSection = {}): TargetPayments {
  return {
    bulk: present(given.bulk),
    periodic: present(given.periodic),
    pending: references(given.pending),
    unfunded: references(given.unfunded),
    approved: references(given.approved),
  };
}

function references(entries: readonly PaymentEntry[] | undefined): readonly PaymentReference[] {
  return present(entries).flatMap((entry) => {
    const { id, product = defaultProduct.path } = typeof entry === 'string' ? { id: entry } : entry;
    return id === undefined ? [] : [{ id, product }];
  });
}

/** An item that was wrong has left a hole. */
function present<Item>(items: readonly (Item | undefined)[] | undefined): readonly Item[] {
  return (items ?? []).filter((item) => item !== undefined);
}
