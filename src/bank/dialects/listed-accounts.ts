import { isObject } from '../../spec/json.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';

/** Changes what is listed, in whatever shape another dialect has it listed already. */
export const withAccounts = (change: (accounts: readonly unknown[]) => readonly unknown[]): DesignChange =>
  withAnswers(['listAccounts'], (answer) =>
    answer.status < 300 ? { ...answer, body: withAccountsIn(answer.body, change) } : answer,
  );

function withAccountsIn(
  body: unknown,
  change: (accounts: readonly unknown[]) => readonly unknown[],
): unknown {
  if (Array.isArray(body)) return change(body);
  if (!isObject(body)) return body;
  if (isObject(body.data) && Array.isArray(body.data.kontoer))
    return { ...body, data: { ...body.data, kontoer: change(body.data.kontoer) } };
  return Array.isArray(body.accounts) ? { ...body, accounts: change(body.accounts) } : body;
}

/** Changes every account that is listed. */
export const eachAccount = (change: (account: Readonly<Record<string, unknown>>) => unknown): DesignChange =>
  withAccounts((accounts) => accounts.map((account) => (isObject(account) ? change(account) : account)));
