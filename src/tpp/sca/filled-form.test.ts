import { describe, expect, it } from 'vitest';
import type { Entries } from './choices.ts';
import { deselectedBoxes, fillIn, grantedBy, leadingForm } from './filled-form.ts';
import { readHtmlPage } from './html-page.ts';

const kari: Entries = { nationalId: '01819010001', context: 'PRIVATE', names: {} };
const company: Entries = { ...kari, context: 'CORPORATE' };

function filled(html: string, entries: Entries = kari) {
  const form = leadingForm(readHtmlPage(html).forms, entries.names.nationalIdField);
  if (form === undefined) throw new Error('no form');
  return fillIn(form, entries);
}

const pairsOf = (html: string, entries: Entries = kari) => Object.fromEntries(filled(html, entries).pairs);

function grantedIn(html: string, entries: Entries = kari) {
  const [form] = readHtmlPage(html).forms;
  return form ? grantedBy(form, fillIn(form, entries)) : [];
}
const numbersIn = (html: string, entries: Entries = kari) =>
  grantedIn(html, entries).flatMap(({ number }) => number ?? []);

it('leaves out one account of a list inside its label, and no other', () => {
  const list =
    '<form><label>Kontoer <select name=konto multiple><option value=a selected>9536.05.73002</option><option value=b selected>9536.05.74122</option></select></label></form>';
  expect(filled(list, { ...kari, deselects: ['95360573002'] }).pairs).toEqual([['konto', 'b']]);
});

it('knows words of a button that grants access', () => {
  for (const words of ['Gi tilgang', 'Grant access', 'Give access to the accounts']) {
    const page = `<form action=/a><button>Mer</button></form><form action=/b><button>${words}</button></form>`;
    expect(leadingForm(readHtmlPage(page).forms)?.action).toBe('/b');
  }
});

describe('accounts that a form grants', () => {
  const boxes = `<form>
    <label><input type=checkbox name=konto value=95360573002 checked>Brukskonto</label>
    <label><input type=checkbox name=konto value=b>Sparekonto 9536.05.74122</label>
    <label><input type=checkbox name=who value=${kari.nationalId}>Kari</label>
    <label><input type=checkbox name=terms value=1>Vilkår av 01.01.2026, sak 12345678901</label></form>`;

  const beside = `<form>
      <label><input type=checkbox name=konto value=79b82818-84be-41ae-8901-3586cb17a607>95360573002</label>
      <label><input type=checkbox name=konto value=2>2 9536 05 74122 1 000,00</label>
      <label><input type=checkbox name=konto value=3>15940573022</label>
      <label><input type=checkbox name=konto value=4>15940573030</label></form>`;
  const several =
    '<form><label><input type=checkbox name=hide value=1>All but 9536.05.73002 and 9536.05.74122</label></form>';
  it.each([
    ['are those whose boxes are ticked and say their numbers', boxes, kari, ['95360573002', '95360574122']],
    ['are not those that are left out', boxes, { ...kari, deselects: ['95360574122'] }, ['95360573002']],
    [
      'are told beside an id, a count and an amount',
      beside,
      kari,
      ['95360573002', '95360574122', '15940573022', '15940573030'],
    ],
    ['are not told by a box that names several, or the accounts that are left out', several, kari, []],
  ])('%s', (_, html, entries, numbers) => {
    expect(numbersIn(html, entries)).toEqual(numbers);
  });

  it('are not told by the box of a card, whose account may be listed by another number', () => {
    const cards = `<form>
      <label><input type=checkbox name=konto value=95360573002>Gold 492500******0002</label>
      <label><input type=checkbox name=konto value=95360574122>Kredittkort</label>
      <label><input type=checkbox name=konto value=1>Visa •••• 1234, 9536.05.74122</label></form>`;
    expect(numbersIn(cards)).toEqual([]);
    expect(grantedIn(cards)).toHaveLength(3);
  });
});

