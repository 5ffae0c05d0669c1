/**
 * The ids of accounts in a listing whose shape is not shown: `resourceId` as in the framework, or what else a bank may
 * call it.
 */
export function accountIdsIn(listing: unknown): readonly string[] {
  const accounts = Array.isArray(listing) ? listing : memberOf(listing, 'accounts');
  if (!Array.isArray(accounts)) return [];
  return accounts.flatMap((account: unknown) => {
    const id = ['resourceId', 'id', 'accountId']
      .map((name) => memberOf(account, name))
      .find((value) => typeof value === 'string' && value !== '');
    return typeof id === 'string' ? [id] : [];
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
