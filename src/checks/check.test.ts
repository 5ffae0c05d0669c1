import { describe, expect, it } from 'vitest';
import { levelOf, suite } from './check.ts';
import { aCheck, fakeRunContext, throwing, verdictAt, verdictOn } from './fake-run-context.test.data.ts';
import { ExpectationFailed, Inconclusive } from './outcomes.ts';

describe('the level of a check', () => {
  it('is the strongest of its requirements', () => {
    const { readings } = fakeRunContext().target;
    expect(levelOf(aCheck({ requirement: 'SGH-03' }), readings)).toBe('advisory');
    expect(levelOf(aCheck({ requirement: 'SGH-03', others: ['SIG-03'] }), readings)).toBe('should');
    expect(levelOf(aCheck({ requirement: 'SGH-03', others: ['SIG-03', 'SIG-01'] }), readings)).toBe('must');
  });

  it('is what the readings make of it', async () => {
    const open = throwing(new ExpectationFailed('a', 'b'), {
      levelUnder: ({ acceptFix }) => (acceptFix === 'required' ? 'must' : undefined),
    });
    expect((await verdictAt(undefined, open)).verdict).toBe('fail');
    const lenient = fakeRunContext(undefined, { readings: { acceptFix: 'optional' } });
    expect(await verdictOn(open, lenient)).toMatchObject({
      verdict: 'not-applicable',
      reason: 'Not judged under the readings of this run.',
    });
  });

  it('makes a warning of a failure, and of nothing else', async () => {
    const advisory = { requirement: 'SGH-03' };
    expect((await verdictAt(undefined, throwing(new Inconclusive('?'), advisory))).verdict).toBe(
      'inconclusive',
    );
    expect((await verdictAt(undefined, throwing(new Error('?'), advisory))).verdict).toBe('error');
  });
});

describe('a suite', () => {
  it('flattens the checks that it is given', () => {
    expect(
      suite(
        'Suite',
        ['Limits'],
        [aCheck({ id: 'A' }), [aCheck({ id: 'B' }), aCheck({ id: 'C' })]],
      ).checks.map(({ id }) => id),
    ).toEqual(['A', 'B', 'C']);
  });

  it('makes its checks when they are asked for, and once', () => {
    let made = 0;
    const lazy = suite('Suite', ['Limits'], () => {
      made += 1;
      return [aCheck({ id: 'A' })];
    });
    expect(made).toBe(0);
    expect([...lazy.checks, ...lazy.checks].map(({ id }) => id)).toEqual(['A', 'A']);
    expect(made).toBe(1);
  });
});
