import { describe, expect, it, vi } from 'vitest';
import { proofOptionsOf, whyNothing } from './proof-options.ts';

/** What is told of arguments that cannot be read. */
function told(...args: readonly string[]): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(() => proofOptionsOf(args)).toThrow();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('the options of the proof', () => {
  it('are the whole proof where none is given', () => {
    const { threads, ...asked } = proofOptionsOf([]);
    expect(threads).toBeGreaterThan(0);
    expect(asked).toEqual({ combinations: 200, conditional: 450, seed: 20_260_101 });
  });

  it('are read', () => {
    const { only, side, combinations } = proofOptionsOf(
      '--only NDC-11/.*@ --side bank --combinations 0'.split(' '),
    );
    expect({ only, side, combinations }).toEqual({ only: /NDC-11\/.*@/, side: 'bank', combinations: 0 });
    expect(proofOptionsOf(['--faults', '--shard', '2/9']).shard).toEqual({ index: 2, count: 9 });
  });

  it.each([
    [['--sides', 'tpp'], "unknown option '--sides'"],
    [['AMT-02'], 'too many arguments'],
    [['--only', '('], 'Give a pattern of ids, such as AMT-02'],
    [['--side', 'banks'], 'Allowed choices are bank, tpp.'],
    [['--threads', 'all'], 'Give a whole number from 1'],
    [['--combinations', '-1'], 'Give a whole number from 1'],
    [['--faults', '--shard', '4/3'], 'Give it as 1/3, 2/3 and so on.'],
    [['--shard', '1/3'], '--shard takes a part of --faults. Give --only for a part of the rest.'],
  ])('are not %j, and what to give instead is told', (args, message) => {
    expect(told(...args)).toContain(message);
  });

  it('may leave nothing to prove, and why is told', () => {
    const none = 'nothing to prove has an id that --only matches.';
    expect(whyNothing({ only: /XYZ/ })).toBe(none);
    expect(whyNothing({ only: /XYZ/, shard: { index: 1, count: 9 } })).toBe(none);
    expect(whyNothing({ shard: { index: 900, count: 900 } })).toBe(
      'part 900 of 900 is empty: there are fewer faults than that. Give --shard fewer parts.',
    );
    expect(whyNothing({ only: /tls/, shard: { index: 8, count: 9 } })).toContain(
      'part 8 of 9 is empty: fewer',
    );
  });
});
