import { describe, expect, it } from 'vitest';
import {
  asksWho,
  bank,
  cancelled,
  done,
  ended,
  failure,
  formBank,
  person,
  redirectUri,
  success,
} from './page-bank.test.data.ts';

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
    if (url.pathname === '/done') return ended;
    if (url.pathname === '/out') return cancelled;
    const html = pages[url.pathname];
    return html === undefined ? { status: 404 } : `${menu}${html}`;
  });

describe('pages whose choices are links', () => {
  it('are passed by the ones that go on, for the context of the PSU', async () => {
    const { pass, requests } = ofLinks();
    expect(await pass()).toMatchObject(success);
    expect(requests.map(({ url }) => url.pathname)).toEqual([...Object.keys(pages), '/done']);
  });

  it('are cancelled where they can be, before and after the PSU is known', async () => {
    const { abort, requests } = ofLinks();
    expect(await abort()).toMatchObject(failure);
    expect(requests).toHaveLength(2);
    expect(await abort(person)).toMatchObject(failure);
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/done');
  });

  it('are left where the only way on is to approve', async () => {
    const { abort, requests } = bank(() => '<a href=/done>Godkjenn</a>');
    expect(await abort()).toBeUndefined();
    expect(requests).toHaveLength(1);
  });
});

describe('pages whose links are people', () => {
  const ofPeople = (...numbers: readonly string[]) =>
    bank(({ url }) => {
      if (url.pathname === '/01819010001') return ended;
      const links = numbers.map((number) => `<a href=/${number}>Kari Nordmann, ${number}</a>`).join('');
      return `${links}<a href=/out>Avbryt</a>`;
    });

  it('are passed by the one of the PSU', async () => {
    expect(await ofPeople('01819010192', '01819010001').pass()).toMatchObject(success);
  });

  it.each([[['01819010192', '01819010273']], [['01819010192']]])(
    'are left where the PSU is not among them: %s',
    async (numbers) => {
      const { pass, requests } = ofPeople(...numbers);
      await expect(pass()).rejects.toThrow(/no way on/);
      expect(requests.length).toBe(1);
    },
  );
});

describe('a page with one link and nothing else', () => {
  const only = (html: string) =>
    bank(({ url }) => (url.pathname === '/inn' ? ended : { html, status: url.pathname === '/' ? 404 : 200 }));

  it.each([
    '<a href=/inn>Åpne nettbanken</a>',
    '<a href=/inn>Go</a>',
    '<a href=/inn>→</a>',
    // Another one cancels.
    '<a href=/inn>For a person</a><a href=/ut>Cancel</a>',
    // The refresh would end it after minutes.
    '<meta http-equiv=refresh content="300; url=/slutt"><a href=/inn>Inn</a>',
  ])('is left by it, whatever it says: %s', async (links) => {
    expect(await only(links).pass()).toMatchObject(success);
  });

  it.each(['<a href=/>Bank</a>', '<a href=/hjelp>Hjelp</a>', '<a href=/inn>A</a><a href=/ut>B</a>'])(
    'is a dead end where that leads to the front of the site, or is one of several: %s',
    async (links) => {
      const { pass, requests } = only(links);
      await expect(pass()).rejects.toThrow(/no way on/);
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a PSU who cancels and is asked again', () => {
  const first =
    '<form method=post><input name=fnr><button>Neste</button><button name=end>Avbryt</button></form>';
  const no = (words: string): string => `<form action=/sca/1><button>${words}</button></form>`;
  const yes = (words: string): string => `<form method=post action=/end><button>${words}</button></form>`;
  it.each([
    ['Vil du avbryte?', no('Nei, tilbake') + yes('Ja')],
    ['Really cancel?', no('No, go back') + yes('Yes, cancel')],
    ['Cancel the payment?', no('Do not cancel') + yes('Confirm')],
    ['Do you want to cancel?', '<a href=/sca/1>No</a><a href=/end>Yes</a>'],
    ['', no('Go back') + yes('Cancel')],
  ])('means it: %s', async (asked, answers) => {
    const { abort } = bank(({ url, method }) => {
      if (url.pathname === '/end') return cancelled;
      return method === 'POST' ? `<h1>${asked}</h1>${answers}` : first;
    });
    expect(await abort()).toMatchObject(failure);
  });
});

describe('pages that can be cancelled behind the one that asks who the PSU is', () => {
  const acting =
    '<form method=post><select name=for><option value=P>Private<option value=C>Company</select><button>OK</button></form>';
  const approving = '<form method=post><button name=a>Yes</button><button name=c>No</button></form>';
  const approvingOnly = '<form method=post><button>Approve</button></form>';
  it.each([
    ['are cancelled there, where the PSU can be named', approving, person, failure, 4],
    ['are left at once where nobody can be named', approving, undefined, undefined, 1],
    ['are not approved in order to get on', approvingOnly, person, undefined, 3],
  ])('%s', async (_, last, who, back, sent) => {
    const { abort, requests } = formBank(asksWho, (form) => {
      if (form.has('fnr')) return acting;
      if (form.has('for')) return last;
      return form.has('c') ? cancelled : ended;
    });
    expect((await abort(who))?.code).toBe(back?.code);
    expect(requests).toHaveLength(sent);
  });
});

describe('links to the TPP', () => {
  const html = (href: string) =>
    `<form action=/a><input name=q><button>OK</button></form><a href=/b>B</a><a href="${href}">Attende</a>`;

  it('are the way back, whatever they say and whatever else there is', async () => {
    const { pass, requests } = bank(() => html(done));
    expect(await pass()).toMatchObject(success);
    expect(requests).toHaveLength(1);
  });

  it('cancel where they tell of a failure, and are not followed by whoever goes on', async () => {
    const { pass, abort } = bank(({ url }) => (url.pathname === '/a' ? ended : html(cancelled.location)));
    expect(await abort()).toMatchObject(failure);
    expect(await pass()).toMatchObject(success);
  });

  it('are the last way on', async () => {
    const { pass } = bank(() => `<a href=/b>B</a><a href="${redirectUri}">Attende</a>`);
    expect(await pass()).toMatchObject({ address: redirectUri });
  });
});

describe('pages of a kind that few banks have', () => {
  const back = done.replaceAll('&', '&amp;');
  const login =
    '<form action=/done><label>Fødselsnummer <input name=fnr></label><button>Neste</button></form>';
  const otherLogin =
    '<form action=/mobil><label>Mobil <input name=tlf></label><label>Fødselsdato <input name=dato></label><button>Neste</button></form>';
  it.each([
    ['a button that leads back by its script', `<button onclick="location.href='${back}'">Lukk</button>`],
    [
      'a script that leads back later',
      `<script>var u="${done}";setTimeout(() => top.location = u, 9)</script>`,
    ],
    [
      'a frame of another site before its own',
      '<iframe src="https://chat.example/"></iframe><iframe src="/done">',
    ],
    [
      'a code that is filled in already',
      '<form action=/done><input name=kode value=1234><button>Neste</button></form>',
    ],
    ['a dialogue of its own', `<dialog><form method=dialog><button>Godta</button></form></dialog>${login}`],
    ['another way to log in', `${otherLogin}${login}`],
  ])('are passed with %s', async (_, html) => {
    const { pass } = bank(({ url }) => {
      if (url.pathname === '/sca/1') return html;
      const code = url.searchParams.get('kode') ?? '1234';
      return url.pathname === '/done' && code === '1234' ? ended : { status: 404 };
    });
    expect(await pass()).toMatchObject(success);
  });
});
