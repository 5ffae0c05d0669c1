import { Ajv, type ValidateFunction } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { type BodyName, bodies } from './bodies/index.ts';
import { amountPattern } from './formats.ts';
import { bodySchema } from './json-schema.ts';

// Strict: a schema that ajv warns of would print its warning into every run.
const ajv = formatsPlugin.default(new Ajv({ allErrors: true, strictTypes: true }));
const validators = Object.fromEntries(
  Object.entries(bodies).map(([name, body]) => [name, ajv.compile(bodySchema(body).schema)]),
) as Record<BodyName, ValidateFunction>;

type Example = Readonly<Record<string, unknown>>;
const good = Object.fromEntries(
  Object.entries(bodies).map(([name, { example }]) => [name, example]),
) as Record<BodyName, Example>;

describe('every schema', () => {
  it.each(Object.entries(good))('%s takes a good example', (name, example) => {
    const validate = validators[name as BodyName];
    expect(validate(example) ? [] : validate.errors).toEqual([]);
  });

  it.each(Object.entries(good))('%s takes members that it does not know', (name, example) => {
    expect(validators[name as BodyName]({ ...example, endToEndIdentification: 'x' })).toBe(true);
  });

  it.each(Object.keys(good))('%s takes no text, list or nothing', (name) => {
    for (const other of ['text', [], null, 5]) expect(validators[name as BodyName](other)).toBe(false);
  });
});

/** The good example with some members changed; `undefined` takes one away. */
const changed = (name: BodyName, changes: Example): unknown =>
  JSON.parse(JSON.stringify({ ...good[name], ...changes }));

const domestic = good.domesticPayment as { debtorAccount: Example; creditorAccount: Example };

describe('bad examples', () => {
  it.each<[BodyName, string, Example]>([
    ['domesticPayment', 'without creditorName', { creditorName: undefined }],
    ['domesticPayment', 'with a name of 71 characters', { creditorName: 'a'.repeat(71) }],
    ['domesticPayment', 'with a number as amount', { instructedAmount: { amount: 100, currency: 'NOK' } }],
    ['domesticPayment', 'with a negative amount', { instructedAmount: { amount: '-1.00', currency: 'NOK' } }],
    [
      'domesticPayment',
      'with an unlisted currency',
      { instructedAmount: { amount: '1.00', currency: 'BYN' } },
    ],
    ['domesticPayment', 'without a country', { creditorAddress: { city: 'Oslo' } }],
    ['domesticPayment', 'with an unlisted country', { creditorAddress: { country: 'UK' } }],
    ['domesticPayment', 'with neither bban nor other', { debtorAccount: { currency: 'NOK' } }],
    [
      'domesticPayment',
      'with both bban and other',
      {
        debtorAccount: {
          ...domestic.debtorAccount,
          other: { identification: 'c', schemeNameProprietary: 'creditCardAccount' },
        },
      },
    ],
    [
      'domesticPayment',
      'with text and references',
      {
        remittanceInformationUnstructured: 'a',
        remittanceInformationStructuredArray: [{ reference: '2345676' }],
      },
    ],
    ['domesticPayment', 'with an empty text', { remittanceInformationUnstructured: '' }],
    ['domesticPayment', 'with an empty reference', { remittanceInformationStructured: { reference: '' } }],
    [
      'domesticPayment',
      'with a reference of 36',
      { remittanceInformationStructuredArray: [{ reference: '1'.repeat(36) }] },
    ],
    ['domesticPayment', 'with an unlisted purpose', { purposeCode: 'RENT' }],
    ['domesticPayment', 'with a day that does not exist', { requestedExecutionDate: '2031-02-30' }],
    ['domesticPayment', 'with a date-time', { requestedExecutionDate: '2031-02-03T00:00:00Z' }],
    ['crossBorderPayment', 'with neither bban nor iban', { creditorAccount: { currency: 'EUR' } }],
    ['crossBorderPayment', 'with a bban and no agent', { creditorAccount: { bban: '123', currency: 'USD' } }],
    ['crossBorderPayment', 'with an unlisted reporting code', { regulatoryReportingCode: '15' }],
    [
      'crossBorderPayment',
      'with 141 characters of purpose',
      { regulatoryReportingInformation: 'a'.repeat(141) },
    ],
    ['paymentResponse', 'without paymentId', { paymentId: undefined }],
    ['paymentResponse', 'with an unlisted status', { transactionStatus: 'PATC' }],
    ['paymentResponse', 'with a fee that is a number', { transactionFees: { amount: 5, currency: 'NOK' } }],
    ['paymentResponse', 'with a link without verbs', { _links: { self: { href: '/a' } } }],
    ['paymentResponse', 'with an unlisted verb', { _links: { self: { href: '/a', verbs: ['PATCH'] } } }],
    ['paymentResponse', 'with a message of 513 characters', { psuMessage: 'a'.repeat(513) }],
    ['basketRequest', 'with ids that are numbers', { paymentIds: [1] }],
    ['basketResponse', 'with a status of payments', { transactionStatus: 'ACCP' }],
    ['sandboxCustomer', 'without agreements', { agreements: undefined }],
    ['sandboxCustomer', 'with another type', { customerType: 'PERSON' }],
    ['paymentStatusResponse', 'with funds in words', { fundsAvailable: 'no' }],
    ['errorResponse', 'with an unlisted code', { tppMessages: [{ category: 'ERROR', code: 'TEAPOT' }] }],
    ['errorResponse', 'with another category', { tppMessages: [{ category: 'INFO', code: 'FORMAT_ERROR' }] }],
  ])('%s %s is refused', (name, _, changes) => {
    expect(validators[name](changed(name, changes))).toBe(false);
  });

  it.each<[BodyName, string, Example]>([
    ['domesticPayment', 'a name of 70 Norwegian letters', { creditorName: 'ø'.repeat(70) }],
    ['domesticPayment', 'a name of 70 letters beyond 16 bits', { creditorName: '𝒜'.repeat(70) }],
    [
      'domesticPayment',
      'a card',
      {
        debtorAccount: {
          currency: 'NOK',
          other: { identification: 'c', schemeNameProprietary: 'creditCardAccount' },
        },
      },
    ],
    ['domesticPayment', 'a leap day', { requestedExecutionDate: '2028-02-29' }],
    [
      'crossBorderPayment',
      'a bban with its agent',
      { creditorAccount: { bban: '1', currency: 'USD' }, creditorAgent: 'CHASUS33' },
    ],
    // Both are advisory: the reading says that neither is refused.
    [
      'crossBorderPayment',
      'both account numbers',
      { debtorAccount: { bban: '1', iban: 'NO1', currency: 'NOK' } },
    ],
    ['sandboxCustomer', 'empty lists', { agreements: [], accounts: [], cardAccounts: [] }],
  ])('%s with %s is taken', (name, _, changes) => {
    expect(validators[name](changed(name, changes))).toBe(true);
  });
});

describe('the form of an amount', () => {
  it.each(['0', '1', '0.05', '100.00', '123456789012345678'])('%s', (amount) => {
    expect(amount).toMatch(amountPattern);
  });

  it.each(['', '.5', '5.', '01', '1,00', '+1', '-1', '1e3', ' 1', '1\n', '0x1F', 'NaN', '1.0.0'])(
    '%j is none',
    (amount) => {
      expect(amount).not.toMatch(amountPattern);
    },
  );
});
