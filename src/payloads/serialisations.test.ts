import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Amounts } from './amounts.ts';
import { domesticPayments } from './domestic-payments.ts';
import { facts } from './payments.test.data.ts';
import { serialisations } from './serialisations.ts';

const bodies = [
  ...fc.sample(domesticPayments(facts, new Amounts(1, 0), { optional: 'all' }), { seed: 1, numRuns: 40 }),
  { odd: ['a "quote", a \\ and {braces: [1, 2]}', '😀 \u2028 \n\t', 0, -1.5, null, true, {}, []] },
];

describe.each(serialisations)('$label', ({ write }) => {
  it('and says the same', () => {
    for (const body of bodies) expect(JSON.parse(write(body))).toEqual(body);
  });

  it('in other bytes than usual', () => {
    const body = { creditorName: 'Ås', creditorAccount: { bban: '86011117947', currency: 'NOK' } };
    expect(write(body)).not.toBe(JSON.stringify(body));
  });
});

describe('serialisations', () => {
  it('differ from each other', () => {
    const [body = {}] = bodies;
    expect(new Set(serialisations.map(({ write }) => write(body))).size).toBe(serialisations.length);
  });

  it('are pure ASCII when they are escaped', () => {
    const escaped = serialisations.find(({ label }) => label.includes('escaped'));
    for (const body of bodies) expect(escaped?.write(body)).toMatch(/^[\x20-\x7e]*$/);
  });
});
