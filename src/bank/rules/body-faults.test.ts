import { beforeAll, describe, expect, it } from 'vitest';
import { bodies } from '../../spec/bodies/index.ts';
import { type Demand, demandsOf, pathText } from '../../spec/field.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  crossBorderPath,
  crossBorderPayment,
  domesticPath,
  domesticPayment,
  type Json,
} from '../bank-under-test.test.data.ts';
import { compliantDesign } from '../compliant-design.ts';
import { serves, withoutRules } from '../design/design-changes.ts';

const reference = { reference: 'RF18539007547034', referenceType: 'SCOR', referenceIssuer: 'ISO' };
const fullDomestic = domesticPayment({
  creditorAgent: 'DNBANOKKXXX',
  creditorAddress: {
    street: 'Storgata',
    buildingNumber: '1',
    postalCode: '8006',
    city: 'Bodø',
    country: 'NO',
  },
  ultimateDebtor: 'Kari',
  purposeCode: 'SALA',
  requestedExecutionDate: '2099-01-04',
});
const withCard = domesticPayment({
  debtorAccount: {
    currency: 'NOK',
    other: { identification: '95379010017', schemeNameProprietary: 'creditCardAccount' },
  },
});
const withReference = domesticPayment({
  remittanceInformationUnstructured: undefined,
  remittanceInformationStructured: reference,
});
const withReferences = domesticPayment({
  remittanceInformationUnstructured: undefined,
  remittanceInformationStructuredArray: [reference],
});
const fullCrossBorder = crossBorderPayment({
  creditorAgent: 'COBADEFFXXX',
  creditorAccount: { iban: 'DE89370400440532013000', currency: 'EUR' },
  creditorAddress: { street: 'Weg', buildingNumber: '1', postalCode: '1', city: 'Köln', country: 'DE' },
  remittanceInformationUnstructured: 'Rechnung',
  purposeCode: 'SUPP',
  requestedExecutionDate: '2099-01-04',
  regulatoryReportingCode: '14',
  regulatoryReportingInformation: 'Goods',
});
const withBbans = crossBorderPayment({
  creditorAgent: 'COBADEFFXXX',
  creditorAccount: { bban: '370400440532013000', currency: 'EUR' },
});
const withIbans = crossBorderPayment({ debtorAccount: { iban: 'NO0995360573002', currency: 'NOK' } });

/** A valid body that has the field. */
const baseOf = (bases: readonly Json[], path: readonly string[]): Json | undefined =>
  bases.find((base) => valueAt(base, path) !== undefined);

function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || value === undefined) return value;
  return valueAt((value as Json)[step === '*' ? '0' : step], rest);
}

function changed(value: unknown, [step, ...rest]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  if (step === '*') return (value as unknown[]).map((element) => changed(element, rest, to));
  return { ...(value as Json), [step]: changed((value as Json)[step], rest, to) };
}

function faultyValue({ facet, field }: Demand): unknown {
  switch (facet) {
    case 'required':
      return undefined;
    case 'type':
      return field.type === 'string' ? 12 : 'text';
    case 'nonEmpty':
      return '';
    case 'maxLength':
      return 'å'.repeat((field.maxLength ?? 0) + 1);
    case 'values':
      return 'ZZZ';
    case 'format':
      return field.format === 'date' ? '2099-02-30' : 'twelve';
  }
}

const tables = [
  {
    path: domesticPath,
    body: bodies.domesticPayment,
    bases: [fullDomestic, withCard, withReference, withReferences],
  },
  { path: crossBorderPath, body: bodies.crossBorderPayment, bases: [fullCrossBorder, withBbans, withIbans] },
];
const demands = tables.flatMap(({ path, body, bases }) =>
  demandsOf(body).map((demand) => {
    const base = baseOf(bases, demand.path);
    return {
      id: demand.id,
      what: `${pathText(demand.path)} ${demand.facet}`,
      path,
      base,
      faulty: changed(base, demand.path, faultyValue(demand)),
    };
  }),
);

describe('a demand of the field tables', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it.each(demands)('$id: $what is enforced', async ({ id, path, base, faulty }) => {
    const control = await bank.call(path, { body: base });
    expect(control.status, JSON.stringify(control.body)).toBe(201);
    const answer = await bank.call(path, { body: faulty });
    expect(answer.status).toBe(400);
    const [rule] = bank.bank.routes
      .filter((route) => route.path === path)
      .flatMap((route) => route.rules.filter(({ name }) => name === bank.lines.at(-1)?.rule));
    expect(rule !== undefined && serves(rule, id), JSON.stringify(bank.lines.at(-1))).toBe(true);
  });

  it.each(demands)('$id: $what passes a bank without the rule', async ({ id, path, faulty }) => {
    const lax = await bankUnderTest({ design: withoutRules((rule) => serves(rule, id))(compliantDesign) });
    const answer = await lax.call(path, { body: faulty });
    // A missing part may be missed by another rule as well.
    const isMissedElsewhere = ['NCB-64'].includes(lax.refusedBy() ?? '');
    expect(isMissedElsewhere || answer.status === 201, JSON.stringify(lax.lines.at(-1))).toBe(true);
  });
});

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

  it.each(amounts)('%s: %j %s is refused', async (requirement, amount, currency) => {
    expect((await bank.call(domesticPath, { body: body(amount, currency) })).status).toBe(400);
    expect(bank.refusedBy()).toBe(requirement);
  });

  it.each(amounts)('%s: %j %s passes a bank without the rule', async (requirement, amount, currency) => {
    const lax = await bankUnderTest({
      design: withoutRules((rule) => serves(rule, requirement))(compliantDesign),
    });
    expect((await lax.call(domesticPath, { body: body(amount, currency) })).status).toBe(201);
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

const crossFields: readonly (readonly [requirement: string, path: string, body: Json])[] = [
  [
    'NDC-60',
    domesticPath,
    domesticPayment({
      debtorAccount: {
        bban: '1',
        currency: 'NOK',
        other: { identification: '1', schemeNameProprietary: 'creditCardAccount' },
      },
    }),
  ],
  ['NDC-61', domesticPath, domesticPayment({ debtorAccount: { currency: 'NOK' } })],
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
    crossBorderPayment({ debtorAccount: { bban: '1', iban: '2', currency: 'EUR' } }),
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
  ['TRN-06', domesticPath, domesticPayment({ creditorName: 'Pizza 🍕' })],
];

describe('fields that depend on each other', () => {
  let bank: BankUnderTest;
  beforeAll(async () => {
    bank = await bankUnderTest();
  });

  it.each(crossFields)('%s is enforced', async (requirement, path, body) => {
    expect((await bank.call(path, { body })).status).toBe(400);
    expect(bank.refusedBy()).toBe(requirement);
    const lax = await bankUnderTest({
      design: withoutRules((rule) => serves(rule, requirement))(compliantDesign),
    });
    const answer = await lax.call(path, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
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
