import { describe, expect, it } from 'vitest';
import { CookieJar } from './page-browser.ts';

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
