import { describe, expect, it } from 'vitest';
import { requirements } from './catalogue.ts';
import { mendsFor } from './mends.ts';

describe('mends', () => {
  it('are there for every requirement of a bank that a check can observe', () => {
    const without = requirements
      .filter(({ side, unobservable }) => side === 'bank' && unobservable === undefined)
      .filter((requirement) => mendsFor(requirement).length === 0)
      .map(({ id, statement }) => `${id} ${statement}`);
    expect(without).toEqual([]);
  });

  it('are few enough to be read', () => {
    const crowded = requirements
      .filter((requirement) => mendsFor(requirement).length > 4)
      .map(({ id }) => id);
    expect(crowded).toEqual([]);
  });

  it('are whole sentences', () => {
    const sentences = requirements.flatMap(mendsFor).flatMap(({ cause, mend }) => [cause, mend]);
    expect(sentences.filter((sentence) => !/^[A-Zx(k].*\.$/.test(sentence))).toEqual([]);
  });
});
