import { describe, expect, it } from 'vitest';
import {
  asksToCancel,
  asksWho,
  bank,
  bodyOf,
  cancelled,
  done,
  ended,
  failure,
  formBank,
  type Page,
  person,
  redirectUri,
  success,
} from './page-bank.test.data.ts';
import type { PageRequest } from './page-http.ts';

describe('walking the pages of a bank', () => {
  it.each<[string, Page]>([
    ['a header Refresh', { headers: [['Refresh', '0; url=/sca/form']] }],
    ['a frame of the same host', { html: '<iframe src="https://ads.example/"></iframe><iframe src=form>' }],
    ['a link', { html: '<a href=form>Fortsett</a><form><button>Avbryt</button></form>' }],
  ])('follows %s to the form', async (_, first) => {
    const { pass } = bank(({ url, method }, entries) => {
      if (url.pathname !== '/sca/form') return first;
      if (method === 'GET')
        return '<form method=post><input name=fnr><input type=image name=go alt=OK></form>';
      return entries.has('go.x') && entries.has('go.y') && !entries.has('go') ? ended : '';
    });
    expect(await pass()).toMatchObject(success);
  });

  it.each([
    ['that asks for a number', '<input name=fnr>', undefined],
    ['that has a search beside it', '</form><form role=search><input name=q></form><form method=post>', true],
    ['that knows who the PSU is', '', true],
  ])('tells of a page %s whether it asked who the PSU is', async (_, fields, wasNotAsked) => {
    const { pass } = formBank(`<form method=post>${fields}<button>Godkjenn</button></form>`);
    expect((await pass()).wasNotAsked).toBe(wasNotAsked);
  });

  it('goes from page to page with cookies, relative addresses, GET and POST forms and all redirects', async () => {
    const { pass, requests } = bank((request) => {
      const { url, method } = request;
      switch (`${method} ${url.pathname}${url.search}`) {
        case 'GET /sca/1':
          return { location: '/login/', headers: [['Set-Cookie', 'sid=1; Path=/']] };
        case 'GET /login/':
          return '<form action="who" method=get><input name=fnr><button>Neste</button></form>';
        case 'GET /login/who?fnr=01819010001':
          return '<base href="/consent/"><form action="./give" method=post><input type=checkbox name=acc value=1><button>OK</button></form>';
        case 'POST /consent/give':
          return { status: 307, location: 'again' };
        case 'POST /consent/again':
          return bodyOf(request) === 'acc=1' ? { status: 303, location: done } : '';
        default:
          return { status: 404 };
      }
    });
    expect(await pass()).toMatchObject({ psuId: '7', sessionId: 's', context: 'PRIVATE', address: done });
    for (const { headers } of requests.slice(1)) expect(headers.map(([, value]) => value)).toContain('sid=1');
  });

  const scripted = (script: string) => () => `<script>${script}</script>Du sendes tilbake.`;
  it.each<[string, Page | string, () => Page | string]>([
    [
      'a form of the last page leads to the TPP',
      `<form action="${redirectUri}"><input type=hidden name=psu-id value=7><button>Back to the shop</button></form>`,
      () => '',
    ],
    ['a redirect that keeps the method leads to the TPP', asksWho, () => ({ status: 308, location: done })],
    [
      'a script replaces the page by the TPP',
      asksWho,
      scripted(`window.location.replace("${done.replaceAll('/', '\\/').replaceAll('&', '\\u0026')}");`),
    ],
    [
      'a script names the TPP as its place',
      asksWho,
      scripted(`if (window.top) { document.location.href = '${done}' }`),
    ],
  ])('ends where %s', async (_, shown, answer) => {
    expect(await formBank(shown, answer).pass()).toMatchObject(success);
  });

  it('takes a base that is no address for none', async () => {
    const { pass } = bank(({ url }) =>
      url.pathname === '/sca/next' ? ended : '<base href="http://["><form action=next>',
    );
    expect(await pass()).toMatchObject(success);
  });

  it('tells when the bank sends the PSU elsewhere', async () => {
    const address = 'https://tpp.example/elsewhere?psu-id=7';
    await expect(bank(() => ({ location: address })).pass()).rejects.toMatchObject({
      kind: 'astray',
      address,
    });
  });

  it.each<[string, Page | string, RegExp]>([
    ['an error', { status: 410, html: '<title>Used</title>' }, /"Used".*was answered 410/],
    ['a page without a form', '<p>Please enable JavaScript', /no form to fill in/],
    ['the same page again', '<form><input name=ssn></form>Unknown number', /comes back.*Unknown number/],
    ['a redirect in a circle', { location: '/sca/1' }, /redirects without end/],
    [
      'a field that nobody could fill in, which it names',
      '<p>Your code is 4711.</p><form method=post><input name=otp><input name=fnr><button>OK</button></form>',
      /Nothing was filled into "otp".*psu\.form\.fields/,
    ],
  ])('gives up with a sentence on %s', async (_, page, sentence) => {
    await expect(bank(() => page).pass()).rejects.toThrow(sentence);
  });

  const withScript = (script: string): string => `${asksWho}${script}`;
  it.each<[string, string, Page | string, string]>([
    ['leads nowhere', asksWho, '<p>Done. Close this page.', 'left-behind'],
    ['may say that something was wrong', asksWho, '<p>Not done. Close this page.', 'stuck'],
    ['does not say that it is the last', asksWho, '<p>Kunde 12.', 'stuck'],
    ['has a link', asksWho, '<p>Done. <a href="/">Our bank</a>', 'stuck'],
    ['has a script', asksWho, '<p>Done.<script src="/done.js"></script>', 'stuck'],
    ['asks for more', asksWho, '<p>Done.<form><input type=search name=q></form>', 'stuck'],
    ['breaks down', asksWho, { status: 500, html: '<p>Done.' }, 'left-behind'],
    ['refuses it', asksWho, { status: 400, html: '<p>Done.' }, 'stuck'],
    [
      'breaks down on what a script would have sent',
      withScript('<script>send()</script>'),
      { status: 500, html: '<p>Done.' },
      'stuck',
    ],
  ])('tells a page behind the last form that %s', async (_, form, page, kind) => {
    await expect(formBank(form, () => page).pass()).rejects.toMatchObject({ kind });
  });

  it('leaves nobody behind who was asked for nothing', async () => {
    await expect(bank(() => '<p>We are closed.').pass()).rejects.toMatchObject({ kind: 'stuck' });
  });

  it.each<[string, Page]>([
    ['a portal', { html: '<title>Guest network</title><p>Log in to the hotel network first.' }],
    ['an outage', { html: '<h1>Vedlikehold</h1>', status: 404 }],
    ['a proxy', { html: '{"error":"blocked by policy"}' }],
  ])('does not tell to name the fields of what is no page of the bank: %s', async (_, page) => {
    const error = await bank(() => page)
      .pass()
      .catch(String);
    expect(error).toMatch(/no page of the bank, something on the way answers in its place/);
    expect(error).not.toMatch(/psu\.form/);
  });

  it('gives up when there is no end to the pages', async () => {
    let number = 0;
    const { pass, requests } = bank(() => {
      number += 1;
      return `<p>${number}<form><input type=hidden name=n value=${number}><button>Next</button></form>`;
    });
    await expect(pass()).rejects.toThrow(/no end after 12 pages/);
    expect(requests.length).toBe(13);
  });

  it.each([
    'javascript:alert(1)',
    'bankid:///?autostarttoken=1',
    'file:///etc/passwd',
    'https://[',
    '/sca/1',
  ])('opens nothing but web addresses, wherever %j stands', async (address) => {
    const { walker: inLink } = bank(() => '');
    await expect(inLink.pass(address, person)).rejects.toMatchObject({ kind: 'stuck' });
    if (address.startsWith('/')) return;
    for (const page of [
      { location: address },
      `<form action="${address}"><input name=ssn></form>`,
      `<a href="${address}">Continue</a>`,
    ]) {
      const { pass, requests } = bank(() => page);
      await expect(pass()).rejects.toMatchObject({
        kind: 'stuck',
        message: expect.stringMatching(/SCA page https:\/\/bank\.example\/sca\/1 leads to .*no address/),
      });
      expect(requests).toHaveLength(1);
    }
  });

  it.each([307, 308])('sends no form again to another host (%s)', async (status) => {
    const { pass, requests } = formBank(asksWho, () => ({
      status,
      location: 'https://evil.example/collect',
    }));
    await expect(pass()).rejects.toMatchObject({ kind: 'off-limits' });
    expect(requests.map(({ url }) => url.host)).toEqual(['bank.example', 'bank.example']);
  });
});

