import { expect, it } from 'vitest';
import { asksToCancel, bank, bodyOf, cancelled, failure, person } from './page-bank.test.data.ts';

const named = '<form method=post><input name=fnr><button name=go value=1>Neste</button></form>';
const hidden = '<form id=avbryt method=post><input type=hidden name=end value=1></form>';

it.each([
  ['a link', `${named}${hidden}<a href="javascript:avbryt.submit()">Avbryt</a>`, 'end=1'],
  ['a link to nowhere', `${named}${hidden}<a href="#" onclick="avbryt.submit()">Avbryt</a>`, 'end=1'],
  [
    'a listener',
    `${named}${hidden}<button type=button id=ut>Avbryt</button><script>ut.addEventListener('click', () => avbryt.submit())</script>`,
    'end=1',
  ],
  [
    'a button of the form',
    `<form method=post><input name=fnr><input type=hidden name=end value=0><input type=button value=Avbryt onclick="this.form.elements['end'].value = '1'; this.form.submit()"><button>Neste</button></form>`,
    'fnr=&end=1',
  ],
])('a page is cancelled by %s whose script sends a form', async (_, html, sent) => {
  const { abort, requests } = bank((_, form) => (form.get('end') === '1' ? cancelled : html));
  expect(await abort()).toMatchObject(failure);
  expect(requests.map(bodyOf)).toEqual(['', sent]);
});

it.each([
  ['before SCA is cancelled', 'before'],
  ['behind it', 'behind'],
])('a form that a page sends by itself is sent %s', async (_, where) => {
  const byItself = `<body onload="document.forms[0].submit()"><form method=post><input type=hidden name=state value=${where}></form>`;
  const { abort } = bank((_, form) => {
    if (form.get('state') === 'behind') return cancelled;
    if (form.has('cancel')) return where === 'behind' ? byItself : cancelled;
    return where === 'behind' || form.has('state') ? asksToCancel : byItself;
  });
  for (const who of [undefined, person]) expect(await abort(who)).toMatchObject(failure);
});

it('whoever is to cancel sends no form that approves, whatever a script might do', async () => {
  const html =
    '<h1>Godkjenn betalingen</h1><form method=post><input type=hidden name=ok value=1></form><button id=ja>OK</button><script>ja.onclick = () => document.forms[0].submit()</script>';
  const { abort, requests } = bank(() => html);
  expect(await abort(person)).toBeUndefined();
  expect(requests).toHaveLength(1);
});
