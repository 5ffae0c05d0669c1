import { isNationalId } from '../spec/check-digits.ts';
import type { CustomerData } from './customer-data.ts';

/** What kind of secret something is. Pseudonyms are made of it: `national-id#1`. */
export type SecretKind =
  | 'national-id'
  | 'psu-id'
  | 'psu-corporate-id'
  | 'session'
  | 'parameter'
  | 'form-field'
  | 'custom-header'
  | 'authorisation'
  | 'cookie'
  | 'password'
  | 'signature'
  | 'certificate'
  | 'certificate-or-key'
  | 'key'
  | CustomerData;

/** A place in a text that must not be shown. */
export interface SecretPlace {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** The same wherever it is the same secret: without spaces and line breaks. */
  readonly value: string;
}

/**
 * All that is secret by its form, whoever wrote it and whether or not it was known before. Every pattern reads a text
 * once: what stands in it comes from strangers, who may want to keep us busy.
 */
export function secretsByForm(
  text: string,
  /** National identity numbers that are known, whatever their check digits. */
  knownIds: ReadonlySet<string> = new Set(),
): readonly SecretPlace[] {
  const has = (sign: string): boolean => text.includes(sign);
  // Most texts hold little of this, and every text that leaves the process passes here: a quick look comes first.
  return [
    ...(has('----') ? pemBlocks(text) : []),
    ...(text.length > shortestKey ? bareKeys(text) : []),
    ...(text.length > shortestKey ? signatures(text) : []),
    ...(text.length > shortestKey ? keyMembers(text) : []),
    ...(text.length > shortestToken && credentialSigns.test(text) ? credentials(text) : []),
    ...nationalIds(text, knownIds),
    ...nationalIdsInHalves(text, knownIds),
    ...(has('@') && has('//') ? userInfo(text) : []),
    ...((has('=') || has(':')) && anyName.test(text) ? namedValues(text) : []),
    ...(has(':') && /authorization|cookie/i.test(text) ? credentialLines(text) : []),
    ...(has('://') ? addresses(text) : []),
  ];
}

const shortestKey = 40;

/** RFC 7468, whatever the case, and with a plus for a space as forms have it; and the four dashes of RFC 4716. */
const pemMarker = /-{4,5} ?(BEGIN|END)[ +]([A-Z0-9 +]{1,64})-{4,5}/gi;

/**
 * What stands between the first line of a PEM block and the next last line, or the end of a text that was cut. One
 * pass over the markers: a pattern for the whole block looks for its end from every beginning anew.
 */
function pemBlocks(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  let begun: { start: number; kind: SecretKind } | undefined;
  const close = (end: number): void => {
    if (begun === undefined) return;
    places.push({ ...begun, end, value: text.slice(begun.start, end) });
    begun = undefined;
  };
  for (const { 0: marker, 1: side, 2: label = '', index } of text.matchAll(pemMarker)) {
    if (side?.toUpperCase() === 'END') close(index + marker.length);
    else begun ??= { start: index, kind: /key/i.test(label) ? 'key' : 'certificate' };
  }
  close(text.length);
  return places;
}

/**
 * Base64 of DER (a SEQUENCE of some length), of the usual keys on curves, and of PEM itself; and DER in hexadecimal.
 * Shorter ones are no certificates or keys.
 */
const bareStart =
  /(?:MI[A-P][A-Za-z0-9+/_-]{60,}|(?:MHcCAQEE|MC4CAQAwBQYDK2V|LS0tLS1CRUdJTi)[A-Za-z0-9+/_-]{40,}|308[12][0-9a-fA-F]{120,})={0,2}/g;
