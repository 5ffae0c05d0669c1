import { describe, expect, it } from 'vitest';
import type { HeaderLine } from './exchange.ts';
import { GatewayWatch, isOfGateway, retryDelay, sendsToSca } from './gateway.ts';
import { clearlyBelowQuadratic, growthOf } from './growth.test.data.ts';
import type { WireResponse } from './transport.ts';

const now = Date.parse('2026-03-02T10:00:00Z');
const delay = (value: string | undefined, attempt = 1) =>
  retryDelay(value === undefined ? [] : [['retry-AFTER', value]], attempt, 200, now);

describe('the pause before a further attempt', () => {
  it.each([
    ['1', 1000],
    [' 7 ', 7000],
    ['Mon, 02 Mar 2026 10:00:05 GMT', 5000],
    // Never shorter than the least one.
    ['0', 200],
    ['Mon, 02 Mar 2026 09:59:00 GMT', 200],
    // Never so long that a run would hang.
    ['60', 15_000],
    ['Mon, 02 Mar 2026 10:01:00 GMT', 15_000],
  ])('is what Retry-After says, within bounds: %j', (value, pause) => {
    expect(delay(value)).toBe(pause);
    expect(delay(value, 5)).toBe(pause);
  });

  it('is counted by the clock of the bank, however far that is off', () => {
    const ahead = [
      ['Date', 'Mon, 02 Mar 2026 10:01:30 GMT'],
      ['Retry-After', 'Mon, 02 Mar 2026 10:01:32 GMT'],
    ] as const;
    expect(retryDelay(ahead, 1, 200, now)).toBe(2000);
    expect(retryDelay([['Date', 'soon'], ahead[1]], 1, 200, now)).toBe(15_000);
  });

  it.each([
    undefined,
    'soon',
    '1.5s',
    '-5',
    '1e9',
    '',
    '86400',
    '99999999999999999999',
    'Tue, 03 Mar 2026 10:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ])('grows from attempt to attempt without one that can be followed: %j', (value) => {
    expect([1, 2, 3, 4].map((attempt) => delay(value, attempt))).toEqual([200, 400, 800, 1000]);
  });
});

const answer = (status: number, text: string, ...headers: readonly HeaderLine[]): WireResponse => ({
  status,
  headers,
  body: Buffer.from(text),
});
const json = (status: number, text = '{"paymentId":"p1"}') =>
  answer(status, text, ['Content-Type', 'application/json']);
const page = (status: number, text = '<html><h1>Sorry</h1></html>') =>
  answer(status, text, ['Content-Type', 'text/html']);
const packed = (text: string) => answer(401, text, ['Content-Encoding', 'gzip'], ['Content-Length', '3']);
const text = (status: number, words: string) => answer(status, words, ['Content-Type', 'text/plain']);
const cut = '{"paymentId":"p1","transac';
const framedBy = (...frame: HeaderLine): WireResponse => answer(201, cut, frame);

/** Sends something, and is told whether the answer is on the way. */
const told = (watch: GatewayWatch, response: WireResponse, before?: WireResponse): boolean =>
  watch.isOnTheWay(response, watch.begin(), before);

/** Of a bank that has answered something as it should. */
function knowing(first = json(201)): GatewayWatch {
  const watch = new GatewayWatch();
  told(watch, first);
  return watch;
}

const deletion = { operation: 'deletePayment', request: { method: 'DELETE' } };

it.each<[string, WireResponse, 'asked for again' | 'the bank’s']>([
  ['a refusal that says more', json(403, '{"message":"Forbidden","tppMessages":[]}'), 'the bank’s'],
  ['a refusal with a code', json(403, '{"code":"FORMAT_ERROR","message":"too long"}'), 'the bank’s'],
  ['a refusal with links', json(403, '{"message":"Sign in","_links":{}}'), 'the bank’s'],
  ['a refusal that says nothing', json(403, '{}'), 'the bank’s'],
  ['a refusal that is a list', json(403, '["message"]'), 'the bank’s'],
  ['an empty object where something refuses', json(400, '{}'), 'the bank’s'],
  ['an empty object where something is read', json(200, '{}'), 'asked for again'],
  ['a redirect with links', json(303, '{"paymentId":"p1","_links":{"self":{"href":"/p1"}}}'), 'the bank’s'],
  ['a redirect with links that are none', json(303, '{"_links":null}'), 'asked for again'],
  ['a redirect without links', json(303), 'asked for again'],
  ['201 with nothing where JSON is announced', json(201, ''), 'asked for again'],
  ['401 with nothing where JSON is announced', json(401, ''), 'asked for again'],
  ['204 with nothing', json(204, ''), 'the bank’s'],
  ['400 with nothing where nothing is announced', answer(400, ''), 'the bank’s'],
  ['201 with nothing where nothing is announced', answer(201, ''), 'the bank’s'],
  ['JSON that is called a page', page(201, '{"paymentId":"1"}'), 'the bank’s'],
  ['a page that begins like JSON', page(200, '{'), 'asked for again'],
])('of a bank that is known: %s', (_, response, whose) => {
  expect(told(knowing(), response) ? 'asked for again' : 'the bank’s').toBe(whose);
});

