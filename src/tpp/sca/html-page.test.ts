import { describe, expect, it } from 'vitest';
import { clearlyBelowQuadratic, growthOf } from '../growth.test.data.ts';
import { fillIn, leadingForm } from './filled-form.ts';
import { readHtmlPage } from './html-page.ts';

describe('an HTML page', () => {
  it('is read with its title, text and links, without scripts, styles and comments', () => {
    const page = readHtmlPage(
      '<!doctype html><title>Log&nbsp;in &#8211; Bank</title><style>a > b {}</style><script>if (a < b) document.write("<form>")</script>' +
        '<!-- <form> --><h1>Hei</h1><p>F&oslash;r &lt;du&gt; går</p><a href="/out?a=1&amp;b=2">Avbryt <b>nå</b></a>',
    );
    expect(page).toEqual({
      title: 'Log in – Bank',
      text: 'Hei Før <du> går Avbryt nå',
      base: undefined,
      forms: [],
      links: [{ href: '/out?a=1&b=2', text: 'Avbryt nå', isBeside: false }],
      scripted: [],
      frames: [],
      sendsForm: false,
      hasScript: true,
    });
  });

  it('holds nothing of what stands in a template', () => {
    const page = readHtmlPage(
      '<template><title>T</title><form action=/a><input name=fnr></form><template></template><a href=/b>B</a>b</template><form action=/c></form>c',
    );
    expect(page.forms.map(({ action }) => action)).toEqual(['/c']);
    expect(page).toMatchObject({ title: '', text: 'c', links: [] });
  });

  it('tells of the addresses in its scripts, and of no form that only closes a dialogue', () => {
    const page = readHtmlPage(
      `<form method=dialog><button>OK</button></form><script>var u="https:\\/\\/tpp.example\\/?a=1\\u0026b=2", v='/x'</script><button onclick="go('https://tpp.example/c')">`,
    );
    expect(page).toMatchObject({
      forms: [],
      scripted: ['https://tpp.example/?a=1&b=2', 'https://tpp.example/c'],
      hasScript: true,
    });
  });

  it.each([
    ['2; url=/sca/wait?n=1', '/sca/wait?n=1'],
    ['0;URL=next', 'next'],
    ['1', ''],
    ['10;', ''],
    ['30', undefined],
    ['', undefined],
  ])('tells where it goes on to by itself: %j', (content, refresh) => {
    expect(readHtmlPage(`<meta http-equiv="Refresh" content="${content}">`).refresh).toBe(refresh);
  });

  it('gives each control its kind, value and label, however the label is tied to it', () => {
    const [form] = readHtmlPage(`<form action=/go METHOD=post>
      <input type=hidden name=token value='a"b'>
      <label for="nr">National identity number</label><input id="nr" name="nr" placeholder="11 digits">
      <label><input type="radio" name="who" value="P" checked> Private</label>
      <label><input type="radio" name="who" value="C"> Corporate</label>
      <input type=checkbox name=ok>
      <select name="account"><option value="">Choose<option value=1>First<option selected>Second</select>
      <textarea name=note> a &amp; b </textarea>
      <input name=gone disabled>
      <button name="do" value="go">Go <em>on</em></button><button type=button>Help</button>
      <input type=submit name=do value=Cancel formaction="/cancel" formmethod="get">
    </form>`).forms;
    expect(form?.method).toBe('POST');
    expect(form?.action).toBe('/go');
    expect(
      form?.controls.map(({ kind, name, value, label, checked }) => [kind, name, value, label, checked]),
    ).toEqual([
      ['hidden', 'token', 'a"b', '', false],
      ['text', 'nr', '', 'National identity number', false],
      ['radio', 'who', 'P', 'Private', true],
      ['radio', 'who', 'C', 'Corporate', false],
      ['checkbox', 'ok', 'on', '', false],
      ['select', 'account', '', '', false],
      ['text', 'note', 'a & b', '', false],
      ['button', 'do', 'go', 'Go on', false],
      ['other', '', '', '', false],
      ['button', 'do', 'Cancel', 'Cancel', false],
    ]);
    expect(form?.controls[1]?.hints).toBe('nr nr 11 digits National identity number');
    expect(form?.controls[5]?.options).toEqual([
      { value: '', text: 'Choose', selected: false },
      { value: '1', text: 'First', selected: false },
      { value: 'Second', text: 'Second', selected: true },
    ]);
    expect(form?.controls[9]).toMatchObject({ action: '/cancel', method: 'GET' });
  });

  it('leaves out what stands in a group that is disabled, and takes a list of several for boxes', () => {
    const { forms } = readHtmlPage(
      '<form><fieldset disabled><fieldset><input name=fnr></fieldset></fieldset><input name=pin><select multiple name=acc><option value=1 selected>9536.05.73002<option>Two</select></form>',
    );
    expect(forms[0]?.controls.map(({ kind, name, value, checked }) => [kind, name, value, checked])).toEqual([
      ['text', 'pin', '', false],
      ['checkbox', 'acc', '1', true],
      ['checkbox', 'acc', 'Two', false],
    ]);
  });

  it('gives controls outside to the form that they name', () => {
    const { forms } = readHtmlPage('<form id=a></form><form id=b></form><button form=b name=x>Go</button>');
    expect(forms.map(({ controls }) => controls.length)).toEqual([0, 1]);
  });

  it('survives markup that is none', () => {
    expect(readHtmlPage('a < b <form <input name="x').text).toContain('a < b');
    expect(readHtmlPage('<input name="unclosed').forms).toEqual([]);
    expect(readHtmlPage('').title).toBe('');
  });

  it('keeps a form open when what is around it is closed', () => {
    const { forms } = readHtmlPage('<div><form><input name=a></div><input name=b></form>');
    expect(forms.map(({ controls }) => controls.map(({ name }) => name))).toEqual([['a', 'b']]);
  });

  it('has no more words than anybody reads', () => {
    const { text, forms } = readHtmlPage(
      `<form><label>${'word '.repeat(10_000)}<input name=a></label></form>`,
    );
    expect(text.length).toBeLessThan(1000);
    expect(forms[0]?.controls[0]?.hints.length).toBeLessThan(1000);
  });

  it.each<[string, (size: number) => string]>([
    ['quotes in a tag', (size) => `<a ${`"'`.repeat(size)}`],
    ['tags that do not end', (size) => '<a b="c" '.repeat(size)],
    ['comments that do not end', (size) => '<!-- -'.repeat(size)],
    ['open elements', (size) => '<div>'.repeat(size)],
    ['elements closed in vain', (size) => '<div>'.repeat(size) + '</p></a>'.repeat(size)],
    ['scripts', (size) => `<script>${'</scrip'.repeat(size)}`],
    ['white space in a refresh', (size) => `<meta http-equiv=refresh content="${' '.repeat(10 * size)}x">`],
    ['white space', (size) => ' \n'.repeat(10 * size)],
    ['labels of one control', (size) => `${'<label for=a>b</label>'.repeat(size)}<form><input id=a></form>`],
    ['controls in one label', (size) => `<form><label>${'<input name=a>text'.repeat(size)}</form>`],
    ['forms', (size) => '<form id=a><button form=a>Go</button></form>'.repeat(size)],
    [
      'groups of radio buttons',
      (size) =>
        `<form>${Array.from({ length: size }, (_, i) => `<input type=radio name=r${i}>`).join('')}</form>`,
    ],
  ])('takes work that grows as the page does: %s', (_, html) => {
    const work = (size: number): void => {
      const form = leadingForm(readHtmlPage(html(size)).forms);
      if (form !== undefined) fillIn(form, { nationalId: '01819010001', context: 'PRIVATE', names: {} });
    };
    expect(growthOf(work, 400)).toBeLessThan(clearlyBelowQuadratic);
  });
});
