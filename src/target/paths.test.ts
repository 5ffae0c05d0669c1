import { describe, expect, it } from 'vitest';
import { type OperationName, operations } from '../spec/operations.ts';
import { defaultPaths, operationPath } from './paths.ts';

const names = Object.keys(operations) as OperationName[];

describe('the path of an operation', () => {
  it.each(names)('%s is the one of the specification by default', (name) => {
    expect(operationPath(defaultPaths, name)).toBe(operations[name].path);
  });

  it('moves with its group, and no other does', () => {
    const paths = { ...defaultPaths, signingBaskets: '/v2/baskets', accounts: '/v2/accounts' };
    const moved = names.filter((name) => operationPath(paths, name) !== operations[name].path);
    expect(moved).toEqual(
      names.filter((name) => /^\/v1\/(signing-baskets|accounts)(\/|$)/.test(operations[name].path)),
    );
    expect(operationPath(paths, 'readSigningBasketStatus')).toBe('/v2/baskets/{basketId}/status');
  });

  it('of a product is among those of all payments, unless it has one of its own', () => {
    const paths = { ...defaultPaths, payments: '/v2/payments', crossBorderPayments: '/v1/payments/abroad' };
    expect(operationPath(paths, 'createCrossBorderPayment')).toBe('/v1/payments/abroad');
    expect(operationPath(paths, 'createDomesticPayment')).toBe(
      operations.createDomesticPayment.path.replace('v1', 'v2'),
    );
  });

  it('can be moved for every operation', () => {
    const paths = Object.fromEntries(Object.keys(defaultPaths).map((name) => [name, '/moved']));
    const stayed = names.filter(
      (name) => !operationPath({ ...defaultPaths, ...paths }, name).startsWith('/moved'),
    );
    expect(stayed).toEqual([]);
  });
});
