import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserIsAbsent, launchBrowser, look, remark } from '../../../fixtures/pictures/chromium.mjs';
import { domesticPath, domesticPayment, type Json } from '../bank-under-test.test.data.ts';
import { aase, kari, ola, type TppOfBank, tppOfBank } from './tpp-of-bank.test.data.ts';

/** Where the TPP waits for the PSU to come back. */
async function callbackServer(): Promise<Server> {
  const server = createServer((_, response) => response.end('back at the TPP'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(browserIsAbsent)(`the SCA pages in a browser${remark}`, () => {
  let browser: Browser;
  let callback: Server;
  let redirectUri: string;
  let tpp: TppOfBank;
  let page: Page;
  let requests: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
    callback = await callbackServer();
    redirectUri = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/back?state=1`;
  });
  afterAll(async () => {
    await browser?.close();
    callback.close();
  });
  beforeEach(async () => {
    tpp = await tppOfBank();
    await tpp.bank.listen({ host: '127.0.0.1' });
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 900, height: 760 },
    });
    page = await context.newPage();
    requests = [];
    page.on('request', (request) => requests.push(request.url()));
  });
  afterEach(async () => {
    await page.context().close();
    await tpp.bank.close();
  });

  const start = async (headers: Parameters<TppOfBank['get']>[1] = {}): Promise<void> => {
    const answer = await tpp.get('/v1/accounts', { 'TPP-Redirect-URI': redirectUri, ...headers });
    await page.goto(tpp.scaRedirectOf(answer));
  };
  /** Creates a payment of Kari, opens its page, and gives the link. */
  const pay = async (headers: Readonly<Record<string, string>>, changes: Json = {}): Promise<string> => {
    const created = await tpp.call(domesticPath, {
      headers: { ...(await tpp.consent(kari)), 'TPP-Redirect-URI': redirectUri, ...headers },
      body: domesticPayment(changes),
    });
    const href = tpp.scaRedirectOf(created);
    await page.goto(href);
    return href;
  };
  const logIn = async (nationalId: string, context: string): Promise<void> => {
    await page.getByLabel('National identity number').fill(nationalId);
    await page.getByLabel(context).check();
    await press('Continue');
  };
  const press = (name: string): Promise<void> => page.getByRole('button', { name }).click();
  const arrival = async (): Promise<Record<string, string>> => {
    await page.waitForURL((url) => url.pathname === '/back');
    expect(page.url().startsWith(`${redirectUri}&`)).toBe(true);
    const { state: _, ...parameters } = Object.fromEntries(new URL(page.url()).searchParams);
    return parameters;
  };
  const granted = async (psuId: string | undefined): Promise<unknown> =>
    (await tpp.get('/v1/accounts', { 'PSU-ID': psuId })).body.accounts;

  it('lead a private person to the TPP, and load nothing else', async () => {
    await start();
    await look(page, '1-identify');
    await logIn(kari, 'For myself');
    await look(page, '2-accounts');
    await page.getByLabel('Brukskonto').check();
    await press('Confirm');
    const parameters = await arrival();
    expect(Object.keys(parameters)).toEqual(['psu-id', 'tpp-session-id', 'context']);
    expect(await granted(parameters['psu-id'])).toMatchObject([{ bban: '95360573002' }]);
    expect(requests.filter((url) => !url.includes('/v1/sca/') && !url.includes('/back'))).toEqual([]);
  });

  it('let a representative choose the company', async () => {
    await start();
    await logIn(kari, 'For a company');
    await look(page, '3-agreement');
    await page.getByLabel('Prøvebakeriet AS').check();
    await press('Continue');
    await look(page, '4-company-accounts');
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await press('Confirm');
    const parameters = await arrival();
    expect(parameters).toMatchObject({ context: 'CORPORATE', 'psu-corporate-id': expect.any(String) });
    const accounts = await tpp.get('/v1/accounts', {
      'PSU-ID': parameters['psu-id'],
      'PSU-Corporate-ID': parameters['psu-corporate-id'],
    });
    expect(accounts.body.accounts).toMatchObject([{ bban: '95360577083' }, { bban: '95360577458' }]);
  });

  it('tell of a wrong national identity number, and end after three', async () => {
    await start();
    await logIn('01819010002', 'For myself');
    await look(page, '5-wrong-number');
    expect(await page.getByRole('alert').textContent()).toContain('2 attempts left');
    expect(await page.title()).toMatch(/^Error: /);
    const field = page.getByLabel('National identity number');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((input) => input.ownerDocument.activeElement === input)).toBe(true);
    await logIn('11111111111', 'For myself');
    await logIn('22222222222', 'For myself');
    expect(await arrival()).toMatchObject({ status: '401', code: 'PSU_CREDENTIALS_INVALID' });
  });

  it('tell who has no agreement', async () => {
    await start();
    await logIn(aase, 'For a company');
    await look(page, '6-no-agreement');
    expect(await page.getByRole('alert').textContent()).toContain('no agreement');
    expect(await page.getByLabel('For a company').isChecked()).toBe(true);
  });

  it('can be cancelled without filling anything in', async () => {
    await start();
    await press('Cancel');
    expect(await arrival()).toEqual({
      system: 'SCA',
      status: '401',
      code: 'SCA_INVALID',
      message: 'The PSU cancelled the authentication',
    });
  });

  it('revoke what is deselected, with granted accounts pre-selected', async () => {
    const psu = await tpp.consent(ola);
    await start({ ...psu, 'TPP-Session-ID': 'another' });
    await logIn(ola, 'For myself');
    await look(page, '7-granted-accounts');
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3);
    await page.getByLabel('Valutakonto').uncheck();
    await press('Confirm');
    await arrival();
    const { body } = await tpp.get('/v1/accounts', { ...psu, 'TPP-Session-ID': 'another' });
    expect(body.accounts).toMatchObject([{ bban: '95360574122' }]);
  });

  it('show what is approved, and go on with the Enter key', async () => {
    const href = await pay({ 'TPP-Redirect-Preferred': 'false' }, { creditorName: '<b>Bad & Sons</b>' });
    await look(page, '8-payment');
    expect(await page.getByRole('definition').allTextContents()).toEqual(
      expect.arrayContaining(['125.50 NOK', '<b>Bad & Sons</b>']),
    );
    await page.getByLabel('National identity number').fill(kari);
    await page.keyboard.press('Enter');
    expect(await arrival()).toMatchObject({ context: 'PRIVATE' });
    await page.goto(href);
    await look(page, '9-used');
    expect(await page.getByRole('heading').textContent()).toBe('Already used');
  });

  it('show the brand of the header, and whose it is', async () => {
    await pay({ 'TPP-Brand-Logging-Information': '<i>Handlekurven' });
    await look(page, '11-brand');
    const asks = await page.getByText('asks you to approve this payment').textContent();
    expect(asks).toContain('<i>Handlekurven');
    expect(asks).toContain('a service of Test TPP AS');
  });

  it('name every control for those who do not see them', async () => {
    await start();
    await page.getByRole('form', { name: 'Log in to the bank' }).waitFor();
    await page.getByRole('textbox', { name: 'National identity number' }).waitFor();
    await page.getByRole('group', { name: 'On whose behalf do you act?' }).waitFor();
    expect(await page.getByRole('radio').count()).toBe(2);
    for (const name of ['Continue', 'Cancel']) await page.getByRole('button', { name }).waitFor();
    await logIn(kari, 'For myself');
    await page.getByRole('group', { name: 'Your accounts' }).waitFor();
    expect(await page.getByRole('checkbox', { name: /Brukskonto/ }).count()).toBe(1);
  });

  it('are readable on a phone, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 400, height: 800 });
      await start();
      await look(page, `12-phone-${colorScheme}`);
      const button = await page.getByRole('button', { name: 'Continue' }).boundingBox();
      // WCAG 2.5.5: a finger needs 44 pixels.
      expect(button?.height).toBeGreaterThanOrEqual(44);
      // As an expression: the types of a browser are not known here.
      const size = await page.evaluate<number>(
        "parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)",
      );
      expect(size).toBeGreaterThanOrEqual(20);
    }
  });

  it('fit a narrow screen without scrolling sideways', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await start();
    await look(page, '10-narrow');
    const overflow = (): Promise<boolean> =>
      page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(await overflow()).toBe(false);
    await logIn(kari, 'For myself');
    expect(await overflow()).toBe(false);
  });
});
