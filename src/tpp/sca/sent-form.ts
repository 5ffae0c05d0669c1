import { randomUUID } from 'node:crypto';
import { writtenIn } from './page-letters.ts';

/** What a form sends, as a browser puts it into a request. */
export interface SentForm {
  readonly type: string;
  readonly body: Buffer;
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** As application/x-www-form-urlencoded, in the letters of the page (URL standard, form-urlencoded serializing). */
export const urlencoded = (pairs: Pairs, letters: string): string =>
  pairs.map((pair) => pair.map((text) => percentEncoded(writtenIn(letters, text))).join('=')).join('&');

const percentEncoded = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === ' ') return '+';
    return /[\w*.-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');

export function sentForm(pairs: Pairs, letters: string, isMultipart: boolean): SentForm {
  if (!isMultipart)
    return { type: 'application/x-www-form-urlencoded', body: Buffer.from(urlencoded(pairs, letters)) };
  const boundary = `----form-${randomUUID()}`;
  const parts = pairs.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="`),
    writtenIn(letters, quotable(name)),
    Buffer.from('"\r\n\r\n'),
    writtenIn(letters, value),
    Buffer.from('\r\n'),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** A name that would end its line or its quotes (HTML, multipart form data). */
const quotable = (name: string): string => name.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
