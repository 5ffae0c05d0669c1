import { describe, expect, it } from 'vitest';
import { bodies } from '../spec/bodies/index.ts';
import { facets } from '../spec/facets.ts';
import { type Body, type Demand, demandsOf, pathText } from '../spec/field.ts';
import { brokenDemands, describeBroken, nullMembers } from './broken-demands.ts';

const responses = Object.values<Body>(bodies).filter(({ direction }) => direction === 'response');

/** A good example with one place changed; `*` is the first element or member. Undefined takes it away. */
function changed(
  value: unknown,
  [step, ...rest]: Demand['path'],
  change: (old: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  const members = value as Readonly<Record<string, unknown>>;
  const [first] = Object.keys(members);
  const name = step === '*' ? `${first}` : step;
  const made = changed(members[name], rest, change);
  if (Array.isArray(value)) return value.with(Number(name), made);
  const { [name]: _, ...others } = members;
  return made === undefined ? others : { ...others, [name]: made };
}

const idsOf = (body: Body, sent: unknown): readonly string[] =>
  brokenDemands(body, sent).map(({ demand }) => demand.id);

describe('a body of a response', () => {
  it('breaks nothing when it is good', () => {
    expect(responses.flatMap((body) => idsOf(body, body.example))).toEqual([]);
  });

  it('breaks exactly the demand that is violated, in every way that its facet knows', () => {
    const wrong = responses.flatMap((body) =>
      demandsOf(body).flatMap((demand) =>
        facets[demand.facet].violations.response(demand.field).flatMap(({ label, of }) => {
          const found = idsOf(body, changed(body.example, demand.path, of)).join();
          return found === demand.id ? [] : [`${demand.id} ${pathText(demand.path)} ${label}: ${found}`];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('breaks everything that is wrong with it at once', () => {
    const sent = { transactionStatus: 'DONE', psuMessage: 'a'.repeat(513), transactionFeeIndicator: 'no' };
    expect(new Set(idsOf(bodies.paymentResponse, sent))).toEqual(
      new Set(['PRS-01', 'PRS-05', 'PRS-13', 'PRS-16']),
    );
  });

  it.each([['text'], [[]], [null], [4]])('that is %j is not judged by its fields', (sent) => {
    expect(idsOf(bodies.paymentResponse, sent)).toEqual([]);
  });
});

describe('a fault', () => {
  const message = { category: 'ERROR', code: 'FORMAT_ERROR' };
  const faultsIn = (body: Body, sent: Body['example']): readonly string[] =>
    brokenDemands(body, sent).map(describeBroken);

  it('is told with its place: elements by number, members of a map by name', () => {
    expect(
      faultsIn(bodies.errorResponse, { tppMessages: [message, { ...message, code: 'TEAPOT' }] }),
    ).toEqual(['tppMessages[1].code is not one of the listed values']);
    expect(
      faultsIn(bodies.basketResponse, {
        transactionStatus: 'RCVD',
        _links: { 'a/b~c': { verbs: ['GET'] } },
      }),
    ).toEqual(['_links.a/b~c.href is missing']);
  });

  it('is a required member that is null, because it is missing; an optional one is told apart', () => {
    const sent = { paymentId: null, transactionStatus: 'RCVD', psuMessage: null };
    expect(faultsIn(bodies.paymentResponse, sent)).toEqual(['paymentId is missing']);
    expect(nullMembers(bodies.paymentResponse, sent)).toEqual(['psuMessage']);
  });

  it('is an element of a list that is null', () => {
    expect(faultsIn(bodies.basketRequest, { paymentIds: ['a', null] })).toEqual([
      'paymentIds[1] is not a string',
    ]);
  });

  it('is no optional member that is null, wherever it stands', () => {
    const sent = {
      paymentId: 'p',
      transactionStatus: 'RCVD',
      tppMessages: [{ ...message, path: null }],
      _links: { self: { href: '/a', verbs: ['GET'] }, help: null },
    };
    expect(faultsIn(bodies.paymentResponse, sent)).toEqual([]);
    expect(nullMembers(bodies.paymentResponse, sent)).toEqual(['tppMessages[0].path']);
  });

  it('in members together is told once, as the combination that is broken', () => {
    const domestic = bodies.domesticPayment.example;
    const crossBorder = bodies.crossBorderPayment.example;
    const other = { identification: 'c', schemeNameProprietary: 'creditCardAccount' };
    expect([
      ...faultsIn(bodies.domesticPayment, { ...domestic, debtorAccount: { currency: 'NOK' } }),
      ...faultsIn(bodies.domesticPayment, {
        ...domestic,
        debtorAccount: { currency: 'NOK', bban: '1', other },
      }),
      ...faultsIn(bodies.domesticPayment, {
        ...domestic,
        remittanceInformationUnstructured: 'a',
        remittanceInformationStructuredArray: [{ reference: '2345676' }],
      }),
      ...faultsIn(bodies.crossBorderPayment, { ...crossBorder, debtorAccount: { currency: 'NOK' } }),
      ...faultsIn(bodies.crossBorderPayment, {
        ...crossBorder,
        creditorAccount: { currency: 'USD', bban: '1' },
      }),
    ]).toEqual([
      'debtorAccount has neither bban nor other',
      'debtorAccount has both bban and other',
      'remittanceInformationUnstructured and remittanceInformationStructuredArray are both set',
      'debtorAccount has neither bban nor iban',
      'creditorAccount has a bban and creditorAgent is missing',
    ]);
  });
});

it('an empty body lacks every required member, and breaks nothing else', () => {
  expect(Object.values<Body>(bodies).flatMap((body) => idsOf(body, {}))).toEqual(
    Object.values<Body>(bodies).flatMap(({ fields }) => fields.flatMap(({ ids }) => ids.required ?? [])),
  );
});
