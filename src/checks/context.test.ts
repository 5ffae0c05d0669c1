import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Call } from '../tpp/call.ts';
import { responseOf } from '../tpp/fake-transport.test.data.ts';
import { check } from './check.ts';
import { asksForSca } from './expectation.ts';
import { type FakeBank, fakeRunContext, verdictOn } from './fake-run-context.test.data.ts';
import { ExpectationFailed } from './outcomes.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const anyBank: FakeBank = () => responseOf(200, []);

describe('a run whose PSU could not pass SCA', () => {
  const withoutPsu = 'SCA could not be passed before the run.';
  const sending = (call: Call) =>
    check({
      id: 'A',
      requirement: 'TRN-01',
      title: 'sends something',
      run: async (context) => void (await context.call(call)),
    });

  it('judges nothing that needs the PSU, and says why', async () => {
    const runContext = fakeRunContext(anyBank, { identity });
    const result = await verdictOn(sending({ operation: 'listAccounts' }), { ...runContext, withoutPsu });
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: withoutPsu });
    expect(runContext.transport.requests).toEqual([]);
  });

  it('judges what needs no PSU, or names one', async () => {
    const runContext = { ...fakeRunContext(anyBank, { identity }), withoutPsu };
    const psu = { sessionId: 'new', ipAddress: '192.0.2.1', redirectUri: 'https://tpp.example' };
    const listing = await verdictOn(sending({ operation: 'listSandboxCustomers' }), runContext);
    const accounts = await verdictOn(sending({ operation: 'listAccounts', psu }), runContext);
    expect([listing.verdict, accounts.verdict]).toEqual(['pass', 'pass']);
  });
});

describe('a run whose corporate PSU could not pass SCA', () => {
  const withoutCorporatePsu = 'SCA could not be passed for psu.corporate.';
  const needing = (...needs: readonly Capability[]) =>
    check({ id: 'A', requirement: 'COR-03', title: 'needs a company', needs, run: async () => {} });

  it('leaves open what needs that PSU, and asks for nothing that the target file has', async () => {
    const runContext = { ...fakeRunContext(anyBank, { identity }), withoutCorporatePsu };
    expect(await verdictOn(needing('corporate-psu', 'second-psu'), runContext)).toMatchObject({
      verdict: 'inconclusive',
      reason: withoutCorporatePsu,
    });
  });

  it('asks for what the target file lacks besides', async () => {
    const runContext = { ...fakeRunContext(anyBank, { identity }), withoutCorporatePsu };
    expect(await verdictOn(needing('corporate-psu', 'test-ca'), runContext)).toMatchObject({
      verdict: 'not-applicable',
      reason: 'add signing.testCa to the target file',
    });
  });
});

describe('a redirect where 401 is due', () => {
  const accounts = check({
    id: 'A',
    requirement: 'SCA-01',
    title: 'asks for SCA',
    run: async (context) => {
      const answer = await context.call({ operation: 'listAccounts' });
      if (!answer.asksForSca) throw new ExpectationFailed(asksForSca().text, String(answer.status));
    },
  });
  const redirecting: FakeBank = ({ wire }) =>
    wire.target.includes('/accounts') ? responseOf(302) : responseOf(200, []);

  it('is that of the bank when another request goes through in between', async () => {
    const runContext = fakeRunContext(redirecting, { identity });
    const control = { operation: 'listSandboxCustomers' } as const;
    await runContext.client.call(control);
    const result = await verdictOn(accounts, { ...runContext, control });
    expect(result).toMatchObject({ verdict: 'fail', actual: '302' });
  });
});
