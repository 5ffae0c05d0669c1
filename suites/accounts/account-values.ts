/** Members that the interface, or the framework that it builds on, calls amounts. Others are a bank's own affair. */
export const amountNames = new Set([
  'balanceAmount',
  'transactionAmount',
  'originalAmount',
  'grandTotalAmount',
  'creditLimit',
]);

/** Every text, however deep. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What tells of which account balances are, and leads there. */
const ofTheAccount = /^(?:account|_links|\w*id|\w*bban|\w*iban|\w*identification)$/i;

/** Whether a number stands anywhere, under whatever name: the shape of balances is not shown, but an account has one. */
export const hasNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).some(([name, inside]) => !ofTheAccount.test(name) && hasNumber(inside))
    : /\d/.test(String(value));

/** What the framework calls dates, however deep. */
export const dateNames = new Set([
  'bookingDate',
  'valueDate',
  'transactionDate',
  'referenceDate',
  'lastChangeDateTime',
]);
