import { Ajv } from 'ajv';
import formatsPlugin from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBankingDay } from '../spec/banking-days.ts';
import { bodies } from '../spec/bodies/index.ts';
import { isBban, isBic, isIban, isKid } from '../spec/check-digits.ts';
import { purposeCodes, regulatoryReportingCodes } from '../spec/code-lists.ts';
import { unsanctionedCountries } from '../spec/countries.ts';
import { currencies } from '../spec/currencies.ts';
import { dayMs } from '../spec/days.ts';
import { bodySchema } from '../spec/json-schema.ts';
import { everyProduct } from '../spec/products.ts';
import { Amounts, germanAccountIn, norwegianAccountIn } from './amounts.ts';
import { crossBorderPayments } from './cross-border-payments.ts';
import { domesticPayments, remittanceForms } from './domestic-payments.ts';
import type { JsonObject } from './json.ts';
import { kidOfLength } from './kid.ts';
import { accountWithoutIban, foreignAccounts, ibansOfEveryLength, plainPurposes } from './payment-parts.ts';
import { facts } from './payments.test.data.ts';
import { paymentsOf, simplePaymentsOf } from './payments.ts';

const ajv = formatsPlugin.default(new Ajv({ allErrors: true }));
const isDomestic = ajv.compile(bodySchema(bodies.domesticPayment).schema);
const isCrossBorder = ajv.compile(bodySchema(bodies.crossBorderPayment).schema);

const draw = (arbitrary: fc.Arbitrary<JsonObject>, numRuns = 300): readonly JsonObject[] =>
  fc.sample(arbitrary, { seed: 1, numRuns });
const amounts = () => new Amounts(1, 0);
const at = (body: JsonObject, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], body);
const valuesAt = (bodies: readonly JsonObject[], ...path: readonly string[]): readonly unknown[] =>
  bodies.map((body) => at(body, ...path)).filter((value) => value !== undefined);

function expectOwnAmounts(bodies: readonly JsonObject[]): void {
  const drawn = valuesAt(bodies, 'instructedAmount', 'amount');
  expect(new Set(drawn).size).toBe(bodies.length);
  for (const amount of drawn) expect(amount).toMatch(/^[1-9]\d*\.\d{2}$/);
}

function expectBankingDays(bodies: readonly JsonObject[]): void {
  const dates = valuesAt(bodies, 'requestedExecutionDate');
  expect(new Set(dates).size).toBeGreaterThan(2);
  for (const date of dates) {
    const time = new Date(`${date}T00:00:00Z`);
    expect(isBankingDay(time)).toBe(true);
    expect(time.getTime()).toBeGreaterThan(facts.now.getTime());
    expect(time.getTime()).toBeLessThan(facts.now.getTime() + 30 * dayMs);
  }
}

describe.each(everyProduct)('$word payments', (product) => {
  const drawn = draw(paymentsOf(product, facts, amounts(), { codes: 'whole' }), 1000);
  const isValid = ajv.compile(bodySchema(product.table).schema);

  it('are valid', () => {
    expect(drawn.filter((body) => !isValid(body))).toEqual([]);
  });

  it('are valid however far they are shrunk', () => {
    const seen: JsonObject[] = [];
    fc.check(
      fc.property(paymentsOf(product, facts, amounts()), (body) => {
        seen.push(body);
        return seen.length > 400;
      }),
      { seed: 1 },
    );
    expect(seen.length).toBeGreaterThan(10);
    for (const body of seen) expect(isValid(body)).toBe(true);
  });

  it('have no optional fields where they are simple', () => {
    const simple = draw(simplePaymentsOf(product, facts, amounts()), 1);
    expect(simple.filter((body) => !isValid(body))).toEqual([]);
    expect(valuesAt(simple, 'requestedExecutionDate')).toEqual([]);
  });

  it('have amounts of their own', () => expectOwnAmounts(drawn));

  it('are executed on banking days, or at once', () => expectBankingDays(drawn));
});

