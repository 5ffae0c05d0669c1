import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/signatures.json' with { type: 'json' };
import { MissingSignedHeaderError, requestTarget, signingString } from './signing-string.ts';

const from = (headers: Record<string, string>) => (name: string) => headers[name];

it.each(vectors)('is what OpenSSL signed: $name', (vector) => {
  const headers = new Map(vector.headers.map(([name = '', value = '']) => [name, value]));
  expect(signingString([...headers.keys()], (name) => headers.get(name))).toBe(vector.signingString);
});

describe('signingString', () => {
  it('keeps the order given, joins by one newline and ends without one', () => {
    expect(signingString(['date', 'digest'], from({ digest: 'd', date: 'now' }))).toBe(
      'date: now\ndigest: d',
    );
    expect(signingString(['digest', 'date'], from({ digest: 'd', date: 'now' }))).toBe(
      'digest: d\ndate: now',
    );
  });

  it('writes names in lower case and asks for values by them', () => {
    expect(signingString(['X-Request-ID'], from({ 'x-request-id': '1' }))).toBe('x-request-id: 1');
  });

  it('trims white space around a value and keeps that inside', () => {
    expect(signingString(['a'], from({ a: ' \t one  two\t ' }))).toBe('a: one  two');
    expect(signingString(['a'], from({ a: '\u00a0x\u00a0' }))).toBe('a: \u00a0x\u00a0');
  });

  it('keeps the colon and the space before an empty value', () => {
    expect(signingString(['a', 'b'], from({ a: '', b: '1' }))).toBe('a: \nb: 1');
  });

  it('names the header that is missing', () => {
    const attempt = () => signingString(['date', 'PSU-ID'], from({ date: 'now' }));
    expect(attempt).toThrow(MissingSignedHeaderError);
    expect(attempt).toThrow(expect.objectContaining({ header: 'psu-id' }));
  });
});

it('writes the request target with the method in lower case and the path as it is', () => {
  expect(requestTarget('POST', '/v1/Payments/a%2Fb?X=1&y')).toBe('post /v1/Payments/a%2Fb?X=1&y');
});
