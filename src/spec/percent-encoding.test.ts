import { expect, it } from 'vitest';
import { percentDecoded } from './percent-encoding.ts';

it('is taken off a text, and told apart from what only looks like it', () => {
  expect(percentDecoded('a%2Fb%C3%B8')).toBe('a/bø');
  expect(percentDecoded('plain')).toBe('plain');
  for (const broken of ['50%', '%zz', '%C3%28']) expect(percentDecoded(broken)).toBeUndefined();
});
