import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('html', () => {
  it('escapes values, in text and in attributes', () => {
    const value = `<script>alert("x")</script>' & co`;
    expect(html`<p title="${value}">${value}</p>`.markup).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39; &amp; co">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39; &amp; co</p>',
    );
  });

  it('keeps markup as it is, and leaves out what is undefined or false', () => {
    expect(html`${html`<b>1</b>`}${[html`<i>2</i>`, html`<i>3</i>`]}${undefined}${false}${4}`.markup).toBe(
      '<b>1</b><i>2</i>\n<i>3</i>4',
    );
  });
});
