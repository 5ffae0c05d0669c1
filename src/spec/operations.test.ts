import { describe, expect, it } from 'vitest';
import { type Operation, operations } from './operations.ts';

describe('operations', () => {
  it('live under /v1 and have a title', () => {
    const wrong = Object.entries<Operation>(operations).filter(
      ([, { path, title }]) => !/^\/v1\/[a-z/{}A-Z-]+$/.test(path) || title === '',
    );
    expect(wrong).toEqual([]);
  });

  it('are told apart by method and path', () => {
    const keys = Object.values<Operation>(operations).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('have the paths that the specification shows', () => {
    expect(operations.createDomesticPayment.path).toBe('/v1/payments/norwegian-domestic-credit-transfers');
    expect(operations.createCrossBorderPayment.path).toBe(
      '/v1/payments/norwegian-cross-border-credit-transfers',
    );
    expect(operations.readPaymentStatus.path).toBe('/v1/payments/{product}/{paymentId}/status');
    expect(operations.listSandboxCustomers.path).toBe('/v1/sandbox/customers');
  });
});
