import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { createTarget, type TargetParts } from '../target/target.ts';
import { fakeTransport, responseOf } from '../tpp/fake-transport.test.data.ts';
import { learnTheCompanyAccount } from './learn-company-account.ts';
import { createRunContext } from './run-context.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const ofPerson = { bban: '95360573002', currency: 'NOK' };
const company = {
  id: '7c1f3c8e-4f0e-4b57-9a8e-0d3f5a1c2b6d',
  corporateId: '0b9d6f7c-0d43-4b1e-8f5b-2f1f6a7c9e10',
  sessionId: 'company',
};

/** What is learned of a bank that lists these accounts for the company, and lets it pay from some of them. */
async function learned(payable: readonly string[], parts: Partial<TargetParts> = {}) {
  const transport = fakeTransport((request) => {
    if (request.method === 'GET') return responseOf(200, { accounts: listed });
    const body = request.body?.toString('utf8') ?? '';
    return payable.some((bban) => body.includes(bban))
      ? responseOf(201, { paymentId: 'p', transactionStatus: 'RCVD' })
      : responseOf(403);
  });
  const target = createTarget({
    baseUrl: 'https://bank.example',
    environment: 'sandbox',
    identity,
    accounts: { debtor: ofPerson },
    psu: { sca: 'session', id: 'e5f5a6c2-8f43-4f0c-9d3c-3c4e5c1d2a3b', sessionId: 's', corporate: company },
    ...parts,
  });
  const runContext = createRunContext({ target, seed: 7, runs: 1, transport, patienceMs: 1 });
  return { ...(await learnTheCompanyAccount(runContext)), sent: transport.requests.length };
}

const listed = [
  { resourceId: '1', bban: '12345678903', currency: 'EUR' },
  { resourceId: '2', bban: '15030000002', currency: 'NOK' },
  { resourceId: '3', iban: 'NO3395360574122', currency: 'NOK' },
];

describe('the account that a company pays from', () => {
  it('is that of the target file where the bank takes it', async () => {
    const { corporateDebtor, remarks, sent } = await learned([ofPerson.bban]);
    expect(corporateDebtor?.bban).toBe(ofPerson.bban);
    expect({ remarks, sent }).toEqual({ remarks: [], sent: 1 });
  });

  it('is one in kroner that the bank lists for it, and takes', async () => {
    const { corporateDebtor, remarks, sent } = await learned(['NO3395360574122', '95360574122']);
    expect(corporateDebtor).toEqual({ bban: '95360574122', iban: 'NO3395360574122', currency: 'NOK' });
    expect(remarks.join()).toContain('accounts.corporateDebtor');
    expect(sent).toBe(4);
  });

  it('has to be named where none is taken', async () => {
    const { corporateDebtor, remarks } = await learned([]);
    expect(corporateDebtor).toBeUndefined();
    expect(remarks.join()).toContain('give one as accounts.corporateDebtor');
  });

  it('is not asked for where the target file names it, or knows no company', async () => {
    const corporateDebtor = { bban: '15030000002', currency: 'NOK' };
    expect(await learned([], { accounts: { debtor: ofPerson, corporateDebtor } })).toEqual({
      remarks: [],
      sent: 0,
    });
    expect(await learned([], { psu: { sca: 'session', sessionId: 's' } })).toEqual({ remarks: [], sent: 0 });
  });
});