describe('the national identity number', () => {
  it.each([
    '<form><input name=q type=search><input name=ssn></form>',
    '<form><input name=q><input name=x1 placeholder="Fødselsnummer (11 siffer)"></form>',
    '<form><input name=q><label for=p>Personnummer</label><input type=tel id=p name=p1></form>',
    '<form><input name=q><label>Customer number <input type=number name=c></label></form>',
    '<form><input name=whatever></form>',
  ])('is typed into the field for it: %s', (html) => {
    expect(filled(html).pairs).toContainEqual([expect.not.stringMatching(/^q$/), '01819010001']);
  });

  it.each([
    '<form><input name=trap tabindex=-1></form>',
    '<form><input name=trap aria-hidden=true></form>',
    '<form><input name=trap hidden></form>',
    '<form><input name=trap style="position: absolute; left: -9999px"></form>',
    '<form><input name=trap style="display:none"><input name=ssn></form>',
  ])('is not typed where a person would not: %s', (html) => {
    expect(pairsOf(html)).toMatchObject({ trap: '' });
  });
});

const acting = `<form><input name=fnr>
    <label><input type=checkbox name=rolle value=B> Jeg representerer en bedrift</label>
    <label><input type=checkbox name=vilkar value=ja> Jeg godtar bedriftens vilkår</label></form>`;
const radios =
  '<form><input name=ssn><label><input type=radio name=k value=1 checked>For myself</label><label><input type=radio name=k value=2>For a company</label></form>';
const listed =
  '<form><select name=ctx><option value=PRIVATE>Som person i firma<option value=CORPORATE>Annet</select></form>';
const buttons =
  '<form><input name=ssn><button name=as value=p>Privat</button><button name=as value=b>Bedrift</button><button name=as value=x>Avbryt</button></form>';
const named = (names: Entries['names'], context: Entries['context'] = 'PRIVATE'): Entries => ({
  ...kari,
  context,
  names,
});
const fnr = kari.nationalId;

it.each<[string, string, Entries, Record<string, string>]>([
  [
    'the number is typed in two parts where neither field holds it',
    '<form><label for=a>Fødselsdato</label><input id=a name=a maxlength=6><label for=b>Personnummer</label><input id=b name=b maxlength=5></form>',
    kari,
    { a: '018190', b: '10001' },
  ],
  [
    'the number is typed in two parts where only the second is labelled',
    '<form><input name=x maxlength=6><input name=ssn maxlength=5></form>',
    kari,
    { x: '018190', ssn: '10001' },
  ],
  [
    'the number is typed in one part where a field holds it',
    '<form><input name=ssn maxlength=11><input name=b maxlength=5></form>',
    kari,
    { ssn: fnr, b: '' },
  ],
  [
    'the number goes where the target file says',
    '<form><input name=ssn><input name=code><input name=otp></form>',
    named({ nationalIdField: 'code', fields: { otp: '123456' } }),
    { ssn: '', code: fnr, otp: '123456' },
  ],
  [
    'the number is chosen where the page lists people',
    '<form><select name=user><option value=1>Ola 01819010192<option value=2>Kari 01819010001</select></form>',
    kari,
    { user: '2' },
  ],
  ['a box for those who act for a company is left by others', acting, kari, { fnr, vilkar: 'ja' }],
  [
    'a box for those who act for a company is ticked by them',
    acting,
    company,
    { fnr, rolle: 'B', vilkar: 'ja' },
  ],
  [
    'a box of an account is no box for a company, whatever it is called',
    '<form><label><input type=checkbox name=konto value=1>Bedriftskonto</label></form>',
    kari,
    { konto: '1' },
  ],
  ['the context of a person is chosen among radio buttons', radios, kari, { ssn: fnr, k: '1' }],
  ['the context of a company is chosen among radio buttons', radios, company, { ssn: fnr, k: '2' }],
  ['the context is chosen in a list by its values', listed, company, { ctx: 'CORPORATE' }],
  ['the context of a person is chosen by a button', buttons, kari, { ssn: fnr, as: 'p' }],
  ['the context of a company is chosen by a button', buttons, company, { ssn: fnr, as: 'b' }],
  [
    'the context goes by the names of the target file',
    '<form><select name=mode><option>B2C<option>B2B</select></form>',
    named({ contextField: 'mode', corporateContext: 'B2B' }, 'CORPORATE'),
    { mode: 'B2B' },
  ],
  [
    'a box that asks to be remembered is no account',
    '<form><label><input type=radio name=remember value=yes>Yes</label><label><input type=radio name=remember value=no checked>No</label><button>Next</button></form>',
    kari,
    { remember: 'no' },
  ],
])('%s', (_, html, entries, pairs) => {
  expect(pairsOf(html, entries)).toEqual(pairs);
});

