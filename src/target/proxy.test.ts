import { describe, expect, it } from 'vitest';
import type { LoadContext } from './key-path.ts';
import { loadProxy, proxySecrets, proxyTo } from './proxy.ts';

const bank = 'https://sandbox.bank.example/psd2';

function loaded(given: string | undefined, environment: NodeJS.ProcessEnv, baseUrl = bank) {
  const complaints: string[] = [];
  const context: LoadContext = {
    complain: (_, message) => void complaints.push(message),
    warn: () => {},
    announce: () => {},
    environment,
    variableOf: () => undefined,
    directoryOf: () => '.',
  };
  const proxy = loadProxy(context, given, baseUrl);
  return { proxy, complaints, taken: proxyTo(proxy, baseUrl) };
}

describe('the proxy', () => {
  it.each<[string, string | undefined, NodeJS.ProcessEnv, string | undefined]>([
    ['is none where nobody names one', undefined, {}, undefined],
    ['is that of the target file', 'http://a:1', { HTTPS_PROXY: 'http://b:2' }, 'http://a:1'],
    [
      'is that of the target file, whatever the variables leave out',
      'http://a:1',
      { NO_PROXY: '*' },
      'http://a:1',
    ],
    ['is none where the target file says so', 'none', { HTTPS_PROXY: 'http://b:2' }, undefined],
    ['is that of the variable', undefined, { HTTPS_PROXY: 'http://b:2' }, 'http://b:2'],
    ['is that of the variable in small letters', undefined, { https_proxy: 'b:2' }, 'http://b:2'],
    ['is not that for plain HTTP', undefined, { HTTP_PROXY: 'http://b:2' }, undefined],
    ['is none where the variable is empty', undefined, { HTTPS_PROXY: '' }, undefined],
  ])('%s', (_, given, environment, expected) => {
    expect(loaded(given, environment)).toMatchObject({ taken: expected, complaints: [] });
  });

  it.each(['https://localhost:8443', 'https://127.0.0.1', 'http://[::1]:8080'])(
    'is not in the way to %s',
    (address) => {
      const environment = { HTTPS_PROXY: 'nonsense://', HTTP_PROXY: 'nonsense://' };
      expect(loaded(undefined, environment, address)).toMatchObject({ taken: undefined, complaints: [] });
    },
  );

  it.each([
    ['*', true],
    ['bank.example', true],
    ['.bank.example', true],
    ['*.bank.example', true],
    ['other.example, SANDBOX.bank.example', true],
    ['sandbox.bank.example:443', true],
    ['sandbox.bank.example:8443', false],
    ['ank.example', false],
    ['sandbox.bank.example.org', false],
    ['10.0.0.0/8', false],
    [',', false],
  ])('is left out by NO_PROXY=%s: %s', (list, isLeftOut) => {
    const { taken } = loaded(undefined, { HTTPS_PROXY: 'http://b:2', NO_PROXY: list });
    expect(taken === undefined).toBe(isLeftOut);
  });

  it.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://[fd00::7]', 'fd00::/8', true],
    ['https://[fd00::7]', 'fd00::7', true],
    ['https://10.1.2.3', '10.0.0.0/99', false],
  ])('is left out for %s by NO_PROXY=%s: %s', (address, list, isLeftOut) => {
    const { taken } = loaded(undefined, { HTTPS_PROXY: 'http://b:2', NO_PROXY: list }, address);
    expect(taken === undefined).toBe(isLeftOut);
  });

  it.each(['socks5://b:1080', 'http://', 'http://b:99999'])('is told about where it is %s', (address) => {
    expect(loaded(undefined, { HTTPS_PROXY: address }).complaints).toEqual([
      'The variable HTTPS_PROXY is no address of an HTTP proxy. Give http://host:port, or set proxy to none.',
    ]);
    expect(loaded(address, {}).complaints).toEqual([
      'This is no address of an HTTP proxy. Give http://host:port, or set proxy to none.',
    ]);
  });

  it('keeps its password, in both forms, from being shown', () => {
    const secrets = proxySecrets({ https: 'http://kari:p%40ss@b:2', http: 'nonsense', except: [] });
    expect(secrets).toEqual(['p@ss', Buffer.from('kari:p@ss').toString('base64')]);
  });
});
