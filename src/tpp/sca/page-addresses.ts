import { BlockList, isIPv6 } from 'node:net';
import { isLoopback } from '../../target/pace.ts';

/** Where pages may be fetched from: what the PSU's browser sends there is a national identity number. */
export interface PageAddresses {
  /** Of the interface, as the target file gives it. */
  readonly origin: string;
  /** Further hosts that the target file allows, with or without a port. */
  readonly hosts: readonly string[];
}

/** Addresses of the machine's own network, where clouds keep credentials (RFC 3927, RFC 4291 section 2.5.6). */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** Why a page is not fetched from there; nothing where it may be. */
export function whyNotFetched(url: URL, { origin, hosts }: PageAddresses): string | undefined {
  // The user has named this origin, and the interface itself is called there, with or without TLS.
  if (url.origin === origin) return undefined;
  if (!/^https?:$/.test(url.protocol))
    return `${url.protocol} is no address that a browser could fetch a page from`;
  if (isLinkLocal(url.hostname)) return 'link-local addresses are never fetched';
  if (url.username !== '' || url.password !== '') return 'it carries a user name or a password';
  if (url.protocol !== 'https:' && !isLoopback(url.origin)) return 'it is not https';
  const named = [...hosts, ...(url.protocol === 'https:' ? [new URL(origin).hostname] : [])];
  if (named.some((host) => [url.host, url.hostname].includes(host.toLowerCase()))) return undefined;
  return `the target file does not allow the host ${url.host} for SCA pages (add it to psu.scaHosts if it is the bank's)`;
}

function isLinkLocal(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return linkLocal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