it.each([
  ['nothing', ''],
  ['a word', '{"message":"OK"}'],
  ['another word', '{"status":"maintenance"}'],
])('%s is the bank’s where something was deleted, and asked for again where something is read', (_, body) => {
  const watch = knowing();
  expect(watch.isOnTheWay(json(200, body), watch.begin(), undefined, deletion)).toBe(false);
  expect(watch.isOnTheWay(json(404, '{"message":"OK"}'), watch.begin(), undefined, deletion)).toBe(true);
  expect(told(watch, json(200, body))).toBe(true);
});

describe('where nothing is known yet', () => {
  it.each<[string, WireResponse]>([
    ['JSON without an end, where only the end of the connection ends the body', json(201, cut)],
    ['JSON without an end by a proxy that says how long it is', framedBy('content-length', `${cut.length}`)],
    ['JSON without an end by a proxy that says where it ends', framedBy('Transfer-Encoding', 'chunked')],
    ['a packed body that cannot be unpacked', packed('ab\u0000')],
    ['a refusal in the words of a gateway', text(403, 'RBAC: access denied')],
  ])('%s is asked for once more, and is the bank’s where it comes again', (_, response) => {
    const watch = new GatewayWatch();
    expect(told(watch, response)).toBe(true);
    expect(told(watch, { ...response }, response)).toBe(false);
  });

  const broken = '{"paymentId":p1,"text":"a \\" { [ b"}';
  it.each<[string, WireResponse]>([
    [
      'JSON that is broken in another way, where its length is told',
      answer(201, broken, ['content-length', '36']),
    ],
    ['JSON that is only called packed', packed('{}')],
    ['JSON that is called a page', page(201, '{"paymentId":"1"}')],
  ])('%s is the bank’s', (_, response) => {
    expect(told(new GatewayWatch(), response)).toBe(false);
  });

  it('the end of JSON is looked for in time that grows with its length', () => {
    const watched = (size: number): void => {
      const body = `{"${'\\"'.repeat(size)}`;
      told(new GatewayWatch(), answer(201, body, ['content-length', String(body.length)]));
    };
    expect(growthOf(watched, 4_000)).toBeLessThan(clearlyBelowQuadratic);
  });

  it('a page is the bank’s that said of two paths that they are not there, before another one was', () => {
    const watch = new GatewayWatch();
    for (const first of [page(404), page(404), json(201)]) expect(told(watch, first)).toBe(false);
    expect(told(watch, page(404))).toBe(false);
    // Of one path it might have been chance, and of another status nothing was said.
    const other = new GatewayWatch();
    for (const first of [page(404), json(201)]) told(other, first);
    expect([told(other, page(404)), told(watch, page(403))]).toEqual([true, true]);
  });
});

describe.each([
  ['a page', () => page(403)],
  ['a text', () => text(403, 'Forbidden')],
  ['a text without a type', () => answer(403, '404 page not found')],
  ['the JSON of a gateway', () => json(403, '{"message":"Forbidden"}')],
  ['the JSON of another', () => json(404, '{"timestamp":"…","status":404,"error":"Not Found","path":"/v1"}')],
  ['JSON without an end', () => json(403, '{"tppMessages":[')],
  [
    'JSON without an end, by a proxy that tells its length',
    () => framedBy('content-length', `${cut.length}`),
  ],
  [
    'JSON without an end, by a proxy that tells where it ends',
    () => framedBy('Transfer-Encoding', 'chunked'),
  ],
  ['what cannot be unpacked', () => packed('ab\u0000')],
  ['nothing but 200', () => answer(200, '', ['Content-Length', '0'])],
  ['nothing where JSON is announced', () => json(400, '')],
  ['the JSON of a gateway that refuses nothing', () => json(200, '{"message":"ok"}')],
  ['a text that refuses nothing', () => text(200, 'Log in to use the network.')],
])('an answer by %s', (_, odd) => {
  /** A request that is answered in that way, again and again, while the bank answers others. */
  const asks = (watch: GatewayWatch, ...answers: readonly WireResponse[]): readonly boolean[] => {
    let before: WireResponse | undefined;
    return answers.map((given) => {
      told(watch, json(201));
      const isOnTheWay = told(watch, given, before);
      before = given;
      return isOnTheWay;
    });
  };

  it.each([
    ['answers others', () => new GatewayWatch()],
    ['tells others the same status in JSON', () => knowing(json(odd().status))],
  ])('is the bank’s where it comes again while the bank %s', (__, watchOf) => {
    const watch = watchOf();
    expect(asks(watch, odd(), odd(), odd())).toEqual([true, true, false]);
    expect(asks(watch, odd())).toEqual([false]);
  });

  it('is that of a firewall where it does not come again, even if it does now and then', () => {
    const watch = new GatewayWatch();
    for (let request = 1; request <= 3; request += 1) asks(watch, odd(), json(201));
    expect(asks(watch, odd(), odd(), odd(), json(201))).toEqual([true, true, true, false]);
    expect(asks(watch, odd())).toEqual([true]);
  });

  it.each([
    ['answers nobody', false],
    ['answers only those who asked before it was lost', true],
  ])('says nothing while the bank %s', (__, wereUnderWay) => {
    const watch = knowing();
    const underWay = Array.from({ length: 6 }, () => watch.begin());
    const answers = Array.from({ length: 6 }, odd);
    for (const [place, given] of answers.entries()) {
      expect(told(watch, given, answers[place - 1])).toBe(true);
      if (wereUnderWay) watch.isOnTheWay(json(201), underWay[place] ?? 0);
    }
  });

  it('is the bank’s where a control has shown it', () => {
    const watch = knowing();
    watch.trust(odd());
    expect(told(watch, odd())).toBe(false);
  });
});

