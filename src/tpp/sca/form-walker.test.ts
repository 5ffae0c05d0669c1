import { describe, expect, it } from 'vitest';
import { bank, bodyOf, done, type Page, person, redirectUri, start } from './page-bank.test.data.ts';
import type { PageRequest } from './page-http.ts';

describe('walking the pages of a bank', () => {
  it.each([
    ['a header Refresh', { headers: [['Refresh', '0; url=/sca/form']] }],
    ['a frame of the same host', { html: '<iframe src="https://ads.example/"></iframe><iframe src=form>' }],
    ['a link', { html: '<a href=form>Fortsett</a><form><button>Avbryt</button></form>' }],
  ] satisfies readonly (readonly [string, Page])[])('follows %s to the form', async (_, first) => {
    const { walker } = bank(({ url, method }, entries) => {
      if (url.pathname !== '/sca/form') return first;
      if (method === 'GET')
        return { html: '<form method=post><input name=fnr><input type=image name=go alt=OK></form>' };
      return entries.has('go.x') && entries.has('go.y') && !entries.has('go') ? { location: done } : {};
    });
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it.each([
    ['that asks for a number', '<input name=fnr>', undefined],
    ['that has a search beside it', '</form><form role=search><input name=q></form><form method=post>', true],
    ['that knows who the PSU is', '', true],
  ])('tells of a page %s whether it asked who the PSU is', async (_, fields, wasNotAsked) => {
    const { walker } = bank(({ method }) =>
      method === 'GET'
        ? { html: `<form method=post>${fields}<button>Godkjenn</button></form>` }
        : { location: done },
    );
    expect((await walker.pass(start, person)).wasNotAsked).toBe(wasNotAsked);
  });

  it('approves nothing where it is to cancel, and takes no success for that', async () => {
    const approval = bank(({ method }) =>
      method === 'GET' ? { html: '<form method=post><button>Godkjenn</button></form>' } : { location: done },
    );
    expect(await approval.walker.abort(start)).toBeUndefined();
    expect(approval.requests.map(({ method }) => method)).toEqual(['GET']);
    const greeting = bank(({ method }) =>
      method === 'GET' ? { html: '<form method=post><button>Fortsett</button></form>' } : { location: done },
    );
    expect(await greeting.walker.abort(start)).toBeUndefined();
  });

  it('cancels behind a page that only leads on to the next one', async () => {
    const { walker } = bank(({ url }, entries) => {
      if (entries.has('cancel')) return { location: `${redirectUri}?status=401&code=SCA_INVALID` };
      return url.searchParams.has('hop')
        ? { html: '<form method=post><input name=fnr><button name=cancel value=1>Avbryt</button></form>' }
        : { html: '<meta http-equiv=refresh content="0; url=?hop=1">' };
    });
    expect(await walker.abort(start)).toMatchObject({ status: '401', code: 'SCA_INVALID' });
  });

  it('goes from page to page with cookies, relative addresses, GET and POST forms and all redirects', async () => {
    const { walker, requests } = bank((request) => {
      const { url, method } = request;
      const at = `${method} ${url.pathname}${url.search}`;
      switch (at) {
        case 'GET /sca/1':
          return { location: '/login/', headers: [['Set-Cookie', 'sid=1; Path=/']] };
        case 'GET /login/':
          return { html: '<form action="who" method=get><input name=fnr><button>Neste</button></form>' };
        case 'GET /login/who?fnr=01819010001':
          return {
            html: '<base href="/consent/"><form action="./give" method=post><input type=checkbox name=acc value=1><button>OK</button></form>',
          };
        case 'POST /consent/give':
          return { status: 307, location: 'again' };
        case 'POST /consent/again':
          return bodyOf(request) === 'acc=1' ? { status: 303, location: done } : {};
        default:
          return { status: 404 };
      }
    });
    const back = await walker.pass(start, person);
    expect(back).toMatchObject({ psuId: '7', sessionId: 's', context: 'PRIVATE', address: done });
    expect(requests.slice(1).every(({ headers }) => headers.some(([, value]) => value === 'sid=1'))).toBe(
      true,
    );
  });

  it('ends where a form or a link of the last page leads to the TPP', async () => {
    const form = bank(() => ({
      html: `<form action="${redirectUri}"><input type=hidden name=psu-id value=7><button>Back to the shop</button></form>`,
    }));
    expect((await form.walker.pass(start, person)).psuId).toBe('7');
    const link = bank(() => ({ html: `<p>Done.</p><a href="${done}">Continue</a>` }));
    expect((await link.walker.pass(start, person)).psuId).toBe('7');
  });

  it('ends where a redirect that keeps the method leads to the TPP', async () => {
    const { walker } = bank(({ method }) =>
      method === 'GET'
        ? { html: '<form method=post><input name=fnr><button>OK</button></form>' }
        : { status: 308, location: done },
    );
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it('tells when the bank sends the PSU elsewhere', async () => {
    const { walker } = bank(() => ({ location: 'https://tpp.example/elsewhere?psu-id=7' }));
    await expect(walker.pass(start, person)).rejects.toMatchObject({
      kind: 'astray',
      address: 'https://tpp.example/elsewhere?psu-id=7',
    });
  });

  it.each<[string, Page, RegExp]>([
    ['an error', { status: 410, html: '<title>Used</title>' }, /"Used".*was answered 410/],
    ['a page without a form', { html: '<p>Please enable JavaScript' }, /no form to fill in/],
    [
      'the same page again',
      { html: '<form><input name=ssn></form>Unknown number' },
      /comes back.*Unknown number/,
    ],
    ['a redirect in a circle', { location: '/sca/1' }, /redirects without end/],
  ])('gives up with a sentence on %s', async (_, page, sentence) => {
    const { walker } = bank(() => page);
    await expect(walker.pass(start, person)).rejects.toThrow(sentence);
  });

  it.each<[string, string, string]>([
    ['leads nowhere', '<p>Done. Close this page.', 'left-behind'],
    ['may say that something was wrong', '<p>Not done. Close this page.', 'stuck'],
    ['does not say that it is the last', '<p>Kunde 12.', 'stuck'],
    ['has a link', '<p>Done. <a href="/">Our bank</a>', 'stuck'],
    ['has a script', '<p>Done.<script src="/done.js"></script>', 'stuck'],
    ['asks for more', '<p>Done.<form><input type=search name=q></form>', 'stuck'],
  ])('tells a page behind the last form that %s', async (_, html, kind) => {
    const { walker } = bank(({ method }) =>
      method === 'GET' ? { html: '<form method=post><input name=fnr><button>OK</button></form>' } : { html },
    );
    await expect(walker.pass(start, person)).rejects.toMatchObject({ kind });
  });

  it.each<[string, number, string, string]>([
    ['breaks down', 500, '', 'left-behind'],
    ['refuses it', 400, '', 'stuck'],
    ['breaks down on what a script would have sent', 500, '<script>send()</script>', 'stuck'],
  ])('tells a page behind the last form that %s', async (_, status, script, kind) => {
    const { walker } = bank(({ method }) =>
      method === 'GET'
        ? { html: `<form method=post><input name=fnr><button>OK</button></form>${script}` }
        : { status, html: '<p>Done.' },
    );
    await expect(walker.pass(start, person)).rejects.toMatchObject({ kind });
  });

  it.each<[string, string, string, { readonly kind: string } | undefined]>([
    ['leads nowhere', '', '<p>Cancelled. Close this page.', { kind: 'left-behind' }],
    ['has a script', '', '<p>Cancelled.<script src="/done.js"></script>', undefined],
    ['leads nowhere without a script', '<script>ask()</script>', '<p>Cancelled.', undefined],
  ])('tells a page behind a cancelled SCA that %s', async (_, script, html, trouble) => {
    const { walker } = bank(({ method }) =>
      method === 'GET'
        ? {
            html: `<form method=post><input name=fnr><button name=cancel value=1>Avbryt</button></form>${script}`,
          }
        : { html },
    );
    const end = walker.abort(start);
    if (trouble === undefined) expect(await end).toBeUndefined();
    else await expect(end).rejects.toMatchObject(trouble);
  });

  it('leaves nobody behind who was asked for nothing', async () => {
    const { walker } = bank(() => ({ html: '<p>We are closed.' }));
    await expect(walker.pass(start, person)).rejects.toMatchObject({ kind: 'stuck' });
  });

  it.each<[string, Page]>([
    ['a portal', { html: '<title>Guest network</title><p>Log in to the hotel network first.' }],
    ['an outage', { html: '<h1>Vedlikehold</h1>', status: 404 }],
    ['a proxy', { html: '{"error":"blocked by policy"}' }],
  ])('does not tell to name the fields of what is no page of the bank: %s', async (_, page) => {
    const { walker } = bank(() => page);
    const error = await walker.pass(start, person).catch(String);
    expect(error).toMatch(/no page of the bank, something on the way answers in its place/);
    expect(error).not.toMatch(/psu\.form/);
  });

  it('names the field that nobody could fill in', async () => {
    const code =
      '<p>Your code is 4711.</p><form method=post><input name=otp><input name=fnr><button>OK</button></form>';
    const { walker } = bank(() => ({ html: code }));
    await expect(walker.pass(start, person)).rejects.toThrow(
      /Nothing was filled into "otp".*psu\.form\.fields/,
    );
  });

  it('gives up when there is no end to the pages', async () => {
    let number = 0;
    const { walker, requests } = bank(() => {
      number += 1;
      return {
        html: `<p>${number}<form><input type=hidden name=n value=${number}><button>Next</button></form>`,
      };
    });
    await expect(walker.pass(start, person)).rejects.toThrow(/no end after 12 pages/);
    expect(requests.length).toBe(13);
  });

  it.each([
    'javascript:alert(1)',
    'bankid:///?autostarttoken=1',
    'file:///etc/passwd',
    'https://[',
    '/sca/1',
  ])('opens nothing but web addresses, wherever %j stands', async (address) => {
    const inLink = bank(() => ({}));
    await expect(inLink.walker.pass(address, person)).rejects.toMatchObject({ kind: 'stuck' });
    if (address.startsWith('/')) return;
    for (const page of [
      { location: address },
      { html: `<form action="${address}"><input name=ssn></form>` },
      { html: `<a href="${address}">Continue</a>` },
    ]) {
      const { walker, requests } = bank(() => page);
      await expect(walker.pass(start, person)).rejects.toMatchObject({
        kind: 'stuck',
        message: expect.stringMatching(/SCA page https:\/\/bank\.example\/sca\/1 leads to .*no address/),
      });
      expect(requests).toHaveLength(1);
    }
  });

  it('takes a base that is no address for none', async () => {
    const { walker } = bank(({ url }) =>
      url.pathname === '/sca/next'
        ? { location: done }
        : { html: '<base href="http://["><form action=next>' },
    );
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it.each([307, 308])('sends no form again to another host (%s)', async (status) => {
    const { walker, requests } = bank(({ method }) =>
      method === 'POST'
        ? { status, location: 'https://evil.example/collect' }
        : { html: '<form method=post><input name=ssn></form>' },
    );
    await expect(walker.pass(start, person)).rejects.toMatchObject({ kind: 'off-limits' });
    expect(requests.map(({ url }) => url.host)).toEqual(['bank.example', 'bank.example']);
  });
});

describe('cancelling', () => {
  const failed = `${redirectUri}?status=401&code=SCA_INVALID&message=cancelled`;
  const question = '<form><button name=sure value=yes>Yes</button></form>';

  it('presses the button for it and confirms', async () => {
    const { walker, requests } = bank(({ url }) => {
      if (url.searchParams.has('sure')) return { location: failed };
      if (url.searchParams.get('a') === 'x') return { html: question };
      return {
        html: '<form><input name=ssn><button name=a value=go>Log in</button><button name=a value=x>Avbryt</button></form>',
      };
    });
    expect(await walker.abort(start)).toMatchObject({ code: 'SCA_INVALID', message: 'cancelled' });
    expect(requests[1]?.url.search).toBe('?ssn=&a=x');
  });

  it('follows a link for it, or the name that the target file gives', async () => {
    const link = bank(({ url }) =>
      url.pathname === '/stop'
        ? { location: failed }
        : { html: '<form><input name=ssn></form><a href="/stop">Cancel</a>' },
    );
    expect((await link.walker.abort(start))?.status).toBe('401');
    const named = bank(
      ({ url }) =>
        url.searchParams.has('q')
          ? { location: failed }
          : { html: '<form><button name=q>Slutt</button></form>' },
      { cancel: 'q' },
    );
    expect((await named.walker.abort(start))?.status).toBe('401');
  });

  it('says who the PSU is first where it is to be cancelled behind that page', async () => {
    const cancel = '<button name=a value=x>Avbryt</button>';
    const { walker } = bank(({ url }) => {
      if (url.searchParams.get('a') === 'x' && url.searchParams.has('account')) return { location: failed };
      return url.searchParams.has('ssn')
        ? { html: `<form><input type=hidden name=account value=1><input name=code>${cancel}</form>` }
        : { html: `<form><input name=ssn><button name=a value=go>Log in</button>${cancel}</form>` };
    });
    expect(await walker.abort(start, { ...person, isLate: true })).toMatchObject({ code: 'SCA_INVALID' });
  });

  it('says so when SCA is over by the time that it could be cancelled', async () => {
    const { walker } = bank(({ url }) =>
      url.searchParams.has('ssn') ? { location: done } : { html: '<form><input name=ssn></form>' },
    );
    expect(await walker.abort(start, { ...person, isLate: true })).toBeUndefined();
  });

  it('says so when there is no way to cancel', async () => {
    const { walker } = bank(() => ({ html: '<form><input name=ssn><button>Log in</button></form>' }));
    expect(await walker.abort(start)).toBeUndefined();
  });
});

describe('pages with more on them than the PSU needs', () => {
  const around = (main: string): string => `
    <header><form action="/sok"><input name=q><button>Søk</button></form>
    <form action="/sprak" method=post><select name=lang><option>nb<option>en</select><button name=lang value=en>Continue in English</button></form></header>
    <form action="/cookies" method=post><input type=checkbox name=all><button>Godta alle</button><button name=cancel value=1>Avslå alle</button></form>
    <form action="/kontakt" method=post><textarea name=melding></textarea><button>Send melding</button></form>
    <main>${main}</main><footer><form action="/logg-ut" method=post><button>Logg ut</button></form></footer>`;
  const served = ({ url, method }: PageRequest, entries: URLSearchParams): Page => {
    if (url.pathname !== '/sca/1') return { status: 404 };
    if (entries.get('answer') === 'no')
      return {
        html: around(`<a href="${redirectUri}?status=401&amp;code=SCA_INVALID">Tilbake til butikken</a>`),
      };
    if (entries.get('answer') === 'yes') return { html: around(`<a href="${done}">Back to the shop</a>`) };
    const buttons =
      '<button name=answer value=yes>Godkjenn</button><button name=answer value=no>Avbryt</button>';
    const field = method === 'POST' ? '' : '<input name=fnr>';
    const go =
      method === 'POST' ? buttons : '<button>Logg inn</button><button name=answer value=no>Avbryt</button>';
    return { html: around(`<form action="/sca/1?lang=nb" method=post>${field}${go}</form>`) };
  };

  it('are passed by the form that they are about, and the link back', async () => {
    expect(await bank(served).walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });

  it('are cancelled by the form that they are about, and the link back', async () => {
    expect(await bank(served).walker.abort(start)).toMatchObject({ status: '401', code: 'SCA_INVALID' });
  });
});

describe('a page that goes back by its script', () => {
  it.each([
    `window.location.replace("${done.replaceAll('/', '\\/').replaceAll('&', '\\u0026')}");`,
    `if (window.top) { document.location.href = '${done}' }`,
  ])('is followed: %s', async (script) => {
    const { walker } = bank(({ method }) =>
      method === 'GET'
        ? { html: '<form method=post><input name=fnr><button>OK</button></form>' }
        : { html: `<script>${script}</script>Du sendes tilbake.` },
    );
    expect(await walker.pass(start, person)).toMatchObject({ psuId: '7' });
  });
});

describe('an account that the PSU does not grant', () => {
  const boxes =
    '<label><input type=checkbox name=a value=all>Velg alle</label><label><input type=checkbox name=a value=a1 checked>Brukskonto 95360573002</label><label><input type=checkbox name=a value=a2 checked>Sparekonto 97041120006</label>';
  const { walker } = bank(({ method }, entries) =>
    method === 'GET'
      ? { html: `<form method=post>${boxes}<button>OK</button></form>` }
      : { location: `${done}&granted=${entries.getAll('a').join()}` },
  );

  it('is left empty in the list, and the walk says so', async () => {
    const back = await walker.pass(start, { ...person, deselects: ['97041120006'] });
    expect(back.address).toContain('granted=a1');
    expect(back.address).not.toContain('a2');
    expect(back.hasDeselected).toBe(true);
    expect(back.wasPreselected).toBe(true);
  });

  it.each([
    ['was not ticked before, where no script can have done so', '', false],
    ['may have been ticked by a script', '<script src="/boxes.js"></script>', undefined],
  ])('%s', async (_, script, wasPreselected) => {
    const { walker: another } = bank(({ method }) =>
      method === 'GET'
        ? { html: `${script}<form method=post>${boxes.replaceAll(' checked', '')}<button>OK</button></form>` }
        : { location: done },
    );
    const back = await another.pass(start, { ...person, deselects: ['97041120006'] });
    expect(back).toMatchObject({ hasDeselected: true });
    expect(back.wasPreselected).toBe(wasPreselected);
  });

  it('takes a card with it that has a box of its own, and leaves one that says an account', async () => {
    const { walker: another } = bank(({ method }, entries) => {
      const cards =
        '<label><input type=checkbox name=a value=c1>Mastercard 492500******1234</label><label><input type=checkbox name=a value=a3>Kortkonto 95360574122, 492500******1234</label>';
      return method === 'GET'
        ? { html: `<form method=post>${boxes}${cards}<button>OK</button></form>` }
        : { location: `${done}&granted=${entries.getAll('a').join()}` };
    });
    const deselectsCards = ['492500******1234', 'c9'];
    const back = await another.pass(start, { ...person, deselects: ['97041120006'], deselectsCards });
    expect(back.address).toMatch(/granted=a1,a3$/);
    expect(back.leftEmpty).toEqual(['97041120006', '492500******1234']);
  });

  it('is told from one that the page does not show', async () => {
    const back = await walker.pass(start, { ...person, deselects: ['a3'] });
    expect(back.address).toContain('a1,a2');
    expect(back.hasDeselected).toBeUndefined();
  });
});
