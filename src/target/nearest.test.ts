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
  ])('does not guess at %s', (word, candidates) => {
    expect(nearest(word, candidates)).toBeUndefined();
  });
});
