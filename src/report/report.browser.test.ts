import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserIsAbsent, launchBrowser, look, remark } from '../../fixtures/pictures/chromium.mjs';
import type { RunRecord } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { writeJournal } from './journal.ts';
import { aNastyRun, aRun, passing, someRequirements } from './synthetic-run.test.data.ts';
import { type ReportPaths, writeReports } from './write-reports.ts';

describe.skipIf(browserIsAbsent)(`the pages in a browser, opened from the disk${remark}`, () => {
  const dir = testFolder('all tests');
  let browser: Browser;
  const runs: Record<string, ReportPaths> = {};

  const failing = (): RunRecord => {
    const { header, results, footer } = aNastyRun(30);
    // Addresses of SCA pages are long, and nothing in them is a place to break a line.
    const trouble = `The SCA page https://bank.example/v1/sca/${'YDkKFVXgENWbYkAG'.repeat(6)} gave no answer.`;
    return {
      header: { ...header, remarks: [trouble] },
      results: results.map((result) =>
        result.verdict === 'inconclusive' ? { ...result, reason: trouble } : result,
      ),
      ...(footer && { footer }),
    };
  };

  beforeAll(async () => {
    const records = {
      passing: aRun(),
      failing: failing(),
      blocked: aRun({ results: [], footer: { blocker: 'https://bank.example cannot be reached.' } }),
      partial: aRun({ header: { selection: '--only DIG' }, results: passing.slice(0, 1) }),
    };
    for (const [name, record] of Object.entries(records)) {
      writeJournal(join(dir, name), record);
      const { paths } = await writeReports(join(dir, name), {
        requirements: someRequirements,
        html: true,
        allure: name === 'failing',
      });
      runs[name] = paths;
    }
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const addressOf = (run: string, page: 'html' | 'matrix' | 'certificate' | 'allure' = 'html'): string =>
    pathToFileURL(runs[run]?.[page] ?? '').href;

  /** Opens a page and notes every request that is no part of the page itself. */
  const open = async (
    url: string,
    viewport = { width: 1280, height: 800 },
    options: { colorScheme?: 'dark'; javaScriptEnabled?: false } = {},
  ): Promise<{ page: Page; requests: string[]; errors: string[] }> => {
    const page = await browser.newPage({ viewport, ...options });
    const requests: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) requests.push(request.url());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('dialog', (dialog) => errors.push(`dialog: ${dialog.message()}`));
    // The policy's refusals come as console errors: something in the page tried to get out.
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(url);
    return { page, requests, errors };
  };

  test.each([
    ['passing', 'html'],
    ['passing', 'matrix'],
    ['passing', 'certificate'],
    ['failing', 'html'],
    ['failing', 'matrix'],
    ['blocked', 'html'],
    ['blocked', 'matrix'],
    ['partial', 'html'],
    ['partial', 'matrix'],
  ] as const)(
    'whoever cannot see it well reads a %s run (%s), at any width, all of it open',
    async (run, name) => {
      for (const [width, colorScheme] of [
        [1280, undefined],
        [400, 'dark'],
      ] as const) {
        const viewport = { width, height: 800 };
        const { page, requests, errors } = await open(
          addressOf(run, name),
          viewport,
          colorScheme && { colorScheme },
        );
        await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true');
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(await page.evaluate('window.owned')).toBeUndefined();
        expect(requests).toEqual([addressOf(run, name)]);
        expect(errors).toEqual([]);
        await look(page, `${run}-${name}-${width}`);
        await page.close();
      }
    },
    120_000,
  );

  test.each([1280, 400])('verdict and causes stand on the first screen at a width of %i', async (width) => {
    const { page } = await open(addressOf('failing'), { width, height: 800 });
    for (const text of ['My bank, sandbox', 'non-conformant', '1 cause: 1 of 30 checks fails']) {
      const box = await page.getByText(text).first().boundingBox();
      expect((box?.y ?? 800) + (box?.height ?? 0), text).toBeLessThan(800);
    }
    expect((await page.locator('.cause summary').first().boundingBox())?.y).toBeLessThan(400);
    await page.close();
  });

  test('without a script a cause opens, a link leads into a check, and nothing is hidden', async () => {
    const { page } = await open(`${addressOf('failing')}#check-AMT-01.4`, undefined, {
      javaScriptEnabled: false,
    });
    // The browser opens what the address leads into.
    await page.getByText('TypeError: x is not a function').waitFor();
    expect(await page.locator('.check:visible').count()).toBe(30);
    expect(await page.locator('#filter').isVisible()).toBe(false);
    await page.close();
  });

  test('the checks are searched, filtered and cleared, and the matrix leads into them', async () => {
    const { page, errors } = await open(addressOf('failing'));
    const shown = async () => page.locator('.check:visible').count();
    await page.getByLabel('Verdict').selectOption('fail');
    expect(await shown()).toBe(1);
    await page.getByLabel('Verdict').selectOption('');
    await page.getByLabel('Suite').selectOption({ label: 'Error texts' });
    expect(await shown()).toBe(10);
    expect(await page.locator('#all-checks h3:visible').allTextContents()).toEqual(['Error texts']);
    await page.getByLabel('Search').fill('err-01.2 <script>');
    expect(await page.getByText('Nothing matches.').isVisible()).toBe(true);
    await page.getByLabel('Search').fill('err-01.2');
    expect(await page.locator('#filter-count').textContent()).toBe('5 of 30 checks');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(shown).toBe(30);
    await page.goto(addressOf('failing', 'matrix'));
    await page.locator('tr#AMT-01').getByRole('link', { name: 'AMT-01.4', exact: true }).click();
    await page.getByText('TypeError: x is not a function').waitFor();
    await page.getByRole('link', { name: 'Requirement matrix' }).click();
    await page.waitForURL(addressOf('failing', 'matrix'));
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the matrix is searched by id and words, filtered by verdict and section, and cleared', async () => {
    const { page, errors } = await open(addressOf('failing', 'matrix'));
    const shown = async () => page.locator('#requirements tbody tr:visible th').allTextContents();
    const all = ['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01'];
    expect(await shown()).toEqual(all);
    const search = page.getByLabel('Search ids, statements and checks');
    await search.fill('dig body');
    expect(await shown()).toEqual(['DIG-01', 'DIG-02']);
    expect(await page.locator('#filter-count').textContent()).toBe('2 of 5 requirements');
    await search.fill('amt-01');
    // The headings of what is left out are left out, too.
    expect(await page.locator('#requirements h2:visible').allTextContents()).toEqual(['Payments']);
    await page.getByLabel('Section').selectOption('Errors');
    expect(await shown()).toEqual([]);
    // A link to a requirement leads there, whatever the filter says.
    await page.getByRole('link', { name: 'AMT-01', exact: true }).first().click();
    await expect.poll(shown).toEqual(all);
    expect(errors).toEqual([]);
    await page.close();
  });

  const printedPages = async (page: Page): Promise<number> =>
    (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

  test('the certificate and the summary of the matrix are one page on paper; causes print in full', async () => {
    for (const [run, name] of [
      ['passing', 'certificate'],
      ['failing', 'matrix'],
    ] as const) {
      const { page } = await open(addressOf(run, name));
      expect(await printedPages(page), name).toBe(1);
      await page.close();
    }
    const { page } = await open(addressOf('failing'), undefined, { javaScriptEnabled: false });
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Where it breaks').isVisible()).toBe(true);
    expect(await page.locator('#all-checks').isVisible()).toBe(false);
    expect(await printedPages(page)).toBeLessThan(4);
    await page.close();
  });

  test('the page of Allure asks for nothing but itself, and counts as ours does', async () => {
    const { page, requests, errors } = await open(addressOf('failing', 'allure'));
    await page.getByTestId('tab-all').waitFor();
    const count = async (tab: string): Promise<string> =>
      (await page.getByTestId(tab).textContent())?.replace(/\D/g, '') ?? '';
    // One is inconclusive and one an error; the warning is not counted as passed.
    expect(await count('tab-passed')).toBe('25');
    expect(await count('tab-failed')).toBe('1');
    expect(await count('tab-broken')).toBe('2');
    expect(await count('tab-skipped')).toBe('1');
    expect(await count('tab-unknown')).toBe('1');
    await page.getByText('AMT-01.1 ').first().click();
    await page.getByText('→ 201 (with the fault)').first().click();
    await page.getByText('Response', { exact: true }).first().click();
    await page.getByText('window.owned = true').first().waitFor();
    expect(await page.evaluate('window.owned')).toBeUndefined();
    // What looks like an address in a text of the bank is none to follow.
    expect(await page.locator('a[href*="evil.example"]').count()).toBe(0);
    expect(requests).toEqual([addressOf('failing', 'allure')]);
    expect(errors).toEqual([]);
    await page.close();
  });
});
