import { describe, expect, test } from 'vitest';
import { linkMatrix, sealHtml } from './sealed-html.ts';

const page = `<!DOCTYPE html><html><head><meta charset="utf-8"><script>window.allureReportOptions = {}</script></head>
<body><script  src="data:text/javascript;base64,AAAA"></script>
<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
<script>
  window.dataLayer = window.dataLayer || [];
  function gtag(){dataLayer.push(arguments);}
  gtag('config', 'G-1');
</script>
<script async>window.allureReportDataReady = false;</script></body></html>`;

describe('a sealed page', () => {
  test('has lost the analytics, and nothing else', () => {
    const sealed = sealHtml(page);
    expect(sealed).not.toMatch(/googletagmanager|gtag|dataLayer/);
    expect(sealed).toContain('window.allureReportOptions = {}');
    expect(sealed).toContain('src="data:text/javascript;base64,AAAA"');
    expect(sealed).toContain('window.allureReportDataReady = false');
  });

  test('forbids the browser to ask anyone else, before any script stands', () => {
    const sealed = sealHtml(page);
    const policy = sealed.indexOf("default-src 'none'");
    expect(policy).toBeGreaterThan(0);
    expect(policy).toBeLessThan(sealed.indexOf('<script'));
    expect(sealed.match(/content="default-src[^"]*"/)?.[0]).not.toMatch(/https?:|\*/);
  });

  test('leads to the requirement matrix', () => {
    expect(linkMatrix(page)).toContain('<a class="matrix-link" href="requirements.html">');
  });
});
