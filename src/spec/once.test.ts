import { describe, expect, it } from 'vitest';
import { once, onceDone } from './once.ts';

describe('what is made once', () => {
  it('is made at the first call, and handed out ever after', () => {
    let made = 0;
    const value = once(() => {
      made += 1;
      return undefined;
    });
    expect(made).toBe(0);
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(made).toBe(1);
  });

  it('is made anew when it failed', async () => {
    let tried = 0;
    const value = onceDone(async () => {
      tried += 1;
      if (tried === 1) throw new Error('Trouble on the way.');
      return tried;
    });
    await expect(value()).rejects.toThrow('Trouble on the way.');
    expect([await value(), await value()]).toEqual([2, 2]);
  });
});
