import { describe, expect, it } from 'vitest';
import { CookieJar, PageBrowser } from './page-browser.ts';
import type { PageHttp, PageRequest } from './page-http.ts';

const url = (address: string): URL => new URL(address);
const jarWith = (...cookies: string[]): CookieJar => {
  const jar = new CookieJar();
  jar.keep(
    url('https://login.bank.example/sca/start'),
    cookies.map((cookie) => ['Set-Cookie', cookie] as const),
  );
  return jar;
};

describe('cookies', () => {
  it('go back to the host and folder that set them', () => {
    const jar = jarWith('a=1; HttpOnly; Secure', 'b=x=y; Path=/');
    expect(jar.headerFor(url('https://login.bank.example/sca/next'))).toBe('a=1; b=x=y');
    expect(jar.headerFor(url('https://login.bank.example/other'))).toBe('b=x=y');
    expect(jar.headerFor(url('https://bank.example/sca/next'))).toBeUndefined();
  });

  it('reach the domain that they name, and no other', () => {
    const jar = jarWith('a=1; Path=/; Domain=.bank.example', 'b=2; Path=/; Domain=evil.example');
    expect(jar.headerFor(url('https://id.bank.example/'))).toBe('a=1');
    expect(jar.headerFor(url('https://evil.example/'))).toBeUndefined();
  });

  it('are replaced by later ones and forgotten when their time is over', () => {
    const jar = jarWith('a=1; Path=/', 'a=2; Path=/', 'b=1; Path=/', 'b=; Path=/; Max-Age=0');
    expect(jar.headerFor(url('https://login.bank.example/'))).toBe('a=2');
    expect(
      jarWith('c=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT').headerFor(
        url('https://login.bank.example/'),
      ),
    ).toBeUndefined();
  });

  it('that are secure go over TLS alone, this machine excepted', () => {
    const jar = jarWith('a=1; Path=/; Secure');
    expect(jar.headerFor(url('http://login.bank.example/'))).toBeUndefined();
    const local = new CookieJar();
    local.keep(url('http://localhost:8080/'), [['set-cookie', 'a=1; Secure']]);
    expect(local.headerFor(url('http://localhost:8080/'))).toBe('a=1');
  });

  it('are as few as a browser keeps', () => {
    const jar = jarWith(...Array.from({ length: 500 }, (_, index) => `c${index}=1; Path=/`));
    expect(jar.headerFor(url('https://login.bank.example/'))?.split('; ')).toHaveLength(50);
  });
});

describe('a form or link of a page', () => {
  const pages: Readonly<Record<string, string>> = {
    '/start': '<form method=post action="https://id.bank.example/who?state=secret"><input name=n></form>',
    '/who': '<a href="/next">Next</a>',
  };

  async function walked(): Promise<readonly PageRequest[]> {
    const sent: PageRequest[] = [];
    const http = {
      send: async (request: PageRequest) => {
        sent.push(request);
        const text = pages[request.url.pathname] ?? '';
        return { status: 200, headers: [], text, letters: 'utf-8', exchange: {} };
      },
    } as unknown as PageHttp;
    const browser = new PageBrowser(http, 'https://tpp.example/back');
    const start = await browser.open('https://login.bank.example/start');
    if (start.at !== 'page') throw new Error('It ended at once.');
    const who = await browser.submit(start, {
      method: 'POST',
      action: 'https://id.bank.example/who?state=secret',
      pairs: [],
      isMultipart: false,
      letters: undefined,
    });
    if (who.at !== 'page') throw new Error('It ended too early.');
    await browser.click(who, '/next');
    return sent;
  }

  const headersOf = (request: PageRequest | undefined) => Object.fromEntries(request?.headers ?? []);

  it('says which page of the bank it is of, and no more than its origin', async () => {
    const [first, second, third] = (await walked()).map(headersOf);
    expect(first?.['User-Agent']).toMatch(/^Mozilla\/5\.0 /);
    expect([first?.Origin, first?.Referer]).toEqual([undefined, undefined]);
    expect(second).toMatchObject({
      Origin: 'https://login.bank.example',
      Referer: 'https://login.bank.example/',
    });
    expect([third?.Origin, third?.Referer]).toEqual([undefined, 'https://id.bank.example/']);
  });
});
