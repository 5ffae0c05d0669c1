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
  ])('is what Retry-After says: %j', (value, pause) => {
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

  it.each(['0', 'Mon, 02 Mar 2026 09:59:00 GMT'])('is never shorter than the least one: %j', (value) => {
    expect(delay(value)).toBe(200);
  });

  it.each(['60', 'Mon, 02 Mar 2026 10:01:00 GMT'])('is never so long that a run would hang: %j', (value) => {
    expect(delay(value)).toBe(15_000);
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

/** Sends something, and is told whether the answer is on the way. */
const told = (watch: GatewayWatch, response: WireResponse, before?: WireResponse): boolean =>
  watch.isOnTheWay(response, watch.begin(), before);

it.each([
  ['nothing', ''],
  ['a word', '{"message":"OK"}'],
  ['another word', '{"status":"maintenance"}'],
])('%s is the bank’s where something was deleted, and asked for again where something is read', (_, text) => {
  const watch = new GatewayWatch();
  told(watch, json(201));
  const deletion = { operation: 'deletePayment', request: { method: 'DELETE' } };
  expect(watch.isOnTheWay(json(200, text), watch.begin(), undefined, deletion)).toBe(false);
  expect(watch.isOnTheWay(json(404, '{"message":"OK"}'), watch.begin(), undefined, deletion)).toBe(true);
  expect(told(watch, json(200, text))).toBe(true);
});

describe('JSON without an end', () => {
  const cut = '{"paymentId":"p1","transac';

  it('may have been cut on the way, where only the end of the connection ends the body', () => {
    const watch = new GatewayWatch();
    expect(told(watch, json(201, cut))).toBe(true);
    expect(told(watch, json(201))).toBe(false);
  });

  it('is what the bank says, where it says so again', () => {
    const watch = new GatewayWatch();
    expect(told(watch, json(201, cut), json(201, cut))).toBe(false);
  });

  it.each([
    ['how long it is', 'content-length', String(cut.length)],
    ['where it ends', 'Transfer-Encoding', 'chunked'],
  ])(
    'may have been cut by a proxy that says %s, and is the bank’s all the same where it comes again',
    (_, ...frame) => {
      const watch = new GatewayWatch();
      const framed = (): WireResponse => answer(201, cut, frame);
      expect(told(watch, framed())).toBe(true);
      expect(told(watch, framed(), framed())).toBe(false);
      told(watch, json(201));
      expect(told(watch, framed())).toBe(true);
      for (let again = 0; again < 2; again += 1) {
        const first = framed();
        told(watch, first);
        told(watch, json(200));
        told(watch, framed(), first);
      }
      expect(told(watch, framed())).toBe(false);
    },
  );

  it('is found in time that grows with its length', () => {
    const watched = (size: number): void => {
      const body = `{"${'\\"'.repeat(size)}`;
      told(new GatewayWatch(), answer(201, body, ['content-length', String(body.length)]));
    };
    expect(growthOf(watched, 4_000)).toBeLessThan(clearlyBelowQuadratic);
  });

  it('is not what is broken in another way, where its length is told', () => {
    const broken = '{"paymentId":p1,"text":"a \\" { [ b"}';
    const framed = answer(201, broken, ['content-length', String(broken.length)]);
    expect(told(new GatewayWatch(), framed)).toBe(false);
  });
});

describe('a packed body that cannot be unpacked', () => {
  const damaged = () => answer(401, 'ab\u0000', ['Content-Encoding', 'gzip'], ['Content-Length', '3']);

  it('may have been damaged on the way', () => {
    expect(told(new GatewayWatch(), damaged())).toBe(true);
  });

  it('is what the bank says, where it says so again', () => {
    expect(told(new GatewayWatch(), damaged(), damaged())).toBe(false);
  });

  it('is only called so, where it is JSON as it is', () => {
    const plain = answer(401, '{}', ['Content-Encoding', 'gzip'], ['Content-Length', '2']);
    expect(told(new GatewayWatch(), plain)).toBe(false);
  });
});

it('takes JSON that is called a page for an answer of the bank', () => {
  const watch = new GatewayWatch();
  const called = answer(201, '{"paymentId":"1"}', ['Content-Type', 'text/html; charset=utf-8']);
  expect([told(watch, called), told(watch, called)]).toEqual([false, false]);
  expect(told(watch, answer(200, '{', ['Content-Type', 'text/html']))).toBe(true);
});

describe.each([
  ['a page', () => answer(403, '<html><h1>403</h1></html>', ['Content-Type', 'text/html'])],
  ['a text', () => answer(403, 'Forbidden', ['Content-Type', 'text/plain'])],
  ['a text without a type', () => answer(403, '404 page not found')],
  ['the JSON of a gateway', () => json(403, '{"message":"Forbidden"}')],
  ['the JSON of another', () => json(404, '{"timestamp":"…","status":404,"error":"Not Found","path":"/v1"}')],
  ['JSON without an end', () => json(403, '{"tppMessages":[')],
  ['what cannot be unpacked', () => answer(403, 'ab\u0000', ['Content-Encoding', 'gzip'])],
  ['nothing but 200', () => answer(200, '', ['Content-Length', '0'])],
  ['the JSON of a gateway that refuses nothing', () => json(200, '{"message":"ok"}')],
  [
    'a text that refuses nothing',
    () => answer(200, 'Log in to use the network.', ['Content-Type', 'text/plain']),
  ],
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

  it('is the bank’s where it comes again while the bank answers others', () => {
    const watch = new GatewayWatch();
    expect(asks(watch, odd(), odd(), odd())).toEqual([true, true, false]);
    expect(asks(watch, odd())).toEqual([false]);
  });

  it('is the bank’s also where the bank tells others the same status in JSON', () => {
    const watch = new GatewayWatch();
    told(watch, json(odd().status));
    expect(asks(watch, odd(), odd(), odd())).toEqual([true, true, false]);
  });

  it('is that of a firewall where it does not come again, even if it does now and then', () => {
    const watch = new GatewayWatch();
    for (let request = 1; request <= 3; request += 1) asks(watch, odd(), json(201));
    expect(asks(watch, odd(), odd(), odd(), json(201))).toEqual([true, true, true, false]);
    expect(asks(watch, odd())).toEqual([true]);
  });

  it('says nothing while the bank answers nobody', () => {
    const watch = new GatewayWatch();
    told(watch, json(201));
    const answers = Array.from({ length: 6 }, odd);
    expect(answers.map((given, place) => told(watch, given, answers[place - 1]))).toEqual(
      Array(6).fill(true),
    );
  });

  it('says nothing where the others were asked before the bank was lost', () => {
    const watch = new GatewayWatch();
    told(watch, json(201));
    const underWay = Array.from({ length: 6 }, () => watch.begin());
    const answers = Array.from({ length: 6 }, odd);
    for (const [place, given] of answers.entries()) {
      expect(told(watch, given, answers[place - 1])).toBe(true);
      watch.isOnTheWay(json(201), underWay[place] ?? 0);
    }
  });

  it('is the bank’s where a control has shown it', () => {
    const watch = new GatewayWatch();
    told(watch, json(201));
    watch.trust(odd());
    expect(told(watch, odd())).toBe(false);
  });
});

it.each([
  '{"message":"Forbidden","tppMessages":[]}',
  '{"code":"FORMAT_ERROR","message":"too long"}',
  '{"message":"Sign in","_links":{}}',
  '{}',
  '["message"]',
])('a refusal that says more, or nothing, is the bank’s: %s', (text) => {
  const watch = new GatewayWatch();
  told(watch, json(201));
  expect(told(watch, json(403, text))).toBe(false);
});

describe('a status of its own', () => {
  it.each([407, 408, 421, 425, 429, 460, 499, 502, 503, 504, 511, 520, 529, 530, 598, 599])(
    'has a gateway: %i',
    (status) => {
      expect(isOfGateway(status)).toBe(true);
    },
  );

  it.each([200, 400, 401, 403, 404, 409, 422, 500, 501, 505, 508])('has no gateway: %i', (status) => {
    expect(isOfGateway(status)).toBe(false);
  });
});

it.each([
  ['a page', '<html>Internal Server Error</html>', true],
  ['a text', 'upstream connect error', true],
  ['JSON', '{"tppMessages":[]}', false],
  ['nothing', '', false],
])('500 with %s, whatever was asked and however often it came', (_, body, isOfGateway) => {
  const deletion = { operation: 'deletePayment', request: { method: 'DELETE' } };
  const watch = new GatewayWatch();
  let before: WireResponse | undefined;
  for (let time = 1; time <= 3; time += 1) {
    const response = answer(500, body);
    expect(watch.isOnTheWay(response, watch.begin(), before, deletion)).toBe(isOfGateway);
    told(watch, json(201));
    before = response;
  }
});

it('a page is the bank’s that said of two paths that they are not there, before another one was', () => {
  const page = () => answer(404, '<html>Not found</html>', ['Content-Type', 'text/html']);
  const watch = new GatewayWatch();
  for (const first of [page(), page(), json(201)]) expect(told(watch, first)).toBe(false);
  expect(told(watch, page())).toBe(false);
  // Of one path it might have been chance, and of another status nothing was said.
  const other = new GatewayWatch();
  for (const first of [page(), json(201)]) told(other, first);
  expect([told(other, page()), told(watch, answer(403, '<html>No</html>'))]).toEqual([true, true]);
});

it('a redirect is the answer of the bank where nothing but SCA is asked for', () => {
  const redirect = (headers: readonly HeaderLine[]) => ({ status: 303, headers, body: Buffer.alloc(0) });
  const leading = redirect([['Location', 'https://login.bank.example/sca']]);
  expect(sendsToSca('createConsent', leading)).toBe(true);
  expect(sendsToSca('startUserFlow', leading)).toBe(true);
  expect(sendsToSca('listAccounts', leading)).toBe(false);
  expect(sendsToSca('createConsent', redirect([]))).toBe(false);
  for (const status of [403, 301, 308])
    expect(sendsToSca('createConsent', { ...leading, status })).toBe(false);
});

it('a redirect is the answer of the bank where it tells the links of what was made', () => {
  const watch = new GatewayWatch();
  told(watch, json(201));
  expect(told(watch, json(303, '{"paymentId":"p1","_links":{"self":{"href":"/p1"}}}'))).toBe(false);
  expect(told(watch, json(303, '{"_links":null}'))).toBe(true);
  expect(told(watch, json(303))).toBe(true);
});

describe('a redirect where SCA is asked for', () => {
  const consent = { operation: 'createConsent', request: { method: 'POST' } };
  const leadingTo = (location: string) => answer(302, '<html>Log in</html>', ['Location', location]);
  const linking = (href: string) => json(401, JSON.stringify({ _links: { scaRedirect: { href } } }));
  const asked = (watch: GatewayWatch, response: WireResponse, before?: WireResponse): boolean =>
    watch.isOnTheWay(response, watch.begin(), before, consent);
  const atItsPages = 'https://login.bank.example/sca/1';

  it('is the bank’s where it leads to where its links lead, and where nobody else is named', () => {
    const watch = new GatewayWatch();
    told(watch, linking('https://login.bank.example/sca/2'));
    expect(asked(watch, leadingTo(atItsPages))).toBe(false);
    expect(asked(watch, leadingTo('/sca/1'))).toBe(false);
  });

  it('is asked for again where it leads to a portal', () => {
    const watch = new GatewayWatch();
    told(watch, linking(atItsPages));
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

it('a refusal in the words of a gateway is asked for once more, also where nothing is known yet', () => {
  const watch = new GatewayWatch();
  const refused = (): WireResponse => ({
    status: 403,
    headers: [['Content-Type', 'text/plain']],
    body: Buffer.from('RBAC: access denied'),
  });
  const first = refused();
  expect(watch.isOnTheWay(first, watch.begin())).toBe(true);
  expect(watch.isOnTheWay(refused(), watch.begin(), first)).toBe(false);
});

it('an empty object is asked for again where something is read, and is the bank’s where it refuses', () => {
  const watch = new GatewayWatch();
  told(watch, json(201));
  const first = json(200, '{}');
  expect(told(watch, first)).toBe(true);
  expect(told(watch, json(201), first)).toBe(false);
  expect(told(watch, json(400, '{}'))).toBe(false);
});

describe('nothing where JSON is announced', () => {
  it.each([201, 400, 401])('may have been lost on the way, and is asked for again: %i', (status) => {
    const watch = new GatewayWatch();
    told(watch, json(201));
    const first = json(status, '');
    expect(told(watch, first)).toBe(true);
    expect(told(watch, json(status), first)).toBe(false);
  });

  it('is the bank’s where it comes again', () => {
    const watch = new GatewayWatch();
    for (let time = 1; time <= 2; time += 1) {
      told(watch, json(201));
      const first = json(400, '');
      told(watch, first);
      told(watch, json(201));
      told(watch, json(400, ''), first);
    }
    expect(told(watch, json(400, ''))).toBe(false);
  });

  it.each([json(204, ''), answer(400, ''), answer(201, '')])('is no matter where none is: %#', (response) => {
    const watch = new GatewayWatch();
    told(watch, json(201));
    expect(told(watch, response)).toBe(false);
  });
});
