import { describe, expect, it } from 'vitest';
import { bank, done, person, redirectUri, start } from './page-bank.test.data.ts';

const menu =
  '<header><form action=/sok><input name=q><button>Søk</button></form><nav><a href=/logg-inn>Logg inn</a></nav></header>';
const pages: Readonly<Record<string, string>> = {
  '/sca/1':
    '<a href="tel:02800">BankID-hjelp</a><a href=/bankid>Logg inn med BankID</a><a href=/out>Avbryt</a>',
  '/bankid': '<form method=post action=/rolle><input name=fnr><button>Neste</button></form>',
  '/rolle': '<a href=/hjelp>Hjelp</a><a href=/bedrift>Bedrift</a><a href=/privat>Privat</a>',
  '/privat': '<a href=/endre>Endre</a><a href=/done>Godkjenn</a><a href=/out>Avbryt</a>',
};

/** A bank whose choices are links, below a menu that stands on every page of its site. */
const ofLinks = () =>
  bank(({ url }) => {
    if (url.pathname === '/done') return { location: done };
    if (url.pathname === '/out') return { location: `${redirectUri}?status=401&code=SCA_INVALID` };
    const html = pages[url.pathname];
    return html === undefined ? { status: 404 } : { html: `${menu}${html}` };
  });

describe('pages whose choices are links', () => {
  it('are passed by the ones that go on, for the context of the PSU', async () => {
    const { walker, requests } = ofLinks();
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
    expect(requests.map(({ url }) => url.pathname)).toEqual([
      '/sca/1',
      '/bankid',
      '/rolle',
      '/privat',
      '/done',
    ]);
  });

  it('are cancelled where they can be, before and after the PSU is known', async () => {
    const { walker, requests } = ofLinks();
    expect(await walker.abort(start)).toMatchObject({ status: '401' });
    expect(requests).toHaveLength(2);
    const known = await walker.abort(start, person);
    expect(known).toMatchObject({ status: '401' });
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/done');
  });

  it('are left where the only way on is to approve', async () => {
    const { walker, requests } = bank(() => ({ html: '<a href=/done>Godkjenn</a>' }));
    expect(await walker.abort(start)).toBeUndefined();
    expect(requests).toHaveLength(1);
  });
});
