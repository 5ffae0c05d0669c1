import { Ajv, type ErrorObject } from 'ajv';
import formatsPlugin from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodies } from '../spec/bodies/index.ts';
import { type Demand, demandsOf, placedFields } from '../spec/field.ts';
import { bodySchema } from '../spec/json-schema.ts';
import { Amounts } from './amounts.ts';
import { type BodyFault, bodyFaults } from './body-faults.ts';
import { crossBorderPayments } from './cross-border-payments.ts';
import { domesticPayments } from './domestic-payments.ts';
import { changeAt, type JsonObject } from './json.ts';
import { facts } from './payment-facts.test.data.ts';

const ajv = formatsPlugin.default(new Ajv({ allErrors: true }));
const amounts = new Amounts(1, 0);

/** A valid payment that has what the demand is about. */
function baseOf(
  name: 'domesticPayment' | 'crossBorderPayment',
  { path: [first, second] }: Demand,
): JsonObject {
  const arbitrary =
    name === 'domesticPayment'
      ? domesticPayments(facts, amounts, {
          optional: 'all',
          remittance:
            first === 'remittanceInformationStructured'
              ? 'single'
              : first === 'remittanceInformationStructuredArray'
                ? 'array'
                : 'unstructured',
          debtor: second === 'other' ? 'card' : 'account',
        })
      : crossBorderPayments(facts, amounts, {
          optional: 'all',
          creditor: first === 'creditorAccount' && second === 'bban' ? 'bban' : 'iban',
          debtor: first === 'debtorAccount' && second === 'iban' ? 'iban' : 'bban',
        });
  return fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0] ?? {};
}

/** Where a schema error is, a missing member counting as the place where it should be. */
const placeOf = ({ keyword, instancePath, params }: ErrorObject): string =>
  keyword === 'required' ? `${instancePath}/${params.missingProperty}` : instancePath;

const cases = (['domesticPayment', 'crossBorderPayment'] as const).flatMap((name) =>
  bodyFaults(bodies[name]).map((fault): [string, 'domesticPayment' | 'crossBorderPayment', BodyFault] => [
    `${fault.requirement} ${fault.label}`,
    name,
    fault,
  ]),
);

describe('a fault', () => {
  const validators = {
    domesticPayment: ajv.compile(bodySchema(bodies.domesticPayment).schema),
    crossBorderPayment: ajv.compile(bodySchema(bodies.crossBorderPayment).schema),
  };

  const inTheFirst = cases.filter(([title]) => !title.endsWith('in the second element'));
  const inTheSecond = cases.filter(([title]) => title.endsWith('in the second element'));

  it.each(inTheSecond)('%s: breaks that, and leaves the first alone', (_, name, { apply, demand }) => {
    const base = baseOf(name, demand);
    const validate = validators[name];
    const [array = ''] = demand.path;
    const faulty = apply(base);

    expect(validate(faulty)).toBe(false);
    const place = `/${demand.path.join('/')}`.replaceAll('*', '1');
    for (const error of validate.errors ?? []) expect(placeOf(error)).toBe(place);
    const [first] = base[array] as readonly unknown[];
    expect(faulty[array]).toEqual([first, expect.anything()]);
  });

  it.each(inTheFirst)('%s: breaks that, and nothing else', (_, name, { apply, demand }) => {
    const base = baseOf(name, demand);
    const validate = validators[name];
    expect(validate(base)).toBe(true);
    const before = structuredClone(base);
    const faulty = apply(base);

    expect(validate(faulty)).toBe(false);
    const place = `/${demand.path.join('/')}`.replaceAll('*', '0');
    for (const error of validate.errors ?? []) expect(placeOf(error)).toBe(place);

    let original: ReturnType<typeof changeAt> | undefined;
    changeAt(base, demand.path, (value) => {
      original = value;
      return value;
    });
    expect(changeAt(faulty, demand.path, () => original)).toEqual(base);
    expect(base).toEqual(before);
  });

  it('has a label of its own', () => {
    const labels = cases.map(([label, name]) => `${name} ${label}`);
    expect(new Set(labels).size).toBe(labels.length);
  });
});

describe('faults', () => {
  it.each(['domesticPayment', 'crossBorderPayment'] as const)(
    'break every demand of %s, but the form of amounts',
    (name) => {
      const broken = new Set(bodyFaults(bodies[name]).map(({ requirement }) => requirement));
      const left = demandsOf(bodies[name]).filter(({ id }) => !broken.has(id));
      expect(left.map(({ facet, field }) => [facet, field.format])).toEqual(
        left.map(() => ['format', 'amount']),
      );
    },
  );

  it('put in no value that the specification lists', () => {
    for (const body of Object.values(bodies)) {
      for (const { field } of placedFields(body.fields)) {
        for (const value of field.unlisted ?? []) expect(field.values).not.toContain(value);
      }
    }
  });
});
