import { describe, expect, it } from 'vitest';
import { decodeWord, EncodedWordError, encodeWord, isEncodedWord, needsEncoding } from './encoded-word.ts';

const text = 'keyId="SN=1,CA=O=Ås & Sør_Trøndelag?=",x="y"';

describe('encodeWord', () => {
  it('writes utf-8 and base64 by default', () => {
    expect(encodeWord('Ås')).toBe('=?utf-8?B?w4Vz?=');
  });

  it('writes the other charset and encoding', () => {
    expect(encodeWord('Ås', 'iso-8859-1')).toBe('=?iso-8859-1?B?xXM=?=');
    expect(encodeWord('Ås a_b?', 'utf-8', 'Q')).toBe('=?utf-8?Q?=C3=85s_a=5Fb=3F?=');
  });

  it('writes one long word, never folded', () => {
    expect(encodeWord('å'.repeat(1000))).toMatch(/^=\?utf-8\?B\?[A-Za-z0-9+/]+=*\?=$/);
  });

  it('refuses what ISO-8859-1 does not have', () => {
    expect(() => encodeWord('銀行', 'iso-8859-1')).toThrow(EncodedWordError);
  });
});

describe('decodeWord', () => {
  it.each([
    ['utf-8', 'B'],
    ['utf-8', 'Q'],
    ['iso-8859-1', 'B'],
    ['iso-8859-1', 'Q'],
  ] as const)('reads back %s in %s', (charset, encoding) => {
    expect(decodeWord(encodeWord(text, charset, encoding))).toBe(text);
  });

  it('takes charset and encoding in any case', () => {
    expect(decodeWord('=?UTF-8?b?w4Vz?=')).toBe('Ås');
    expect(decodeWord('=?ISO-8859-1?q?=c5s_x?=')).toBe('Ås x');
    expect(decodeWord('=?US-ASCII?Q?abc?=')).toBe('abc');
  });

  it('joins a value that was folded into several words', () => {
    expect(decodeWord('=?utf-8?B?w4Vz?= =?utf-8?Q?_bank?=')).toBe('Ås bank');
  });

  it.each(['', 'keyId="x"', '=?', '=?=', 'a =?utf-8?B?w4Vz?='])('leaves "%s" as it is', (value) => {
    expect(isEncodedWord(value)).toBe(false);
    expect(decodeWord(value)).toBe(value);
  });

  it.each([
    ['another encoding', '=?utf-8?X?abc?='],
    ['another charset', '=?koi8-r?B?w4Vz?='],
    ['text that is not base64', '=?utf-8?B?w4V?='],
    ['bytes that are not UTF-8', '=?utf-8?B?xXM=?='],
    ['bytes that are not ASCII', '=?us-ascii?Q?=C5s?='],
    ['a broken escape', '=?utf-8?Q?=C?='],
    ['a missing field', '=?utf-8?w4Vz?='],
  ])('refuses %s', (_, word) => {
    expect(isEncodedWord(word)).toBe(true);
    expect(() => decodeWord(word)).toThrow(EncodedWordError);
  });
});

it('needs encoding as soon as a character is outside ASCII', () => {
  expect(needsEncoding('CN=Test CA')).toBe(false);
  expect(needsEncoding('CN=Ås')).toBe(true);
  expect(needsEncoding('😀')).toBe(true);
});
