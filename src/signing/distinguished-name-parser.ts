import { readDer, readText } from './der.ts';

/** A text that is not a distinguished name in RFC 2253 form. */
export class DistinguishedNameError extends Error {
  override readonly name = 'DistinguishedNameError';
  readonly text: string;

  constructor(text: string, problem: string) {
    super(`"${text}" is not a distinguished name: ${problem}`);
    this.text = text;
  }
}

export interface WrittenAttribute {
  readonly type: string;
  readonly value: string;
}

/**
 * The relative names as written, first one first. Takes what RFC 2253 section 4 asks of readers: quoted
 * values, semicolons as separators and spaces around separators, besides the grammar of section 3.
 */
export function parseRelativeNames(text: string): readonly (readonly WrittenAttribute[])[] {
  if (text.trim() === '') return [];
  const rdns: WrittenAttribute[][] = [];
  let rdn: WrittenAttribute[] = [];
  for (let position = 0; ; ) {
    const type = readType(text, position);
    const value = readValue(text, type.end);
    rdn.push({ type: type.name, value: value.content });
    const separator = text[value.end];
    if (separator !== '+') {
      rdns.push(rdn);
      rdn = [];
    }
    if (separator === undefined) return rdns;
    position = value.end + 1;
  }
}

function readType(text: string, start: number): { name: string; end: number } {
  const match = / *([A-Za-z][A-Za-z0-9-]*|(?:OID\.)?\d+(?:\.\d+)*) *= */iy;
  match.lastIndex = start;
  const name = match.exec(text)?.[1];
  if (name === undefined) {
    throw new DistinguishedNameError(
      text,
      `an attribute type and "=" are missing at character ${start + 1}.`,
    );
  }
  return { name, end: match.lastIndex };
}

function readValue(text: string, start: number): { content: string; end: number } {
  if (text[start] === '"') return readQuotedValue(text, start);
  if (text[start] === '#') return readHexValue(text, start);
  return readPlainValue(text, start);
}

function readPlainValue(text: string, start: number): { content: string; end: number } {
  const match = /(?:[^,;+"\\]|\\(?:[0-9A-Fa-f]{2}|[^0-9A-Za-z]))*/uy;
  match.lastIndex = start;
  const written = match.exec(text)?.[0] ?? '';
  const end = start + written.length;
  requireSeparator(text, end);
  return { content: unescaped(text, withoutTrailingSpace(written)), end };
}

function readQuotedValue(text: string, start: number): { content: string; end: number } {
  const match = /"((?:[^"\\]|\\(?:[0-9A-Fa-f]{2}|[^0-9A-Za-z]))*)" */uy;
  match.lastIndex = start;
  const written = match.exec(text)?.[1];
  if (written === undefined) throw new DistinguishedNameError(text, 'a quoted value does not end.');
  const end = match.lastIndex;
  requireSeparator(text, end);
  return { content: unescaped(text, written), end };
}

// "#" and the BER of the value in hexadecimal: what Java prints for types that RFC 2253 gives no key to.
function readHexValue(text: string, start: number): { content: string; end: number } {
  const match = /#((?:[0-9A-Fa-f]{2})+) */y;
  match.lastIndex = start;
  const hex = match.exec(text)?.[1];
  if (hex === undefined)
    throw new DistinguishedNameError(text, 'a value starts with "#", but is not hexadecimal.');
  const end = match.lastIndex;
  requireSeparator(text, end);
  try {
    return { content: readText(readDer(Buffer.from(hex, 'hex'))), end };
  } catch {
    throw new DistinguishedNameError(text, `#${hex} is not the encoding of a string.`);
  }
}

function requireSeparator(text: string, position: number): void {
  const next = text[position];
  if (next === undefined || next === ',' || next === ';' || next === '+') return;
  throw new DistinguishedNameError(
    text,
    `the character ${next} at position ${position + 1} needs a backslash before it, or one too many stands there.`,
  );
}

// A trailing space counts only when it is escaped (RFC 2253 section 2.4).
function withoutTrailingSpace(written: string): string {
  const trimmed = written.replace(/ +$/, '');
  const backslashes = /\\*$/.exec(trimmed)?.[0].length ?? 0;
  return backslashes % 2 === 1 ? written.slice(0, trimmed.length + 1) : trimmed;
}

function unescaped(text: string, written: string): string {
  const pieces = Array.from(
    written.matchAll(/\\([0-9A-Fa-f]{2})|\\(.)|([^\\]+)/gsu),
    ([, hex, escaped, plain]) =>
      hex === undefined ? Buffer.from(escaped ?? plain ?? '', 'utf8') : Buffer.from(hex, 'hex'),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new DistinguishedNameError(text, 'its hexadecimal pairs are not UTF-8.');
  }
}
