import { isUuid } from '../spec/formats.ts';
import { KnownTexts } from './known-texts.ts';
import type { SecretKind, SecretPlace } from './secret-forms.ts';

/** Shorter values have forms that occur in any text by chance. */
const shortest = 8;

/** A way of writing a value; where it is encoded, more of the same may stand around it. */
export interface Form {
  readonly text: string;
  readonly isEncoded: boolean;
}

/** Other ways in which a bank may write down a secret that it was sent. */
export function otherForms(kind: SecretKind, value: string): readonly Form[] {
  if (value.length < shortest) return [];
  // Of `Bearer abc` an error names the token alone (RFC 7235, section 2.1).
  const tokens = /^[A-Za-z-]+ +(\S{8,})$/.exec(value)?.slice(1) ?? [];
  const close = kind === 'national-id' ? closeDigits(value) : value;
  const plain = [
    ...(close === value ? [] : [close]),
    // As a number it has no zero in front.
    ...(kind === 'national-id' && close.startsWith('0') ? [close.replace(/^0+/, '')] : []),
  ];
  const encoded = [
    ...[...new Set([value, close]), ...tokens].flatMap((text) => [
      ...base64Forms(text),
      Buffer.from(text).toString('hex'),
    ]),
    ...(isUuid(value) ? shortUuids(value) : []),
  ];
  return [
    ...[...tokens, ...plain].map((text) => ({ text, isEncoded: false })),
    ...encoded.map((text) => ({ text, isEncoded: true })),
  ].filter(({ text }) => text.length >= shortest);
}

/** Its sixteen bytes in Base64, in both alphabets, as some shorten it in addresses. */
function shortUuids(value: string): readonly string[] {
  const bytes = Buffer.from(value.replaceAll('-', ''), 'hex');
  return [bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')];
}

const ofBase64 = /[\w+/=-]/;

/** The whole of what is encoded around a place. */
export function encodedAround(text: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to];
  while (start > 0 && ofBase64.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && ofBase64.test(text.charAt(end))) end += 1;
  return [start, end];
}

/** What is the same in Base64 wherever the value stands in the text that was encoded: three places, two alphabets. */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // Characters that hold bits of a neighbour are left out.
    const form = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    const inAddresses = form.replaceAll('+', '-').replaceAll('/', '_');
    return form === inAddresses ? [form] : [form, inAddresses];
  });
}

/** A UUID with anything but dashes between its groups: a space, an underscore, a dash of print. */
export const spreadUuid =
  /[0-9a-f]{8}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{12}/gi;

/** Eight bytes or more in hexadecimal, as dumps write them: in pairs or fours, with signs, line ends or 0x between them. */
const spreadHex = /(?:(?:0x)?[0-9a-f]{2}[^0-9a-z]{0,3}){8,}/gi;
const hexByte = /(?:0x)?([0-9a-f]{2})/gi;

/** Bytes that are looked for in dumps of them. */
export class KnownBytes {
  readonly #secrets = new KnownTexts<Pick<SecretPlace, 'kind' | 'value'>>();

  /** A way of writing a secret, in small letters; only one in hexadecimal is looked for here. */
  add(form: string, kind: SecretKind, value: string): void {
    if (/^(?:[0-9a-f]{2})+$/.test(form)) this.#secrets.add(form, { kind, value });
  }

  placesIn(text: string): readonly SecretPlace[] {
    if (this.#secrets.size === 0) return [];
    const places: SecretPlace[] = [];
    for (const { 0: dump, index } of text.matchAll(spreadHex)) {
      const bytes = [...dump.matchAll(hexByte)].map(({ 0: all, 1: pair = '', index: at }) => ({
        pair: pair.toLowerCase(),
        start: index + at,
        end: index + at + all.length,
      }));
      const close = bytes.map(({ pair }) => pair).join('');
      this.#secrets.findIn(close, (hex, secret, at) => {
        const [from, to] = [bytes[at / 2], bytes[(at + hex.length) / 2 - 1]];
        // In the middle of a byte it is another one's.
        if (from === undefined || to === undefined) return at + 1;
        places.push({ start: from.start, end: to.end, ...secret });
        return at + hex.length;
      });
    }
    return places;
  }
}

