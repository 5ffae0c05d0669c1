import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../signing/certificate-authority.ts';
import type { PsuParts } from '../target/psu.ts';
import { createTarget } from '../target/target.ts';
import { withSessionsOfAllShards } from './shared-sessions.ts';

const identity = await (await createCertificateAuthority()).issueTpp();

const sessionsOf = (psu: PsuParts, seed = 1) => {
  const target = createTarget({
    baseUrl: 'https://bank.example',
    identity,
    accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
    psu: { sca: 'form', nationalId: '01819010001', ...psu },
  });
  const { sessionId, corporate } = withSessionsOfAllShards(target, seed).psu;
  return [sessionId, corporate?.sessionId];
};
const corporate = { nationalId: '05829210160' };

describe('the sessions of shards', () => {
  it('are the same in all shards of a run, one for each customer', () => {
    const sessions = sessionsOf({ corporate });
    expect(sessionsOf({ corporate })).toEqual(sessions);
    expect(new Set([...sessions, ...sessionsOf({ corporate }, 2)]).size).toBe(4);
    expect(sessions[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('are those of the target file, where it gives them', () => {
    const given = { sessionId: 'mine', corporate: { ...corporate, sessionId: 'theirs' } };
    expect(sessionsOf(given)).toEqual(['mine', 'theirs']);
  });

  it('stay one where a customer acts for a company in their own', () => {
    const [own, ofCompany] = sessionsOf({ corporate: { ...corporate, id: 'x', corporateId: 'y' } });
    expect(ofCompany).toBe(own);
  });
});
