import { type DecodedText, replacedIn } from './decoded-text.ts';
import type { SecretPlace } from './secret-forms.ts';

/** A stretch of a text that stands for bytes, and those as a text: a character for each. */
export interface EncodedRun extends DecodedText {
  /** Where what stands from one character to another was written. */
  spanOf(start: number, end: number): readonly [start: number, end: number];
}

/**
 * All that is Base64, or bytes in hexadecimal or decimal numbers, and says something. What a bank was sent it may write
 * back so, in whichever letters (UTF-16 has a zero next to each), in lines, and once more encoded.
 */
export const encodedRuns = (text: string): readonly EncodedRun[] =>
  text.length < shortest ? [] : [...base64Runs(text), ...numberRuns(text)].flatMap(({ run }) => run ?? []);

/** Certificates and keys (DER) that are written byte by byte. */
export const derPlaces = (text: string): readonly SecretPlace[] =>
  text.length < 2 * shortestDer
    ? []
    : numberRuns(text)
        .filter(({ bytes }) => isDer(bytes))
        .map(({ start, end }) => ({
          start,
          end,
          kind: 'certificate-or-key',
          value: text.slice(start, end).replace(/[^0-9a-z]+/gi, ''),
        }));

/** Shorter ones say nothing that is secret. */
const shortest = 16;
const shortestDer = 40;

/** A SEQUENCE of some length, or the version in front of a short private key (RFC 5958). */
const isDer = (bytes: Buffer): boolean =>
  bytes.length >= shortestDer &&
  bytes[0] === 0x30 &&
  (bytes[1] === 0x81 || bytes[1] === 0x82 || bytes.subarray(2, 5).equals(Buffer.from([2, 1, 0])));

interface FoundRun {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
  /** Undefined where the bytes are no text. */
  readonly run: EncodedRun | undefined;
}

const telling = /[\x20-\x7e]{8,}/;

/** Zeros are left out: that makes letters of one byte of those of two. */
function runOf(bytes: Buffer, spanOf: EncodedRun['spanOf']): EncodedRun | undefined {
  const source: DecodedText = { text: bytes.toString('latin1'), placeOf: (index) => index };
  const close = replacedIn(source, zeros, () => '');
  if (!telling.test(close.text)) return undefined;
  return { ...close, spanOf: (start, end) => spanOf(close.placeOf(start), close.placeOf(end - 1) + 1) };
}

const zeros = /\0+/g;

const base64Start = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** A further line of the same, as mail and PEM break it. */
const base64Line = /(?:\s|\\+[rn]){1,8}[A-Za-z0-9+/_-]{4,}={0,2}/y;
const lineEnds = /(?:\s|\\+[rn])+/g;

function base64Runs(text: string): readonly FoundRun[] {
  const found: FoundRun[] = [];
  base64Start.lastIndex = 0;
  for (let first = base64Start.exec(text); first !== null; first = base64Start.exec(text)) {
    let end = base64Start.lastIndex;
    while (text.charAt(end - 1) !== '=') {
      base64Line.lastIndex = end;
      if (!base64Line.test(text)) break;
      end = base64Line.lastIndex;
    }
    base64Start.lastIndex = end;
    found.push(...decodedLines(text, first.index, end));
  }
  return found;
}

/** Words that are no part of it may stand before it without a break, so that it begins at any of four places. */
function decodedLines(text: string, start: number, end: number): readonly FoundRun[] {
  const lines = { text: text.slice(start, end), placeOf: (index: number): number => start + index };
  const { text: all, placeOf } = replacedIn(lines, lineEnds, () => '');
  return [0, 1, 2, 3].map((offset) => {
    const bytes = Buffer.from(all.slice(offset), 'base64');
    const spanOf = (from: number, to: number): readonly [number, number] =>
      wordAround(
        text,
        placeOf(offset + Math.floor((from * 4) / 3)),
        placeOf(offset + Math.ceil((to * 4) / 3) - 1) + 1,
      );
    return { start, end, bytes, run: runOf(bytes, spanOf) };
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
const hexNumber = /(?:0x)?([0-9a-f]{2})/gi;
/** The same in decimal numbers, as programs write lists of them. */
const decimalNumbers = /(?<![\d.])\d{1,3}(?:[\s,;]{1,16}\d{1,3}){7,}(?![\d.])/g;
const decimalNumber = /(\d{1,3})/g;

function numberRuns(text: string): readonly FoundRun[] {
  return [
    ...[...text.matchAll(hexNumbers)].map((found) => bytesOf(found, hexNumber, 16)),
    ...[...text.matchAll(decimalNumbers)].map((found) => bytesOf(found, decimalNumber, 10)),
  ].flatMap((run) => run ?? []);
}

function bytesOf({ 0: run, index }: RegExpExecArray, number: RegExp, base: 10 | 16): FoundRun | undefined {
  const numbers = [...run.matchAll(number)].map(({ 0: written, 1: digits = '', index: at }) => ({
    value: Number.parseInt(digits, base),
    start: index + at,
    end: index + at + written.length,
  }));
  if (numbers.some(({ value }) => value > 0xff)) return undefined;
  const bytes = Buffer.from(numbers.map(({ value }) => value));
  const spanOf = (start: number, end: number): readonly [number, number] => [
    numbers[start]?.start ?? index,
    numbers[end - 1]?.end ?? index + run.length,
  ];
  const [start, end] = spanOf(0, numbers.length);
  return { start, end, bytes, run: runOf(bytes, spanOf) };
}
