import { describe, expect, test } from 'vitest';
import { sealedPage } from './sealed-html.ts';
import { unpackedReport } from './unpacked-report.test.data.ts';

const nasty = '</script><script>alert(1)</script>';
const parts = {
  app: `console.log(${JSON.stringify(nasty)});`,
  options: { reportName: nasty },
  data: {
    'data/a.json': `{"text":${JSON.stringify(`${nasty} æøå 😀`)}}`,
    'widgets/tree.json': '{"same":1}',
    'widgets/default/tree.json': '{"same":1}',
  },
};
const pieces = sealedPage(parts, `Bank ${nasty}`);
let page = '';
for await (const piece of pieces) page += piece;
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';

describe('a sealed page', () => {
  test('holds all that it was given, and nothing of it as markup', () => {
    expect(unpackedReport(page)).toEqual(parts);
    expect(page).not.toContain('alert(1)</script>');
    expect(page.match(/<script/g)).toHaveLength(2);
  });

  test('forbids the browser to ask anyone else, and to run what it does not know, before any script stands', () => {
    expect(policy).toMatch(/^default-src 'none'/);
    expect(policy).not.toMatch(/https?:|\*/);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toMatch(/^'sha256-[A-Za-z0-9+/=]+' blob:$/);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<script'));
  });

  test('has no analytics and no address of the outside', () => {
    expect(page).not.toMatch(/googletagmanager|gtag|src="https?:/);
  });
});