describe('domestic payments', () => {
  const drawn = draw(domesticPayments(facts, amounts(), { codes: 'whole' }), 1000);

  it('go over the whole domain', () => {
    expect(new Set(valuesAt(drawn, 'purposeCode'))).toEqual(new Set(purposeCodes));
    expect(new Set(valuesAt(drawn, 'creditorAddress', 'country')).size).toBeGreaterThan(
      unsanctionedCountries.length * 0.9,
    );
    for (const field of ['creditorAgent', 'ultimateDebtor', 'requestedExecutionDate', 'purposeCode']) {
      const present = valuesAt(drawn, field).length;
      expect(present, field).toBeGreaterThan(300);
      expect(present, field).toBeLessThan(1000);
    }
  });

  it('keep to codes that every bank takes, unless the whole domain is asked for', () => {
    const plain = draw(domesticPayments(facts, amounts()), 50);
    expect(new Set(valuesAt(plain, 'creditorAddress', 'country'))).toEqual(new Set(['NO']));
    expect(new Set(valuesAt(plain, 'purposeCode'))).toEqual(new Set(plainPurposes));
  });

  it('have right check digits', () => {
    for (const bban of [
      ...valuesAt(drawn, 'creditorAccount', 'bban'),
      ...valuesAt(drawn, 'debtorAccount', 'bban'),
    ]) {
      expect(isBban(String(bban))).toBe(true);
    }
    const references = [
      ...valuesAt(drawn, 'remittanceInformationStructured'),
      ...valuesAt(drawn, 'remittanceInformationStructuredArray').flat(),
    ] as { reference: string }[];
    expect(references.length).toBeGreaterThan(100);
    for (const { reference } of references) expect(isKid(reference)).toBe(true);
  });

  it.each(remittanceForms)('have remittance information as asked for: %s', (remittance) => {
    const field = {
      none: undefined,
      unstructured: 'remittanceInformationUnstructured',
      array: 'remittanceInformationStructuredArray',
      single: 'remittanceInformationStructured',
    }[remittance];
    for (const body of draw(domesticPayments(facts, amounts(), { remittance }), 30)) {
      const present = Object.keys(body).filter((name) => name.startsWith('remittanceInformation'));
      expect(present).toEqual(field === undefined ? [] : [field]);
      expect(isDomestic(body)).toBe(true);
    }
  });

  it('have nothing optional, or all of it', () => {
    const [least = {}] = draw(
      domesticPayments(facts, amounts(), { optional: 'none', remittance: 'none' }),
      1,
    );
    expect(Object.keys(least)).toEqual([
      'instructedAmount',
      'creditorName',
      'creditorAccount',
      'creditorAddress',
      'debtorAccount',
    ]);
    expect(Object.keys(at(least, 'creditorAddress') as JsonObject)).toEqual(['country']);
    for (const body of draw(domesticPayments(facts, amounts(), { optional: 'all' }), 30)) {
      expect(body).toMatchObject({
        creditorAgent: expect.any(String),
        ultimateDebtor: expect.any(String),
        purposeCode: expect.any(String),
        requestedExecutionDate: expect.any(String),
        creditorAddress: {
          street: expect.any(String),
          buildingNumber: expect.any(String),
          postalCode: expect.any(String),
          city: expect.any(String),
        },
      });
    }
  });

  it('are paid from a card where one is asked for and there is one', () => {
    for (const body of draw(domesticPayments(facts, amounts(), { debtor: 'card' }), 20)) {
      expect(at(body, 'debtorAccount')).toEqual({
        currency: 'NOK',
        other: { identification: '4111-card-1', schemeNameProprietary: 'creditCardAccount' },
      });
      expect(isDomestic(body)).toBe(true);
    }
  });

  it('use the name and agent of the target’s creditor', () => {
    const creditor = { bban: '86011117947', currency: 'EUR', name: 'Ola Nordmann', agent: 'SPTRNO22XXX' };
    for (const body of draw(domesticPayments({ ...facts, creditor }, amounts()), 20)) {
      // A currency account needs its agent.
      expect(body).toMatchObject({ creditorName: 'Ola Nordmann', creditorAgent: 'SPTRNO22XXX' });
    }
  });

  it('name no bank that the account is not of', () => {
    const agentsFor = (bban: string) =>
      draw(
        domesticPayments({ ...facts, creditor: { bban, currency: 'NOK' } }, amounts(), { optional: 'all' }),
        5,
      ).map((body) => at(body, 'creditorAgent'));
    expect(new Set(agentsFor('86011117947'))).toEqual(new Set(['DABANO22XXX']));
    expect(new Set(agentsFor('15030000002'))).toEqual(new Set([undefined]));
  });

  it('are paid to the account that demands a KID where that is asked for', () => {
    const kidCreditor = { bban: '86011118013', currency: 'NOK', name: 'Kraftlaget SA' };
    for (const body of draw(domesticPayments({ ...facts, kidCreditor }, amounts(), { creditor: 'kid' }), 5))
      expect(body).toMatchObject({
        creditorName: 'Kraftlaget SA',
        creditorAccount: { bban: '86011118013', currency: 'NOK' },
      });
  });
});

describe('accounts in a currency', () => {
  it('are one for each, with the right check digits and a BIC', () => {
    const norwegian = currencies.map(norwegianAccountIn);
    const german = currencies.map(germanAccountIn);
    expect(norwegian.filter(({ number }) => !isBban(number))).toEqual([]);
    expect(german.filter(({ number }) => !isIban(number))).toEqual([]);
    expect([...norwegian, ...german].filter(({ agent }) => !isBic(agent))).toEqual([]);
    expect(new Set([...norwegian, ...german].map(({ number }) => number)).size).toBe(2 * currencies.length);
  });
});