describe('cancelling', () => {
  it.each([
    ['approves nothing', 'Godkjenn', ['GET']],
    ['takes no success for it', 'Fortsett', ['GET', 'POST']],
  ])('%s', async (_, words, methods) => {
    const { abort, requests } = formBank(`<form method=post><button>${words}</button></form>`);
    expect(await abort()).toBeUndefined();
    expect(requests.map(({ method }) => method)).toEqual(methods);
  });

  it('is done behind a page that only leads on to the next one', async () => {
    const { abort } = bank(({ url }, entries) => {
      if (entries.has('cancel')) return cancelled;
      return url.searchParams.has('hop') ? asksToCancel : '<meta http-equiv=refresh content="0; url=?hop=1">';
    });
    expect(await abort()).toMatchObject(failure);
  });

  it('presses the button for it and confirms', async () => {
    const { abort, requests } = bank(({ url }) => {
      if (url.searchParams.has('sure')) return { location: `${cancelled.location}&message=cancelled` };
      return url.searchParams.get('a') === 'x'
        ? '<form><button name=sure value=yes>Yes</button></form>'
        : '<form><input name=ssn><button name=a value=go>Log in</button><button name=a value=x>Avbryt</button></form>';
    });
    expect(await abort()).toMatchObject({ ...failure, message: 'cancelled' });
    expect(requests[1]?.url.search).toBe('?ssn=&a=x');
  });

  it.each([
    ['a link for it', '<form><input name=ssn></form><a href="?q=1">Cancel</a>', {}],
    ['the name that the target file gives', '<form><button name=q>Slutt</button></form>', { cancel: 'q' }],
  ])('follows %s', async (_, page, names) => {
    const { abort } = bank(({ url }) => (url.searchParams.has('q') ? cancelled : page), names);
    expect(await abort()).toMatchObject(failure);
  });

  it('says who the PSU is first where it is to be cancelled behind that page', async () => {
    const cancel = '<button name=a value=x>Avbryt</button>';
    const { abort } = bank(({ url }) => {
      if (url.searchParams.get('a') === 'x' && url.searchParams.has('account')) return cancelled;
      return url.searchParams.has('ssn')
        ? `<form><input type=hidden name=account value=1><input name=code>${cancel}</form>`
        : `<form><input name=ssn><button name=a value=go>Log in</button>${cancel}</form>`;
    });
    expect(await abort({ ...person, isLate: true })).toMatchObject(failure);
  });

  it('says so when SCA is over by the time that it could be cancelled', async () => {
    expect(await formBank(asksWho).abort({ ...person, isLate: true })).toBeUndefined();
  });

  it.each<[string, string, string, { readonly kind: string } | undefined]>([
    ['leads nowhere', '', '<p>Cancelled. Close this page.', { kind: 'left-behind' }],
    ['has a script', '', '<p>Cancelled.<script src="/done.js"></script>', undefined],
    ['leads nowhere without a script', '<script>ask()</script>', '<p>Cancelled.', undefined],
  ])('tells a page behind it that %s', async (_, script, html, trouble) => {
    const end = formBank(`${asksToCancel}${script}`, () => html).abort();
    if (trouble === undefined) expect(await end).toBeUndefined();
    else await expect(end).rejects.toMatchObject(trouble);
  });
});

