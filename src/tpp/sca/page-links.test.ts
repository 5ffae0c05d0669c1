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

describe('pages whose links are people', () => {
  const ofPeople = (numbers: readonly string[]) =>
    bank(({ url }) => {
      if (url.pathname === '/01819010001') return { location: done };
      const links = numbers.map((number) => `<a href=/${number}>Kari Nordmann, ${number}</a>`).join('');
      return { html: `${links}<a href=/out>Avbryt</a>` };
    });

  it('are passed by the one of the PSU', async () => {
    const { walker } = ofPeople(['01819010192', '01819010001']);
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });

  it.each([[['01819010192', '01819010273']], [['01819010192']]])(
    'are left where the PSU is not among them: %s',
    async (numbers) => {
      const { walker, requests } = ofPeople(numbers);
      await expect(walker.pass(start, person)).rejects.toThrow(/no way on/);
      expect(requests.length).toBe(1);
    },
  );
});

describe('a page with one link and nothing else', () => {
  const only = (link: string, head = '') =>
    bank(({ url }) =>
      url.pathname === '/inn'
        ? { location: done }
        : { html: `${head}${link}`, status: url.pathname === '/' ? 404 : 200 },
    );

  it.each(['Åpne nettbanken', 'Go', '→'])('is left by it, whatever it says: %s', async (words) => {
    const { walker } = only(`<a href=/inn>${words}</a>`);
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });

  it('is left by it where another one cancels', async () => {
    const { walker } = only('<a href=/inn>For a person</a><a href=/ut>Cancel</a>');
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });

  it('is not left by the refresh that ends it after minutes', async () => {
    const { walker } = only('<a href=/inn>Inn</a>', '<meta http-equiv=refresh content="300; url=/slutt">');
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });

  it.each(['<a href=/>Bank</a>', '<a href=/hjelp>Hjelp</a>', '<a href=/inn>A</a><a href=/ut>B</a>'])(
    'is a dead end where that leads to the front of the site, or is one of several: %s',
    async (links) => {
      const { walker, requests } = only(links);
      await expect(walker.pass(start, person)).rejects.toThrow(/no way on/);
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
    const { walker } = bank(({ url, method }) => {
      if (url.pathname === '/end') return { location: `${redirectUri}?status=401&code=SCA_INVALID` };
      return { html: method === 'POST' ? `<h1>${asked}</h1>${answers}` : first };
    });
    await expect(walker.abort(start)).resolves.toMatchObject({ code: 'SCA_INVALID' });
  });
});

describe('pages that can be cancelled behind the one that asks who the PSU is', () => {
  const asking = '<form method=post><input name=fnr><button>Sign in</button></form>';
  const acting =
    '<form method=post><select name=for><option value=P>Private<option value=C>Company</select><button>OK</button></form>';
  const approving = '<form method=post><button name=a>Yes</button><button name=c>No</button></form>';
  const ofThree = (last = approving) =>
    bank(({ method }, form) => {
      if (method === 'GET') return { html: asking };
      if (form.has('fnr')) return { html: acting };
      if (form.has('for')) return { html: last };
      return { location: form.has('c') ? `${redirectUri}?status=403&code=NO` : done };
    });

  it('are cancelled there, where the PSU can be named', async () => {
    expect(await ofThree().walker.abort(start, person)).toMatchObject({ status: '403' });
  });

  it('are left at once where nobody can be named', async () => {
    const { walker, requests } = ofThree();
    expect(await walker.abort(start)).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it('are not approved in order to get on', async () => {
    const { walker, requests } = ofThree('<form method=post><button>Approve</button></form>');
    expect(await walker.abort(start, person)).toBeUndefined();
    expect(requests).toHaveLength(3);
  });
});

describe('links to the TPP', () => {
  const html = (href: string) =>
    `<form action=/a><input name=q><button>OK</button></form><a href=/b>B</a><a href="${href}">Attende</a>`;

  it('are the way back, whatever they say and whatever else there is', async () => {
    const { walker, requests } = bank(() => ({ html: html(done) }));
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
    expect(requests).toHaveLength(1);
  });

  it('cancel where they tell of a failure, and are not followed by whoever goes on', async () => {
    const failure = `${redirectUri}?status=401&code=SCA_INVALID`;
    const { walker } = bank(({ url }) =>
      url.pathname === '/a' ? { location: done } : { html: html(failure) },
    );
    expect(await walker.abort(start)).toMatchObject({ code: 'SCA_INVALID' });
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it('are the last way on', async () => {
    const { walker } = bank(() => ({ html: `<a href=/b>B</a><a href="${redirectUri}">Attende</a>` }));
    expect(await walker.pass(start, person)).toMatchObject({ address: redirectUri });
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
    const { walker } = bank(({ url }) => {
      if (url.pathname === '/sca/1') return { html };
      const kode = url.searchParams.get('kode');
      return url.pathname === '/done' && (kode === null || kode === '1234')
        ? { location: done }
        : { status: 404 };
    });
    await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  });
});
