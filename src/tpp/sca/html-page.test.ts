import { describe, expect, it } from 'vitest';
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
      links: [{ href: '/out?a=1&b=2', text: 'Avbryt nå' }],
    });
  });

  it('tells where it goes on to by itself', () => {
    const at = (content: string) => readHtmlPage(`<meta http-equiv="Refresh" content="${content}">`).refresh;
    expect(at('2; url=/sca/wait?n=1')).toBe('/sca/wait?n=1');
    expect(at('0;URL=next')).toBe('next');
    expect(at('30')).toBeUndefined();
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

  it('gives controls outside to the form that they name', () => {
    const { forms } = readHtmlPage('<form id=a></form><form id=b></form><button form=b name=x>Go</button>');
    expect(forms.map(({ controls }) => controls.length)).toEqual([0, 1]);
  });

  it('survives markup that is none', () => {
    expect(readHtmlPage('a < b <form <input name="x').text).toContain('a < b');
    expect(readHtmlPage('<input name="unclosed').forms).toEqual([]);
    expect(readHtmlPage('').title).toBe('');
  });
});
