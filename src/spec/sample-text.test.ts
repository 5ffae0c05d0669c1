import { describe, expect, it } from 'vitest';
import { textOfLength } from './sample-text.ts';

const length = (text: string): number => [...text].length;

describe('a text of exactly so many characters', () => {
  it.each([1, 2, 7, 35, 36, 70, 71, 140, 141, 512])('%i', (wanted) => {
    for (const alphabet of ['ascii', 'norwegian'] as const) {
      const text = textOfLength(wanted, alphabet);
      expect(length(text)).toBe(wanted);
      expect(text).toBe(text.trim());
    }
  });

  it('is ASCII, or has letters of more than one byte', () => {
    expect(Buffer.byteLength(textOfLength(70, 'ascii'))).toBe(70);
    expect(Buffer.byteLength(textOfLength(70, 'norwegian'))).toBeGreaterThan(70);
  });
});
