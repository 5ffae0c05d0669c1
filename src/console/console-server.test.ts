import type { IncomingMessage } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { domesticPayment } from '../bank/bank-under-test.test.data.ts';
import { embeddedPki } from '../runner/embedded-pki.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { type ConsoleUnderTest, consoleUnderTest, rawGet } from './console-under-test.test.data.ts';
import { Guard } from './guard.ts';

let pki: SandboxPki;
let subject: ConsoleUnderTest;
beforeAll(async () => {
  pki = await embeddedPki();
});
beforeEach(async () => {
  subject = await consoleUnderTest(pki);
});
afterEach(() => subject.close());

const readStatus = async (id: string) => {
  const path = `/v1/payments/norwegian-domestic-credit-transfers/${id}/status`;
  return subject.send({ method: 'GET', path });
};
const paymentIdOf = ({ text }: { readonly text: string }): string =>
  (JSON.parse(text) as { paymentId: string }).paymentId;

describe('who may speak to the console', () => {
  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await rawGet(`${subject.origin}${path}`, { Host: new URL(subject.origin).host, ...headers })).status;

  it('is whoever has the token: in the address, as bearer, or as cookie', async () => {
    const { token, url } = subject.running;
    const cookie = (await fetch(url)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(await statusOf('/console', {})).toBe(403);
    expect(await statusOf('/console?token=wrong', {})).toBe(403);
    expect(await statusOf(`/console?token=${token}`, {})).toBe(200);
    expect(await statusOf('/console/api/bank', { Authorization: `Bearer ${token}` })).toBe(200);
    expect(await statusOf('/console', { Cookie: cookie.split(';')[0] ?? '' })).toBe(200);
  });

  it('is nobody from another origin, nor under another name, token or not', async () => {
    const Authorization = `Bearer ${subject.running.token}`;
    const refused = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: subject.origin.replace(/\d+$/, '1') },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' },
    ];
    for (const headers of refused) {
      expect(
        await statusOf('/console/api/bank', { Authorization, ...headers }),
        JSON.stringify(headers),
      ).toBe(403);
    }
    for (const Host of ['evil.example', `evil.example:${new URL(subject.origin).port}`, 'localhost:1']) {
      expect(await statusOf('/console/api/bank', { Authorization, Host }), Host).toBe(421);
    }
    expect(await statusOf('/console/api/bank', { Authorization, Origin: subject.origin })).toBe(200);
  });

  it('may follow a link from elsewhere, and changes nothing by a form there', () => {
    const guard = new Guard('secret', 'localhost');
    guard.listensOn(80);
    const denies = (method: string, site: string) =>
      guard.denies(
        {
          method,
          headers: {
            host: 'localhost',
            authorization: 'Bearer secret',
            'sec-fetch-site': site,
            'sec-fetch-mode': 'navigate',
          },
        } as unknown as IncomingMessage,
        new URL('http://localhost/console/api/bank/reset'),
        false,
      )?.status;
    for (const site of ['cross-site', 'same-site']) {
      expect(denies('GET', site)).toBeUndefined();
      expect(denies('POST', site)).toBe(403);
    }
    expect(denies('POST', 'same-origin')).toBeUndefined();
  });

  it('gets a policy that lets nothing in from outside', async () => {
    const { headers } = await fetch(subject.running.url);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('the console', () => {
  it('lists requests with what was wrong with them, the PSU and the journey', async () => {
    await subject.send();
    await subject.send({ body: domesticPayment({ instructedAmount: { amount: '1.234', currency: 'NOK' } }) });
    subject.book.placeInJourneys({
      tool: { name: 'test', version: '0' },
      startedAt: '',
      baseUrl: subject.embedded.baseUrl,
      trustedAuthorities: [pki.ca.certificatePem],
    });
    const { json } = await subject.api('GET', 'requests');
    expect(json.requests).toMatchObject([
      { number: 1, status: 201, psu: 'Kari Prøvesen', journey: 'first-request' },
      {
        number: 2,
        status: 400,
        requirement: 'AMT-02',
        problem: 'instructedAmount.amount has more fraction digits than its currency.',
        psu: 'Kari Prøvesen',
      },
    ]);
    expect(
      (await subject.api('GET', 'requests?status=4&requirement=amt&path=payments')).json.requests,
    ).toHaveLength(1);
    expect((await subject.api('GET', 'requests?path=accounts')).json.requests).toEqual([]);
  });

  it('tells every rule that refuses a request, with the requirement and what to do', async () => {
    await subject.send({
      body: domesticPayment({
        instructedAmount: { amount: '1.234', currency: 'NOK' },
        creditorName: 'x'.repeat(71),
      }),
      headers: { 'x-accept-fix': undefined },
      afterSigning: (headers) => headers.set('X-Request-ID', 'another'),
    });
    const { json } = await subject.api('GET', 'requests/1');
    const refusals = json.refusals as readonly { requirement: string; advice?: string; statement?: string }[];
    expect(refusals.map(({ requirement }) => requirement)).toEqual(['SIG-02', 'HDN-01', 'NDC-11', 'AMT-02']);
    expect(refusals.every(({ advice, statement }) => advice && statement)).toBe(true);
  });

  it('starts no SCA, and counts nothing, when it looks for further rules', async () => {
    const path = '/v1/accounts';
    const flows: string[] = [];
    const { flows: store } = subject.embedded.bank.state;
    const { start } = store;
    store.start = (wish) => {
      flows.push(wish.tppId);
      return start(wish);
    };
    await subject.send({ method: 'GET', path, headers: { 'PSU-ID': undefined } });
    expect(flows).toHaveLength(1);
  });

  it('hides people and sessions unless test data is asked for, and keys always', async () => {
    await subject.send();
    const { psu } = subject.embedded.description;
    const hidden = JSON.stringify((await subject.api('GET', 'requests/1')).json);
    const shown = JSON.stringify((await subject.api('GET', 'requests/1?show=test-data')).json);
    expect(hidden).not.toContain(psu.id);
    expect(hidden).not.toContain(psu.sessionId);
    expect(shown).toContain(psu.id);
    for (const text of [hidden, shown]) expect(text).not.toContain(pki.tpp.certificate.base64);
  });

  it('gives a curl command of the request as it came', async () => {
    await subject.send();
    const { json } = await subject.api('GET', 'requests/1/curl');
    expect(json.text).toContain("--header 'Signature: keyId=");
    expect(json.text).toContain(subject.embedded.description.psu.id);
  });

  it('replays a request freshly signed', async () => {
    const { status } = await subject.send({ plan: { text: (names) => names.join() } });
    expect(status).toBe(400);
    const { json } = await subject.api('POST', 'requests/1/replay');
    expect(json).toEqual({ number: 2, status: 201 });
    expect(subject.book.row(2)).toMatchObject({ replayOf: 1, status: 201 });
  });

  it('explains a signature', async () => {
    await subject.send({
      plan: { text: (names, valueFor) => names.map((name) => `${name}: ${valueFor(name)}`).join('\r\n') },
    });
    const { json } = await subject.api('GET', 'requests/1/signature');
    expect(json).toMatchObject({ verdict: 'refused', findings: [{ id: 'crlf' }] });
  });

  it('keeps ten thousand requests and no more, and forgets them on request', async () => {
    const { book } = subject;
    await subject.send({ method: 'GET', path: '/v1/nothing' });
    const seen = book.request(1);
    if (seen === undefined) throw new Error('The request was not kept.');
    const answered = {
      raw: seen.raw,
      request: undefined,
      response: seen.response,
      state: subject.embedded.bank.state,
      receivedAt: new Date(),
      durationMs: 1,
    };
    for (let count = 0; count < 10_050; count += 1) book.add(answered);
    expect(book.rows()).toHaveLength(10_000);
    expect(book.rows()[0]?.number).toBe(52);
    expect((await subject.api('DELETE', 'requests')).status).toBe(200);
    expect(book.rows()).toEqual([]);
  });

  it('keeps within its memory, and says what it no longer has', async () => {
    const body = Buffer.alloc(900_000, 0x20);
    for (let count = 0; count < 30; count += 1) await subject.send({ body });
    expect(subject.book.request(1)).toBeUndefined();
    expect(subject.book.rows()).toHaveLength(30);
    const page = await fetch(`${subject.origin}/console/requests/1?token=${subject.running.token}`);
    expect(await page.text()).toContain('no longer kept');
  });
});

describe('the bank by hand', () => {
  it('has a dialect or deviation, for some requests or until it is changed', async () => {
    const wrong = domesticPayment({ instructedAmount: { amount: '1.234', currency: 'NOK' } });
    const statusOf = async (): Promise<number> => (await subject.send({ body: wrong })).status;
    expect(await statusOf()).toBe(400);
    await subject.api('POST', 'bank/behaviour', { deviations: ['AMT-02/unchecked'], requests: 2 });
    const behaviour = async () => (await subject.api('GET', 'bank')).json.behaviour;
    expect(await statusOf()).toBe(201);
    expect(await behaviour()).toMatchObject({ deviations: ['AMT-02/unchecked'], requests: 1 });
    expect([await statusOf(), await statusOf()]).toEqual([201, 400]);
    expect(await behaviour()).toEqual({ dialects: [], deviations: [] });
    await subject.api('POST', 'bank/behaviour', { deviations: ['AMT-02/unchecked'] });
    expect([await statusOf(), await statusOf()]).toEqual([201, 201]);
    await subject.api('POST', 'bank/behaviour', {});
    expect(await statusOf()).toBe(400);
    expect(
      (await subject.api('POST', 'bank/behaviour', { dialects: ['errors/problem-jsn'] })).json.error,
    ).toContain('Did you mean');
    expect((await subject.api('POST', 'bank/behaviour', { dialects: ['prefix/psd2'] })).status).toBe(409);
  });

  it('answers the next requests with 429 or 503, and the others as usual', async () => {
    await subject.api('POST', 'bank/next-answer', { status: 503, retryAfterSeconds: 7, requests: 1 });
    expect([(await subject.send()).status, (await subject.send()).status]).toEqual([503, 201]);
    expect(subject.book.request(1)?.response.headers).toContainEqual(['Retry-After', '7']);
    expect((await subject.api('POST', 'bank/next-answer', { status: 200 })).status).toBe(400);
  });

  it('has a clock that can be moved', async () => {
    await subject.api('POST', 'bank/clock', { offsetSeconds: 3601 });
    expect((await subject.send()).status).toBe(401);
    await subject.api('POST', 'bank/clock', { offsetSeconds: 0 });
    expect((await subject.send()).status).toBe(201);
  });

  it('ends a session, which is not renewed', async () => {
    const { sessionId } = subject.embedded.description.psu;
    expect(
      (await subject.api('POST', 'bank/sessions/expire', { tppSessionId: sessionId })).json.expired,
    ).toBe(1);
    subject.embedded.renewSessions((id) => subject.byHand.hasExpired(id));
    expect((await subject.send()).status).toBe(401);
    expect((await subject.api('POST', 'bank/sessions/expire', { tppSessionId: 'nobody' })).status).toBe(404);
  });

  it('changes the status of a payment', async () => {
    const id = paymentIdOf(await subject.send());
    await subject.api('POST', 'bank/payments/status', { paymentId: id, transactionStatus: 'RJCT' });
    expect(JSON.parse((await readStatus(id)).text)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(
      (await subject.api('POST', 'bank/payments/status', { paymentId: id, transactionStatus: 'GONE' }))
        .status,
    ).toBe(400);
  });

  it('is as it was at its start after a reset', async () => {
    const id = paymentIdOf(await subject.send());
    const [pending = ''] = subject.embedded.description.payments.pending;
    await subject.api('POST', 'bank/behaviour', { deviations: ['AMT-02/unchecked'] });
    await subject.api('POST', 'bank/clock', { offsetSeconds: 99_999 });
    await subject.api('POST', 'bank/reset');
    expect((await readStatus(id)).status).toBe(404);
    expect(JSON.parse((await readStatus(pending)).text)).toMatchObject({ transactionStatus: 'PDNG' });
    expect((await subject.api('GET', 'bank')).json).toMatchObject({
      behaviour: { deviations: [] },
      clock: { offsetSeconds: 0 },
    });
  });

  it('refuses what it does not understand', async () => {
    for (const [path, body] of [
      ['bank/clock', { offsetSeconds: 'soon' }],
      ['bank/clock', { offsetSeconds: 1e12 }],
      ['bank/behaviour', { dialects: 'x' }],
      ['bank/behaviour', { requests: -1 }],
      ['bank/payments/status', {}],
      ['bank/behaviour', []],
      ['bank/sessions/expire', 'a session'],
    ] as const) {
      expect((await subject.api('POST', path, body)).status, path).toBe(400);
    }
    expect((await subject.api('GET', 'nothing')).status).toBe(404);
    expect((await subject.api('POST', 'bank')).status).toBe(404);
  });
});
