import type { PackedRuns } from './compressed-runs.ts';
import { type DecodedText, replacedIn } from './decoded-text.ts';
import type { SecretPlace } from './secret-forms.ts';

/** A stretch of a text that stands for bytes, and those as a text: a character for each. */
export interface EncodedRun extends DecodedText {
  /** Where what stands from one character to another was written. */
  spanOf(start: number, end: number): readonly [start: number, end: number];
}

/**
 * All that is Base64, or bytes in hexadecimal or decimal numbers, and says something. What a bank was sent it may write
 * back so, in whichever letters (UTF-16 has a zero next to each), in lines, packed, and once more encoded. Certificates and
 * keys (DER) that are written byte by byte are told at once.
 */
export function encodedIn(
  text: string,
  packed: PackedRuns,
): {
  readonly runs: readonly EncodedRun[];
  readonly ders: readonly SecretPlace[];
} {
  if (text.length < shortest) return { runs: [], ders: [] };
  const numbers = numberRuns(text);
  return {
    runs: [
      ...base64Runs(text, packed),
      ...numbers.flatMap(({ bytes, spanOf }) => runOf(bytes, spanOf, packed) ?? []),
    ],
    ders: numbers.filter(({ bytes }) => isDer(bytes)).map((run) => derPlace(text, run)),
  };
}

function derPlace(text: string, { bytes, spanOf }: NumberRun): SecretPlace {
  const [start, end] = spanOf(0, bytes.length);
  const value = text.slice(start, end).replace(/[^0-9a-z]+/gi, '');
  return { start, end, kind: 'certificate-or-key', value };
}

/** Shorter ones say nothing that is secret. */
const shortest = 16;
const shortestDer = 40;

/** A SEQUENCE of some length, or the version in front of a short private key (RFC 5958). */
const isDer = (bytes: Buffer): boolean =>
  bytes.length >= shortestDer &&
  bytes[0] === 0x30 &&
  (bytes[1] === 0x81 || bytes[1] === 0x82 || bytes.subarray(2, 5).equals(Buffer.from([2, 1, 0])));

const tellingBytes = 8;
const telling = /[\x20-\x7e]{8,}/;

/** Zeros are left out: that makes letters of one byte of those of two. */
function runOf(bytes: Buffer, spanOf: EncodedRun['spanOf'], packed: PackedRuns): EncodedRun | undefined {
  if (bytes.length < tellingBytes) return undefined;
  const unpacked = packed.unpacked(bytes);
  if (unpacked !== undefined) {
    // Where in it something was packed cannot be told: all of it goes.
    const whole = (): readonly [number, number] => spanOf(0, bytes.length);
    return { text: unpacked.toString('latin1'), placeOf: (index) => index, spanOf: whole };
  }
  const source: DecodedText = { text: bytes.toString('latin1'), placeOf: (index) => index };
  const close = replacedIn(source, zeros, () => '');
  if (!telling.test(close.text)) return undefined;
  return { ...close, spanOf: (start, end) => spanOf(close.placeOf(start), close.placeOf(end - 1) + 1) };
}

const zeros = /\0+/g;

const base64Start = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** A further line of the same, as mail and PEM break it. */
const base64Line = /(?:\s|\\{1,8}[rn]|<br ?\/?>){1,8}[A-Za-z0-9+/_-]{4,}={0,2}/y;
const lineEnds = /(?:\s|\\{1,8}[rn]|<br ?\/?>)+/g;

function base64Runs(text: string, packed: PackedRuns): readonly EncodedRun[] {
  const found: EncodedRun[] = [];
  base64Start.lastIndex = 0;
  for (let first = base64Start.exec(text); first !== null; first = base64Start.exec(text)) {
    let end = base64Start.lastIndex;
    while (text.charAt(end - 1) !== '=') {
      base64Line.lastIndex = end;
      if (!base64Line.test(text)) break;
      end = base64Line.lastIndex;
    }
    base64Start.lastIndex = end;
    found.push(...decodedLines(text, first.index, end, packed));
  }
  return [...found, ...base64InGroups(text, packed)];
}