/**
 * Six digits or five that are a value of their own, as forms and records have the date of birth and the rest of a
 * national identity number.
 */
const partOfANumber = /(?<=["'=:]\s{0,2})\d{5,6}(?=["'&,;}\s]|$)/g;
const birthDigits = 6;

/**
 * Eight digits or more with anything between them that is neither digit nor letter: dots, line breaks, what nobody sees,
 * and what pages and JSON write for it (a tag, the name of a sign, an escape).
 */
const spreadDigits =
  /\d(?:(?:[^\p{L}\p{N}]|<\/?[a-z]{1,10}[^<>\p{N}]{0,80}>|&[a-z]{2,8};|\\[nrt]){0,3}\d){7,}/giu;

/** A number without what stands between its digits, since some write it in groups; what is no number stays as it is. */
function closeDigits(value: string): string {
  const digits = value.replace(/[^\p{L}\p{N}]+/gu, '');
  return /^\d{8,}$/.test(digits) ? digits : value;
}

/** Numbers that are looked for, their digits close together or spread. There may be thousands. */
export class KnownNumbers {
  readonly all = new Set<string>();
  readonly #lengths = new Set<number>();
  readonly #restsByDate = new Map<string, readonly string[]>();

  add(written: string): void {
    const number = closeDigits(written);
    this.all.add(number);
    this.#lengths.add(number.length);
    const [date, rest] = [number.slice(0, birthDigits), number.slice(birthDigits)];
    if (/^\d{5}$/.test(rest)) this.#restsByDate.set(date, [...(this.#restsByDate.get(date) ?? []), rest]);
  }

  placesIn(text: string): readonly NumberPlace[] {
    return [...this.#wholeIn(text), ...this.#partsIn(text)];
  }

  #wholeIn(text: string): readonly NumberPlace[] {
    if (!this.#mayBeIn(text)) return [];
    return [...text.matchAll(spreadDigits)].flatMap(({ 0: found, index }) => {
      const digits = found.replace(/\D/g, '');
      const starts = [...found.matchAll(/\d/g)].map((digit) => index + digit.index);
      return [...this.#lengths].flatMap((length) =>
        starts.flatMap((start, at) => {
          const value = digits.slice(at, at + length);
          const end = (starts[at + length - 1] ?? 0) + 1;
          const isMeant =
            this.all.has(value) && !isDigit(text.charAt(start - 1)) && !isDigit(text.charAt(end));
          return isMeant ? [{ start, end, value }] : [];
        }),
      );
    });
  }

  /** Most texts have none of them, whatever stands between their digits: a quick look comes first. */
  #mayBeIn(text: string): boolean {
    const digits = text.replace(/\D+/g, '');
    return [...this.#lengths].some((length) => {
      for (let at = 0; at + length <= digits.length; at += 1)
        if (this.all.has(digits.slice(at, at + length))) return true;
      return false;
    });
  }

  /** Both parts of a number, in one text. */
  #partsIn(text: string): readonly NumberPlace[] {
    const parts = [...text.matchAll(partOfANumber)].map(({ 0: value, index }) => ({ value, index }));
    const values = new Set(parts.map(({ value }) => value));
    const wholes = new Map<string, string>();
    for (const date of values) {
      for (const rest of this.#restsByDate.get(date) ?? []) {
        if (values.has(rest)) for (const part of [date, rest]) wholes.set(part, date + rest);
      }
    }
    return parts.flatMap(({ value: part, index }) => {
      const value = wholes.get(part);
      return value === undefined ? [] : [{ start: index, end: index + part.length, value }];
    });
  }
}

interface NumberPlace {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const isDigit = (letter: string): boolean => /\d/.test(letter);
