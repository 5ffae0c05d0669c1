import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, kari, refusalIn, type TppOfBank, tppOfBank } from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
beforeEach(async () => {
  tpp = await tppOfBank();
});

const hour = 3600;

describe('a session', () => {
  it('holds for one hour', async () => {
    const psu = await tpp.consent(kari);
    tpp.clock.advance(hour);
    expect((await tpp.get('/v1/accounts', psu)).status).toBe(200);
    tpp.clock.advance(1);
    const expired = await tpp.get('/v1/accounts', psu);
    expect([expired.status, codeOf(expired), tpp.refusedBy()]).toEqual([401, 'SCA_EXPIRED', 'SES-01']);
    expect(tpp.scaRedirectOf(expired)).not.toBe('');
  });

  it('needs a new SCA in a new TPP-Session-ID, whose completion ends the old one', async () => {
    const old = await tpp.consent(kari, {}, { 'TPP-Session-ID': 'old' });
    const renewed = { ...old, 'TPP-Session-ID': 'new' };
    const answer = await tpp.get('/v1/accounts', renewed);
    expect(refusalIn(answer)).toBe('401 SCA_NOT_FOUND');
    expect((await tpp.get('/v1/accounts', old)).status).toBe(200);
    await tpp.finish(tpp.scaRedirectOf(answer), { nationalId: kari, context: 'PRIVATE', accounts: 'all' });
    expect((await tpp.get('/v1/accounts', renewed)).status).toBe(200);
    expect((await tpp.get('/v1/accounts', old)).status).toBe(401);
  });

  it('survives an aborted SCA in a new one', async () => {
    const old = await tpp.consent(kari, {}, { 'TPP-Session-ID': 'old' });
    const answer = await tpp.get('/v1/accounts', { ...old, 'TPP-Session-ID': 'new' });
    await tpp.finish(tpp.scaRedirectOf(answer), { action: 'cancel' });
    expect((await tpp.get('/v1/accounts', old)).status).toBe(200);
  });

  it('is that of the latest SCA where reading names none', async () => {
    const psu = { ...(await tpp.consent(kari)), 'TPP-Session-ID': undefined };
    expect((await tpp.get('/v1/accounts', psu)).status).toBe(200);
    tpp.clock.advance(hour + 1);
    expect((await tpp.get('/v1/accounts', psu)).status).toBe(401);
  });
});
