import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserIsAbsent, launchBrowser, remark } from '../../fixtures/pictures/chromium.mjs';
import { testFolder } from '../target/target-folder.test.data.ts';
import { Redactor } from '../tpp/redaction.ts';
import { openJournal, writeJournal } from './journal.ts';
import { aNastyRun, aRun, someRequirements } from './synthetic-run.test.data.ts';
import { writeReports } from './write-reports.ts';

describe.skipIf(browserIsAbsent)(`the pages in a browser, opened from the disk${remark}`, () => {
  const dir = testFolder('all tests');
  let browser: Browser;
  let report: string;
  let matrix: string;

  beforeAll(async () => {
    const { header, results, footer } = aNastyRun(30);
    const journal = openJournal(join(dir, 'run'), new Redactor());
    // Addresses of SCA pages are long, and nothing in them is a place to break a line.
    const trouble = `The SCA page https://bank.example/v1/sca/${'YDkKFVXgENWbYkAG'.repeat(6)} gave no answer.`;
    journal.header({ ...header, remarks: [...(header.remarks ?? []), trouble] });
    for (const result of results) {
      journal.result(result.verdict === 'inconclusive' ? { ...result, reason: trouble } : result);
    }
    if (footer !== undefined) journal.footer(footer);
    journal.close();
    const { paths } = await writeReports(join(dir, 'run'), { requirements: someRequirements, html: true });
    report = pathToFileURL(paths.html ?? '').href;
    matrix = pathToFileURL(paths.matrix).href;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens a page and notes every request that is no part of the page itself. */
  const open = async (
    url: string,
    viewport = { width: 1280, height: 800 },
  ): Promise<{ page: Page; requests: string[]; errors: string[] }> => {
    const page = await browser.newPage({ viewport });
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

  test('the report asks for nothing but itself, in any of its views', async () => {
    const { page, requests, errors } = await open(report);
    await page.getByText('Categories').first().click();
    await page.getByText('Requirement broken').first().waitFor();
    for (const category of [
      'Inconclusive: try again',
      'Not judged: the target file lacks something',
      'Error of this tool',
      'Warning: should be met, and is not',
    ]) {
      await page.getByText(category, { exact: true }).first().waitFor();
    }
    await page.getByText('Quality Gates').first().click();
    await page.getByText('Gate of the run: the exit code').first().waitFor();
    await page.getByText('Report', { exact: true }).first().click();
    await page.getByText('Graphs').first().click();
    await page.getByText('Trend over earlier runs of this target').waitFor();
    expect(
      await page
        .getByText(/^\d+(\.\d+)?%$/)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await page.getByText('Graphs', { exact: true }).first().click();
    await page.getByText('Timeline', { exact: true }).first().click();
    await page.getByText('Host: xs2a-conformance').waitFor();
    await page.getByText('slot 01').first().waitFor();
    expect(requests).toEqual([report]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test.each([
    ['report', 1280],
    ['report', 400],
    ['matrix', 1280],
    ['matrix', 400],
  ] as const)(
    'the %s tells bank, verdict and profiles on its first screen at a width of %i',
    async (name, width) => {
      const { page } = await open(name === 'report' ? report : matrix, { width, height: 800 });
      for (const text of ['My bank, sandbox', 'non-conformant', 'domestic-payments']) {
        const box = await page.getByText(text).first().boundingBox();
        expect(box, text).not.toBeNull();
        expect((box?.y ?? 0) + (box?.height ?? 0), text).toBeLessThan(800);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.close();
    },
  );

  test('no ring of passed checks stands next to the verdict, and dates are in ISO form', async () => {
    const { page } = await open(report);
    await page.getByTestId('tab-all').waitFor();
    expect(
      await page
        .getByText(/^\d+(\.\d+)?%$/)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    await page.getByText('2026-03-01 10:00:00 UTC').first().waitFor();
    await page.getByText(/Generated \d{4}-\d{2}-\d{2}/).waitFor();
    // It opens at its top, and not somewhere in the tree of checks.
    await expect.poll(() => page.getByTestId('base-layout').evaluate((part) => part.scrollTop)).toBe(0);
    await page.close();
  });

  test('its first screen leads to each check that fails, and shows the checks before the settings', async () => {
    const { page } = await open(report, { width: 1280, height: 800 });
    await page.getByTestId('tree-content').first().waitFor();
    const top = async (testId: string): Promise<number> =>
      (await page.getByTestId(testId).first().boundingBox())?.y ?? Number.NaN;
    expect(await top('tree-content')).toBeLessThan(800);
    expect(await top('metadata-list')).toBeGreaterThan(await top('tree-content'));
    const link = page.locator('.banner-broken a').first();
    const id = (await link.textContent()) ?? '';
    expect((await link.boundingBox())?.y).toBeLessThan(400);
    await link.click();
    await page.getByTestId('test-result-info-title').getByText(id).waitFor();
    await page.close();
  });

  test('a failing check shows all that an engineer needs, and a script in an answer does not run', async () => {
    const { page, requests, errors } = await open(report);
    await page.getByText('AMT-01.1 ').first().click();
    const shown = [
      'AMT-01 (must): An amount with more fraction digits than its currency has is refused.',
      'Expected: any 4xx',
      'Actual: 201 Created',
      'Smallest failing case',
      'npx xs2a-conformance run --target <your target file> --runs 100 --only AMT-01.1 --seed 7',
      '→ 201 (control)',
      'AMT-01 in the matrix',
    ];
    for (const text of shown) await page.getByText(text).first().waitFor({ timeout: 5000 });
    // Allure shows the description in a frame of its own.
    const description = page.frameLocator('iframe[title="Description"]');
    for (const text of [/"amount": "0\.001"/, 'Payments › Credit transfers › Amounts', 'plain note']) {
      await description.getByText(text).first().waitFor({ timeout: 5000 });
    }
    const step = page.getByText('→ 201 (with the fault)').first();
    await step.click();
    await page.getByText('Response', { exact: true }).first().click();
    await page.getByText('Content-Type: text/html').first().waitFor();
    await page.getByText('window.owned = true').first().waitFor();
    await page.getByText('characters are left out here').first().waitFor();
    expect(await page.evaluate('window.owned')).toBeUndefined();
    // What looks like an address in a text of the bank is none to follow.
    await page.getByText('https://evil.example').first().waitFor();
    expect(await page.locator('a[href*="evil.example"]').count()).toBe(0);
    expect(await page.title()).not.toContain('owned');
    expect(requests).toEqual([report]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the matrix leads to a check in the report, and the report back to the requirement', async () => {
    const { page, errors } = await open(matrix);
    expect(await page.title()).toBe('Requirements — My bank, sandbox: non-conformant');
    await page.locator('tr#AMT-01').getByRole('link', { name: 'AMT-01.1', exact: true }).click();
    await page.getByText('Actual: 201 Created').first().waitFor();
    await page.goto(report);
    await page.getByRole('link', { name: 'Requirement matrix' }).click();
    await page.waitForURL(matrix);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the matrix asks for nothing but itself, and runs only its filter', async () => {
    const { page, requests, errors } = await open(matrix);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img, iframe').count()).toBe(0);
    expect(await page.locator('tr#AMT-01').textContent()).toContain('fail');
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(requests).toEqual([matrix]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the matrix is searched by id and words, filtered by verdict and section, and cleared', async () => {
    const { page, errors } = await open(matrix);
    const shown = async () => page.locator('#requirements tbody tr:visible th').allTextContents();
    const all = ['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01'];
    expect(await shown()).toEqual(all);
    const search = page.getByLabel('Search ids, statements and checks');
    await search.fill('dig body');
    expect(await shown()).toEqual(['DIG-01', 'DIG-02']);
    expect(await page.locator('#filter-count').textContent()).toBe('2 of 5 requirements');
    await search.fill('amt-01');
    expect(await shown()).toEqual(['AMT-01']);
    // The headings of what is left out are left out, too.
    expect(await page.locator('#requirements h2:visible').allTextContents()).toEqual(['Payments']);
    await search.fill('<script>');
    expect(await shown()).toEqual([]);
    expect(await page.getByText('Nothing matches.').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(shown).toEqual(all);
    await page.getByLabel('Verdict').selectOption('fail');
    expect(await shown()).toEqual(['AMT-01']);
    await page.getByLabel('Section').selectOption('Errors');
    expect(await shown()).toEqual([]);
    // A link to a requirement leads there, whatever the filter says.
    await page.getByRole('link', { name: 'AMT-01', exact: true }).first().click();
    await expect.poll(shown).toEqual(all);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a certificate is one page on paper, fits a phone, and asks for nothing but itself', async () => {
    const good = join(dir, 'good');
    writeJournal(good, aRun());
    const { paths } = await writeReports(good, { requirements: someRequirements, html: false });
    const certificate = pathToFileURL(paths.certificate ?? '').href;
    const { page, requests, errors } = await open(certificate, { width: 400, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    expect(requests).toEqual([certificate]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the matrix prints its summary on one page', async () => {
    const { page } = await open(matrix);
    const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#requirements').isVisible()).toBe(false);
    expect(await page.getByText('non-conformant').first().isVisible()).toBe(true);
    await page.close();
  });
});
