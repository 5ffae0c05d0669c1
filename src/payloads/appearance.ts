import { createHash } from 'node:crypto';
import { bbanCheckDigit } from '../spec/check-digits.ts';
import { furtherGermanAccount, numberFrom } from './amounts.ts';
import { agentsBySeries, type ForeignAccount, foreignAccounts } from './payment-parts.ts';

/**
 * What a TPP shows of itself where the interface leaves that to it. A bank that could tell the suite from its clients might
 * behave for the suite alone, so each run takes what real TPPs send, drawn with its seed from the tables below. What else
 * follows from User-Agent goes along with it: the order of headers, and what is passed on of a PSU.
 */
export interface Appearance {
  readonly userAgent: string;
  /** That of the PSU, in which the pages of SCA are opened. */
  readonly browser: string;
  /** A public one at which customers are: a bank may refuse all others. */
  readonly ipAddress: string;
  readonly redirectUri: string;
}

const userAgents = [
  'okhttp/4.12.0',
  'okhttp/5.1.0',
  'Apache-HttpClient/5.4.4 (Java/21.0.7)',
  'Apache-HttpClient/4.5.14 (Java/17.0.15)',
  'Java-http-client/21.0.7',
  'ReactorNetty/1.2.6',
  'axios/1.9.0',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'Go-http-client/1.1',
  'python-requests/2.32.3',
  'python-httpx/0.28.1',
  'RestSharp/112.1.0.0',
];

/** Each of more than a hundred characters, as those of most people. */
const browsers = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36',
];

/** First halves of addresses that Norwegian providers give their customers. */
const networks = [
  '84.208',
  '84.212',
  '88.88',
  '88.91',
  '92.220',
  '92.221',
  '81.166',
  '46.9',
  '77.16',
  '77.18',
];
const networksOfIpv6 = ['2a01:79c:cebd', '2a01:799:a35', '2001:4641:f1a2', '2a02:fe1:6170'];

/** Of nobody (RFC 2606), since nothing must ever be sent there: a TPP gives its own as psu.redirectUri. */
const hosts = ['budsjett', 'regnskap-pluss', 'kontohjelp', 'fakturabro', 'sparevenn', 'tpp'];
/** Pages at the top of a site; without a query, which a bank need not take. */
const pages = ['redirect', 'callback', 'return', 'bank-return', 'after-sca', 'psd2-callback', 'signin-bank'];

const brands = ['Nordic Budget', 'Spar-Trygt.no', 'Regnskap Pluss', 'Kontohjelp', 'Fakturabro AS'];
const languages = [
  'nb-NO,nb;q=0.9,en;q=0.8',
  'nn-NO,nn;q=0.9,nb;q=0.8',
  'en-GB,en;q=0.9',
  'nb',
  'sv-SE,sv;q=0.9',
];
const cities = ['59.911491;10.757933', '60.392050;5.322050', '63.430515;10.395053', '58.969975;5.733107'];

const rowOf = <Row>(rows: readonly Row[], text: string): Row => rows[numberFrom(text) % rows.length] as Row;

/** Two numbers from 1 to 254. */
const twoOf = (text: string): readonly [number, number] => {
  const number = numberFrom(text);
  return [1 + (number % 254), 1 + ((number >>> 8) % 254)];
};

/** The same with the same seed. */
export function appearanceOf(seed: number): Appearance {
  const userAgent = rowOf(userAgents, `${seed}/user agent`);
  const ipAddress = ipAddressOf(String(seed));
  return {
    userAgent,
    browser: psuHeaders(userAgent, ipAddress)['PSU-User-Agent'] ?? '',
    ipAddress,
    redirectUri: `https://${rowOf(hosts, `${seed}/host`)}.example/${rowOf(pages, `${seed}/page`)}`,
  };
}

const ipAddressOf = (text: string): string =>
  `${rowOf(networks, `${text}/network`)}.${twoOf(text).join('.')}`;

/** That of a TPP which is like the given one in nothing. */
export function anotherThan({
  userAgent = '',
  ipAddress = '',
  redirectUri = '',
}: Partial<Appearance>): Omit<Appearance, 'browser'> {
  const after = (rows: readonly string[], row: string): string =>
    rows[(rows.indexOf(row) + 1) % rows.length] ?? '';
  const { hostname, pathname } = new URL(redirectUri === '' ? 'https://tpp.example/' : redirectUri);
  return {
    userAgent: after(userAgents, userAgent),
    ipAddress: ipAddressOf(ipAddress),
    redirectUri: `https://${after(hosts, hostname.replace('.example', ''))}.example/${after(pages, pathname.slice(1))}`,
  };
}

/** What a TPP passes on of a PSU, always the same of the same one. */
export function psuHeaders(userAgent: string, ipAddress: string): Readonly<Record<string, string>> {
  const text = `${userAgent} ${ipAddress}`;
  const digits = createHash('sha256').update(text).digest('hex');
  return {
    'TPP-Brand-Logging-Information': rowOf(brands, `${text}/brand`),
    'PSU-IP-Port': String(49_152 + (numberFrom(text) % 16_384)),
    'PSU-User-Agent': rowOf(browsers, `${text}/browser`),
    'PSU-Accept-Language': rowOf(languages, `${text}/language`),
    'PSU-Geo-Location': `GEO:${rowOf(cities, `${text}/city`)}`,
    'PSU-Device-ID': digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5'),
  };
}

/** That of a PSU at home, by the address of IPv4. */
export const ipv6Of = (ipAddress: string): string =>
  `${rowOf(networksOfIpv6, ipAddress)}:${twoOf(ipAddress)
    .map((part) => part.toString(16))
    .join('::')}`;

/** By which a TPP knows what the PSU comes back from. */
export const stateOf = (text: string): string => numberFrom(`${text}/state`).toString(36);

const ofClient: ReadonlySet<string> = new Set(['user-agent', 'accept', 'accept-encoding', 'content-type']);

/**
 * Headers as a client writes them: by name, or as the program names them, with those of the client before or behind. Those of
 * one name stay as they are.
 */
export function inOrder<Line extends readonly [string, string]>(
  lines: readonly Line[],
  userAgent: string,
): readonly Line[] {
  const kind = userAgents.indexOf(userAgent) % 3;
  const placeOf = ([name]: Line): string => {
    const lower = name.toLowerCase();
    if (kind === 0) return lower;
    const isFirst = ofClient.has(lower) === (kind === 1);
    return `${isFirst ? 0 : 1} ${String(numberFrom(`${lower} ${userAgent}`)).padStart(10, '0')}`;
  };
  return lines
    .map((line) => ({ line, place: placeOf(line) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
    .map(({ line }) => line);
}

/** A Norwegian account to pay to, not at the bank of the one that pays: a bank knows its own. */
export function norwegianCreditor(seed: number, debtor: string): string {
  const series = [...agentsBySeries.keys()].filter((each) => !debtor.startsWith(each));
  const first = rowOf(series, `${seed}/creditor`);
  for (let number = numberFrom(`${seed}/account`); ; number += 1) {
    // No account that is made for a currency begins so.
    const digits = `${first}0${String(number % 100_000).padStart(5, '0')}`;
    const check = bbanCheckDigit(digits);
    if (check !== undefined) return digits + check;
  }
}

/** One to pay to abroad. */
export function foreignCreditorOf(seed: number): ForeignAccount {
  const example = rowOf(foreignAccounts, `${seed}/abroad`);
  if (example.country !== 'DE') return example;
  const { number: iban, agent } = furtherGermanAccount(500 + (numberFrom(`${seed}/germany`) % 500));
  return { iban, agent, country: 'DE' };
}
