import { describe, expect, it } from 'vitest';
import { patiently } from './patience.ts';

const run = { client: { options: { patienceMs: 1 } } };

describe('what a bank may bring about a moment later', () => {
  it('is looked at once where it is there at once', async () => {
    let looks = 0;
    const seen = await patiently(
      run,
      async () => ++looks,
      () => true,
    );
    expect([seen, looks]).toEqual([1, 1]);
  });

  it('is looked for again, and taken when it is there', async () => {
    let looks = 0;
    expect(
      await patiently(
        run,
        async () => ++looks,
        (seen) => seen === 2,
      ),
    ).toBe(2);
  });

  it('is what was seen last where it never comes', async () => {
    let looks = 0;
    const seen = await patiently(
      run,
      async () => ++looks,
      () => false,
    );
    expect(seen).toBe(looks);
  });
});