/** Base64 in groups that are too short to be told from words, as some print it for people: all of one length but the last. */
function base64InGroups(text: string, packed: PackedRuns): readonly EncodedRun[] {
  return [...text.matchAll(groups)].flatMap(({ 0: found, index }) => {
    const words = [...found.replace(lineEnds, (written) => ' '.repeat(written.length)).matchAll(/\S+/g)];
    return stretchesOfOneLength(words.map(({ 0: { length } }) => length)).flatMap(([first, last]) => {
      const start = index + (words[first]?.index ?? 0);
      const end = index + (words[last]?.index ?? 0) + (words[last]?.[0].length ?? 0);
      const isLong = end - start >= shortest && unlikeWords.test(text.slice(start, end));
      return isLong ? decodedLines(text, start, end, packed) : [];
    });
  });
}

/** A capital that begins no word. */
const unlikeWords = /[A-Za-z0-9+/_-][A-Z]/;
const word = '[A-Za-z0-9+/_-]';
const gap = String.raw`(?:\s|\\{1,8}[rn]|<br ?/?>)`;
const groups = new RegExp(`(?<!${word})${word}{4,15}(?:${gap}{1,8}${word}{1,15}={0,2}(?!${word}))+`, 'g');

/** First and last of neighbours that are equally long; the last of them may be shorter. */
function stretchesOfOneLength(lengths: readonly number[]): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  let first = 0;
  for (let at = 1; at <= lengths.length; at += 1) {
    if (lengths[at] === lengths[first]) continue;
    const isEnd = (lengths[at] ?? Number.POSITIVE_INFINITY) < (lengths[first] ?? 0);
    stretches.push([first, isEnd ? at : at - 1]);
    first = at;
  }
  return stretches.filter(([from, to]) => to > from);
}

/** Words that are no part of it may stand before it without a break, so that it begins at any of four places. */
function decodedLines(text: string, start: number, end: number, packed: PackedRuns): readonly EncodedRun[] {
  const lines = { text: text.slice(start, end), placeOf: (index: number): number => start + index };
  const { text: all, placeOf } = replacedIn(lines, lineEnds, () => '');
  return [0, 1, 2, 3].flatMap((offset) => {
    const bytes = Buffer.from(all.slice(offset), 'base64');
    const spanOf = (from: number, to: number): readonly [number, number] =>
      wordAround(
        text,
        placeOf(offset + Math.floor((from * 4) / 3)),
        placeOf(offset + Math.ceil((to * 4) / 3) - 1) + 1,
      );
    return runOf(bytes, spanOf, packed) ?? [];
  });
}

const ofBase64 = /[\w+/=-]/;

/** The whole of what is encoded around a place. */
export function wordAround(text: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to];
  while (start > 0 && ofBase64.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && ofBase64.test(text.charAt(end))) end += 1;
  return [start, end];
}

/** Eight bytes or more in hexadecimal, as dumps write them: in pairs or fours, with signs, line ends or 0x between them. */
const hexNumbers = /(?:(?:0x)?[0-9a-f]{2}[^0-9a-z]{0,3}){8,}/gi;
const hexNumber = /(?:0x)?[0-9a-f]{2}/gi;
/** The same in decimal numbers, as programs write lists of them. */
const decimalNumbers = /(?<![\d.])\d{1,3}(?:[\s,;]{1,16}\d{1,3}){7,}(?![\d.])/g;
const decimalNumber = /\d{1,3}/g;

interface NumberRun {
  readonly bytes: Buffer;
  readonly spanOf: EncodedRun['spanOf'];
}

const numberRuns = (text: string): readonly NumberRun[] => [
  ...[...text.matchAll(hexNumbers)].map(hexRun),
  ...[...text.matchAll(decimalNumbers)].flatMap((found) => decimalRun(found) ?? []),
];

const hexRun = (found: RegExpExecArray): NumberRun => ({
  bytes: Buffer.from(found[0].replace(/0x|[^0-9a-f]+/gi, ''), 'hex'),
  spanOf: spansIn(found, hexNumber),
});

function decimalRun(found: RegExpExecArray): NumberRun | undefined {
  const numbers = (found[0].match(decimalNumber) ?? []).map(Number);
  return numbers.some((value) => value > 0xff)
    ? undefined
    : { bytes: Buffer.from(numbers), spanOf: spansIn(found, decimalNumber) };
}

/** Where each number stands is asked of few runs. */
function spansIn({ 0: run, index }: RegExpExecArray, number: RegExp): EncodedRun['spanOf'] {
  let places: readonly (readonly [number, number])[] | undefined;
  return (start, end) => {
    places ??= [...run.matchAll(number)].map((found) => [
      index + found.index,
      index + found.index + found[0].length,
    ]);
    return [places[start]?.[0] ?? index, places[end - 1]?.[1] ?? index + run.length];
  };
}
