import { sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserIsAbsent, launchBrowser, look, remark } from '../../fixtures/pictures/chromium.mjs';
import { domesticPayment } from '../bank/bank-under-test.test.data.ts';
import { embeddedPki } from '../runner/embedded-pki.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { digestHeader } from '../signing/digest.ts';
import { type ConsoleUnderTest, consoleUnderTest, type SentRequest } from './console-under-test.test.data.ts';

let pki: SandboxPki;

type TextOf = NonNullable<NonNullable<SentRequest['plan']>['text']>;
const lines: (names: readonly string[], valueFor: Parameters<TextOf>[1]) => readonly string[] = (
  names,
  valueFor,
) => names.map((name) => `${name}: ${valueFor(name)}`);
const signing = (text: TextOf): SentRequest => ({ plan: { text } });
const body = Buffer.from(`${JSON.stringify(domesticPayment(), null, 1)}\n`);
const compact = Buffer.from(JSON.stringify(domesticPayment()));

/** Ways to sign wrongly, and what the page has to say about each. */
const mistakes: readonly (readonly [what: string, request: SentRequest, said: RegExp])[] = [
  ['CRLF', signing((...of) => lines(...of).join('\r\n')), /joined with CRLF/],
  ['a newline at the end', signing((...of) => `${lines(...of).join('\n')}\n`), /newline after the last line/],
  [
    'no space',
    signing((...of) =>
      lines(...of)
        .map((line) => line.replace(': ', ':'))
        .join('\n'),
    ),
    /no space after the colon/,
  ],
  [
    'names in capitals',
    signing((names, valueFor) => names.map((name) => `${name.toUpperCase()}: ${valueFor(name)}`).join('\n')),
    /written in capitals/,
  ],
  [
    'another order',
    signing((...of) =>
      lines(...of)
        .toReversed()
        .join('\n'),
    ),
    /signed in the order tpp-redirect-uri/,
  ],
  [
    'no digest',
    signing((...of) =>
      lines(...of)
        .filter((line) => !line.startsWith('digest'))
        .join('\n'),
    ),
    /the line digest is left out/,
  ],
  [
    '(request-target)',
    signing((...of) =>
      ['(request-target): post /v1/payments/norwegian-domestic-credit-transfers', ...lines(...of)].join('\n'),
    ),
    /\(request-target\) is added/,
  ],
  [
    'another Date',
    signing((names, valueFor) =>
      lines(names, (name) =>
        name === 'date' ? new Date(Date.parse(valueFor('date') ?? '') - 5000).toUTCString() : valueFor(name),
      ).join('\n'),
    ),
    /5 seconds earlier/,
  ],
  [
    'the digest of compact JSON',
    {
      body,
      ...signing((names, valueFor) =>
        lines(names, (name) => (name === 'digest' ? digestHeader(compact) : valueFor(name))).join('\n'),
      ),
    },
    /SHA-256 of the compact JSON/,
  ],
  [
    'a Digest of compact JSON',
    { body, plan: { digest: () => digestHeader(compact) } },
    /Digest header holds the SHA-256 of the compact JSON/,
  ],
  [
    'base64url',
    {
      plan: {
        sign: async (text) => sign('sha256', Buffer.from(text), pki.tpp.privateKey).toString('base64url'),
      },
    },
    /base64url/,
  ],
  [
    'SHA-512',
    {
      plan: {
        sign: async (text) => sign('sha512', Buffer.from(text), pki.tpp.privateKey).toString('base64'),
      },
    },
    /RSA-SHA512/,
  ],
  [
    'UTF-16',
    {
      plan: {
        sign: async (text) =>
          sign('sha256', Buffer.from(text, 'utf16le'), pki.tpp.privateKey).toString('base64'),
      },
    },
    /UTF-16/,
  ],
  [
    'a lower-case serial',
    {
      plan: {
        parts: (parts) => ({
          ...parts,
          keyId: parts.keyId.replace(/SN=[^,]*/, (found) => `SN=${found.slice(3).toLowerCase()}`),
        }),
      },
    },
    /upper-case hexadecimal/,
  ],
];

