import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/serials.json' with { type: 'json' };
import { isUpperCaseHex, sameSerialNumber, serialNumberOf } from './serial-number.ts';

it.each(vectors)('is what OpenSSL prints: $name', ({ certificatePem, serialNumber }) => {
  expect(serialNumberOf(new X509Certificate(certificatePem))).toBe(serialNumber);
});

describe('sameSerialNumber', () => {
  it.each([
    ['A1B', '0A1B'],
    ['A1B', '000A1B'],
    ['00A1B2C3', 'A1B2C3'],
    ['0', '00'],
  ])('takes %s for %s', (a, b) => {
    expect(sameSerialNumber(a, b)).toBe(true);
    expect(sameSerialNumber(b, a)).toBe(true);
  });

  it.each([
    ['a1b', 'A1B'],
    ['a1b', 'a1b'],
    ['A1B', 'A1B0'],
    ['A1B', '0xA1B'],
    ['A1B', 'A1:B'],
    ['', ''],
    ['A1B', ' A1B'],
    ['2587', 'A1B'],
  ])('does not take "%s" for "%s"', (a, b) => {
    expect(sameSerialNumber(a, b)).toBe(false);
  });
});

it('knows upper-case hexadecimal', () => {
  expect(isUpperCaseHex('0A1B')).toBe(true);
  for (const text of ['', 'a1b', 'A1G', 'A1B\n', '0xA1']) expect(isUpperCaseHex(text)).toBe(false);
});
