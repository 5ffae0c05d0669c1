/**
 * The letters in which a page is written: those of its byte order mark, of Content-Type, or of the page itself (HTML,
 * determining the character encoding). A page that says nothing is UTF-8 where it can be.
 */
export function lettersOf(bytes: Buffer, contentType: string): string {
  const head = bytes.subarray(0, mostOfHead).toString('latin1');
  return (
    markedLetters(bytes) ??
    knownLetters(charsetIn(contentType)) ??
    // A page whose head could be read byte by byte is not in UTF-16, whatever it says.
    knownLetters(declaredIn(head))?.replace(/^utf-16.*/, utf8) ??
    (canBeUtf8(bytes) ? utf8 : 'windows-1252')
  );
}

const utf8 = 'utf-8';

/** So far browsers look for a declaration. */
const mostOfHead = 1024;

function markedLetters(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return utf8;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const charsetIn = (text: string): string | undefined => /charset ?= ?["']?([\w.:-]{1,40})/i.exec(text)?.[1];

function declaredIn(head: string): string | undefined {
  const shown = head.replace(/<!--.*?(?:-->|$)/gs, '');
  return [...shown.matchAll(/<meta\s[^>]{0,300}/gi)].map(([meta]) => charsetIn(meta)).find(Boolean);
}

/** The name that the letters have among browsers; nothing where none knows them. */
export function knownLetters(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function canBeUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder(utf8, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const readIn = (letters: string, bytes: Buffer): string => new TextDecoder(letters).decode(bytes);

/**
 * A text in these letters, as forms send it: what they lack is written as its number, and UTF-16 is none to send in
 * (HTML, form submission).
 */
export function writtenIn(letters: string, text: string): Buffer {
  if (letters === utf8 || letters.startsWith('utf-16')) return Buffer.from(text);
  const bytes = byteByLetter(letters);
  return Buffer.concat(
    Array.from(text, (letter) => {
      const byte = bytes.get(letter);
      return byte === undefined ? Buffer.from(`&#${letter.codePointAt(0)};`) : Buffer.from([byte]);
    }),
  );
}

const tables = new Map<string, ReadonlyMap<string, number>>();

/** The platform reads every encoding, and writes none but UTF-8. Those of Europe have one byte to a letter. */
function byteByLetter(letters: string): ReadonlyMap<string, number> {
  const known = tables.get(letters);
  if (known !== undefined) return known;
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [readIn(letters, Buffer.from([byte])), byte]),
  );
  table.delete('\ufffd');
  table.delete('');
  tables.set(letters, table);
  return table;
}