describe.skipIf(browserIsAbsent)(`the console in a browser${remark}`, () => {
  let browser: Browser;
  let subject: ConsoleUnderTest;
  let context: BrowserContext;
  let page: Page;
  let asked: string[];
  let problems: string[];

  beforeAll(async () => {
    pki = await embeddedPki();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    subject = await consoleUnderTest(pki);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    // Shorter than a test may take: so it fails with what it waits for.
    page.setDefaultTimeout(20_000);
    asked = [];
    problems = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  afterEach(async () => {
    await context.close();
    await subject.close();
    expect(asked.filter((url) => !url.startsWith(subject.origin))).toEqual([]);
  });

  const open = async (path = '/console'): Promise<void> => {
    await page.goto(`${subject.origin}${path}?token=${subject.running.token}`);
    await page.locator('#live[data-live=yes]').waitFor();
  };
  const overflows = (): Promise<unknown> =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  it('shows requests as they come, and filters them', async () => {
    await open();
    expect(page.url()).toBe(`${subject.origin}/console`);
    await subject.send();
    await page.getByRole('row', { name: /201 POST/ }).waitFor();
    await subject.send({ body: domesticPayment({ instructedAmount: { amount: '1.234', currency: 'NOK' } }) });
    await page.getByRole('row', { name: /400 POST .* AMT-02/ }).waitFor();
    await page.getByRole('row', { name: /first-request/ }).waitFor();
    await look(page, 'console-list');
    await page.getByLabel('Status').selectOption('4');
    await page.getByText('1 of 2 requests').waitFor();
    // The rows follow with the next frame.
    await expect.poll(() => page.locator('#rows .row').count()).toBe(1);
    await page.getByLabel('Requirement').fill('DIG');
    await page.getByText('0 of 2 requests').waitFor();
    await page.reload();
    expect(await page.getByLabel('Requirement').inputValue()).toBe('DIG');
    expect(problems).toEqual([]);
  });

  it('has twenty rows in the page for ten thousand requests', async () => {
    await subject.send({ method: 'GET', path: '/v1/nothing' });
    const seen = subject.book.request(1);
    if (seen === undefined) throw new Error('The request was not kept.');
    const answered = {
      raw: seen.raw,
      request: undefined,
      response: seen.response,
      state: subject.embedded.bank.state,
      receivedAt: new Date(),
      durationMs: 1,
    };
    for (let count = 0; count < 9_999; count += 1) subject.book.add(answered);
    await open();
    await page.getByText('10000 requests').waitFor();
    // The rows of a page without a script stand there until the next frame.
    await expect.poll(() => page.locator('#rows .row').count()).toBeLessThan(60);
    await page.locator('#list').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.getByRole('row', { name: /^1 / }).waitFor();
    await subject.send();
    await page.locator('#list').evaluate((list) => {
      list.scrollTop = 0;
    });
    await page.getByRole('row', { name: /^10001 / }).waitFor();
  });

  it('gives the right diagnosis for each wrong signature', async () => {
    const wrong: string[] = [];
    await open();
    for (const [what, request, said] of mistakes) {
      await subject.send(request);
      await page.goto(`${subject.origin}/console/requests/${subject.book.last}`);
      const text = (await page.locator('#signature').textContent()) ?? '';
      if (!said.test(text)) wrong.push(`${what}: ${text.slice(0, 200)}`);
      if (what === 'CRLF') await look(page, 'console-debugger');
    }
    expect(wrong).toEqual([]);
  });

  it('shows one request with every rule that refuses it, and replays it', async () => {
    await subject.send({
      body: domesticPayment({
        instructedAmount: { amount: '1.234', currency: 'NOK' },
        creditorName: 'x'.repeat(71),
      }),
      plan: { text: (...of) => lines(...of).join('\r\n') },
    });
    await open();
    await page.getByRole('row', { name: /400 POST/ }).click();
    await look(page, 'console-request');
    const rules = await page.locator('#refusals .badge').allTextContents();
    expect(rules).toEqual(['SGS-14', 'NDC-11', 'AMT-02']);
    expect(await page.locator('#refusals').textContent()).toContain('What to do');
    const { id } = subject.embedded.description.psu;
    expect(await page.textContent('main')).not.toContain(id);
    await page.getByRole('link', { name: 'Show test data' }).click();
    expect(await page.textContent('main')).toContain(id);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.locator('pre.made').waitFor();
    expect(await page.locator('pre.made').textContent()).toContain('curl --silent');
    await page.getByRole('button', { name: 'Replay freshly signed' }).click();
    await page.getByRole('link', { name: '1', exact: true }).waitFor();
    expect(await page.locator('#refusals .badge').allTextContents()).toEqual(['NDC-11', 'AMT-02']);
    expect(await page.locator('#signature').textContent()).toContain('The signature is right');
    expect(problems).toEqual([]);
  });

  it('runs nothing of what stands in a request', async () => {
    const script =
      '<script>alert(1)</script><img src=x onerror=alert(2)>"\'><svg/onload=alert(3)>javascript:alert(4)';
    const names = [
      'X-Request-ID',
      'TPP-Session-ID',
      'TPP-Redirect-URI',
      'PSU-ID',
      'PSU-IP-Address',
      'PSU-User-Agent',
      'Digest',
      'Date',
      'Host',
      'x-accept-fix',
      'Content-Type',
      'TPP-Signature-Certificate',
      'Signature',
      `X-${'a'.repeat(10)}`,
    ];
    const hostile = domesticPayment({
      instructedAmount: { amount: script, currency: script },
      creditorName: script,
      [script]: script,
      creditorAddress: { street: script, country: script },
    });
    await subject.send({ body: hostile, path: `/v1/payments/${encodeURIComponent(script)}` });
    for (const name of names) {
      await subject.send({ body: hostile, afterSigning: (headers) => headers.set(name, script) });
    }
    await subject.send({
      body: Buffer.from(script),
      path: `/v1/accounts?${script.replaceAll(' ', '+')}`,
      method: 'GET',
    });
    await open();
    await page.locator('#rows .row').first().waitFor();
    for (let number = 1; number <= subject.book.last; number += 1) {
      await page.goto(`${subject.origin}/console/requests/${number}?show=test-data`);
      await page.locator('#live[data-live=yes]').waitFor();
      expect(await page.locator('main script, main img, main svg').count()).toBe(0);
    }
    await page.goto(
      `${subject.origin}/console?path=${encodeURIComponent(script)}&requirement=${encodeURIComponent(script)}`,
    );
    await page.goto(`${subject.origin}/console/bank`);
    expect(problems).toEqual([]);
  });

  it('changes the bank by hand', async () => {
    await open('/console/bank');
    await look(page, 'console-bank');
    const form = page.getByRole('form', { name: 'Answer the next requests' });
    await form.getByRole('button').click();
    await page.getByText('Answer the next requests: done.').waitFor();
    await page.getByText('429 for 1 request').waitFor();
    expect((await subject.send()).status).toBe(429);
    const behaviour = page.getByRole('form', { name: 'Dialect or deviation' });
    await behaviour.getByLabel('Deviation').fill('AMT-02/unchecked');
    await behaviour.getByRole('button').click();
    await page.getByText('Dialect or deviation: done.').waitFor();
    await behaviour.getByLabel('Deviation').fill('AMT-02/nonsense');
    await behaviour.getByRole('button').click();
    await page.getByText('There is no deviation').waitFor();
    await page.getByRole('form', { name: 'Reset' }).getByRole('button').click();
    await page.getByText('compliant and plain').waitFor();
    expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('is refused to a page of another origin', async () => {
    const evil: Server = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<title>evil</title>'),
    );
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
    try {
      await open();
      await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
      const reached = await page.evaluate(
        async ({ api, token }) => {
          const tries = [
            fetch(`${api}/bank`, { credentials: 'include' }),
            fetch(`${api}/bank?token=${token}`),
            fetch(`${api}/bank/reset?token=${token}`, { method: 'POST', mode: 'no-cors' }),
          ];
          const answers = await Promise.allSettled(tries);
          return answers.map((answer) =>
            answer.status === 'fulfilled' && answer.value.ok ? 'reached' : 'refused',
          );
        },
        { api: subject.running.apiUrl, token: subject.running.token },
      );
      expect(reached).toEqual(['refused', 'refused', 'refused']);
      asked = [];
    } finally {
      evil.close();
    }
  });

  it('fits a phone, in light and dark', async () => {
    await subject.send({ plan: { text: (...of) => lines(...of).join('\r\n') } });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 400, height: 800 });
      for (const path of ['/console', '/console/requests/1', '/console/bank']) {
        await open(path);
        await look(page, `console-phone-${colorScheme}${path.replaceAll('/', '-')}`);
        expect(await overflows(), `${path} ${colorScheme}`).toBe(false);
      }
    }
  });
});