describe('pages with more on them than the PSU needs', () => {
  const around = (main: string): string => `
    <header><form action="/sok"><input name=q><button>Søk</button></form>
    <form action="/sprak" method=post><select name=lang><option>nb<option>en</select><button name=lang value=en>Continue in English</button></form></header>
    <form action="/cookies" method=post><input type=checkbox name=all><button>Godta alle</button><button name=cancel value=1>Avslå alle</button></form>
    <form action="/kontakt" method=post><textarea name=melding></textarea><button>Send melding</button></form>
    <main>${main}</main><footer><form action="/logg-ut" method=post><button>Logg ut</button></form></footer>`;
  const no = '<button name=answer value=no>Avbryt</button>';
  const form = (controls: string): string =>
    around(`<form action="/sca/1?lang=nb" method=post>${controls}</form>`);
  const served = ({ url, method }: PageRequest, entries: URLSearchParams): Page | string => {
    if (url.pathname !== '/sca/1') return { status: 404 };
    switch (entries.get('answer')) {
      case 'no':
        return around(`<a href="${cancelled.location.replace('&', '&amp;')}">Tilbake til butikken</a>`);
      case 'yes':
        return around(`<a href="${done}">Back to the shop</a>`);
      default:
        return method === 'POST'
          ? form(`<button name=answer value=yes>Godkjenn</button>${no}`)
          : form(`<input name=fnr><button>Logg inn</button>${no}`);
    }
  };

  it('are passed and cancelled by the form that they are about, and the link back', async () => {
    expect(await bank(served).pass()).toMatchObject(success);
    expect(await bank(served).abort()).toMatchObject(failure);
  });
});

