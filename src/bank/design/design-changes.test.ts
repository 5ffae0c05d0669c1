import { describe, expect, it } from 'vitest';
import { bankUnderTest, domesticPath, domesticPayment, type Json } from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import {
  allOf,
  type DesignChange,
  serves,
  withAnswers,
  withField,
  withoutRules,
  withRefusalKind,
  withRefusals,
} from './design-changes.ts';

async function statusWith(change: DesignChange, body: Json): Promise<number> {
  const bank = await bankUnderTest({ design: change(compliantDesign) });
  return (await bank.call(domesticPath, { body })).status;
}
const withName = (length: number) => domesticPayment({ creditorName: 'x'.repeat(length) });
const longerName = withField('domesticPayment', 'creditorName', (field) => ({ ...field, maxLength: 71 }));

describe('a change of design', () => {
  it('moves a bound', async () => {
    expect(await statusWith(longerName, withName(71))).toBe(201);
    expect(await statusWith(longerName, withName(72))).toBe(400);
  });

  it('shortens a list, inside an object and inside an array', async () => {
    const withoutIsk = withField('domesticPayment', 'instructedAmount.currency', (field) => ({
      ...field,
      values: (field.values ?? []).filter((value) => value !== 'ISK'),
    }));
    const isk = domesticPayment({ instructedAmount: { amount: '5', currency: 'ISK' } });
    expect(await statusWith(withoutIsk, isk)).toBe(400);
    const shortReferences = withField(
      'domesticPayment',
      'remittanceInformationStructuredArray.*.reference',
      (field) => ({ ...field, maxLength: 3 }),
    );
    const reference = domesticPayment({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructuredArray: [{ reference: 'long', referenceType: 'X' }],
    });
    expect(await statusWith(shortReferences, reference)).toBe(400);
  });

  it('drops a rule and changes what others say', async () => {
    const dropped = withoutRules((rule) => serves(rule, 'NDC-11'));
    expect(await statusWith(dropped, withName(200))).toBe(201);
    const teapot = withRefusals((rule) => serves(rule, 'NDC-11'), { status: 418 });
    expect(await statusWith(teapot, withName(200))).toBe(418);
    expect(await statusWith(withRefusalKind('field', { status: 422 }), withName(200))).toBe(422);
  });

  it('changes an answer, and adds to other changes', async () => {
    const changed = allOf(
      longerName,
      withAnswers(['createDomesticPayment'], (answer) => ({ ...answer, status: 200 })),
    );
    expect(await statusWith(changed, withName(71))).toBe(200);
  });
});
