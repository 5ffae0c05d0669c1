import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import type { PsuParts } from '../target/psu.ts';
import { createTarget } from '../target/target.ts';
import { judgedAsDeclared, whyNotPrivate } from './companies-only.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 1024 });
});

const targetOf = (psu: PsuParts) =>
  createTarget({
    baseUrl: 'https://sandbox.example',
    environment: 'sandbox',
    identity: pki.tpp,
    accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
    psu: { sca: 'form', nationalId: '05829210160', ...psu },
  });

const company = { customerNumber: '05829210160', customerType: 'CORPORATE' };
const person = { customerNumber: '01819010001', customerType: 'PRIVATE' };

describe('a target that declares to serve companies only', () => {
  it('is judged as that, and says so', () => {
    const { remarks, incomplete } = judgedAsDeclared(targetOf({ context: 'CORPORATE' }), [
      company,
      null,
      'x',
    ]);
    expect(remarks).toEqual([expect.stringMatching(/serves companies only/)]);
    expect(incomplete).toEqual([]);
  });

  it('is not judged whole where private customers are listed', () => {
    const { incomplete } = judgedAsDeclared(targetOf({ context: 'CORPORATE' }), [company, person]);
    expect(incomplete).toEqual([expect.stringMatching(/Give a private customer as psu/)]);
  });

  it('is the only one of which that is said', () => {
    expect(judgedAsDeclared(targetOf({}), [company, person])).toEqual({ remarks: [], incomplete: [] });
  });
});

describe('a PSU who gets nowhere in private context', () => {
  it('is told to be a company where the sandbox lists it as one', () => {
    expect(whyNotPrivate(targetOf({}), [person, company])).toMatch(/set psu\.context to CORPORATE/);
  });

  it('is left to the checks otherwise', () => {
    expect(whyNotPrivate(targetOf({}), [person])).toBeUndefined();
    expect(whyNotPrivate(targetOf({ nationalId: person.customerNumber }), [person, company])).toBeUndefined();
    expect(whyNotPrivate(targetOf({ context: 'CORPORATE' }), [company])).toBeUndefined();
  });
});
