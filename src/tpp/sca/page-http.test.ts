import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { Pace } from '../pace.ts';
import { type Transport, TransportError, type WireRequest, type WireResponse } from '../transport.ts';
import { type PageHttp, type PageHttpOptions, pageHttp, whyNotFetched } from './page-http.ts';
import { mostBeginnings, type ScaWalkError } from './sca-walker.ts';

const origin = 'https://bank.example';

/** Pages that are sent by this, whichever host they are on. */
const pagesBy = (
  send: (origin: string, request: WireRequest, timeoutMs: number) => Promise<WireResponse>,
  options: Partial<PageHttpOptions> = {},
): PageHttp => {
  const transportTo = (host: string): Transport => ({
    send: (request, timeoutMs) => send(host, request, timeoutMs),
    close: async () => {},
  });
  return pageHttp({
    origin,
    transport: transportTo(origin),
    transportTo,
    pace: new Pace({ concurrency: 1 }),
    timeoutMs: 1000,
    patienceMs: 1,
    ...options,
  });
};

const pageOf = (status: number, text = '<p>'): WireResponse => ({
  status,
  headers: [],
  body: Buffer.from(text),
});
const json: WireResponse = { ...pageOf(200), headers: [['Content-Type', 'application/json']] };
const reset = new TransportError('reset', 'other side closed');

type Sent = number | string | WireResponse | Error;

/** A bank that sends these one after another, and then pages: a number is the status of a page, a text a page. */
function sending(...answers: readonly Sent[]) {
  const left = [...answers];
  const pages = pagesBy(async () => {
    const next = left.shift() ?? 200;
    if (next instanceof Error) throw next;
    if (typeof next === 'number') return pageOf(next);
    return typeof next === 'string' ? pageOf(200, next) : next;
  });
  return { left, pages };
}

/** The status of what comes, or the kind of trouble. */
const asked = (pages: PageHttp, method: 'GET' | 'POST' = 'GET'): Promise<unknown> =>
  pages.send({ method, url: new URL(`${origin}/sca`), headers: [] }).then(
    ({ status }) => status,
    ({ kind }: ScaWalkError) => kind,
  );

/** What comes for so many requests in a row. */
async function askedOften(times: number, pages: PageHttp, method?: 'GET' | 'POST') {
  const said: unknown[] = [];
  for (let time = 1; time <= times; time += 1) said.push(await asked(pages, method));
  return said;
}

const scaPage = { method: 'GET', url: new URL(`${origin}/sca`), headers: [] } as const;
const lostButLast = (last: unknown) => [...Array(mostBeginnings - 1).fill('lost'), last];

describe('pages of the bank', () => {
  /** Notes where it was asked to go. */
  function pagesOf(hosts: readonly string[]) {
    const asked: string[] = [];
    const pages = pagesBy(
      async (host, { target }) => {
        asked.push(`${host}${target}`);
        return pageOf(200);
      },
      { hosts },
    );
    const send = (address: string) => pages.send({ ...scaPage, url: new URL(address) });
    return { asked, send };
  }

  it('are fetched from its own host, and from those that the target file allows', async () => {
    const { asked, send } = pagesOf(['login.example']);
    const addresses = ['https://bank.example/sca?a=1', 'https://login.example/start'];
    for (const address of addresses) await send(address);
    expect(asked).toEqual(addresses);
  });

  it.each([
    'https://evil.example/?ssn=1',
    'http://bank.example/',
    'https://169.254.169.254/',
    'http://[fe80::1]/',
  ])('are not asked for at %s', async (address) => {
    const { asked, send } = pagesOf(['169.254.169.254']);
    await expect(send(address)).rejects.toMatchObject({ name: 'ScaWalkError', kind: 'off-limits' });
    await expect(send(address)).rejects.not.toThrow('ssn');
    expect(asked).toEqual([]);
  });
});

