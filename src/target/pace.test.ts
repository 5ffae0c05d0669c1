import { describe, expect, it } from 'vitest';
import { isLoopback, paceOf } from './pace.ts';

describe('the pace of a target', () => {
  it('spares a bank elsewhere by default', () => {
    expect(paceOf('https://sandbox.example/psd2').requestsPerSecond).toBe(50);
  });

  it.each([
    'https://localhost:8443',
    'https://127.0.0.1',
    'https://[::1]:8443/psd2',
    'https://bank.localhost',
  ])('has no limit for a bank on this machine: %s', (baseUrl) => {
    expect(paceOf(baseUrl)).toEqual({ concurrency: 16, timeoutMs: 10_000, retries: 5, outageSeconds: 60 });
  });

  it('is what the target file says, wherever the bank is', () => {
    expect(paceOf('https://localhost', { requestsPerSecond: 5 }).requestsPerSecond).toBe(5);
    expect(paceOf('https://sandbox.example', { requestsPerSecond: 0 }).requestsPerSecond).toBeUndefined();
  });

  it('is not fooled by names that only look like this machine', () => {
    expect(isLoopback('https://localhost.example')).toBe(false);
    expect(isLoopback('https://127.0.0.1.example')).toBe(false);
  });
});