/** A further line of the same, of a text, of a page, or of a list of lines. */
const bareLine = /(?:\s|\\{1,8}[rn]|<br ?\/?>|["',+]){1,12}[A-Za-z0-9+/_-]{16,}={0,2}/y;

function bareKeys(text: string): readonly SecretPlace[] {
  const places: SecretPlace[] = [];
  bareStart.lastIndex = 0;
  for (let found = bareStart.exec(text); found !== null; found = bareStart.exec(text)) {
    let end = bareStart.lastIndex;
    while (text.charAt(end - 1) !== '=') {
      bareLine.lastIndex = end;
      const line = bareLine.exec(text);
      if (line === null) break;
      end = bareLine.lastIndex;
    }
    const value = text.slice(found.index, end).replace(/\s|\\{1,8}[rn]|<br ?\/?>|["',]/g, '');
    places.push({ start: found.index, end, kind: 'certificate-or-key', value });
    bareStart.lastIndex = end;
  }
  return places;
}

/** The value of the parameter `signature` (Cavage, section 2.1.3), in whichever notation it is repeated. */
const signature = /\bsignature\\?["']?\s{0,8}[=:]\s{0,8}\\?["']?([A-Za-z0-9+/_=-]{40,})/gi;

const signatures = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(signature)].map((found) => groupAtEnd(found, 'signature'));

/** Members that only a private or secret key has as a JWK (RFC 7518, section 6). */
const keyMember = /\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s{0,8}:\s{0,8}\\?"([A-Za-z0-9_-]{20,})/g;

const keyMembers = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(keyMember)].map((found) => groupAtEnd(found, 'key'));

const shortestToken = 12;
const credentialSigns = /eyJ|bearer|basic/i;

/** A JSON Web Token (RFC 7519), which says in Base64 who somebody is; and credentials behind their scheme (RFC 7235). */
const webToken = /(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{0,16384}(?:\.[\w-]{0,16384}){1,3}/g;
const schemeAndToken = /(?<![\w-])(?:bearer|basic)(?: |%20|\+){1,4}([\w.~+/-]{8,8192}={0,2})/gi;

const credentials = (text: string): readonly SecretPlace[] => [
  ...[...text.matchAll(webToken)].map(({ 0: value, index }) => ({
    start: index,
    end: index + value.length,
    kind: 'authorisation' as const,
    value,
  })),
  // "Basic authentication" is no credential: those have digits, or capitals in the middle.
  ...[...text.matchAll(schemeAndToken)]
    .map((found) => groupAtEnd(found, 'authorisation'))
    .filter(({ value }) => /.[A-Z0-9=]/.test(value)),
];

/** Digits with at most one mark between them, as numbers are written for people. */
const digitGroups = /\d+(?:(?:[ \u00a0\u2007-\u200a\u202f+\u2010-\u2015-]|&nbsp;)\d+)*/g;
const manyDigits = /(?:\d(?:[ \u00a0\u2007-\u200a\u202f+\u2010-\u2015-]|&nbsp;)?){11}/;
const longestGroup = 11;

function nationalIds(text: string, known: ReadonlySet<string>): readonly SecretPlace[] {
  if (!manyDigits.test(text)) return [];
  return [...text.matchAll(digitGroups)].flatMap(({ 0: group, index }) => {
    if (group.length < longestGroup) return [];
    const chunks = [...group.matchAll(/\d+/g)].map(({ 0: digits, index: at }) => ({
      digits,
      start: index + at,
    }));
    return chunks.flatMap((_, first): SecretPlace[] => {
      let digits = '';
      for (const chunk of chunks.slice(first, first + longestGroup)) {
        digits += chunk.digits;
        if (digits.length < longestGroup) continue;
        const start = chunks[first]?.start ?? 0;
        const end = chunk.start + chunk.digits.length;
        const isMeant = known.has(digits) || looksLikeNationalId(digits);
        return isMeant ? [{ start, end, kind: 'national-id', value: digits }] : [];
      }
      return [];
    });
  });
}

/** A date of birth as it begins a number, with the century, or as ISO 8601 has it. */
const birth = String.raw`\d{4}(?:19|20)?\d\d|\d\d([./-])\d\d\2(?:19|20)?\d\d|(?:19|20)\d\d-\d\d-\d\d`;

/** Date of birth and the rest, with a sign between them by which accounts and amounts are written in other places. */
const twoHalves = new RegExp(
  String.raw`(?<![\d.,/])(${birth})(?:[ \t./_:,;-] {0,2}|  |\\[nrt]|\r?\n)?(\d{5})(?![\d.,/]*\d)`,
  'g',
);

/** `150185`, however the day is written. */
function birthDigits(date: string): string {
  const [, year, month, day] = /^\d\d(\d\d)-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year !== undefined) return `${day}${month}${year}`;
  const digits = date.replace(/\D/g, '');
  return digits.slice(0, 4) + digits.slice(-2);
}

const nationalIdsInHalves = (text: string, known: ReadonlySet<string>): readonly SecretPlace[] =>
  [...text.matchAll(twoHalves)].flatMap(({ 0: found, 1: date = '', 3: rest, index }) => {
    const value = `${birthDigits(date)}${rest}`;
    return known.has(value) || looksLikeNationalId(value)
      ? [{ start: index, end: index + found.length, kind: 'national-id' as const, value }]
      : [];
  });

/** What mocked numbers add to the month. */
const monthOffsets = [0, 20, 40, 60, 65, 80];

/** Both check digits, and a date of birth; a D number adds 40 to the day. One account number in thirty looks so, too. */
function looksLikeNationalId(digits: string): boolean {
  if (!isNationalId(digits)) return false;
  const day = Number(digits.slice(0, 2)) % 40;
  const month = Number(digits.slice(2, 4));
  return day >= 1 && day <= 31 && monthOffsets.some((offset) => month > offset && month <= offset + 12);
}

/** `https://user:password@host` */
const userInfoPattern = /\/\/([^\s/?#@"'<>[\]]{1,256})(?=@)/g;

const userInfo = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(userInfoPattern)].map((found) => groupAtEnd(found, 'password'));

/** `client_`, `x-csrf-`, `access` */
const prefix = '(?:[a-z]{1,16}[_-]){0,3}[a-z]{0,16}';

/** Names whose values are secret wherever they stand, as members of JSON or as parameters of an address or a form. */
const secretNames: readonly (readonly [pattern: string, kind: SecretKind])[] = [
  ['(?:x-)?psu-?identity', 'national-id'],
  ['psu-?corporate-?id', 'psu-corporate-id'],
  ['psu-?id', 'psu-id'],
  ['(?:tpp-?)?session(?:-?id)?|j?sid|jsessionid', 'session'],
  [`${prefix}(?:password|passwd|passphrase|passord|pwd|secret)`, 'password'],
  ['pin|pin-?code|otp|one-?time-?(?:code|password)|engangskode', 'password'],
  [`${prefix}(?:token|api-?key|authorization)`, 'authorisation'],
];
const anyName = /psu|session|sid|pass|pwd|secret|pin|otp|one-?time|engangskode|token|api-?key|authorization/i;
const namePattern = secretNames.map(([pattern]) => `(${pattern})`).join('|');
const parameterValue = String.raw`=\\?["']?([^\s"'&<>#;\\]{1,2048})`;
const memberValue = String.raw`\\?["']\s{0,8}:\s{0,8}(?:\\?["']([^"'\\]{1,2048})|([0-9]{3,32}))`;
const named = new RegExp(String.raw`(?<![\w-])(?:${namePattern})(?:${parameterValue}|${memberValue})`, 'gi');

function namedValues(text: string): readonly SecretPlace[] {
  return [...text.matchAll(named), ...text.matchAll(namedLine)].flatMap((found) => {
    const [, kind] = secretNames[found.slice(1).findIndex((group) => group !== undefined)] ?? [];
    const place = groupAtEnd(found, kind ?? 'password');
    return /^(?:true|false|null|\[.*)$/.test(place.value) ? [] : [place];
  });
}

/** A line of its own, as servers dump headers and settings: one word with a digit in it, which prose has not. */
const namedLine = new RegExp(
  String.raw`^[ \t]*(?:${namePattern})[ \t]*:[ \t]*((?=\S*\d)[^\s"'[{][^\s"']{7,2047})(?=[ \t]*\r?$)`,
  'gim',
);

/** The same of what has several words: credentials and cookies. */
const credentialLine =
  /^[ \t]*(?:proxy-)?(?:authorization|(?:set-)?cookie)[ \t]*:[ \t]*([^\s[][^\r\n]{7,4095})/gim;

const credentialLines = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(credentialLine)].map((found) => groupAtEnd(found, 'authorisation'));

const addressPattern = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>\\]+/gi;

const addresses = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(addressPattern)].flatMap(({ 0: address, index }) =>
    secretParameters(address).map((place) => ({
      ...place,
      start: index + place.start,
      end: index + place.end,
    })),
  );

/** Parameters that the specification names and that identify nobody: of requests, and of the PSU's way back. */
const harmlessParameters = new Set([
  ...['withaccounts', 'withagreements', 'withbalance', 'allowlogicalduplicate'],
  ...['bookingstatus', 'datefrom', 'dateto'],
  ...['context', 'system', 'status', 'message'],
]);

/** What a failed SCA says is a word or a number. Elsewhere a `code` opens the door (RFC 6749, section 4.1.2). */
const isErrorCode = (value: string): boolean =>
  /^(?:[A-Za-z]+(?:[._-][A-Za-z]+)*|\d{1,5})$/.test(value) && value.length <= 40;

/** Parameters that count something, as long as they do: a bank may put a token there. */
const countingParameters = new Set(['limit', 'offset']);

const isHarmless = (name: string, value: string): boolean =>
  harmlessParameters.has(name) ||
  (name === 'code' && isErrorCode(value)) ||
  (countingParameters.has(name) && /^\d{1,6}$/.test(value));

/** These are secret by their names already, and have kinds of their own. */
const namedParameters = new RegExp(`^(?:${namePattern})$`, 'i');

/** What is known of names that were asked for: headers have the same ones thousands of times. */
const kindsByName = new Map<string, SecretKind | undefined>();
const mostNames = 1_000;

/** The kind of what a header, parameter or member of that name holds; undefined for a name that says nothing. */
export function secretByName(name: string): SecretKind | undefined {
  const telling = name.slice(0, 256);
  if (kindsByName.has(telling)) return kindsByName.get(telling);
  const found = namedParameters.exec(telling);
  const group = found?.slice(1).findIndex((one) => one !== undefined) ?? -1;
  const kind = secretNames[group]?.[1];
  if (kindsByName.size >= mostNames) kindsByName.clear();
  kindsByName.set(telling, kind);
  return kind;
}

/** Values of parameters in query and fragment, which may open a door: tokens, states, one-time links. */
export function secretParameters(address: string): readonly SecretPlace[] {
  const query = address.search(/[?#]/);
  if (query < 0) return [];
  return [...address.slice(query).matchAll(/[?#&;]([^=?#&;]{0,256})=([^?#&;]+)/g)].flatMap((found) => {
    const name = (found[1] ?? '').toLowerCase();
    const { start, end, value } = groupAtEnd(found, 'parameter');
    if (isHarmless(name, value) || namedParameters.test(name)) return [];
    if (/^(?:true|false|\[.*)$/.test(value)) return [];
    return [{ start: query + start, end: query + end, kind: 'parameter' as const, value }];
  });
}

/** The last group of a pattern that ends with it. */
function groupAtEnd(found: RegExpExecArray, kind: SecretKind): SecretPlace {
  const value = found.findLast((group) => group !== undefined) ?? '';
  const end = found.index + found[0].length;
  return { start: end - value.length, end, kind, value };
}

/** In the header itself, a signature is whatever is long, however the rest of it is written. */
export const longRuns = (text: string): readonly SecretPlace[] =>
  [...text.matchAll(/[A-Za-z0-9+/_-]{64,}={0,2}/g)].map(({ 0: value, index }) => ({
    start: index,
    end: index + value.length,
    kind: 'signature' as const,
    value,
  }));
