import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, testPki } from '../bank-under-test.test.data.ts';
import {
  codeOf,
  fjordOgFjell,
  kari,
  ola,
  refusalIn,
  type TppOfBank,
  tppOfBank,
} from '../sca/tpp-of-bank.test.data.ts';

let tpp: TppOfBank;
let mine: string;
beforeEach(async () => {
  tpp = await tppOfBank();
  mine = tpp.bank.state.customers.accountsOf(kari)[0]?.id ?? '';
});

const idsIn = ({ body }: Answer): readonly string[] =>
  (body.accounts as readonly { resourceId: string }[]).map(({ resourceId }) => resourceId);

describe('accounts', () => {
  it('are those that the PSU granted', async () => {
    const psu = await tpp.consent(kari, { accounts: mine });
    const answer = await tpp.get('/v1/accounts', psu);
    expect(answer.status).toBe(200);
    expect(answer.body.accounts).toMatchObject([
      {
        resourceId: mine,
        iban: 'NO0995360573002',
        bban: '95360573002',
        currency: 'NOK',
        cashAccountType: 'CACC',
        _links: { balances: { href: `https://localhost/v1/accounts/${mine}/balances`, verbs: ['GET'] } },
      },
    ]);
    expect((await tpp.get(`/v1/accounts/${mine}`, psu)).body).toMatchObject({
      account: { resourceId: mine },
    });
  });

  it('are lost by deselecting', async () => {
    const psu = await tpp.consent(kari);
    const [, kept] = idsIn(await tpp.get('/v1/accounts', psu));
    const again = tpp.scaRedirectOf(await tpp.call('/v1/consents', { headers: psu }));
    await tpp.finish(again, { nationalId: kari, context: 'PRIVATE', accounts: kept ?? '' });
    expect(idsIn(await tpp.get('/v1/accounts', psu))).toEqual([kept]);
    const revoked = await tpp.get(`/v1/accounts/${mine}/balances`, psu);
    expect(refusalIn(revoked)).toBe('401 CONSENT_INVALID');
    expect(tpp.scaRedirectOf(revoked)).not.toBe('');
  });

  it('ask for SCA again when everything was deselected', async () => {
    const psu = await tpp.consent(kari, { accounts: 'none' });
    expect(codeOf(await tpp.get('/v1/accounts', psu))).toBe('CONSENT_UNKNOWN');
  });

  it('of others are not told to exist', async () => {
    const psu = await tpp.consent(kari);
    const others = tpp.bank.state.customers.accountsOf(ola)[0]?.id;
    for (const id of [others, 'nothing', '..%2F..', '__proto__']) {
      const answer = await tpp.get(`/v1/accounts/${id}/balances`, psu);
      expect(refusalIn(answer)).toBe('404 RESOURCE_UNKNOWN');
    }
  });

  it('are refused to a TPP without the role of an AISP', async () => {
    const { ca } = await testPki();
    const identity = await ca.issueTpp({ roles: ['PSP_PI'] });
    for (const path of ['accounts', `accounts/${mine}`, 'card-accounts', 'card-accounts/1/transactions'])
      expect((await tpp.get(`/v1/${path}`, {}, identity)).status, path).toBe(403);
    expect((await tpp.get('/v1/user', {}, identity)).status).toBe(401);
  });

  it('have balances', async () => {
    const psu = await tpp.consent(kari);
    expect((await tpp.get(`/v1/accounts/${mine}/balances`, psu)).body).toMatchObject({
      account: { bban: '95360573002' },
      balances: [
        {
          balanceType: 'interimBooked',
          balanceAmount: { amount: '25000000.00', currency: 'NOK' },
          lastChangeDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
        },
        { balanceType: 'expected' },
        { balanceType: 'interimAvailable' },
      ],
    });
  });
});

