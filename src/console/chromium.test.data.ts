import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env.CHROME_PATH ?? '', ...usualPlaces].find(
  (path) => path !== '' && existsSync(path),
);

export const browserIsAbsent = executablePath === undefined;
export const remark = browserIsAbsent ? ' (skipped: no Chromium here; name one in CHROME_PATH)' : '';
if (browserIsAbsent) console.warn(`The console is not tested in a browser${remark}.`);

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });

/** Leaves a picture in the folder that SCREENSHOTS names, for whoever changes the looks of a page. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
