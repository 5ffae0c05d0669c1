import { isFixDate } from '../../src/spec/http-date.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { headerValue } from '../../src/tpp/exchange.ts';

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
