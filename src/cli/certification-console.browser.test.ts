import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsAbsent, launchBrowser, look, remark } from '../../fixtures/pictures/chromium.mjs';
import { isMandatory, journeys } from '../certification/journeys.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, type Command, ran, start } from './built-command.test.data.ts';
import { tppProfiles } from './certification-text.ts';

describe.skipIf(browserIsAbsent)(`a certification in the console${remark}`, () => {
  let browser: Browser;
  const folder = testFolder('all tests');
  beforeAll(async () => {
    browser = await launchBrowser();
    await build();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });

  interface Held {
    readonly certification: Command;
    readonly page: Page;
    readonly url: URL;
    /** Every address that the page has asked for. */
    readonly asked: readonly string[];
  }

  /** The keys are those of the certification before it: making new ones takes longer than the rest. */
  async function hold(name: string, ...flags: readonly string[]): Promise<Held> {
    const certification = start(
      folder,
      ...['certify-tpp', '--port', '0', '--issue', 'keys', '--out', `run-${name}`, ...flags],
    );
    const line = await certification.line(/^ {2}Console /);
    const url = new URL(line.trim().split(/\s+/).at(-1) ?? '');
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(url.href);
    return { certification, page, url, asked };
  }

  /** Notes how many journeys were complete each time the page changed. */
  async function watchProgress(page: Page): Promise<() => Promise<readonly number[]>> {
    await page.evaluate(`{
      const values = [0];
      const note = () => values.push(document.querySelector('progress').value);
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true });
      globalThis.progressSeen = values;
    }`);
    return () => page.evaluate('globalThis.progressSeen');
  }

  const profiles = tppProfiles.map((profile) => {
    const due = journeys.filter((journey) => isMandatory(journey, ['core', profile]));
    return [profile, due.map(({ id }) => id)] as const;
  });

  it.each(profiles)(
    '%s: fills while the TPP works, and becomes conformant',
    { timeout: 120_000 },
    async (profile, due) => {
      const { certification, page, url, asked } = await hold(
        profile,
        ...['--profile', profile, '--until', 'all', '--no-html'],
      );
      await page.getByText(`0 of ${due.length} mandatory journeys complete`).waitFor();
      const progress = await watchProgress(page);

      const tpp = await ran(folder, 'reference-tpp', 'keys', '--profile', profile);
      expect(tpp, tpp.out).toMatchObject({ exitCode: 0 });
      await page.getByText(`${due.length} of ${due.length} mandatory journeys complete`).waitFor();
      for (const id of due)
        expect(await page.locator(`#journey-${id} .badge`).textContent(), id).toBe('complete');
      const seen = await progress();
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
      expect(seen.at(-1)).toBe(due.length);
      await page.getByRole('heading', { name: /seen so far/ }).waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Finish and judge' }).click();
      await page.getByText('Verdict: conformant').waitFor({ timeout: 60_000 });
      const row = page.getByRole('row', { name: profile });
      expect(await row.locator('.badge').textContent()).toBe('conformant');
      await look(page, `certification-${profile}`);
      expect(asked.filter((address) => !address.startsWith(url.origin))).toEqual([]);
      await page.close();
      expect(await certification.ended).toMatchObject({ exitCode: 0 });
    },
  );

  it('hands out the reports at the end, each of which leads to the others', {
    timeout: 120_000,
  }, async () => {
    const { certification, page, url } = await hold('reports', '--profile', 'signing-baskets');
    const opened: string[] = [];
    page.context().on('request', (request) => opened.push(request.url()));
    const journey = page.locator('#journey-basket');
    await journey.getByText('How').click();
    const commands = journey.getByRole('button', { name: 'Make curl' });
    await commands.first().click();
    await journey.getByText(/^curl [\s\S]*Signature: keyId=[\s\S]*\/v1\/user\n$/).waitFor();
    // The answer stands where somebody has asked.
    await commands.nth(2).click();
    await journey.getByText('No PSU-ID is known yet: let the PSU log in first.').waitFor();
    await look(page, 'certification-start');
    await ran(folder, 'reference-tpp', 'keys', '--profile', 'signing-baskets');
    // It ends by itself when the journeys of the profile are complete.
    await page.getByText('Verdict: conformant').waitFor({ timeout: 90_000 });
    await look(page, 'certification-end');
    const links = page.getByRole('listitem').getByRole('link');
    expect(await links.allTextContents()).toEqual([
      'report.html',
      'requirements.html',
      'certificate.html',
      'summary.json',
      'junit.xml',
      'badge.svg',
      'allure.html',
    ]);
    const open = async (name: string): Promise<Page> => {
      const [report] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name }).click(),
      ]);
      await report.waitForLoadState();
      return report;
    };
    const problems: string[] = [];
    page.context().on('weberror', (error) => problems.push(String(error.error())));
    const report = await open('report.html');
    expect(await report.title()).toContain('conformant');
    // It has no part in the console: an origin of its own, without cookie or storage.
    expect(await report.evaluate('globalThis.origin')).toBe('null');
    await report.getByRole('link', { name: 'Requirement matrix' }).click();
    await report.getByRole('heading', { level: 1 }).first().waitFor();
    expect(new URL(report.url()).pathname).toBe('/console/report/requirements.html');
    await look(report, 'certification-requirements');
    await (await open('allure.html')).getByTestId('base-layout').waitFor();
    const summary = await open('summary.json');
    expect(JSON.parse((await summary.locator('pre').textContent()) ?? '')).toMatchObject({
      verdict: 'conformant',
    });
    expect(problems).toEqual([]);
    expect(
      opened.filter((address) => !/^(blob|data):/.test(address) && !address.startsWith(url.origin)),
    ).toEqual([]);
    await Promise.all([report.close(), summary.close()]);
    await page.close();
    expect(await certification.ended).toMatchObject({ exitCode: 0 });
  });
});