describe('a KID of a certain length', () => {
  it('passes mod 10 and mod 11 alike', () => {
    expect([10, 25].map(kidOfLength).filter((kid) => !isKid(kid))).toEqual([]);
    expect(kidOfLength(35)).toMatch(/^\d{35}$/);
  });
});

describe('cross-border payments', () => {
  it('are as large as the product is meant for, unless small ones are asked for', () => {
    const large = draw(crossBorderPayments(facts, amounts()), 20);
    expect(large.filter((body) => Number(at(body, 'instructedAmount', 'amount')) < 100_000)).toEqual([]);
    expect(new Set(large.map((body) => at(body, 'instructedAmount', 'currency')))).toEqual(new Set(['NOK']));
    const small = draw(crossBorderPayments(facts, amounts(), { amount: 'small' }), 5);
    expect(new Set(small.map((body) => at(body, 'instructedAmount', 'currency')))).toEqual(new Set(['EUR']));
  });

  const forms = (['iban', 'bban'] as const).flatMap((creditor) =>
    (['iban', 'bban'] as const).map((debtor) => ({ creditor, debtor })),
  );

  it.each(forms)('are valid: creditor by $creditor, debtor by $debtor', ({ creditor, debtor }) => {
    for (const body of draw(crossBorderPayments(facts, amounts(), { creditor, debtor }))) {
      expect(isCrossBorder(body) ? [] : isCrossBorder.errors, JSON.stringify(body)).toEqual([]);
      expect(Object.keys(at(body, 'creditorAccount') as JsonObject)).toEqual([creditor, 'currency']);
      expect(Object.keys(at(body, 'debtorAccount') as JsonObject)).toEqual([debtor, 'currency']);
    }
  });

  const drawn = draw(crossBorderPayments(facts, amounts(), { codes: 'whole' }), 1000);

  it('go over all codes', () => {
    expect(new Set(valuesAt(drawn, 'regulatoryReportingCode'))).toEqual(
      new Set(regulatoryReportingCodes.keys()),
    );
    expect(new Set(valuesAt(drawn, 'purposeCode'))).toEqual(new Set(purposeCodes));
  });

  it('have both regulatory fields always, since no rate tells when they are needed', () => {
    expect(valuesAt(drawn, 'regulatoryReportingCode')).toHaveLength(drawn.length);
    expect(valuesAt(drawn, 'regulatoryReportingInformation')).toHaveLength(drawn.length);
  });

  it('go to accounts with right check digits, and to banks of their country', () => {
    expect(ibansOfEveryLength.filter((iban) => !isIban(iban))).toEqual([]);
    for (const { iban, agent, country } of foreignAccounts) {
      expect(isIban(iban)).toBe(true);
      expect(isBic(agent)).toBe(true);
      expect([iban.slice(0, 2), agent.slice(4, 6)]).toEqual([country, country]);
    }
    expect(accountWithoutIban.agent.slice(4, 6)).toBe(accountWithoutIban.country);
    expect(isBban(accountWithoutIban.bban)).toBe(true);
  });

  it('have an address in the country of the account', () => {
    const forms: Readonly<Record<string, RegExp>> = {
      DE: /^\d{5}$/,
      GB: /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/,
      NL: /^\d{4} [A-Z]{2}$/,
      ES: /^\d{5}$/,
    };
    const addresses = valuesAt(drawn, 'creditorAddress') as { country: string; postalCode: string }[];
    expect(new Set(addresses.map(({ country }) => country))).toEqual(new Set(Object.keys(forms)));
    for (const { country, postalCode } of addresses) expect(postalCode).toMatch(forms[country] ?? /^$/);
  });

  it('go to the target’s own foreign creditor where there is one', () => {
    const creditorForeign = {
      iban: 'FI2112345600000785',
      agent: 'NDEAFIHHXXX',
      currency: 'EUR',
      country: 'FI',
    };
    for (const body of draw(
      crossBorderPayments({ ...facts, creditorForeign }, amounts(), { optional: 'all' }),
      20,
    )) {
      expect(body).toMatchObject({
        creditorAccount: { iban: 'FI2112345600000785', currency: 'EUR' },
        creditorAgent: 'NDEAFIHHXXX',
        creditorAddress: { country: 'FI' },
      });
      expect(isCrossBorder(body)).toBe(true);
    }
  });
});

describe('the same seed', () => {
  it('draws the same payments', () => {
    const twice = [1, 2].map(() => draw(domesticPayments(facts, amounts()), 20));
    expect(twice[0]).toEqual(twice[1]);
  });
});
