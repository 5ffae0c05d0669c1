import { describe, expect, it } from 'vitest';
import {
  acceptFixes,
  basketStatuses,
  candidateHeaders,
  linkVerbs,
  messageCodes,
  purposeCodes,
  regulatoryReportingCodes,
  transactionStatuses,
} from './code-lists.ts';
import { countries, unlistedCountries } from './countries.ts';
import {
  currencies,
  doubtfulCurrencies,
  judgedCurrencies,
  minorUnits,
  unlistedCurrencies,
} from './currencies.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('the lists of the specification', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ['currencies', currencies, 162, /^[A-Z]{3}$/],
    ['countries', countries, 249, /^[A-Z]{2}$/],
    ['purpose codes', purposeCodes, 14, /^[A-Z]{4}$/],
    ['reporting codes', [...regulatoryReportingCodes.keys()], 16, /^\d{2}$/],
    ['transaction statuses', transactionStatuses, 11, /^[A-Z]{4}$/],
    ['basket statuses', basketStatuses, 4, /^[A-Z]{4}$/],
    ['message codes', messageCodes, 24, /^[A-Z_]+$/],
    ['verbs of links', linkVerbs, 4, /^[A-Z]+$/],
    ['candidate headers', candidateHeaders, 6, /^[a-z-]+$/],
    ['values of x-accept-fix', acceptFixes.map(({ value }) => value), 4, /^[a-z-]+$/],
  ])('%s: all of them, each once', (_, list, count, form) => {
    expect(list).toHaveLength(count);
    expect(new Set(list).size).toBe(count);
    for (const value of list) expect(value).toMatch(form);
  });

  it('hold what is easily lost', () => {
    expect(currencies).toEqual(
      expect.arrayContaining([...words('NOK EUR GGP IMP JEP SPL TVD XDR BYR ZWD MGA CUC')]),
    );
    expect(countries).toEqual(expect.arrayContaining([...words('NO AX BQ SS SX TL')]));
    expect(messageCodes).toContain('REFERENCE_MIX_INVALID');
    expect([...regulatoryReportingCodes.keys()].join(' ')).toBe(
      '14 26 29 31 35 38 41 43 45 51 52 53 71 79 81 82',
    );
    expect(purposeCodes.join(' ')).toBe(
      'INVS SALA IDCP CASH CORT INTC PENS SSBE SUPP TAXS TREA VATX LOAN OTHR',
    );
    expect(transactionStatuses.join(' ')).toBe('ACCP ACSC ACSP ACTC ACWC ACWP RCVD PDNG RJCT CANC PART');
    expect(basketStatuses.join(' ')).toBe('RCVD ACTC PATC RJCT');
  });

  it('are signed in the order that clients use', () => {
    expect(candidateHeaders.join(' ')).toBe(
      'date digest x-request-id psu-id psu-corporate-id tpp-redirect-uri',
    );
  });

  it('do not hold their own counterexamples', () => {
    for (const code of unlistedCurrencies) expect(currencies).not.toContain(code);
    for (const code of unlistedCountries) expect(countries).not.toContain(code);
  });
});

describe('minor units', () => {
  const none = words('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF BYR');
  const three = words('BHD IQD JOD KWD LYD OMR TND');
  const undefinedOnes = words('XDR GGP IMP JEP SPL TVD');
  const digits = (code: string): number | undefined =>
    none.includes(code) ? 0 : three.includes(code) ? 3 : undefinedOnes.includes(code) ? undefined : 2;

  it('are those of ISO 4217, for every currency of the list', () => {
    expect([...minorUnits.keys()].toSorted()).toEqual([...currencies].toSorted());
    const wrong = currencies.filter((code) => minorUnits.get(code) !== digits(code));
    expect(wrong).toEqual([]);
  });

  it('are judged where they are beyond doubt', () => {
    const doubtful = words('ANG BGN BYR CUC HRK MRO SLL STD VEF ZWD MGA');
    expect(new Set(doubtfulCurrencies)).toEqual(new Set(doubtful));
    expect(judgedCurrencies).toHaveLength(162 - undefinedOnes.length - doubtful.length);
    for (const code of [...undefinedOnes, ...doubtful]) expect(judgedCurrencies).not.toContain(code);
    expect(judgedCurrencies).toEqual(expect.arrayContaining(['NOK', 'JPY', 'KWD', 'HUF', 'IQD']));
  });
});
