import { expect, test } from 'vitest';
import { type Payment, PaymentStore } from './payment-store.ts';

const payment = (paymentId: string, changes: Partial<Payment> = {}): Payment => ({
  paymentId,
  service: 'payments',
  product: 'norwegian-domestic-credit-transfers',
  body: {},
  tpp: 'a TPP',
  customerId: undefined,
  corporateId: undefined,
  createdAt: new Date(0),
  transactionStatus: 'RCVD',
  ...changes,
});

function filled(count: number): PaymentStore {
  const store = new PaymentStore();
  store.add(payment('standing', { standsStill: true }), 'standing');
  for (let number = 0; number < count; number += 1) store.add(payment(`p${number}`), `p${number}`);
  return store;
}

test('payments that nobody asks for are forgotten when there are too many', () => {
  const store = filled(10_001);
  expect(store.get('p0')).toBeUndefined();
  expect(store.get('p10000')).toBeDefined();
  expect(store.size).toBe(10_001);
});

test('payments that the bank was started with stay, however many come after them', () => {
  const store = filled(10_001);
  expect(store.get('standing')).toBeDefined();
  expect(store.values()).toContainEqual(payment('standing', { standsStill: true }));
  store.update(payment('standing', { standsStill: true, transactionStatus: 'CANC' }));
  expect(store.get('standing')?.transactionStatus).toBe('CANC');
});

test('payments with large bodies take no more room than there is', () => {
  const store = new PaymentStore();
  const megabyte = 1024 * 1024;
  for (let number = 0; number < 100; number += 1) {
    store.add(payment(`p${number}`, { bodyBytes: megabyte }), `p${number}`);
    store.get('p0');
  }
  expect(store.size).toBe(64);
  expect(store.get('p0')).toBeDefined();
  expect(store.get('p99')).toBeDefined();
});

test('what is alike is found until it is cancelled', () => {
  const store = new PaymentStore();
  store.add(payment('one'), 'likeness');
  expect(store.alike('likeness')?.paymentId).toBe('one');
  store.update(payment('one', { transactionStatus: 'CANC' }));
  expect(store.alike('likeness')).toBeUndefined();
});
