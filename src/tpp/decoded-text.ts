import { percentDecoded } from '../spec/percent-encoding.ts';

/** A text as its reader means it, and where each of its characters stands in what was written. */
export interface DecodedText {
  readonly text: string;
  /** The place in the original at which the character begins; one more for the end. */
  placeOf(index: number): number;
}

/** `=30=31` of quoted-printable, which encoded words use as well (RFC 2047): alone, `=30` is a value behind its name. */
const quotedPrintable = `=[0-9a-f]{2}(?==[0-9a-f]{2})|(?<==[0-9a-f]{2})=[0-9a-f]{2}`;
/** What nobody sees, the wide forms of ASCII, and digits of other scripts, in circles or above the line. */
const unusual = String.raw`[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\uff01-\uff5e]|(?![0-9])[\p{Nd}\p{No}]`;
/** What XML leaves out where it joins two parts of a text. */
const seams = String.raw`<!\[CDATA\[|\]\]>|<!--[^<>]{0,80}-->`;
/** As JSON and scripts write them, however often what holds them was put into JSON once more; and in octal numbers. */
const escapes = String.raw`\\{1,8}(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[ux]\{[0-9a-f]{1,6}\}|[0-3][0-7]{2})`;
/** Browsers read references without their semicolon as well. */
const code = new RegExp(
  String.raw`%u[0-9a-f]{4}|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|%[0-9a-f]{2}|${escapes}|\\/|&#x[0-9a-f]{1,16};?|&#\d{1,16};?|&(?:amp|quot|apos|lt|gt);|${quotedPrintable}|${seams}|${unusual}`,
  'iu',
);
const all = new RegExp(code, 'giu');
/** One of these is in whatever the pattern finds. */
const signs = /[%\\&=<\]\u00ad-\uffff]/;
const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

/** What was encoded once more, and again, hides nothing either. */
const mostLayers = 5;

/** Decodes what addresses, JSON, scripts, HTML and mail encode. */
export function decodedText(text: string): DecodedText {
  let decoded: DecodedText = { text, placeOf: (index) => index };
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const next = decodedOnce(decoded);
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

const decodedOnce = (source: DecodedText): DecodedText =>
  signs.test(source.text) && code.test(source.text) ? replacedIn(source, all, characterOf) : source;

/** A text with something else in place of all that the pattern finds. */
export function replacedIn(
  source: DecodedText,
  pattern: RegExp,
  replacement: (written: string) => string,
): DecodedText {
  const parts: string[] = [];
  /** Where the new text is shorter than what was written, and by how much from there on. */
  const shifts: { readonly from: number; readonly by: number }[] = [];
  let length = 0;
  let read = 0;
  for (const { 0: written, index } of source.text.matchAll(pattern)) {
    const character = replacement(written);
    parts.push(source.text.slice(read, index), character);
    length += index - read + character.length;
    read = index + written.length;
    shifts.push({ from: length, by: read - length });
  }
  if (read === 0) return source;
  parts.push(source.text.slice(read));
  return { text: parts.join(''), placeOf: (index) => source.placeOf(index + shiftAt(shifts, index)) };
}

function characterOf(written: string): string {
  if (written === '\\/') return '/';
  if (/^%[c-f]/i.test(written) && written.length > 5) return percentDecoded(written) ?? written;
  if (/^[<\]]/.test(written)) return '';
  if (anyDigit.test(written)) return asciiDigits(written);
  if (written.length === 1) return written >= '\uff01' ? wideForm(written) : '';
  const [, named] = /^&([a-z]+);$/i.exec(written) ?? [];
  if (named !== undefined) return entities[named.toLowerCase()] ?? ' ';
  const [, decimal] = /^&#(\d+);?$/.exec(written) ?? [];
  const [, octal] = /^\\+([0-7]{3})$/.exec(written) ?? [];
  const number =
    octal !== undefined
      ? Number.parseInt(octal, 8)
      : decimal !== undefined
        ? Number(decimal)
        : Number.parseInt(written.replace(/^(?:%u|%|\\+[ux]\{?|&#x|=)|[;}]$/gi, ''), 16);
  return number <= 0x10ffff ? String.fromCodePoint(number) : '\ufffd';
}

/** The wide forms stand in the order of ASCII, from the exclamation mark to the tilde. */
const wideForm = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 0xfee0);

const anyDigit = /^(?:\p{Nd}|\p{No})$/u;
const decimal = /^\p{Nd}$/u;

/** The digits of a script stand in order and begin with its zero (Unicode, section 4.6); what is no digit stays. */
function asciiDigits(letter: string): string {
  const plain = letter.normalize('NFKC');
  if (/^[0-9]+$/.test(plain)) return plain;
  const point = letter.codePointAt(0) ?? 0;
  let zero = point;
  while (decimal.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return decimal.test(letter) ? String((point - zero) % 10) : letter;
}

/** The last shift that begins at or before the index, by halving. */
function shiftAt(shifts: readonly { readonly from: number; readonly by: number }[], index: number): number {
  let low = 0;
  let high = shifts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.from ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return shifts[low - 1]?.by ?? 0;
}
