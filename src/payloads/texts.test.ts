import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { texts } from './texts.ts';

const length = (text: string): number => [...text].length;

describe('texts of payments', () => {
  it.each([1, 2, 35, 70, 140])('hold one to %i characters', (most) => {
    fc.assert(
      fc.property(texts(most), (text) => {
        expect(length(text)).toBeGreaterThanOrEqual(1);
        expect(length(text)).toBeLessThanOrEqual(most);
      }),
      { seed: 1 },
    );
  });

  it('have nothing that a bank may trim, fold or fail to carry, shrunk ones included', () => {
    const form = /^[A-Za-zæøåÆØÅ](?:[A-Za-z0-9æøåÆØÅ .,'()/-]*[A-Za-zæøåÆØÅ])?$/;
    fc.assert(
      fc.property(texts(140), (text) => {
        expect(text).toMatch(form);
        expect(text).not.toContain('  ');
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('have Norwegian letters now and then', () => {
    const drawn = fc.sample(texts(70), { seed: 1, numRuns: 50 });
    expect(drawn.filter((text) => /[æøåÆØÅ]/.test(text)).length).toBeGreaterThan(10);
  });
});
