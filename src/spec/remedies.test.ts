import { describe, expect, it } from 'vitest';
import { requirements } from './catalogue.ts';
import { remediesFor } from './remedies.ts';

describe('remedies', () => {
  it('are there for every requirement of a bank that a check can observe', () => {
    const without = requirements
      .filter(({ side, unobservable }) => side === 'bank' && unobservable === undefined)
      .filter((requirement) => remediesFor(requirement).length === 0)
      .map(({ id, statement }) => `${id} ${statement}`);
    expect(without).toEqual([]);
  });

  it('are few enough to be read', () => {
    const crowded = requirements
      .filter((requirement) => remediesFor(requirement).length > 4)
      .map(({ id }) => id);
    expect(crowded).toEqual([]);
  });

  it('are whole sentences', () => {
    const sentences = requirements.flatMap(remediesFor).flatMap(({ cause, remedy }) => [cause, remedy]);
    expect(sentences.filter((sentence) => !/^[A-Zx(k].*\.$/.test(sentence))).toEqual([]);
  });
});
