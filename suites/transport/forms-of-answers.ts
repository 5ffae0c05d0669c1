import { isFixDate } from '../../src/spec/http-date.ts';
import { type Operation, operations } from '../../src/spec/operations.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { headerValue } from '../../src/tpp/exchange.ts';
import { letterIn1252 } from '../windows-1252.ts';

export const xml = 'application/xml';

/** Who asks for XML is judged by a check of their own. */
export const wantsXml = ({ exchange }: Answer): boolean =>
  headerValue(exchange.request.headers, 'accept') === xml;

export const latin1 = 'ISO-8859-1';

/** And so is who asks for another encoding. */
export const wantsLatin1 = ({ exchange }: Answer): boolean =>
  headerValue(exchange.request.headers, 'accept-charset') === latin1;

export const isCalledXml = ({ headers }: Answer): boolean =>
  /[/+]xml\b/i.test(headers.get('Content-Type') ?? '');

const utf8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** How an answer is encoded, or says that it is, where that is not UTF-8. */
export function otherEncodingOf({ headers, bytes }: Answer): string | undefined {
  const charset = /charset="?([^";]+)/i.exec(headers.get('Content-Type') ?? '')?.[1]?.trim();
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) return `charset ${charset}`;
  return isUtf8(bytes) ? undefined : 'bytes that are no UTF-8';
}

/** Which byte a letter was taken for by whoever reads one byte as one letter, in either encoding that does so. */
const byteOf: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => byte).flatMap((byte) => [
    [String.fromCharCode(byte), byte] as const,
    [letterIn1252(byte), byte] as const,
  ]),
);

/** Whether letters outside ASCII are the bytes of others in UTF-8: `Ã¸` for `ø`. */
function isEncodedTwice(letters: string): boolean {
  const bytes = [...letters].map((letter) => byteOf.get(letter));
  return bytes.every((byte) => byte !== undefined) && isUtf8(Buffer.from(bytes as number[]));
}

/** Who says that a request is written in another encoding may be told back how it reads in that. */
const wasSentInUtf8 = ({ exchange }: Answer): boolean =>
  !/charset="?(?!utf-?8)/i.test(headerValue(exchange.request.headers, 'content-type') ?? '');

/**
 * Whether an answer tells what is stored in the sandbox. Unless that is as initialisation leaves it, testers have written
 * it: whoever encoded it twice is told it so.
 */
export const tellsStoredData = ({ exchange: { operation } }: Answer): boolean =>
  storedFor.has(profiles[operation]?.profile);

const profiles: Readonly<Record<string, Pick<Operation, 'profile'> | undefined>> = operations;
const storedFor: ReadonlySet<string | undefined> = new Set([undefined, 'accounts', 'sandbox']);

/**
 * Two letters that are encoded twice, where every letter outside ASCII is. One alone may have been sent so by another TPP,
 * and next to one that is right all of them were.
 */
export function encodedTwiceIn(answers: readonly Answer[]): readonly string[] {
  const found = new Set<string>();
  for (const { bytes } of answers.filter(wasSentInUtf8))
    for (const [letters] of bytes.toString('utf8').matchAll(/[^\p{ASCII}]+/gu)) {
      if (!isEncodedTwice(letters)) return [];
      found.add(letters);
    }
  return found.size < 2 ? [] : [...found].slice(0, 2);
}

/** Of a day of the week that it was. */
export const isFullDate = (date: string): boolean =>
  isFixDate(date) && new Date(Date.parse(date)).toUTCString() === date;

/** Further headers whose dates are those of RFC 7231. */
export const otherDates = ['Expires', 'Last-Modified', 'Retry-After'] as const;

/**
 * A date in another form. A number of seconds is none, nor is a word for what has expired (RFC 7234, 5.3). The day of the
 * week of a date that was copied from somewhere, as that of Expires often is, does no harm.
 */
export const isOtherDate = (value: string): boolean =>
  /\d{4}/.test(value) && !/^-?\d+$/.test(value.trim()) && !isFixDate(value.trim());
