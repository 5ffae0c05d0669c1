import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  domesticPath,
  domesticPayment,
  type Json,
} from '../bank-under-test.test.data.ts';

const reference = { reference: 'RF18539007547034', referenceType: 'SCOR', referenceIssuer: 'ISO' };
const amounts: readonly (readonly [requirement: string, amount: unknown, currency: string])[] = [
  ['AMT-02', '1.234', 'NOK'],
  ['AMT-02', '1.0', 'JPY'],
  ['AMT-02', '1.2345', 'BHD'],
  ['AMT-02', '1.123456', 'XDR'],
  ['AMT-03', '1', 'NOK'],
  ['AMT-03', '1.2', 'NOK'],
  ['AMT-03', '1.23', 'KWD'],
  ['NDC-04', 1.23, 'NOK'],
  ['AMT-05', '1e3', 'NOK'],
  ['AMT-05', '+1.00', 'NOK'],
  ['AMT-05', '1,00', 'NOK'],
  ['AMT-05', ' 1.00', 'NOK'],
  ['AMT-05', 'ten', 'NOK'],
  ['AMT-05', '', 'NOK'],
  ['AMT-05', '.50', 'NOK'],
  ['AMT-05', '１.00', 'NOK'],
  ['AMT-06', '-1.00', 'NOK'],
  ['AMT-07', '12345678901234567.00', 'NOK'],
];

let bank: BankUnderTest;
beforeAll(async () => {
  bank = await bankUnderTest();
});
const sent = (changes: Json) => bank.outcomeOf(bank.call(domesticPath, { body: domesticPayment(changes) }));

describe('an amount', () => {
  it.each(amounts)('breaks %s: %s %s', async (requirement, amount, currency) => {
    expect(await sent({ instructedAmount: { amount, currency } })).toBe(`400 ${requirement}`);
  });

  it.each([
    ['1.00', 'NOK'],
    ['1', 'ISK'],
    ['1.234', 'TND'],
    ['1.5', 'XDR'],
    ['1234567890123456.00', 'NOK'],
  ])('%s %s is accepted', async (amount, currency) => {
    expect(await sent({ instructedAmount: { amount, currency } })).toBe('201');
  });
});

it('a member that is null is absent: without an optional one a payment is created, without a required one refused', async () => {
  expect(await sent({ ultimateDebtor: null, purposeCode: null })).toBe('201');
  expect(await sent({ creditorName: null })).toBe('400 NDC-09');
});

type Call = readonly [path: string, body: Json];
const domestic = (changes: Json): Call => [domesticPath, domesticPayment(changes)];
const crossBorder = (changes: Json): Call => [crossBorderPath, crossBorderPayment(changes)];
/** A domestic payment with references, in the list of them or in the deprecated single one. */
const withReferences = (references: readonly Json[], changes: Json = {}): Call =>
  domestic({
    remittanceInformationUnstructured: undefined,
    remittanceInformationStructuredArray: references,
    ...changes,
  });
const withReference = (single: Json): Call =>
  domestic({ remittanceInformationUnstructured: undefined, remittanceInformationStructured: single });
const hundredThousand = (currency: string) => ({ instructedAmount: { amount: '100000.00', currency } });
const ofCard = { identification: '95379010017', schemeNameProprietary: 'creditCardAccount' };
const ofDebtor = { bban: '95360573002', currency: 'NOK' };
const kidAccount = { creditorAccount: { bban: '86011118013', currency: 'NOK' } };

const crossFields: readonly (readonly [requirement: string, call: Call])[] = [
  ['NDC-60', domestic({ debtorAccount: { ...ofDebtor, other: ofCard } })],
  ['NDC-61', domestic({ debtorAccount: { currency: 'NOK' } })],
  ['NDC-70', domestic({ creditorAccount: { bban: '86011117947', currency: 'EUR' } })],
  ['NDC-63', domestic({ remittanceInformationStructuredArray: [reference] })],
  ['NCB-60', crossBorder({ creditorAccount: { currency: 'EUR' } })],
  [
    'NCB-61',
    crossBorder({
      creditorAgent: 'COBADEFFXXX',
      creditorAccount: { bban: '1', iban: '2', currency: 'EUR' },
    }),
  ],
  ['NCB-62', crossBorder({ debtorAccount: { currency: 'EUR' } })],
  ['NCB-63', crossBorder({ debtorAccount: { ...ofDebtor, iban: 'NO0995360573002' } })],
  ['NCB-64', crossBorder({ creditorAccount: { bban: '1', currency: 'EUR' } })],
  ['REG-01', crossBorder({ ...hundredThousand('NOK'), regulatoryReportingInformation: 'Goods' })],
  ['REG-02', crossBorder({ ...hundredThousand('NOK'), regulatoryReportingCode: '14' })],
  ['ERR-02', withReferences([{ reference: '33523568', referenceType: 'KID' }])],
  ['ERR-02', withReference({ reference: '33523568' })],
  ['ERR-02', withReferences([{ reference: 'FAKTURA4711' }], kidAccount)],
  ['ERR-02', withReferences([{ reference: '47114711471147114711471142' }], kidAccount)],
  ['TRN-06', domestic({ creditorName: 'Pizza 🍕' })],
];

describe('fields that depend on each other', () => {
  it.each(crossFields)('are held to each other by %s', async (requirement, [path, body]) => {
    expect(await bank.outcomeOf(bank.call(path, { body }))).toBe(`400 ${requirement}`);
  });

  it.each<[string, Call]>([
    [
      'NOK 99 999.99 without reporting',
      crossBorder({ instructedAmount: { amount: '99999.99', currency: 'NOK' } }),
    ],
    ['EUR 100 000 without reporting', crossBorder(hundredThousand('EUR'))],
    ['a KID', withReferences([{ reference: '2345676', referenceType: 'KID' }])],
    ['a reference of another type', withReference({ reference: '33523568', referenceType: 'SCOR' })],
    ['unknown fields', domestic({ endToEndIdentification: 'E2E-1' })],
  ])('%s is accepted', async (_, [path, body]) => {
    const answer = await bank.call(path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  it('tells KID_INVALID and the place of the reference', async () => {
    const [path, body] = withReferences([reference, { reference: '33523568', referenceType: 'OCR' }]);
    expect((await bank.call(path, { body })).body).toMatchObject({
      tppMessages: [{ code: 'KID_INVALID', path: 'remittanceInformationStructuredArray[1].reference' }],
    });
  });
});