it.each([
  [true, [407, 408, 421, 425, 429, 460, 499, 502, 503, 504, 511, 520, 529, 530, 598, 599]],
  [false, [200, 400, 401, 403, 404, 409, 422, 500, 501, 505, 508]],
])('whether a gateway has a status of its own is %s of %j', (isOwn, statuses) => {
  expect(statuses.filter((status) => isOfGateway(status) !== isOwn)).toEqual([]);
});

it.each([
  ['a page', '<html>Internal Server Error</html>', true],
  ['a text', 'upstream connect error', true],
  ['JSON', '{"tppMessages":[]}', false],
  ['nothing', '', false],
])('500 with %s, whatever was asked and however often it came', (_, body, isOnTheWay) => {
  const watch = new GatewayWatch();
  let before: WireResponse | undefined;
  for (let time = 1; time <= 3; time += 1) {
    const response = answer(500, body);
    expect(watch.isOnTheWay(response, watch.begin(), before, deletion)).toBe(isOnTheWay);
    told(watch, json(201));
    before = response;
  }
});

it('a redirect is the answer of the bank where nothing but SCA is asked for', () => {
  const redirect = (status: number, ...headers: readonly HeaderLine[]) => answer(status, '', ...headers);
  const location: HeaderLine = ['Location', 'https://login.bank.example/sca'];
  expect(sendsToSca('createConsent', redirect(303, location))).toBe(true);
  expect(sendsToSca('startUserFlow', redirect(303, location))).toBe(true);
  expect(sendsToSca('listAccounts', redirect(303, location))).toBe(false);
  expect(sendsToSca('createConsent', redirect(303))).toBe(false);
  for (const status of [403, 301, 308])
    expect(sendsToSca('createConsent', redirect(status, location))).toBe(false);
});

describe('a redirect where SCA is asked for', () => {
  const consent = { operation: 'createConsent', request: { method: 'POST' } };
  const leadingTo = (location: string) => answer(302, '<html>Log in</html>', ['Location', location]);
  const linking = (href: string) => json(401, JSON.stringify({ _links: { scaRedirect: { href } } }));
  const asked = (watch: GatewayWatch, response: WireResponse, before?: WireResponse): boolean =>
    watch.isOnTheWay(response, watch.begin(), before, consent);
  const atItsPages = 'https://login.bank.example/sca/1';

  it('is the bank’s where it leads to where its links lead, and where nobody else is named', () => {
    const watch = knowing(linking('https://login.bank.example/sca/2'));
    expect(asked(watch, leadingTo(atItsPages))).toBe(false);
    expect(asked(watch, leadingTo('/sca/1'))).toBe(false);
  });

  it('is asked for again where it leads to a portal', () => {
    const watch = knowing(linking(atItsPages));
    const first = leadingTo('https://portal.example/login');
    expect(asked(watch, first)).toBe(true);
    expect(asked(watch, json(400), first)).toBe(false);
    expect(asked(watch, leadingTo('https://portal.example/login'))).toBe(true);
  });

  it('is the bank’s that has told of no pages before, where it comes again', () => {
    const watch = new GatewayWatch();
    expect(asked(watch, leadingTo(atItsPages))).toBe(false);
    told(watch, json(201));
    for (let again = 0; again < 2; again += 1) {
      const first = leadingTo(atItsPages);
      expect(asked(watch, first)).toBe(true);
      told(watch, json(200));
      asked(watch, leadingTo(atItsPages), first);
    }
    expect(asked(watch, leadingTo(atItsPages))).toBe(false);
  });
});
