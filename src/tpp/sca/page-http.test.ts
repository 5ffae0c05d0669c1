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

const pageOf = (status: number): WireResponse => ({ status, headers: [], body: Buffer.from('<p>') });

const scaPage = { url: new URL(`${origin}/sca`), headers: [] };

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
  const send = (address: string) => pages.send({ method: 'GET', url: new URL(address), headers: [] });
  return { asked, send };
}

describe('pages of the bank', () => {
  it('are fetched from its own host, and from those that the target file allows', async () => {
    const { asked, send } = pagesOf(['login.example']);
    await send('https://bank.example/sca?a=1');
    await send('https://login.example/start');
    expect(asked).toEqual(['https://bank.example/sca?a=1', 'https://login.example/start']);
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
  const { exchange, text } = await pages.send({ method: 'GET', ...scaPage });
  expect(text).toBe(long);
  expect(exchange.response?.headers[0]?.[1].length).toBeLessThan(limits.shownHeader + 100);
  expect(exchange.response?.body).toContain(`[cut: the body has ${long.length} bytes]`);
});

describe('a gateway before the pages', () => {
  const answering = (method: 'GET' | 'POST', ...statuses: readonly number[]) => {
    const left = [...statuses];
    const pages = pagesBy(async () => pageOf(left.shift() ?? 200));
    return { left, sent: pages.send({ method, ...scaPage }).then(({ status }) => status) };
  };

  it('is not the bank: what was turned away is asked for again', async () => {
    expect(await answering('GET', 502, 504, 303).sent).toBe(303);
    expect(await answering('POST', 503, 303).sent).toBe(303);
  });

  it('may be a firewall: a page that is refused is asked for once more', async () => {
    expect(await answering('GET', 403, 200).sent).toBe(200);
    expect(await answering('GET', 404, 404, 200).sent).toBe(404);
    expect(await answering('POST', 403, 200).sent).toBe(403);
  });

  it('may have broken down in the middle: 500 is asked for twice more', async () => {
    expect(await answering('GET', 500, 500, 200).sent).toBe(200);
    const { left, sent } = answering('GET', 500, 500, 500, 200);
    expect([await sent, left]).toEqual([500, [200]]);
    expect(await answering('POST', 500, 200).sent).toBe(500);
  });

  it('may have lost the page: one that is empty is asked for once more', async () => {
    const bodies = ['', '<p>', '', ''];
    const pages = pagesBy(async () => ({ ...pageOf(200), body: Buffer.from(bodies.shift() ?? '<p>') }));
    const send = async () => (await pages.send({ method: 'GET', ...scaPage })).text;
    expect([await send(), await send(), bodies]).toEqual(['<p>', '', []]);
  });

  it('may have handed a form on, which is not sent twice then', async () => {
    const { left, sent } = answering('POST', 502, 303);
    await expect(sent).rejects.toMatchObject({
      kind: 'lost',
      message: expect.stringContaining('502'),
    });
    expect(left).toEqual([303]);
  });

  it('is not met at all where no connection came about, so that a form is sent again', async () => {
    let refusals = 2;
    const pages = pagesBy(async () => {
      refusals -= 1;
      if (refusals >= 0) throw new TransportError('reset', 'no connection', { isUnsent: true });
      return pageOf(303);
    });
    expect(await pages.send({ method: 'POST', ...scaPage })).toMatchObject({ status: 303 });
  });

  it('may answer a form with JSON: SCA is begun again, and the bank itself says so again', async () => {
    const json = { ...pageOf(200), headers: [['Content-Type', 'application/json']] as const };
    const answers = [json, pageOf(303), ...Array<typeof json>(mostBeginnings).fill(json)];
    const pages = pagesBy(async () => answers.shift() ?? json);
    const submit = (): Promise<unknown> =>
      pages.send({ method: 'POST', ...scaPage }).then(
        ({ status }) => status,
        ({ kind }: ScaWalkError) => kind,
      );
    expect([await submit(), await submit()]).toEqual(['lost', 303]);
    const kept: unknown[] = [];
    for (let form = 1; form <= mostBeginnings; form += 1) kept.push(await submit());
    expect(kept).toEqual([...Array(mostBeginnings - 1).fill('lost'), 200]);
  });

  it('may hand over the answer to another request: JSON is no page, however it was meant', async () => {
    const answers = [{ ...pageOf(201), headers: [['Content-Type', 'application/json']] as const }];
    const pages = pagesBy(async () => answers.shift() ?? pageOf(200));
    expect(await pages.send({ method: 'GET', ...scaPage })).toMatchObject({ status: 200 });
  });

  it('that loses one form after the other is no reason to begin again and again', async () => {
    let status = 504;
    const pages = pagesBy(async () => pageOf(status));
    const submit = (): Promise<unknown> => pages.send({ method: 'POST', ...scaPage });
    const kinds = async (): Promise<readonly unknown[]> => {
      const kept: unknown[] = [];
      for (let form = 1; form <= mostBeginnings; form += 1)
        kept.push(await submit().catch(({ kind }: ScaWalkError) => kind));
      return kept;
    };
    expect(await kinds()).toEqual([...Array(mostBeginnings - 1).fill('lost'), 'unreachable']);
    status = 303;
    await submit();
    status = 504;
    expect((await kinds())[0]).toBe('lost');
  });
});

it('takes forms that are lost side by side for one trouble on the way', async () => {
  const forms = 2 * mostBeginnings;
  const pages = pagesBy(
    async () => {
      throw new TransportError('reset', 'other side closed');
    },
    { pace: new Pace({ concurrency: forms }) },
  );
  const submit = (): Promise<unknown> =>
    pages.send({ method: 'POST', ...scaPage }).catch(({ kind }: ScaWalkError) => kind);
  const burst = await Promise.all(Array.from({ length: forms }, submit));
  expect(new Set(burst)).toEqual(new Set(['lost']));
});

it('begins again where a page that may be shown once only died on the way', async () => {
  let asked = 0;
  const pages = pagesBy(async () => {
    asked += 1;
    if (asked % 2 === 1) throw new TransportError('reset', 'other side closed');
    return pageOf(410);
  });
  const ask = (): Promise<unknown> =>
    pages.send({ method: 'GET', ...scaPage }).then(
      ({ status }) => status,
      ({ kind }: ScaWalkError) => kind,
    );
  const said: unknown[] = [];
  for (let time = 1; time <= mostBeginnings; time += 1) said.push(await ask());
  expect(said).toEqual([...Array(mostBeginnings - 1).fill('lost'), 410]);
});

it('tells how a page was answered that is not there', async () => {
  const pages = pagesBy(async () => pageOf(410));
  expect(await pages.send({ method: 'GET', ...scaPage })).toMatchObject({ status: 410 });
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
    await pages.send({ method: 'GET', ...scaPage }).catch(() => {});
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
  /** What is shown for each page that is asked for, of a bank that sends these one after another. */
  const shown = async (times: number, ...sent: readonly (string | number)[]) => {
    const left = [...sent];
    const pages = pagesBy(async () => {
      const next = left.shift() ?? '';
      return typeof next === 'number' ? pageOf(next) : { ...pageOf(200), body: Buffer.from(next) };
    });
    const texts: string[] = [];
    for (let time = 1; time <= times; time += 1)
      texts.push((await pages.send({ method: 'GET', ...scaPage })).text);
    return [texts, left];
  };

  it('was cut on the way where the bank ends its others, and is asked for again', async () => {
    expect(await shown(2, whole, cut, whole)).toEqual([[whole, whole], []]);
  });

  it('is the bank’s where it comes again, and from then on', async () => {
    expect(await shown(3, whole, cut, cut, cut)).toEqual([[whole, cut, cut], []]);
  });

  it('is kept where it is shown once only', async () => {
    expect(await shown(2, whole, cut, 410)).toEqual([[whole, cut], []]);
  });

  it('is no matter at a bank that ends none', async () => {
    expect(await shown(2, cut, cut)).toEqual([[cut, cut], []]);
  });
});
