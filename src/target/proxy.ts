import { BlockList, isIP } from 'node:net';
import { percentDecoded } from '../spec/percent-encoding.ts';
import type { JsonSchema } from './json-schema.ts';
import type { LoadContext } from './key-path.ts';
import { isLoopback } from './pace.ts';

export const proxySchema: JsonSchema = {
  description:
    'HTTP proxy by which the bank is reached, in place of what the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY say, or none to go straight there; a user name and a password may stand before its host',
  type: 'string',
  pattern: '^(none|https?://[^/?#\\s]+/?)$',
  examples: ['http://proxy.example:3128'],
};

/** The way out of the network in which the suite runs. */
export interface TargetProxy {
  /** The proxy for addresses of either scheme. None without it. */
  readonly https?: string;
  readonly http?: string;
  /** Hosts that are reached without it, as NO_PROXY lists them. */
  readonly except: readonly string[];
}

const schemes = ['https', 'http'] as const;

/** What the target file says goes before the variables that other tools go by as well. */
export function loadProxy(
  context: Pick<LoadContext, 'environment' | 'complain'>,
  given: string | undefined,
  baseUrl?: string,
): TargetProxy {
  const { environment, complain } = context;
  const variable = (name: string): string | undefined =>
    environment[name.toLowerCase()] || environment[name] || undefined;
  const named = schemes.flatMap((scheme) => {
    const name = `${scheme.toUpperCase()}_PROXY`;
    const address = withScheme(variable(name));
    return address === undefined ? [] : [{ scheme, name, address }];
  });
  const except = (variable('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  const proxy =
    given === undefined
      ? { ...Object.fromEntries(named.map(({ scheme, address }) => [scheme, address])), except }
      : { ...(given === 'none' ? {} : { https: given, http: given }), except: [] };
  const taken = baseUrl !== undefined && URL.canParse(baseUrl) ? proxyTo(proxy, baseUrl) : undefined;
  if (taken !== undefined && !isProxyAddress(taken)) {
    const { name } = named.find(({ address }) => given === undefined && address === taken) ?? {};
    const what = name === undefined ? 'This' : `The variable ${name}`;
    complain(
      ['proxy'],
      `${what} is no address of an HTTP proxy. Give http://host:port, or set proxy to none.`,
    );
  }
  return proxy;
}

/** Other tools take `host:port` as well. */
const withScheme = (address: string | undefined): string | undefined =>
  address === undefined || address.includes('://') ? address : `http://${address}`;

const isProxyAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);

/** What a proxy wants to be told of its user: the password, and how it is sent with the name. */
export const proxySecrets = ({ https, http }: Partial<TargetProxy> = {}): readonly string[] =>
  [https, http].flatMap((address) => {
    const isAddress = address !== undefined && URL.canParse(address);
    const credentials = isAddress ? proxyCredentials(new URL(address)) : undefined;
    return credentials === undefined ? [] : [credentials.password, credentials.basic];
  });

/** The name and the password before the host of an address, as `Proxy-Authorization` carries them (RFC 7617). */
export function proxyCredentials({
  username,
  password,
}: URL): { readonly password: string; readonly basic: string } | undefined {
  if (username === '') return undefined;
  const [name, secret = ''] = [username, password].map((part) => percentDecoded(part) ?? part);
  return { password: secret, basic: Buffer.from(`${name}:${secret}`).toString('base64') };
}

/** The proxy by which an address is reached, if any. This machine needs none. */
export function proxyTo({ except, ...proxies }: TargetProxy, address: string): string | undefined {
  const url = new URL(address);
  if (isLoopback(address) || except.some((entry) => isMeantBy(entry, url))) return undefined;
  return url.protocol === 'https:' ? proxies.https : proxies.http;
}

/** `*`, a host with all below it, one with a port, an address, or a network such as 10.0.0.0/8. */
function isMeantBy(entry: string, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (entry === '*') return true;
  const network = /^(.+)\/(\d{1,3})$/.exec(entry);
  if (network !== null) return isWithin(host, network[1] ?? '', Number(network[2]));
  const [, name = '', atPort] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const actualPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  if (atPort !== undefined && atPort !== actualPort) return false;
  const wanted = name.replace(/^\*?\.|^\[|\]$/g, '').toLowerCase();
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