it('a page is kept within the limits, with its headers', async () => {
  const long = 'x'.repeat(limits.shownBody + 1);
  const pages = pagesBy(async () => ({ status: 200, headers: [['X-Long', long]], body: Buffer.from(long) }));
  const { exchange, text } = await pages.send(scaPage);
  expect(text).toBe(long);
  expect(exchange.response?.headers[0]?.[1].length).toBeLessThan(limits.shownHeader + 100);
  expect(exchange.response?.body).toContain(`[cut: the body has ${long.length} bytes]`);
});

describe('a gateway before the pages', () => {
  const unsent = new TransportError('reset', 'no connection', { isUnsent: true });
  it.each<[string, 'GET' | 'POST', readonly Sent[], number, number]>([
    ['is not the bank: what was turned away is asked for again', 'GET', [502, 504, 303], 303, 0],
    ['is not the bank: a form that was turned away is sent again', 'POST', [503, 303], 303, 0],
    ['may be a firewall: a page that is refused is asked for once more', 'GET', [403, 200], 200, 0],
    ['may be a firewall, but not twice', 'GET', [404, 404, 200], 404, 1],
    ['may be a firewall, but a form is not sent twice', 'POST', [403, 200], 403, 1],
    ['may have broken down in the middle: 500 is asked for twice more', 'GET', [500, 500, 200], 200, 0],
    ['may have broken down in the middle, but not three times', 'GET', [500, 500, 500, 200], 500, 1],
    ['may have broken down in the middle, but a form is not sent twice', 'POST', [500, 200], 500, 1],
    [
      'is not met where no connection came about: a form is sent again',
      'POST',
      [unsent, unsent, 303],
      303,
      0,
    ],
    ['may mix up answers: JSON is no page', 'GET', [{ ...json, status: 201 }, 200], 200, 0],
    ['may have lost the page: one that is empty is asked for once more', 'GET', ['', 303], 303, 0],
    ['may have lost the page, but not twice', 'GET', ['', '', 303], 200, 1],
    ['is none where a page is not there', 'GET', [410, 410, 200], 410, 1],
  ])('%s', async (_, method, answers, status, unused) => {
    const { left, pages } = sending(...answers);
    expect([await asked(pages, method), left.length]).toEqual([status, unused]);
  });

  it('may have handed a form on, which is not sent twice then', async () => {
    const { left, pages } = sending(502, 303);
    await expect(pages.send({ ...scaPage, method: 'POST' })).rejects.toMatchObject({
      kind: 'lost',
      message: expect.stringContaining('502'),
    });
    expect(left).toEqual([303]);
  });

  it('may answer a form with JSON: SCA is begun again, and the bank itself says so again', async () => {
    const { pages } = sending(json, 303, ...Array<Sent>(mostBeginnings).fill(json));
    expect(await askedOften(2, pages, 'POST')).toEqual(['lost', 303]);
    expect(await askedOften(mostBeginnings, pages, 'POST')).toEqual(lostButLast(200));
  });

  it('that loses one form after the other is no reason to begin again and again', async () => {
    const lost = Array<Sent>(mostBeginnings).fill(504);
    const { pages } = sending(...lost, 303, 504);
    expect(await askedOften(mostBeginnings, pages, 'POST')).toEqual(lostButLast('unreachable'));
    expect(await askedOften(2, pages, 'POST')).toEqual([303, 'lost']);
  });
});

it('takes forms that are lost side by side for one trouble on the way', async () => {
  const forms = 2 * mostBeginnings;
  const pages = pagesBy(
    async () => {
      throw reset;
    },
    { pace: new Pace({ concurrency: forms }) },
  );
  const burst = await Promise.all(Array.from({ length: forms }, () => asked(pages, 'POST')));
  expect(new Set(burst)).toEqual(new Set(['lost']));
});

it('begins again where a page that may be shown once only died on the way', async () => {
  const { pages } = sending(...Array.from({ length: mostBeginnings }, () => [reset, 410]).flat());
  expect(await askedOften(mostBeginnings, pages)).toEqual(lostButLast(410));
});

