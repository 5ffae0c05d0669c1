import { describe, expect, it } from 'vitest';
import { optionalHeaders, requiredHeaders } from '../spec/headers.ts';
import { type OperationName, operations } from '../spec/operations.ts';
import { products } from '../spec/products.ts';
import { type Call, draftOf } from './call.ts';

const psu = {
  id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
  sessionId: 'session-1',
  ipAddress: '192.0.2.10',
  redirectUri: 'https://tpp.example/redirect',
};
const now = new Date('2026-03-02T10:00:00.999Z');
const addressing = { prefix: '', paths: {}, customHeaders: {}, host: 'bank.example' };
const draft = (call: Call, changes: Partial<Parameters<typeof draftOf>[3]> = {}) =>
  draftOf(call, psu, now, { ...addressing, ...changes });
const listAccounts: Call = { operation: 'listAccounts' };

const signed = ['Digest', 'TPP-Signature-Certificate', 'Signature'];
const specified = [
  'createDomesticPayment',
  'createCrossBorderPayment',
  'createSigningBasket',
  'listSandboxCustomers',
] as const;

describe('a correct request', () => {
  it.each(specified)('%s has every required header that signing does not add, each once', (operation) => {
    const { headers } = draft({ operation, body: {} });
    for (const name of requiredHeaders(operations[operation].headers)) {
      if (signed.includes(name)) continue;
      expect(
        headers.lines().filter(([present]) => present === name),
        name,
      ).toHaveLength(1);
    }
  });

  it.each(specified)('%s has no header that neither the specification knows nor HTTP', (operation) => {
    const profile = operations[operation].headers;
    const ofHttp = ['Date', 'Content-Type', 'User-Agent'];
    const known = [...requiredHeaders(profile), ...optionalHeaders(profile), ...ofHttp];
    for (const [name] of draft({ operation, body: {} }).headers.lines()) expect(known).toContain(name);
  });

  it('has a date in the form of RFC 7231, at the given moment', () => {
    expect(draft(listAccounts).headers.get('Date')).toBe('Mon, 02 Mar 2026 10:00:00 GMT');
  });

  it('has a path that can be written, whatever a bank calls its payments', () => {
    const params = { paymentId: 'a/\ud800..?' };
    expect(draft({ operation: 'readPayment', params }).target).toContain('/a%2F%EF%BF%BD..%3F');
  });

  it('has an X-Request-ID of its own', () => {
    const ids = [1, 2, 3].map(() => draft(listAccounts).headers.get('X-Request-ID'));
    expect(new Set(ids).size).toBe(3);
  });

  it('names the corporate agreement only where there is one', () => {
    expect(draft(listAccounts).headers.has('PSU-Corporate-ID')).toBe(false);
    const corporate = draft({ operation: 'listAccounts', psu: { ...psu, corporateId: 'agreement-1' } });
    expect(corporate.headers.get('PSU-Corporate-ID')).toBe('agreement-1');
  });

  it('carries the headers that the target wants', () => {
    const { headers } = draft(listAccounts, { customHeaders: { 'X-API-Key': 'key' } });
    expect(headers.get('x-api-key')).toBe('key');
  });

  it.each([
    ['okhttp/4.12.0', { userAgent: 'okhttp/4.12.0' }],
    ['Tester/1.0', { customHeaders: { 'user-agent': 'Tester/1.0' } }],
  ])('says who asks, once, and by the name that the target wants: %s', (name, changes) => {
    const told = draft(listAccounts, changes).headers.lines();
    expect(
      told.filter(([header]) => header.toLowerCase() === 'user-agent').map(([, value]) => value),
    ).toEqual([name]);
  });

  it.each([
    ['application/json', {}],
    ['application/json; charset=UTF-8', { 'content-type': 'application/json; charset=UTF-8' }],
  ])('says what its body is only when it has one, as the target wants: %s', (type, customHeaders) => {
    expect(draft(listAccounts, { customHeaders }).headers.has('Content-Type')).toBe(false);
    const { headers } = draft({ operation: 'createConsent', body: {} }, { customHeaders });
    expect(headers.get('Content-Type')).toBe(type);
  });
});

describe('the target of a request', () => {
  it('fills in names, percent-encoded, behind the prefix of the base address', () => {
    const call: Call = {
      operation: 'readPaymentStatus',
      params: { product: 'norwegian-domestic-credit-transfers', paymentId: 'enc!!H6fD/x==?#' },
    };
    expect(draft(call, { prefix: '/api-sandbox' }).target).toBe(
      '/api-sandbox/v1/payments/norwegian-domestic-credit-transfers/enc!!H6fD%2Fx%3D%3D%3F%23/status',
    );
  });

  it('has a query only where there is one', () => {
    expect(draft({ operation: 'listSandboxCustomers', query: {} }).target).toBe('/v1/sandbox/customers');
    expect(
      draft({ operation: 'listSandboxCustomers', query: { withAccounts: 'false', a: 'b c&d' } }).target,
    ).toBe('/v1/sandbox/customers?withAccounts=false&a=b+c%26d');
  });

  it('follows the paths of the target file', () => {
    const paths: Partial<Record<OperationName, string>> = { createSigningBasket: '/v2/baskets' };
    expect(draft({ operation: 'createSigningBasket', body: {} }, { paths }).target).toBe('/v2/baskets');
    const named = { createCrossBorderPayment: '/v1/payments/cross-border-credit-transfers' };
    const statusOf = (product: string) =>
      draft({ operation: 'readPaymentStatus', params: { product, paymentId: '1' } }, { paths: named }).target;
    expect(statusOf(products.crossBorder.path)).toBe(`${named.createCrossBorderPayment}/1/status`);
    expect(statusOf(products.domestic.path)).toBe(`/v1/payments/${products.domestic.path}/1/status`);
  });
});

describe('the body of a request', () => {
  it('is JSON in UTF-8', () => {
    const { body } = draft({ operation: 'createDomesticPayment', body: { creditorName: 'Ås' } });
    expect(body).toEqual(Buffer.from('{"creditorName":"Ås"}', 'utf8'));
  });

  it('is sent as it is when it is bytes', () => {
    const bytes = Buffer.from('{ "creditorName":\t"Ås" }\n');
    expect(draft({ operation: 'createDomesticPayment', body: bytes }).body).toEqual(bytes);
  });
});
