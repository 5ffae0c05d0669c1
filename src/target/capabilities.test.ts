import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { products } from '../spec/products.ts';
import { type Capability, capabilities, missingCapability, payableProducts } from './capabilities.ts';
import type { OtherPsu } from './psu.ts';
import { createTarget, type Target, type TargetParts } from './target.ts';

const debtor = { bban: '95360573002', currency: 'NOK' };
let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki({ modulusLength: 1024 });
});

const target = (parts: Partial<TargetParts> = {}) =>
  createTarget({
    baseUrl: 'https://sandbox.example',
    environment: 'sandbox',
    identity: pki.tpp,
    accounts: { debtor },
    ...parts,
  });

const missingIn = (subject: Target, among: readonly Capability[]): readonly Capability[] =>
  among.filter((capability) => missingCapability(subject, capability) !== undefined);

describe('capabilities', () => {
  it('of a minimal sandbox are few, and each missing one says what to add', () => {
    const missing = missingIn(target(), capabilities);
    expect(capabilities.filter((capability) => !missing.includes(capability))).toEqual([
      'private-psu',
      'aisp-role',
      'debtor-iban',
      'creditor-iban',
      'foreign-creditor',
      'foreign-bban',
      'other-approver',
      'agreement-of-others',
      'https',
      'sandbox',
      'create-payments',
    ]);
    for (const capability of missing) {
      expect(missingCapability(target(), capability)).toMatch(/target file/);
    }
  });

  it('of a sandbox that offers everything are complete, but for what holds in production alone', () => {
    const payment = { product: 'norwegian-domestic-credit-transfers', id: 'p-1' } as const;
    const everything = target({
      testCa: pki.ca,
      identities: { oddIssuer: pki.tpp },
      accounts: {
        debtor,
        card: { identification: 'card-1', currency: 'NOK' },
        kidCreditor: { bban: '86011118013', currency: 'NOK' },
        manyTransactions: '95360573002',
      },
      psu: {
        sca: 'form',
        id: 'p',
        nationalId: '01819010001',
        corporate: { id: 'a', corporateId: 'b', sessionId: 'of a', nationalId: '01819010192' },
        expired: { id: 'e', sessionId: 'of e' },
        other: { nationalId: '12848510058', corporateId: 'd' },
      },
      permissions: { spendUnattendedCalls: true, allowChanges: true, initialDataSet: true },
      payments: {
        bulk: ['b'],
        periodic: ['p'],
        pending: [payment],
        unfunded: [payment],
        rejected: [payment],
        approved: [payment],
      },
    });
    expect(missingIn(everything, capabilities)).toEqual(['production']);
    expect(missingCapability({ ...everything, environment: 'production' }, 'production')).toBeUndefined();
  });

  it('make up nobody to pay to in production, nor where the target names all who can be paid', () => {
    const german = { iban: 'DE89370400440532013000', currency: 'EUR', country: 'DE' };
    const american = { bban: '021000021123456789', agent: 'CHASUS33XXX', currency: 'USD', country: 'US' };
    const missing = (parts: Partial<TargetParts>) =>
      missingIn(target(parts), ['foreign-creditor', 'foreign-bban']);
    const production = { environment: 'production', allowProductionPayments: true } as const;
    const creditor = { bban: '86011117947', currency: 'NOK' };
    expect(missing({ ...production, accounts: { debtor, creditor } })).toEqual([
      'foreign-creditor',
      'foreign-bban',
    ]);
    expect(payableProducts(target({ ...production, accounts: { debtor, creditor } }))).toEqual([
      products.domestic,
    ]);
    expect(missing({ ...production, accounts: { debtor, creditor, creditorForeign: german } })).toEqual([
      'foreign-bban',
    ]);
    const only = (...crossBorder: readonly (typeof german | typeof american)[]) =>
      missing({ accounts: { debtor, creditors: { crossBorder } } });
    expect(only(german)).toEqual(['foreign-bban']);
    expect(only(german, american)).toEqual([]);
  });

  it('need another person in another session where two PSUs are told apart', () => {
    const psu = { id: 'p', sessionId: 'of p' };
    const withCorporate = (corporate: { id: string; sessionId?: string }) =>
      missingCapability(target({ psu: { ...psu, corporate } }), 'second-psu');
    expect(withCorporate({ id: 'c', sessionId: 'of c' })).toBeUndefined();
    expect(withCorporate({ id: 'P', sessionId: 'of c' })).toMatch(/psu.corporate/);
    expect(withCorporate({ id: 'c' })).toMatch(/psu.corporate/);
  });

  it('of a PSU who acts for a company are those of companies, and none of private customers', () => {
    const missing = (psu: NonNullable<TargetParts['psu']>) =>
      missingIn(target({ psu: { sca: 'form', context: 'CORPORATE', ...psu } }), [
        'private-psu',
        'corporate-psu',
        'corporate-sca',
        'second-psu',
        'personal-number',
      ]);
    expect(missing({ id: 'p', corporateId: 'c', nationalId: '01819010001' })).toEqual([
      'private-psu',
      'second-psu',
    ]);
    expect(missing({ id: 'p', nationalId: '987654325' })).toEqual([
      'private-psu',
      'corporate-psu',
      'second-psu',
      'personal-number',
    ]);
  });

  it('take another customer from the target file where no sandbox lists any', () => {
    const psu = { sca: 'form', id: 'p', nationalId: '01819010001' } as const;
    const missing = (other?: OtherPsu, sca: 'form' | 'session' = 'form') =>
      (['other-psu', 'other-approver', 'agreement-of-others'] as const).filter(
        (capability) =>
          missingCapability(
            target({
              environment: 'production',
              psu: { ...psu, sca, ...(other === undefined ? {} : { other }) },
            }),
            capability,
          )?.includes('add psu.other') === true,
      );
    expect(missing()).toEqual(['other-psu', 'other-approver', 'agreement-of-others']);
    expect(missing({ nationalId: '12848510058' })).toEqual(['agreement-of-others']);
    expect(missing({ nationalId: '12848510058' }, 'session')).toEqual(['other-psu', 'agreement-of-others']);
    expect(missing({ id: 'o', sessionId: 'of o' }, 'session')).toEqual([
      'other-approver',
      'agreement-of-others',
    ]);
    expect(missing({ corporateId: 'd' })).toEqual(['other-psu', 'other-approver']);
    expect(missingCapability(target({ psu }), 'other-psu')).toBeUndefined();
  });

  it('tells that payments in production need a flag', () => {
    const production = target({ environment: 'production' });
    expect(missingCapability(production, 'create-payments')).toMatch(/--allow-production-payments/);
    expect(missingCapability(production, 'sandbox')).toMatch(/must not run in production/);
    const allowed = target({ environment: 'production', allowProductionPayments: true });
    expect(missingCapability(allowed, 'create-payments')).toBeUndefined();
  });

  it('creates no payment where nobody has said what the target is, whatever is allowed', () => {
    const { environment: _, ...parts } = target();
    const unstated = createTarget({
      ...parts,
      identity: pki.tpp,
      identities: {},
      accounts: { debtor },
      allowProductionPayments: true,
    });
    expect(unstated.mayCreatePayments).toBe(false);
    expect(unstated.accounts).toMatchObject({ creditor: { bban: '95360573002' } });
    expect(unstated.accounts.creditorForeign).toBeUndefined();
    expect(missingCapability(unstated, 'create-payments')).toMatch(/set environment to sandbox/);
    expect(missingCapability(unstated, 'sandbox')).toMatch(/set environment to sandbox/);
  });

  it('finds no https where there is none', () => {
    expect(missingCapability(target({ baseUrl: 'http://localhost:8080' }), 'https')).toMatch(/https address/);
  });
});