describe('card accounts', () => {
  it('carry a relatedAccount with which one can pay', async () => {
    const psu = await tpp.consent(kari);
    const { body } = await tpp.get('/v1/card-accounts', psu);
    const [card] = body.cardAccounts as readonly { resourceId: string }[];
    const details = await tpp.get(`/v1/card-accounts/${card?.resourceId}`, psu);
    expect(details.body.cardAccount).toMatchObject({
      maskedPan: '525412******0017',
      relatedAccount: {
        currency: 'NOK',
        other: { identification: '95379010017', schemeNameProprietary: 'creditCardAccount' },
      },
    });
    expect((await tpp.get(`/v1/card-accounts/${card?.resourceId}/balances`, psu)).status).toBe(200);
  });
});

describe('corporate context', () => {
  it('needs PSU-Corporate-ID and reads the accounts of the agreement', async () => {
    const psu = await tpp.consent(fjordOgFjell, { context: 'CORPORATE' });
    const answer = await tpp.get('/v1/accounts', psu);
    expect(answer.body.accounts).toMatchObject([
      { bban: '95360576346' },
      { bban: '95360576710', currency: 'EUR' },
    ]);
    const without = await tpp.get('/v1/accounts', { ...psu, 'PSU-Corporate-ID': undefined });
    expect([refusalIn(without), tpp.refusedBy()]).toEqual(['400 HTTP_HEADER_REQUIRED', 'COR-01']);
  });

  it('does not take an agreement of somebody else', async () => {
    const psu = await tpp.consent(ola);
    const [, notOlas] = tpp.bank.state.customers.agreementsOf(kari);
    const answer = await tpp.get('/v1/accounts', { ...psu, 'PSU-Corporate-ID': notOlas?.id });
    expect(refusalIn(answer)).toBe('403 FORBIDDEN');
  });

  it('can be entered with an agreement from the list, by its own consent', async () => {
    const psu = await tpp.consent(kari);
    const { body } = await tpp.get('/v1/agreements', psu);
    expect(body.agreements).toMatchObject([
      { ownerName: 'Fjord & Fjell AS' },
      { ownerName: 'Prøvebakeriet AS' },
    ]);
    const [agreement] = body.agreements as readonly { id: string }[];
    const corporate = { ...psu, 'PSU-Corporate-ID': agreement?.id };
    const answer = await tpp.get('/v1/accounts', corporate);
    expect(refusalIn(answer)).toBe('401 CONSENT_UNKNOWN');
    const { parameters } = await tpp.finish(tpp.scaRedirectOf(answer), { nationalId: kari, accounts: 'all' });
    expect(parameters).toMatchObject({ context: 'CORPORATE', 'psu-corporate-id': agreement?.id });
    expect((await tpp.get('/v1/accounts', corporate)).status).toBe(200);
  });
});

describe('bank-offered consent', () => {
  it.each(['/v1/consents', '/v1/bank-offered-consents'])(
    'POST %s ignores its body and leads to SCA',
    async (path) => {
      const answer = await tpp.call(path, { headers: { 'PSU-ID': undefined }, body: { access: 'whatever' } });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ _links: { scaRedirect: { href: expect.any(String), verbs: ['GET'] } } });
      const { parameters } = await tpp.finish(tpp.scaRedirectOf(answer), {
        nationalId: kari,
        context: 'PRIVATE',
        accounts: 'all',
      });
      expect((await tpp.get('/v1/accounts', { 'PSU-ID': parameters['psu-id'] })).status).toBe(200);
    },
  );
});

describe('the contact of a TPP', () => {
  it('is registered and read', async () => {
    expect((await tpp.get('/v1/tpp/contact')).status).toBe(404);
    const contact = { emailAddress: 'operations@tpp.example', name: 'Operations' };
    expect((await tpp.call('/v1/tpp/contact', { body: contact })).status).toBe(201);
    expect((await tpp.get('/v1/tpp/contact')).body).toEqual(contact);
    expect((await tpp.call('/v1/tpp/contact', { body: { emailAddress: 'nobody' } })).status).toBe(400);
  });
});
