import { beforeAll, describe, expect, it } from 'vitest';
import { appearanceOf, inOrder, norwegianCreditor } from '../payloads/appearance.ts';
import { createTestPki } from '../signing/certificate-authority.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { createTarget, type TargetParts } from '../target/target.ts';
import { fakeTransport, headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import { addressingOf, createRunContext, psuOf, tlsOf } from './run-context.ts';

let identity: SigningIdentity;
beforeAll(async () => {
  identity = (await createTestPki({ modulusLength: 512 })).tpp;
});

const targetOf = (parts: Partial<TargetParts> = {}) =>
  createTarget({
    baseUrl: 'https://bank.example:8443/api-sandbox/',
    environment: 'sandbox',
    identity,
    accounts: { debtor: { bban: '95360573002', currency: 'NOK' } },
    psu: { id: 'psu-1', sessionId: 'session-1' },
    ...parts,
  });

describe('a run context', () => {
  it('talks to the target as the target file says', async () => {
    const transport = fakeTransport(() => responseOf(200));
    const target = targetOf({
      customHeaders: { 'X-API-Key': 'key' },
      paths: { signingBaskets: '/v9/baskets' },
    });
    const runContext = createRunContext({ target, seed: 7, runs: 3, transport });
    await runContext.client.call({ operation: 'createSigningBasket', body: { paymentIds: [] } });
    const [request] = transport.requests;
    if (request === undefined) throw new Error('Nothing was sent.');
    expect(request.target).toBe('/api-sandbox/v9/baskets');
    expect(headerOf(request, 'Host')).toBe('bank.example:8443');
    expect(headerOf(request, 'X-API-Key')).toBe('key');
    expect(headerOf(request, 'PSU-ID')).toBe('psu-1');
    expect(headerOf(request, 'TPP-Session-ID')).toBe('session-1');
    expect(runContext).toMatchObject({
      seed: 7,
      runs: 3,
      repeatsPayments: false,
      observations: { kept: [] },
    });
  });

  it.each([
    ['what other TPPs send', {}, {}],
    [
      'what the target file says',
      { userAgent: 'tpp/1', psu: { ipAddress: '192.0.2.1', redirectUri: 'https://own.example/back' } },
      {
        'User-Agent': 'tpp/1',
        'PSU-IP-Address': '192.0.2.1',
        'TPP-Redirect-URI': 'https://own.example/back',
      },
    ],
  ])('shows nothing of the suite, but %s', async (_, parts, own) => {
    const transport = fakeTransport(() => responseOf(200));
    const { client, target, pages } = createRunContext({
      target: targetOf(parts),
      seed: 7,
      runs: 3,
      transport,
    });
    await client.call({ operation: 'listAccounts' });
    const [{ headers } = { headers: [] }] = transport.requests;
    const { userAgent, ipAddress, redirectUri, browser } = appearanceOf(7);
    const drawn = { 'User-Agent': userAgent, 'PSU-IP-Address': ipAddress, 'TPP-Redirect-URI': redirectUri };
    expect(Object.fromEntries(headers)).toMatchObject({ ...drawn, ...own });
    expect(pages.browser).toBe(browser);
    expect(headers.map(([name]) => name)).toEqual(
      inOrder(headers, target.userAgent ?? '').map(([name]) => name),
    );
    expect(target.accounts.creditor.bban).toBe(norwegianCreditor(7, '95360573002'));
  });

  it('makes up no account in production, nor where the target file names them', () => {
    const creditor = { bban: '86011117947', currency: 'NOK' };
    const named = targetOf({ accounts: { debtor: { bban: '95360573002', currency: 'NOK' }, creditor } });
    const production = targetOf({ environment: 'production' });
    const paidBy = [named, production].map(
      (target) => createRunContext({ target, seed: 7, runs: 3 }).target.accounts,
    );
    expect(paidBy.map(({ creditor: { bban } }) => bban)).toEqual(['86011117947', '95360573002']);
    expect(paidBy[1]?.creditorForeign).toBeUndefined();
  });

  it('has no PSU-ID where the target file gives none', () => {
    expect(psuOf(targetOf({ psu: {} }))).not.toHaveProperty('id');
  });

  it('knows an address without a prefix', () => {
    expect(addressingOf(targetOf({ baseUrl: 'https://bank.example' }))).toMatchObject({
      prefix: '',
      host: 'bank.example',
    });
  });

  it('shows the client certificate to the host of the interface alone', () => {
    const client = { certificate: 'certificate', privateKey: 'key', passphrase: 'secret' };
    const target = targetOf({ tls: { ca: 'ca', client } });
    expect(tlsOf(target, 'https://bank.example:9443')).toMatchObject({ cert: 'certificate', key: 'key' });
    expect(tlsOf(target, 'https://login.bank.example')).toEqual({ rejectUnauthorized: true, ca: 'ca' });
  });

  it('hides whoever the bank sends back after SCA, also where that is somebody else', async () => {
    const somebody = '9e673e6a-7b50-40e7-9290-1099bcc54855';
    const transport = fakeTransport(() => ({
      ...responseOf(302),
      headers: [
        ['Location', `https://tpp.example/redirect?psu-id=${somebody}&tpp-session-id=session-of-nobody`],
      ],
    }));
    const psu = {
      sca: 'form' as const,
      nationalId: '01819010001',
      redirectUri: 'https://tpp.example/redirect',
    };
    const { walker, redactor } = createRunContext({ target: targetOf({ psu }), seed: 7, runs: 1, transport });
    const person = { nationalId: '01819010001', context: 'PRIVATE' as const };
    const back = await walker.pass('https://bank.example:8443/sca/1', person);
    expect(back.psuId).toBe(somebody);
    expect(redactor.text(`psu-id ${somebody} in session-of-nobody`)).not.toMatch(/9e673e6a|of-nobody/);
  });
});
