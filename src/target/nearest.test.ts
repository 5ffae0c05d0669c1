import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it.each([
    ['enviroment', ['environment', 'payments'], 'environment'],
    ['baseURL', ['baseUrl', 'name'], 'baseUrl'],
    ['tsl', ['psu', 'tls'], 'tls'],
    ['AMT-2', ['AMT-01', 'AMT-02'], 'AMT-02'],
    ['id', ['id', 'iban'], 'id'],
  ])('takes %s for the one that was meant', (word, candidates, meant) => {
    expect(nearest(word, candidates)).toBe(meant);
  });

  it.each([
    ['colour', ['environment', 'payments']],
    ['x', ['tls', 'psu']],
    ['anything', []],
    ['x'.repeat(3_000_000), Array.from({ length: 1_000 }, (_, index) => `AMT-${index}`)],
  ])('does not guess at %.20s', (word, candidates) => {
    expect(nearest(word, candidates)).toBeUndefined();
  });
});
