import { describe, expect, it } from 'vitest';
import { bodies } from '../spec/bodies/index.ts';
import { demandsOf, placedFields } from '../spec/field.ts';
import { bodyFaults } from './body-faults.ts';
import { changeAt, type Json } from './json.ts';
import { paymentBodies, paymentWith } from './payments.test.data.ts';

const cases = paymentBodies.flatMap((name) =>
  bodyFaults(bodies[name]).map((fault) => {
    const base = paymentWith(name, fault.demand);
    const before = structuredClone(base);
    return { ...fault, name, base, before, faulty: fault.apply(base) };
  }),
);
const inTheThird = cases.filter(({ label }) => label.endsWith('in the third element'));
const inArrays = cases.filter(({ demand }) => demand.path[1] === '*');
const inTheFirst = inArrays.filter((one) => !inTheThird.includes(one));
const elsewhere = cases.filter((one) => !inArrays.includes(one));

const labels = (wrong: typeof cases): readonly string[] =>
  wrong.map(({ requirement, label }) => `${requirement} ${label}`);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

describe('a fault', () => {
  it('changes the place of its demand, and nothing else', () => {
    const wrong = elsewhere.filter(({ base, faulty, demand }) => {
      let original: Json | undefined;
      changeAt(base, demand.path, (value) => {
        original = value;
        return value;
      });
      const restored = changeAt(faulty, demand.path, () => original);
      return isSame(faulty, base) || !isSame(sorted(restored), sorted(base));
    });
    expect(labels(wrong)).toEqual([]);
  });

  it('in the first element of an array stands before one without', () => {
    const wrong = inTheFirst.filter(({ base, faulty, demand: { path } }) => {
      const [array = ''] = path;
      const [[first], [changed, ...others]] = [base[array], faulty[array]] as [Json[], Json[]];
      return isSame(first, changed) || others.length !== 1 || others.some((other) => isSame(first, other));
    });
    expect(inTheFirst).not.toEqual([]);
    expect(labels(wrong)).toEqual([]);
  });

  it('in the third element of an array stands behind two without', () => {
    const wrong = inTheThird.filter(({ base, faulty, demand: { path } }) => {
      const [array = ''] = path;
      const [[first], [one, other, changed]] = [base[array], faulty[array]] as [Json[], Json[]];
      return isSame(first, changed) || isSame(one, other) || isSame(first, one) || isSame(first, other);
    });
    expect(inTheThird).not.toEqual([]);
    expect(labels(wrong)).toEqual([]);
  });

  it('never touches the body that it is put into', () => {
    expect(labels(cases.filter(({ base, before }) => !isSame(base, before)))).toEqual([]);
  });

  it('has a label of its own', () => {
    const named = cases.map(({ name, requirement, label }) => `${name} ${requirement} ${label}`);
    expect(named.filter((label, index) => named.indexOf(label) !== index)).toEqual([]);
  });
});

/** Members in one order: a member that was taken away and put back stands last. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, Json] => [name, sorted(member)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

describe('faults', () => {
  it('break every demand on a payment, but the form of amounts', () => {
    const broken = new Set(cases.map(({ requirement }) => requirement));
    const left = paymentBodies.flatMap((name) => demandsOf(bodies[name])).filter(({ id }) => !broken.has(id));
    expect(left.map(({ facet, field }) => `${facet} ${field.format}`)).toEqual(
      paymentBodies.map(() => 'format amount'),
    );
  });

  it('put in no value that the specification lists', () => {
    const listed = Object.values(bodies).flatMap((body) =>
      placedFields(body.fields).flatMap(({ field }) =>
        (field.unlisted ?? []).filter((value) => field.values?.includes(value)),
      ),
    );
    expect(listed).toEqual([]);
  });
});
