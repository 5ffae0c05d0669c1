import { describe, expect, it } from 'vitest';
import { type OperationName, operations } from '../spec/operations.ts';
import { operationPath } from './operation-path.ts';
import { defaultPaths } from './target.ts';

const names = Object.keys(operations) as OperationName[];

describe('the path of an operation', () => {
  it.each(names)('%s is the one of the specification by default', (name) => {
    expect(operationPath(defaultPaths, name)).toBe(operations[name].path);
  });

  it('moves with its group, and no other does', () => {
    const paths = { ...defaultPaths, signingBaskets: '/v2/baskets', accounts: '/v2/accounts' };
    const moved = names.map((name) => operationPath(paths, name)).filter((path) => path.startsWith('/v2'));
    expect(moved).toEqual([
      '/v2/baskets',
      '/v2/baskets/{basketId}',
      '/v2/baskets/{basketId}/status',
      '/v2/baskets/{basketId}',
      '/v2/accounts',
      '/v2/accounts/{accountId}/balances',
      '/v2/accounts/{accountId}/transactions',
      '/v2/accounts/{accountId}/transactions/{transactionId}',
    ]);
  });

  it('can be moved for every operation', () => {
    const paths = Object.fromEntries(Object.keys(defaultPaths).map((name) => [name, '/moved']));
    const stayed = names.filter(
      (name) => !operationPath({ ...defaultPaths, ...paths }, name).startsWith('/moved'),
    );
    expect(stayed).toEqual([]);
  });
});
