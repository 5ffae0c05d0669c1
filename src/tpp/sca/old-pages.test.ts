import { describe, expect, it } from 'vitest';
import {
  asksWho,
  bank,
  bodyOf,
  cancelled,
  ended,
  failure,
  formBank,
  person,
  success,
} from './page-bank.test.data.ts';

const last =
  '<form method=post><button name=ok value=1>Godkjenn</button><button name=no value=1>Avbryt</button></form>';
const afterLast = (sent: URLSearchParams) => (sent.has('ok') ? ended : cancelled);

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
    const { pass, requests } = formBank(
      `<form method=post><p>Fødselsnummer <input name=f1></p>${choices}<button>Neste</button></form>`,
    );
    await pass({ ...person, context: 'CORPORATE' });
    expect(requests.map(bodyOf).at(-1)).toBe(`f1=${person.nationalId}&r=2`);
  });
});

it('one label around all buttons tells nothing of each', async () => {
  const form = last.replace(/<button.*button>/, '<label>$&</label>');
  const { pass, abort } = formBank(form, afterLast);
  expect(await pass()).toMatchObject(success);
  expect(await abort(person)).toMatchObject(failure);
});

it.each([
  ['the name of the bank', '<h1>Banken</h1><a href="/">Forsiden</a>'],
  ['a search', '<form role=search><input name=q></form>'],
])('the form is found in another frame than that of %s', async (_, banner) => {
  const { pass } = bank(({ url, method }) => {
    if (method === 'POST') return ended;
    if (url.pathname.endsWith('/top')) return banner;
    if (url.pathname.endsWith('/main')) return asksWho;
    return '<frameset><frame src=/top><frame src=/main></frameset>';
  });
  expect(await pass()).toMatchObject(success);
});

it('a page is passed by that was followed by one that can be cancelled, when SCA was passed', async () => {
  const { pass, abort } = formBank(
    '<form method=post><input type=checkbox name=terms value=1><button>Neste</button></form>',
    (sent) => (sent.has('terms') ? last : afterLast(sent)),
  );
  expect(await abort(person)).toBeUndefined();
  await pass();
  expect(await abort(person)).toMatchObject(failure);
});

describe('to log out is not to cancel', () => {
  const logout = '<form action=/out method=post><button>Logg ut</button></form>';
  it.each([
    ['beside the form', `<footer>${logout}</footer>`, 404],
    ['next to the form', logout, 200],
    ['next to the form, and breaks down', logout, 500],
  ])('%s', async (_, out, status) => {
    const { abort } = bank(({ url, method }, sent) => {
      if (url.pathname === '/out') return { status, html: '<p>Du er logget ut.</p>' };
      if (method !== 'POST') return `${asksWho}${out}`;
      return sent.has('fnr') ? last : afterLast(sent);
    });
    expect(await abort()).toBeUndefined();
  });
});
