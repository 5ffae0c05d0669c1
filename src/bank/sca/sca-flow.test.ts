import { beforeEach, describe, expect, it } from 'vitest';
import { testPki } from '../bank-under-test.test.data.ts';
import {
  aase,
  codeOf,
  fjordOgFjell,
  kari,
  ola,
  refusalIn,
  type TppOfBank,
  tppOfBank,
} from './tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
beforeEach(async () => {
  tpp = await tppOfBank();
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const asKari = { nationalId: kari, context: 'PRIVATE' };
const allOfKari = { ...asKari, accounts: 'all' };
const alert = 'role="alert"';
const startFlow = async (headers: Parameters<TppOfBank['get']>[1] = {}): Promise<string> =>
  tpp.scaRedirectOf(await tpp.get('/v1/accounts', headers));
const textOf = async (href: string, form?: Record<string, string>): Promise<string> =>
  (await tpp.page(href, form)).body.toString();

describe('a request that needs SCA', () => {
  it('is answered 401 with a message and a link to a page', async () => {
    const answer = await tpp.get('/v1/accounts');
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      tppMessages: [{ category: 'ERROR', code: 'CONSENT_UNKNOWN' }],
      _links: { scaRedirect: { verbs: ['GET'] } },
    });
    expect(tpp.refusedBy()).toBe('SCA-01');
    const page = await tpp.page(tpp.scaRedirectOf(answer));
    const headers = new Map(page.headers);
    expect(page.status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Content-Security-Policy')).toMatch(
      /default-src 'none'.*form-action 'self' https:.*frame-ancestors 'none'/,
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it.each(['/back', 'javascript:alert(1)', 'not a uri'])(
    'is refused with the redirect address %s',
    async (uri) => {
      const answer = await tpp.get('/v1/accounts', { 'TPP-Redirect-URI': uri });
      expect(answer.status).toBe(400);
      expect(answer.body.tppMessages).toMatchObject([{ path: 'TPP-Redirect-URI' }]);
    },
  );

  it('ends on a page of the bank where no redirect address was given', async () => {
    const href = await startFlow({ 'TPP-Redirect-URI': undefined });
    const page = await tpp.page(href, allOfKari);
    expect([page.status, page.body.toString()]).toEqual([
      200,
      expect.stringContaining('You can close this page'),
    ]);
  });
});

describe('a successful SCA', () => {
  it('sends exactly psu-id, tpp-session-id and context in private context', async () => {
    const href = await startFlow({ 'TPP-Session-ID': 'my session/1' });
    const { location, parameters } = await tpp.finish(href, allOfKari);
    expect(location).toMatch(/^https:\/\/tpp\.example\/back\?/);
    expect(parameters).toEqual({
      'psu-id': expect.stringMatching(uuid),
      'tpp-session-id': 'my session/1',
      context: 'PRIVATE',
    });
  });

  it('adds psu-corporate-id in corporate context, after a choice of agreement', async () => {
    const href = await startFlow();
    const page = await textOf(href, { nationalId: kari, context: 'CORPORATE' });
    expect(page).toContain('Fjord &amp; Fjell AS');
    const [, second] = tpp.bank.state.customers.agreementsOf(kari);
    expect(await textOf(href, { step: 'agreement', agreement: second?.id ?? '' })).toContain(
      'Choose accounts',
    );
    const { parameters } = await tpp.finish(href, { step: 'accounts', accounts: 'all' });
    expect(parameters).toEqual({
      'psu-id': expect.stringMatching(uuid),
      'psu-corporate-id': second?.id,
      'tpp-session-id': expect.any(String),
      context: 'CORPORATE',
    });
    expect(second?.id).toMatch(uuid);
  });

  it('does not ask a representative with one agreement for it', async () => {
    const { parameters } = await tpp.finish(await startFlow(), {
      nationalId: fjordOgFjell,
      context: 'CORPORATE',
      accounts: 'all',
    });
    expect(parameters['psu-corporate-id']).toBe(
      tpp.bank.state.customers.ownAgreementsOf(fjordOgFjell)[0]?.id,
    );
  });

  it('keeps a query that the redirect address has', async () => {
    const href = await startFlow({ 'TPP-Redirect-URI': 'https://tpp.example/back?state=a%20b' });
    const { location } = await tpp.finish(href, allOfKari);
    expect(location).toMatch(/^https:\/\/tpp\.example\/back\?state=a%20b&psu-id=/);
  });

  it('gives a PSU the same PSU-ID every time, also after initialisation, and another TPP another one', async () => {
    const { ca } = await testPki();
    const other = await ca.issueTpp({ authorisationNumber: 'PSDNO-FSA-999999' });
    const first = (await tpp.consent(kari))['PSU-ID'];
    await tpp.call('/v1/sandbox/initialise');
    expect((await tpp.consent(kari))['PSU-ID']).toBe(first);
    expect((await tpp.consent(ola))['PSU-ID']).not.toBe(first);
    const href = tpp.scaRedirectOf(await tpp.get('/v1/accounts', {}, other));
    const { parameters } = await tpp.finish(href, allOfKari);
    expect(parameters['psu-id']).not.toBe(first);
    const stolen = await tpp.get('/v1/accounts', { 'PSU-ID': first }, other);
    expect(refusalIn(stolen)).toBe('401 PSU_CREDENTIALS_INVALID');
  });
});

describe('a failed SCA', () => {
  it('shows an accessible error for a wrong number, escapes what was typed, and gives up after three', async () => {
    const href = await startFlow();
    const page = await textOf(href, { nationalId: '01819010002', context: 'PRIVATE' });
    for (const part of [alert, 'aria-invalid="true"', '<title>Error: Log in', 'value="01819010002"'])
      expect(page).toContain(part);
    expect(await textOf(href, { nationalId: '"><script>', context: 'PRIVATE' })).not.toContain('"><script>');
    const { parameters } = await tpp.finish(href, { nationalId: '', context: 'PRIVATE' });
    expect(parameters).toEqual({
      system: 'SCA',
      status: '401',
      code: 'PSU_CREDENTIALS_INVALID',
      message: 'The PSU gave a wrong national identity number three times',
    });
  });

  it('is what cancelling leads to, at every step', async () => {
    const cancelled = {
      system: 'SCA',
      status: '401',
      code: 'SCA_INVALID',
      message: expect.stringContaining('cancelled'),
    };
    expect((await tpp.finish(await startFlow(), { action: 'cancel' })).parameters).toEqual(cancelled);
    const href = await startFlow();
    await tpp.page(href, asKari);
    expect((await tpp.finish(href, { step: 'accounts', action: 'cancel' })).parameters).toEqual(cancelled);
  });

  it('comes after half an hour, when the link has expired', async () => {
    const href = await startFlow();
    tpp.clock.advance(31 * 60);
    expect((await tpp.finish(href, asKari)).parameters).toMatchObject({
      code: 'SCA_EXPIRED',
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['who has no agreement', { nationalId: aase, context: 'CORPORATE' }, 'You have no agreement'],
    [
      'who acts for a company only',
      { nationalId: fjordOgFjell, context: 'PRIVATE' },
      'representative of a company',
    ],
    ['who chose no context', { nationalId: kari }, 'Choose on whose behalf you act'],
  ])('tells %s what to choose', async (_, form, told) => {
    expect(await textOf(await startFlow(), form)).toContain(told);
  });

  it('does not let another person pass a flow that was started for a PSU', async () => {
    const psu = await tpp.consent(kari);
    const href = await startFlow({ ...psu, 'TPP-Session-ID': 'another' });
    expect(await textOf(href, { nationalId: ola, context: 'PRIVATE' })).toContain(alert);
  });
});

describe('the pages', () => {
  it('cannot be used again, guessed, or filled in out of turn', async () => {
    const href = await startFlow();
    expect(await textOf(href, { step: 'accounts', accounts: 'all' })).toContain('National identity number');
    await tpp.finish(href, allOfKari);
    expect((await tpp.page(href)).status).toBe(410);
    expect((await tpp.page(href, asKari)).status).toBe(410);
    expect((await tpp.page(`${href}x`)).status).toBe(404);
  });

  it('take a page from the browser’s history for what it is: neither an attempt nor an empty checklist', async () => {
    const href = await startFlow();
    expect(await textOf(href, { step: 'accounts' })).not.toContain(alert);
    await tpp.page(href, { step: 'identify', nationalId: kari, context: 'PRIVATE' });
    const again = await tpp.page(href, { step: 'identify', nationalId: kari, context: 'PRIVATE' });
    expect([again.status, again.body.toString()]).toEqual([200, expect.stringContaining('Choose accounts')]);
  });

  it('pre-select the accounts that were granted, and ignore accounts out of reach', async () => {
    const [mine] = tpp.bank.state.customers.accountsOf(kari);
    const [others] = tpp.bank.state.customers.accountsOf(ola);
    const psu = await tpp.consent(kari, { accounts: mine?.id ?? '' });
    const href = tpp.scaRedirectOf(await tpp.call('/v1/bank-offered-consents', { headers: psu }));
    const page = await textOf(href, asKari);
    expect(page.match(/ checked>/g)).toHaveLength(1);
    expect(page).toContain(`value="${mine?.id}" checked>`);
    const ticks = new URLSearchParams([
      ['accounts', others?.id ?? ''],
      ['accounts', mine?.id ?? ''],
    ]);
    await tpp.finish(href, ticks);
    expect((await tpp.get('/v1/accounts', psu)).body.accounts).toMatchObject([{ resourceId: mine?.id }]);
  });

  it('mention the app when biometric authentication was asked for', async () => {
    expect(await textOf(await startFlow({ 'TPP-Redirect-Preferred': 'false' }))).toContain(
      'fingerprint or face',
    );
    expect(await textOf(await startFlow())).not.toContain('fingerprint');
  });

  it('do not show a checklist to a PISP that is not an AISP', async () => {
    const href = tpp.scaRedirectOf(await tpp.get('/v1/user'));
    const { parameters } = await tpp.finish(href, asKari);
    const psu = { 'PSU-ID': parameters['psu-id'] };
    expect((await tpp.get('/v1/user', psu)).body).toMatchObject({
      name: 'Kari Prøvesen',
      context: 'PRIVATE',
    });
    expect(codeOf(await tpp.get('/v1/accounts', psu))).toBe('CONSENT_UNKNOWN');
  });
});
