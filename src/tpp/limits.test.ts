import { describe, expect, it } from 'vitest';
import { beginningOf, cutText } from './limits.ts';
import { Redactor } from './redaction.ts';

const nationalId = '01819010001';
const psuId = '7c1f7b0e-8a53-4b7e-9d6d-0d8f3c3f1a11';

describe('a text that is cut before anything in it is hidden', () => {
  const redactor = new Redactor({ psu: { id: psuId, nationalId }, customHeaders: {} });
  it.each([
    ['a number', `unknown PSU ${nationalId} of yours`, 4],
    ['a number in groups', 'unknown PSU 018190 10001 of yours', 4],
    ['a number in JSON', `{"psu":"${nationalId}","text":"unknown"}`, 4],
    ['a number in escapes', `psu ${[...nationalId].map((digit) => `\\u003${digit}`).join('')} of yours`, 12],
    ['a number in a long address', `https://bank.example/${'segment/'.repeat(80)}${nationalId}/end`, 4],
    ['an id', `PSU-ID "${psuId}" is unknown`, 9],
  ])('shows no part of %s, wherever it is cut', (_, text, telling) => {
    const start = text.search(/01|\\u|7c/);
    for (let most = start + telling; most < text.length; most += 1)
      expect(redactor.text(beginningOf(text, most))).not.toContain(text.slice(start, start + telling));
  });

  it('keeps whole words, and long texts without any', () => {
    expect(beginningOf('two words', 9)).toBe('two words');
    expect(beginningOf('two words', 6)).toBe('two');
    expect(beginningOf('a'.repeat(2000), 1000)).toBe('a'.repeat(1000));
  });

  it('says how much of it is shown', () => {
    expect(cutText('two words', 6)).toBe('two… [cut: 3 of 9 characters are shown]');
  });
});
