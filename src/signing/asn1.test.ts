import { describe, expect, it } from 'vitest';
import { Asn1Error, childrenOf, contentOf, readDer, readObjectIdentifier, readText } from './asn1.ts';

const der = (hex: string) => readDer(Buffer.from(hex, 'hex'));

it('reads a sequence and its children', () => {
  expect(childrenOf(der('3006020101020102')).map((value) => contentOf(value)[0])).toEqual([1, 2]);
});

it('reads a length of several octets', () => {
  expect(contentOf(der(`048180${'00'.repeat(128)}`))).toHaveLength(128);
});

it.each([
  ...['', '30', '3003', '300201', '0500ff', '3080', '3085ffffffffff'],
  // Tags of several octets, alone and inside.
  ...['1f0100', '30031f0100', '3f1f0100'],
  // Lengths that are left open, alone, inside and behind other values.
  ...['30800000', '30800201010000', '300430800000', '3009020101300430800000', '24800401000000'],
])('refuses %s', (hex) => {
  expect(() => der(hex)).toThrow(Asn1Error);
});

it('reads object identifiers', () => {
  expect(readObjectIdentifier(der('0603550461'))).toBe('2.5.4.97');
  expect(readObjectIdentifier(der('060604008198 2702'.replace(' ', '')))).toBe('0.4.0.19495.2');
  expect(readObjectIdentifier(der('0603883703'))).toBe('2.999.3');
  expect(() => readObjectIdentifier(der('0500'))).toThrow(Asn1Error);
});

describe('readText', () => {
  it.each([
    ['UTF8String', '0c03c38573'],
    ['BMPString', '1e0400c50073'],
    ['UniversalString', '1c08000000c500000073'],
    ['TeletexString', '1402c573'],
  ])('reads %s', (_, hex) => {
    expect(readText(der(hex))).toBe('Ås');
  });

  it.each([
    ['bytes that are not UTF-8', '0c01c3'],
    ['half a character', '1e0100'],
    ['a value beyond Unicode', '1c0400110000'],
    ['a UniversalString cut short', '1c0100'],
    ['a number', '020101'],
  ])('refuses %s', (_, hex) => {
    expect(() => readText(der(hex))).toThrow(Asn1Error);
  });
});
