import { isObject } from '../../spec/json.ts';
import { changedRequest } from './changed-request.ts';
import { allOf, asking, type DesignChange, withAnswers, withAnswerText } from './design-changes.ts';
import { withParam } from './requests.ts';

type Body = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** Changes what is listed, in whatever shape another dialect has it listed already. */
export const withAccounts = (change: (accounts: List) => List) =>
  withAnswers(['listAccounts'], (answer) =>
    answer.status < 300 ? { ...answer, body: changedIn(answer.body, change) } : answer,
  );

function changedIn(body: unknown, change: (accounts: List) => List): unknown {
  if (Array.isArray(body)) return change(body);
  if (!isObject(body)) return body;
  if (isObject(body.data) && Array.isArray(body.data.kontoer))
    return { ...body, data: { ...body.data, kontoer: change(body.data.kontoer) } };
  return Array.isArray(body.accounts) ? { ...body, accounts: change(body.accounts) } : body;
}

export const eachAccount = (change: (account: Body) => unknown) =>
  withAccounts((accounts) => accounts.map((account) => (isObject(account) ? change(account) : account)));

export const rewritingTransactions = (rewrite: (text: string) => string) =>
  withAnswerText(['readTransactions'], rewrite);

/** Accounts go by other ids than the bank has for them: `known` finds its way back. */
export const accountIds = (known: (id: string) => string | undefined, list: DesignChange) =>
  allOf(
    asking(['readAccount', 'readBalances', 'readTransactions', 'readTransaction'], (request) => {
      const { accountId = '' } = request.params;
      return withParam(request, 'accountId', known(accountId) ?? accountId);
    }),
    list,
  );

export const renamed =
  (shown: (id: string) => string) =>
  (account: Body): Body => {
    if (typeof account.resourceId !== 'string') return account;
    const resourceId = shown(account.resourceId);
    const links = JSON.stringify(account._links ?? {}).replaceAll(
      `/accounts/${account.resourceId}`,
      `/accounts/${encodeURIComponent(resourceId)}`,
    );
    return { ...account, resourceId, ...('_links' in account ? { _links: JSON.parse(links) } : {}) };
  };

export const paging = (
  read: (query: URLSearchParams) => URLSearchParams,
  rewrite: (text: string) => string,
) =>
  allOf(
    asking(['readTransactions'], (request) =>
      changedRequest(request, { query: read(new URLSearchParams(request.query)) }),
    ),
    rewritingTransactions(rewrite),
  );
