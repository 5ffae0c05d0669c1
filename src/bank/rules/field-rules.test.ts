import { describe, expect, it } from 'vitest';
import { brokenDemands } from '../../checks/broken-demands.ts';
import { bodyFaults } from '../../payloads/body-faults.ts';
import { changeAt, type Json } from '../../payloads/json.ts';
import { drawnPayments, paymentBodies, paymentWith } from '../../payloads/payments.test.data.ts';
import { bodies } from '../../spec/bodies/index.ts';
import { facets } from '../../spec/facets.ts';
import { demandsOf, pathText } from '../../spec/field.ts';
import { withoutNulls } from '../../spec/json.ts';
import { compliantDesign } from '../compliant-design.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { fieldRules } from './field-rules.ts';

/** Requirements of the field rules that refuse a body, as the bank reads it; they look at nothing else of a request. */
function refusedBy(name: (typeof paymentBodies)[number], sent: unknown): readonly string[] {
  const body = withoutNulls(sent);
  return fieldRules(bodies[name], compliantDesign)
    .filter((rule) => rule.refuses({ body } as unknown as BankRequest, {} as BankState) !== undefined)
    .map(({ requirement }) => requirement);
}

const brokenIds = (name: (typeof paymentBodies)[number], body: unknown): readonly string[] =>
  brokenDemands(bodies[name], body).map(({ demand }) => demand.id);

interface Case {
  readonly name: (typeof paymentBodies)[number];
  readonly label: string;
  readonly expected: string;
  readonly faulty: unknown;
}

/** What checks send, and what they find in answers, put into valid payments. */
const cases: readonly Case[] = paymentBodies.flatMap((name) => [
  ...bodyFaults(bodies[name]).map(({ demand, label, apply }) => ({
    name,
    label: `${demand.id} ${label}`,
    expected: demand.id,
    faulty: apply(paymentWith(name, demand)),
  })),
  ...demandsOf(bodies[name])
    .filter(({ facet, field }) => !(facet === 'format' && field.format === 'amount'))
    .flatMap((demand) =>
      facets[demand.facet].violations.response(demand.field).map(({ label, of }) => ({
        name,
        label: `${demand.id} ${pathText(demand.path)} ${label}`,
        expected: demand.id,
        faulty: changeAt(paymentWith(name, demand), demand.path, (old) => of(old) as Json | undefined),
      })),
    ),
]);

/** Each of the two judges is a check on the other: the facets' own predicates, and the schemas made of them. */
describe('a payment is judged alike by the rules of the bank and by the schemas of the checks', () => {
  it.each(paymentBodies)('valid ones of %s are refused by neither', (name) => {
    const refused = drawnPayments(name, 300).filter(
      (body) => refusedBy(name, body).length > 0 || brokenIds(name, body).length > 0,
    );
    expect(refused).toEqual([]);
  });

  it('each violation is refused by the one rule that it breaks', () => {
    const wrong = cases.filter(({ name, expected, faulty }) => refusedBy(name, faulty).join() !== expected);
    expect(wrong.map(({ label, name, faulty }) => `${label}: ${refusedBy(name, faulty).join()}`)).toEqual([]);
  });

  it('each violation breaks the one demand of the schema', () => {
    const wrong = cases.filter(({ name, expected, faulty }) => brokenIds(name, faulty).join() !== expected);
    expect(wrong.map(({ label, name, faulty }) => `${label}: ${brokenIds(name, faulty).join()}`)).toEqual([]);
  });
});

it('a refusal names the place, with the element of an array', () => {
  const [demand] = demandsOf(bodies.domesticPayment).filter(
    ({ id, path }) => id === 'REM-04' && path.includes('*'),
  );
  if (demand === undefined) throw new Error('REM-04 is gone.');
  const [, third] = bodyFaults(bodies.domesticPayment).filter(
    (fault) => fault.demand.id === 'REM-04' && fault.demand.path.includes('*'),
  );
  const body = third?.apply(paymentWith('domesticPayment', demand));
  const faults = fieldRules(bodies.domesticPayment, compliantDesign).flatMap(
    (rule) => rule.refuses({ body } as unknown as BankRequest, {} as BankState) ?? [],
  );
  expect(faults).toMatchObject([
    {
      text: 'remittanceInformationStructuredArray[2].reference has more than 35 characters.',
      path: 'remittanceInformationStructuredArray[2].reference',
    },
  ]);
});
