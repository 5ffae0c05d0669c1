import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { bookingDayOf, idOf, shownIn } from './transaction-lists.ts';

interface Change {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** With its currency, whichever way the bank writes the number. */
function amountOf(transaction: unknown): string | undefined {
  const amount = member(transaction, 'transactionAmount');
  const value = member(amount, 'amount');
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  return value === '' || Number.isNaN(number) ? undefined : `${number} ${String(member(amount, 'currency'))}`;
}

/** Transactions by their ids; without those that share one, or have none. */
function byId(transactions: readonly unknown[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const shared = new Set<string>();
  for (const transaction of transactions) {
    const id = idOf(transaction);
    if (id === undefined || id === '') continue;
    if (found.has(id)) shared.add(id);
    found.set(id, transaction);
  }
  for (const id of shared) found.delete(id);
  return found;
}

const changeOf = (
  pairs: readonly (readonly [id: string, before: unknown, after: unknown])[],
  shownOf: (transaction: unknown) => string | undefined,
): { readonly changes: readonly Change[]; readonly compared: number } => {
  const told = pairs.flatMap(([id, ...both]) => {
    const [before, after] = both.map(shownOf);
    return before === undefined || after === undefined ? [] : [{ id, before, after }];
  });
  return { changes: told.filter(({ before, after }) => before !== after), compared: told.length };
};

/** What a listing says otherwise of a booked transaction than another one at the same address. */
export function changedSince(first: Answer, later: Answer): Change | undefined {
  const before = byId(shownIn(first));
  const pairs = [...byId(shownIn(later))].flatMap(([id, after]) =>
    before.has(id) ? [[id, before.get(id), after] as const] : [],
  );
  const [amount] = changeOf(pairs, amountOf).changes;
  if (amount !== undefined) return amount;
  const days = changeOf(pairs, bookingDayOf);
  // A sandbox may date all of its transactions from today, and midnight may have come.
  return days.changes.length < days.compared ? days.changes[0] : undefined;
}
