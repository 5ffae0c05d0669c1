import { describe, expect, it } from 'vitest';
import { whyNotFetched } from './page-addresses.ts';

const bank = { origin: 'https://bank.example', hosts: ['login.example', 'id.example:8443'] };
const local = { origin: 'http://localhost:8080', hosts: ['localhost:9090'] };

describe('pages are fetched from', () => {
  it.each([
    ['https://bank.example/sca', bank],
    ['https://bank.example:8443/sca', bank],
    ['https://login.example/sca', bank],
    ['https://LOGIN.example:9000/sca', bank],
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
