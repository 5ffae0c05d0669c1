import { describe, expect, it } from 'vitest';
import { parseBounded } from './bounded-json.ts';

const parsed = (text: string) => parseBounded(Buffer.from(text));
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('the JSON of an answer', () => {
  it.each(['{}', '[1,"a",null]', '"text"', '{"a":{"b":[{"c":1}]}}'])('is left as it is: %s', (text) => {
    expect(parsed(text)).toEqual({ value: JSON.parse(text), wasCut: false });
  });

  it.each(['', '{', 'no', '<html>'])('is none: %j', (text) => {
    expect(parsed(text)).toBeUndefined();
  });

  it('is cut where it is nested deeper than any answer', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const found = parsed(`{"paymentId":"p1","x":${open.repeat(100_000)}1${close.repeat(100_000)}}`);
      expect(found?.wasCut).toBe(true);
      expect(found?.value).toMatchObject({ paymentId: 'p1' });
      expect(depthOf(found?.value)).toBeLessThanOrEqual(64);
    }
  });

  it('is cut in texts and lists that are longer than any limit', () => {
    const found = parsed(JSON.stringify({ text: 'a'.repeat(100_000), list: Array(100_000).fill(1) }));
    expect(found?.wasCut).toBe(true);
    expect(found?.value).toEqual({ text: 'a'.repeat(16_384), list: Array(20_000).fill(1) });
  });
});
