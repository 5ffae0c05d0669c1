import { describe, expect, it } from 'vitest';
import { bankUnderTest, domesticPath, domesticPayment, type Json } from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import { conditional, conditions, topicsOf } from './conditional.ts';
import { conditionalDeviations, deviationById, deviations } from './index.ts';

/** The statuses of some requests, one after the other, at a bank that deviates under a condition only. */
async function statusesAt(deviation: string, condition: string, bodies: readonly Json[]): Promise<number[]> {
  const whole = deviationById.get(deviation);
  const under = conditions.find(({ name }) => name === condition);
  if (whole === undefined || under === undefined) throw new Error('There is no such deviation or condition.');
  const bank = await bankUnderTest({ design: conditional(whole, under).apply(compliantDesign) });
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await bank.call(domesticPath, { body })).status);
  return statuses;
}

const longName = 'x'.repeat(71);
const faulty = (changes: Json = {}): Json => domesticPayment({ creditorName: longName, ...changes });

describe('a bank that takes a name that is too long', () => {
  it('only when purposeCode is there, refuses it elsewhere', async () => {
    const bodies = [faulty({ purposeCode: undefined }), faulty({ purposeCode: 'OTHR' })];
    expect(await statusesAt('NDC-11/one-longer', 'with-purposeCode', bodies)).toEqual([400, 201]);
  });

  it('only from the second time on, refuses it once', async () => {
    expect(await statusesAt('NDC-11/one-longer', 'second-time', [faulty(), faulty(), faulty()])).toEqual([
      400, 201, 201,
    ]);
  });

  it('only soon after a refused request, refuses it before and afterwards', async () => {
    const bodies = Array.from({ length: 5 }, () => faulty());
    expect(await statusesAt('NDC-11/one-longer', 'after-refusal', bodies)).toEqual([400, 201, 201, 201, 400]);
  });

  it('refuses other faults under the condition all the same', async () => {
    const nameless = faulty({ purposeCode: 'OTHR', creditorName: undefined });
    expect(await statusesAt('NDC-11/one-longer', 'with-purposeCode', [nameless])).toEqual([400]);
  });
});

it('ids are unique, and no deviation is combined with a condition about the same', () => {
  const ids = conditionalDeviations().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(5_000);
  expect(ids).not.toContain('NDC-53/also-GDDS@with-purposeCode');
});

it('conditions speak of topics that some deviation is about', () => {
  const topics = new Set(deviations.flatMap((deviation) => [...topicsOf(deviation)]));
  const named = conditions.flatMap(({ about = [], goesWith = [] }) => [...about, ...goesWith]);
  expect([...new Set(named)].filter((topic) => !topics.has(topic))).toEqual([]);
});