it('asks pages that say nothing once each and shortly, until one of them answers', async () => {
  const longerThanPatience = { timeoutMs: 10_000 };
  const patience: number[] = [];
  let isThere = false;
  const pages = pagesBy(async (_, __, timeoutMs) => {
    patience.push(timeoutMs);
    if (!isThere) throw new TransportError('timeout', 'no answer');
    return pageOf(200);
  }, longerThanPatience);
  const ask = async (): Promise<readonly number[]> => {
    patience.length = 0;
    await asked(pages);
    return [...patience];
  };
  expect(await ask()).toEqual(Array(6).fill(10_000));
  expect(await ask()).toEqual([3_000]);
  isThere = true;
  expect(await ask()).toEqual([3_000]);
  isThere = false;
  expect(await ask()).toHaveLength(6);
});

const bank = { origin: 'https://bank.example', hosts: ['login.example', 'id.example:8443'] };
const local = { origin: 'http://localhost:8080', hosts: ['localhost:9090'] };

describe('pages are fetched from', () => {
  it.each([
    ['https://bank.example/sca', bank],
    ['https://LOGIN.example/sca', bank],
    ['https://login.example/sca', { ...bank, hosts: ['login.example:443'] }],
    ['https://bank.example:8443/sca', { ...bank, hosts: ['bank.example:8443'] }],
    ['https://id.example:8443/', bank],
    ['http://localhost:8080/sca', local],
    ['http://localhost:9090/sca', local],
    // The user has named it, and is warned of it.
    ['http://bank.internal/sca', { origin: 'http://bank.internal', hosts: [] }],
  ])('%s', (address, allowed) => {
    expect(whyNotFetched(new URL(address), allowed)).toBeUndefined();
  });
});

describe('pages are not fetched from', () => {
  const everywhere = [
    '169.254.169.254',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '2852039166',
    'bank.example',
  ];
  it.each([
    ['http://bank.example/sca', bank, 'not https'],
    ['http://login.example/sca', bank, 'not https'],
    ['https://evil.example/', bank, 'psu.scaHosts'],
    ['https://bank.example:8443/sca', bank, 'another origin than https://bank.example, on the same host'],
    ['https://bank.example/', { ...bank, origin: 'https://bank.example:8443' }, 'allow bank.example for'],
    ['https://login.example:9000/', bank, 'host login.example:9000'],
    ['https://bank.example.evil.example/', bank, 'psu.scaHosts'],
    ['https://id.example/', bank, 'psu.scaHosts'],
    ['https://user:secret@bank.example/', { ...bank, origin: 'https://x.example' }, 'user name'],
    ['http://localhost:8081/', local, 'psu.scaHosts'],
    ['file:///etc/passwd', bank, 'no address'],
    ['https://169.254.169.254/latest', { ...bank, hosts: everywhere }, 'link-local'],
    ['https://0xA9FEA9FE/', { ...bank, hosts: everywhere }, 'link-local'],
    ['https://[fe80::1]/', { ...bank, hosts: everywhere }, 'link-local'],
    ['https://[::ffff:169.254.169.254]/', { ...bank, hosts: everywhere }, 'link-local'],
  ])('%s', (address, allowed, reason) => {
    expect(whyNotFetched(new URL(address), allowed)).toContain(reason);
  });
});

describe('a page without its end', () => {
  const whole = '<html><body><form>…</form></body></html>';
  const cut = '<html><body><fo';
  it.each<[string, readonly Sent[], readonly string[]]>([
    ['was cut where the bank ends its others, and is asked for again', [whole, cut, whole], [whole, whole]],
    ['is the bank’s where it comes again, and from then on', [whole, cut, cut, cut], [whole, cut, cut]],
    ['is kept where it is shown once only', [whole, cut, 410], [whole, cut]],
    ['is no matter at a bank that ends none', [cut, cut], [cut, cut]],
  ])('%s', async (_, sent, shown) => {
    const { left, pages } = sending(...sent);
    const texts: string[] = [];
    for (const __ of shown) texts.push((await pages.send(scaPage)).text);
    expect([texts, left]).toEqual([shown, []]);
  });
});