describe('an account that the PSU does not grant', () => {
  const boxes =
    '<label><input type=checkbox name=a value=all>Velg alle</label><label><input type=checkbox name=a value=a1 checked>Brukskonto 95360573002</label><label><input type=checkbox name=a value=a2 checked>Sparekonto 97041120006</label>';
  /** It tells which boxes were ticked in the address of the return. */
  const listing = (fields: string, script = '') =>
    formBank(`${script}<form method=post>${fields}<button>OK</button></form>`, (entries) => ({
      location: `${done}&granted=${entries.getAll('a').join()}`,
    }));
  const leavingOne = { ...person, deselects: ['97041120006'] };

  it('is left empty in the list, and the walk says so', async () => {
    const back = await listing(boxes).pass(leavingOne);
    expect(back.address).toContain('granted=a1');
    expect(back.address).not.toContain('a2');
    expect(back).toMatchObject({ hasDeselected: true, wasPreselected: true });
  });

  it.each([
    ['was not ticked before, where no script can have done so', '', false],
    ['may have been ticked by a script', '<script src="/boxes.js"></script>', undefined],
  ])('%s', async (_, script, wasPreselected) => {
    const back = await listing(boxes.replaceAll(' checked', ''), script).pass(leavingOne);
    expect(back).toMatchObject({ hasDeselected: true });
    expect(back.wasPreselected).toBe(wasPreselected);
  });

  it('takes a card with it that has a box of its own, and leaves one that says an account', async () => {
    const cards =
      '<label><input type=checkbox name=a value=c1>Mastercard 492500******1234</label><label><input type=checkbox name=a value=a3>Kortkonto 95360574122, 492500******1234</label>';
    const deselectsCards = ['492500******1234', 'c9'];
    const back = await listing(`${boxes}${cards}`).pass({ ...leavingOne, deselectsCards });
    expect(back.address).toMatch(/granted=a1,a3$/);
    expect(back.leftEmpty).toEqual(['97041120006', '492500******1234']);
  });

  it('is told from one that the page does not show', async () => {
    const back = await listing(boxes).pass({ ...person, deselects: ['a3'] });
    expect(back.address).toContain('a1,a2');
    expect(back.hasDeselected).toBeUndefined();
  });
});
