import type { Exchange, HeaderLine } from './exchange.ts';

/** What must never reach a report or a log, in addition to what every exchange hides. */
export interface Secrets {
  readonly psu: { readonly nationalId?: string; readonly corporate?: { readonly nationalId?: string } };
  readonly customHeaders: Readonly<Record<string, string>>;
}

const hidden = '[redacted]';

/** Headers whose values identify a person, open a door, or carry a whole certificate. */
const secretHeaders = new Set([
  'x-psu-identity',
  'authorization',
  'cookie',
  'set-cookie',
  'proxy-authorization',
]);
const certificateHeader = 'tpp-signature-certificate';

/** The exchange as it may be shown: without certificates, national identity numbers, cookies and keys. */
export function redactExchange(exchange: Exchange, secrets: Secrets): Exchange {
  const custom = new Set(Object.keys(secrets.customHeaders).map((name) => name.toLowerCase()));
  const hide = (text: string): string => redactText(text, secrets);
  const headers = (lines: readonly HeaderLine[]): readonly HeaderLine[] =>
    lines.map(([name, value]): HeaderLine => {
      const lower = name.toLowerCase();
      if (lower === certificateHeader) return [name, `[certificate of ${value.length} characters, redacted]`];
      return [name, secretHeaders.has(lower) || custom.has(lower) ? hidden : hide(value)];
    });
  const { request, response, trouble } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      url: hide(request.url),
      headers: headers(request.headers),
      body: hide(request.body),
    },
    ...(trouble === undefined ? {} : { trouble: { ...trouble, message: hide(trouble.message) } }),
    ...(response === undefined
      ? {}
      : { response: { ...response, headers: headers(response.headers), body: hide(response.body) } }),
  };
}

/** Shorter values of custom headers occur in any text by chance. */
const tellingLength = 8;

/** Text as it may be shown: a bank may repeat in its answer what it was sent. */
export function redactText(text: string, { psu, customHeaders }: Secrets): string {
  const secrets = [
    psu.nationalId ?? '',
    psu.corporate?.nationalId ?? '',
    ...Object.values(customHeaders).filter((value) => value.length >= tellingLength),
  ].filter((secret) => secret !== '');
  return withoutPem(secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text));
}

const pemMarker = /-----(BEGIN|END) [A-Z0-9 ]{1,64}-----/g;

/**
 * Hides what stands between the first line of a PEM block and the next last line, or the end of a text that was cut.
 * One pass over the markers: a pattern for the whole block looks for its end from every beginning anew.
 */
function withoutPem(text: string): string {
  let shown = '';
  let shownUpTo = 0;
  let isInside = false;
  for (const { 0: marker, 1: kind, index } of text.matchAll(pemMarker)) {
    if (kind === 'BEGIN' && !isInside) {
      shown += text.slice(shownUpTo, index) + hidden;
      isInside = true;
    } else if (kind === 'END' && isInside) {
      shownUpTo = index + marker.length;
      isInside = false;
    }
  }
  return isInside ? shown : shown + text.slice(shownUpTo);
}
