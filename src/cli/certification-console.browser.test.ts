import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserIsAbsent, launchBrowser, look, remark } from '../console/chromium.test.data.ts';
import { build, ran, start } from './built-command.test.data.ts';

describe.skipIf(browserIsAbsent)(`a certification in the console${remark}`, () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'xs2a-certify-console-'));
    browser = await launchBrowser();
    await build();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('fills while the TPP works, is finished by its button, and shows the verdict', {
    timeout: 120_000,
  }, async () => {
    const certification = start(
      folder,
      ...['certify-tpp', '--port', '0', '--issue', 'keys', '--no-html', '--out', 'run'],
      ...['--profile', 'accounts', '--until', 'all'],
    );
    const line = await certification.line(/^ {2}Console /);
    const url = new URL(line.trim().split(/\s+/).at(-1) ?? '');
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${url.origin}/console/certification${url.search}`);
    await page.getByText('0 of 2 mandatory journeys complete').waitFor();

    const journey = page.locator('#journey-accounts');
    await journey.getByText('How').click();
    await journey.getByRole('button', { name: 'Make curl' }).first().click();
    await journey.locator('pre.made').waitFor();
    expect(await journey.locator('pre.made').textContent()).toMatch(
      /^curl [\s\S]*Signature: keyId=[\s\S]*\/v1\/accounts\n$/,
    );
    await journey.getByRole('button', { name: 'Make curl' }).last().click();
    await page.getByText('No PSU-ID is known yet').waitFor();
    await look(page, 'certification-start');

    const tpp = await ran(folder, 'reference-tpp', 'keys', '--profile', 'accounts');
    expect(tpp, tpp.out).toMatchObject({ exitCode: 0 });
    await page.getByText('2 of 2 mandatory journeys complete').waitFor();
    expect(await journey.locator('.badge').textContent()).toBe('complete');

    await page.getByRole('button', { name: 'Finish and judge' }).click();
    await page.getByText('Verdict: conformant').waitFor({ timeout: 60_000 });
    await look(page, 'certification-end');
    const [report] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'requirements.html' }).click(),
    ]);
    await report.getByRole('heading', { level: 1 }).first().waitFor();
    expect(await report.title()).toContain('conformant');
    expect(asked.filter((address) => !address.startsWith(url.origin))).toEqual([]);
    await report.close();
    await page.close();
    expect(await certification.ended).toMatchObject({ exitCode: 0 });
  });
});
