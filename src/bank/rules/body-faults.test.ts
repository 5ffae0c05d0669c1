import { beforeAll, describe, expect, it } from 'vitest';
import {
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  domesticPath,
  domesticPayment,
  failuresOf,
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

describe('an amount', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });
  const body = (amount: unknown, currency: string) =>
    domesticPayment({ instructedAmount: { amount, currency } });

  it('that breaks a rule is refused by its requirement', async () => {
    const failures = await failuresOf(
      amounts,
      (row) => row.join(' '),
      async ([requirement, amount, currency]) => {
        const answer = await bank.call(domesticPath, { body: body(amount, currency) });
        expect([answer.status, bank.refusedBy()]).toEqual([400, requirement]);
      },
    );
    expect(failures).toEqual([]);
  });

  it.each([
    ['1.00', 'NOK'],
    ['1', 'ISK'],
    ['1.234', 'TND'],
    ['1.5', 'XDR'],
    ['1234567890123456.00', 'NOK'],
  ])('%s %s is accepted', async (amount, currency) => {
    expect((await bank.call(domesticPath, { body: body(amount, currency) })).status).toBe(201);
  });
});

describe('a member that is null', () => {
  it('is absent: without an optional one a payment is created, without a required one it is refused', async () => {
    const bank = await bankUnderTest();
    const sent = (extras: Json) => bank.call(domesticPath, { body: domesticPayment(extras) });
    expect((await sent({ ultimateDebtor: null, purposeCode: null })).status).toBe(201);
    expect((await sent({ creditorName: null })).status).toBe(400);
  });
});

const crossFields: readonly (readonly [requirement: string, path: string, body: Json])[] = [
  [
    'NDC-60',
    domesticPath,
    domesticPayment({
      debtorAccount: {
        bban: '95360573002',
        currency: 'NOK',
        other: { identification: '95379010017', schemeNameProprietary: 'creditCardAccount' },
      },
    }),
  ],
  ['NDC-61', domesticPath, domesticPayment({ debtorAccount: { currency: 'NOK' } })],
  ['NDC-70', domesticPath, domesticPayment({ creditorAccount: { bban: '86011117947', currency: 'EUR' } })],
  ['NDC-63', domesticPath, domesticPayment({ remittanceInformationStructuredArray: [reference] })],
  ['NCB-60', crossBorderPath, crossBorderPayment({ creditorAccount: { currency: 'EUR' } })],
  [
    'NCB-61',
    crossBorderPath,
    crossBorderPayment({
      creditorAgent: 'COBADEFFXXX',
      creditorAccount: { bban: '1', iban: '2', currency: 'EUR' },
    }),
  ],
  ['NCB-62', crossBorderPath, crossBorderPayment({ debtorAccount: { currency: 'EUR' } })],
  [
    'NCB-63',
    crossBorderPath,
    crossBorderPayment({ debtorAccount: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' } }),
  ],
  ['NCB-64', crossBorderPath, crossBorderPayment({ creditorAccount: { bban: '1', currency: 'EUR' } })],
  [
    'REG-01',
    crossBorderPath,
    crossBorderPayment({
      instructedAmount: { amount: '100000.00', currency: 'NOK' },
      regulatoryReportingInformation: 'Goods',
    }),
  ],
  [
    'REG-02',
    crossBorderPath,
    crossBorderPayment({
      instructedAmount: { amount: '100000.00', currency: 'NOK' },
      regulatoryReportingCode: '14',
    }),
  ],
  [
    'ERR-02',
    domesticPath,
    domesticPayment({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructuredArray: [{ reference: '33523568', referenceType: 'KID' }],
    }),
  ],
  [
    'ERR-02',
    domesticPath,
    domesticPayment({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructured: { reference: '33523568' },
    }),
  ],
  ...['FAKTURA4711', '47114711471147114711471142'].map((reference): [string, string, Json] => [
    'ERR-02',
    domesticPath,
    domesticPayment({
      creditorAccount: { bban: '86011118013', currency: 'NOK' },
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructuredArray: [{ reference }],
    }),
  ]),
  ['TRN-06', domesticPath, domesticPayment({ creditorName: 'Pizza 🍕' })],
];

describe('fields that depend on each other', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it('are held to each other', async () => {
    const failures = await failuresOf(
      crossFields,
      ([requirement]) => requirement,
      async ([requirement, path, body]) => {
        const answer = await bank.call(path, { body });
        expect([answer.status, bank.refusedBy()]).toEqual([400, requirement]);
      },
    );
    expect(failures).toEqual([]);
  });

  it.each<readonly [string, string, Json]>([
    [
      'NOK 99 999.99 without reporting',
      crossBorderPath,
      crossBorderPayment({ instructedAmount: { amount: '99999.99', currency: 'NOK' } }),
    ],
    [
      'EUR 100 000 without reporting',
      crossBorderPath,
      crossBorderPayment({ instructedAmount: { amount: '100000.00', currency: 'EUR' } }),
    ],
    [
      'a KID',
      domesticPath,
      domesticPayment({
        remittanceInformationUnstructured: undefined,
        remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'KID' }],
      }),
    ],
    [
      'a reference of another type',
      domesticPath,
      domesticPayment({
        remittanceInformationUnstructured: undefined,
        remittanceInformationStructured: { reference: '33523568', referenceType: 'SCOR' },
      }),
    ],
    ['unknown fields', domesticPath, domesticPayment({ endToEndIdentification: 'E2E-1' })],
  ])('%s is accepted', async (_, path, body) => {
    const answer = await bank.call(path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  });

  it('tells KID_INVALID and the place of the reference', async () => {
    const answer = await bank.call(domesticPath, {
      body: domesticPayment({
        remittanceInformationUnstructured: undefined,
        remittanceInformationStructuredArray: [reference, { reference: '33523568', referenceType: 'OCR' }],
      }),
    });
    expect(answer.body).toMatchObject({
      tppMessages: [{ code: 'KID_INVALID', path: 'remittanceInformationStructuredArray[1].reference' }],
    });
  });
});
