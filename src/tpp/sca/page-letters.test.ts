import { describe, expect, it } from 'vitest';
import { lettersOf, readIn, writtenIn } from './page-letters.ts';
import { sentForm, urlencoded } from './sent-form.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the letters of a page', () => {
  it.each([
    ['of Content-Type', 'text/html; Charset="ISO-8859-1"', latin('<p>Fødselsnummer'), 'windows-1252'],
    ['of the page itself', 'text/html', latin('<meta charset=iso-8859-15><p>ø'), 'iso-8859-15'],
    [
      'of an older declaration',
      'text/html',
      latin('<META http-equiv=content-type content="text/html; charset=latin1">ø'),
      'windows-1252',
    ],
    ['of no comment', 'text/html', Buffer.from('<!-- <meta charset=latin1> --><p>ø'), 'utf-8'],
    ['of its byte order mark', 'text/html; charset=utf-8', Buffer.from('\ufeff<p>ø', 'utf16le'), 'utf-16le'],
    ['that nobody knows', 'text/html; charset=none', Buffer.from('<p>ø'), 'utf-8'],
    ['that are not told, in UTF-8', '', Buffer.from('<p>ø'), 'utf-8'],
    ['that are not told, in another', '', latin('<p>ø'), 'windows-1252'],
  ])('are those %s', (_, type, bytes, letters) => {
    expect(lettersOf(bytes, type)).toBe(letters);
    expect(readIn(letters, bytes)).toContain('ø');
  });

  it('are those of a form as well, and what they lack is written as a number', () => {
    expect(writtenIn('windows-1252', 'Øre')).toEqual(Buffer.from([0xd8, 0x72, 0x65]));
    expect(writtenIn('iso-8859-15', '€ж').toString('latin1')).toBe('\u00a4&#1078;');
    expect(writtenIn('utf-16le', 'ø')).toEqual(Buffer.from('ø'));
  });
});

describe('a form that is sent', () => {
  const pairs = [
    ['navn', 'Åse & Co+1'],
    ['tom', ''],
  ] as const;

  it('is written as browsers do', () => {
    expect(urlencoded(pairs, 'utf-8')).toBe(
      new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString(),
    );
    expect(urlencoded(pairs, 'windows-1252')).toBe('navn=%C5se+%26+Co%2B1&tom=');
  });

  it('has a part for each field where the page wants parts', async () => {
    const { type, body } = sentForm([...pairs, ['a"b\n', 'x']], 'utf-8', true);
    expect(body.toString()).toContain('name="a%22b%0D%0A"');
    const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData();
    expect([...form].slice(0, 2)).toEqual(pairs);
  });
});
