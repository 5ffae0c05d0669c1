import { describe, expect, it } from 'vitest';
import { bank, bodyOf, done, person, redirectUri, start } from './page-bank.test.data.ts';

const failed = `${redirectUri}?system=core&status=403&code=FORBIDDEN&message=no`;

describe('a choice without labels', () => {
  const row = (value: string, words: string): string =>
    `<tr><td>${words}</td><td><input type=radio name=r value=${value}></td></tr>`;
  const behind = (value: string, words: string): string =>
    `<input type=radio name=r value=${value}> <span>${words}</span>`;
  it.each([
    ['in a row of a table', `<table>${row('1', 'Privat')}${row('2', 'Bedrift')}</table>`],
    ['in paragraphs', `<p>${behind('1', 'Privat')}</p><p>${behind('2', 'Bedrift')}</p>`],
    ['in one paragraph', `<p>Jeg er: ${behind('1', 'Privat')} ${behind('2', 'Bedrift')}</p>`],
  ])('is made by the words next to it, %s', async (_, choices) => {
    const form = `<form method=post><p>Fødselsnummer <input name=f1></p>${choices}<button>Neste</button></form>`;
    const { walker, requests } = bank(({ method }) =>
      method === 'POST' ? { location: done } : { html: form },
    );
    await walker.pass(start, { ...person, context: 'CORPORATE' });
    expect(requests.map(bodyOf).at(-1)).toBe(`f1=${person.nationalId}&r=2`);
  });
});

it('one label around all buttons tells nothing of each', async () => {
  const form =
    '<form method=post><label><button name=ok value=1>Godkjenn</button><button name=no value=1>Avbryt</button></label></form>';
  const { walker } = bank(({ method }, sent) =>
    method === 'POST' ? { location: sent.has('ok') ? done : failed } : { html: form },
  );
  await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
  await expect(walker.abort(start, person)).resolves.toMatchObject({ code: 'FORBIDDEN' });
});

it.each([
  ['the name of the bank', '<h1>Banken</h1><a href="/">Forsiden</a>'],
  ['a search', '<form role=search><input name=q></form>'],
])('the form is found in another frame than that of %s', async (_, banner) => {
  const { walker } = bank(({ url, method }) => {
    if (method === 'POST') return { location: done };
    if (url.pathname.endsWith('/top')) return { html: banner };
    if (url.pathname.endsWith('/main'))
      return { html: '<form method=post><input name=fnr><button>OK</button></form>' };
    return { html: '<frameset><frame src=/top><frame src=/main></frameset>' };
  });
  await expect(walker.pass(start, person)).resolves.toMatchObject({ psuId: '7' });
});

it('a page is passed by that was followed by one that can be cancelled, when SCA was passed', async () => {
  const terms = '<form method=post><input type=checkbox name=terms value=1><button>Neste</button></form>';
  const last =
    '<form method=post><button name=ok value=1>Godkjenn</button><button name=no value=1>Avbryt</button></form>';
  const { walker } = bank(({ method }, sent) => {
    if (method !== 'POST') return { html: terms };
    if (sent.has('terms')) return { html: last };
    return { location: sent.has('ok') ? done : failed };
  });
  await expect(walker.abort(start, person)).resolves.toBeUndefined();
  await walker.pass(start, person);
  await expect(walker.abort(start, person)).resolves.toMatchObject({ code: 'FORBIDDEN' });
});

describe('to log out is not to cancel', () => {
  const form = '<form method=post><input name=fnr><button>Neste</button></form>';
  const last =
    '<form method=post><button name=ok value=1>Godkjenn</button><button name=no value=1>Avbryt</button></form>';
  const logout = '<form action=/out method=post><button>Logg ut</button></form>';
  it.each([
    ['beside the form', `<footer>${logout}</footer>`, 404],
    ['next to the form', logout, 200],
    ['next to the form, and breaks down', logout, 500],
  ])('%s', async (_, out, status) => {
    const { walker } = bank(({ url, method }, sent) => {
      if (url.pathname === '/out') return { status, html: '<p>Du er logget ut.</p>' };
      if (method !== 'POST') return { html: `${form}${out}` };
      if (sent.has('fnr')) return { html: last };
      return { location: sent.has('ok') ? done : failed };
    });
    await expect(walker.abort(start)).resolves.toBeUndefined();
  });
});