describe('a form', () => {
  it('is sent with every account ticked, the first agreement, and what is hidden', () => {
    const html = `<form method=post>
      <input type=hidden name=step value=3>
      <input type=radio name=agreement value=a1><input type=radio name=agreement value=a2>
      <input type=checkbox name=account value=1><input type=checkbox name=account value=2 checked>
      <label><input type=checkbox name=cookie value=1>Remember me</label>
      <input type=file name=upload><input type=reset value=Reset>
      <button>Approve</button></form>`;
    expect(filled(html).pairs).toEqual([
      ['step', '3'],
      ['agreement', 'a1'],
      ['account', '1'],
      ['account', '2'],
    ]);
  });

  it('is sent with the button that goes on, and never with the one that cancels', () => {
    const html =
      '<form><button name=a value=1>I disagree</button><button name=a value=2>Help</button><button name=a value=3 formaction=/yes formmethod=post>I agree</button></form>';
    expect(filled(html)).toMatchObject({ method: 'POST', action: '/yes', pairs: [['a', '3']] });
    expect(pairsOf(html, { ...kari, names: { submit: 'Help' } })).toEqual({ a: '2' });
  });

  it('is sent in the way and the letters that the page asks for', () => {
    const html =
      '<form method=post enctype="Multipart/Form-Data" accept-charset="ISO-8859-1 utf-8"><button name=a>OK</button></form>';
    expect(filled(html)).toMatchObject({ isMultipart: true, letters: 'ISO-8859-1' });
    const plain = html.replace('<button', '<button formenctype="application/x-www-form-urlencoded"');
    expect(filled(plain)).toMatchObject({ isMultipart: false });
    expect(filled('<form><button name=a>OK</button></form>')).toMatchObject({ isMultipart: false });
  });

  it('is the one that leads on, where there are several', () => {
    const html =
      '<form action=/cancel><button>Cancel</button></form><form action=/language><select name=l><option>no</select><button>Show</button></form><form action=/go><input name=ssn><button>Log in</button></form>';
    expect(filled(html).action).toBe('/go');
  });
});

describe('accounts that are no boxes', () => {
  const rows = `<form><table>
    <tr><td>Brukskonto 9536.05.73002</td><td><label><input type=radio name=k1 value=1>Ja</label><label><input type=radio name=k1 value=0 checked>Nei</label></td></tr>
    <tr><td>Sparekonto 9536.05.74122</td><td><label><input type=radio name=k2 value=1 checked>Ja</label><label><input type=radio name=k2 value=0>Nei</label></td></tr>
    </table><button>Videre</button></form>`;
  const lists = `<form>
    <label>Brukskonto 95360573002 <select name=k1><option value=none selected>Ingen tilgang<option value=bal>Saldo<option value=trx>Saldo og transaksjoner</select></label>
    <label>Sparekonto 95360574122 <select name=k2><option value=none>Ingen tilgang<option value=bal selected>Saldo<option value=trx>Saldo og transaksjoner</select></label>
    <button>Videre</button></form>`;
  const one = `<form>
    <label><input type=radio name=konto value=a checked>Sparekonto 9536.05.74122</label>
    <label><input type=radio name=konto value=b>Brukskonto 9536.05.73002</label><button>Videre</button></form>`;

  const leavingOut = (number: string): Entries => ({ ...kari, deselects: [number] });
  it.each([
    ['buttons', rows, { k1: '1', k2: '1' }, { k1: '1', k2: '0' }],
    ['lists', lists, { k1: 'trx', k2: 'trx' }, { k1: 'trx', k2: 'none' }],
  ])('are granted as far as %s go, whatever is preset, and left out one by one', (_, html, all, one) => {
    const [form] = readHtmlPage(html).forms;
    const without = leavingOut('95360574122');
    expect([pairsOf(html), numbersIn(html)]).toEqual([all, ['95360573002', '95360574122']]);
    expect([pairsOf(html, without), numbersIn(html, without)]).toEqual([one, ['95360573002']]);
    expect(form && deselectedBoxes(form, without)).toMatchObject([{ checked: true }]);
    expect(form && deselectedBoxes(form, leavingOut('95360573002'))).toMatchObject([{ checked: false }]);
  });

  it('of which one can be chosen are those of the run', () => {
    expect(pairsOf(one)).toEqual({ konto: 'a' });
    expect(pairsOf(one, { ...kari, prefers: ['95360573002'] })).toEqual({ konto: 'b' });
    expect(pairsOf(one, { ...kari, prefers: ['95360573002'], deselects: ['95360573002'] })).toEqual({
      konto: 'a',
    });
  });
});
