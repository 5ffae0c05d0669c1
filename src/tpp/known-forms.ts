import { isUuid } from '../spec/formats.ts';
import { replacedIn } from './decoded-text.ts';
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
    // A riddle that anybody solves.
    ...[close, ...tokens].map((text) => [...text].toReversed().join('')),
    ...(isUuid(value) ? [mixedOrder(value), mixedOrder(value).replaceAll('-', '')] : []),
    // As a number it has no zero in front.
    ...(kind === 'national-id' && close.startsWith('0') ? [close.replace(/^0+/, '')] : []),
  ];
  const encoded = [
    ...[...new Set([value, close]), ...tokens].flatMap((text) => encodedForms(Buffer.from(text))),
    ...(isUuid(value) ? [value, mixedOrder(value)].flatMap(shortUuids) : []),
  ];
  const numbers = /^\d{8,}$/.test(close) ? numberForms(BigInt(close)) : [];
  return [
    ...[...tokens, ...plain].map((text) => ({ text, isEncoded: false })),
    ...encoded.map((text) => ({ text, isEncoded: true })),
  ]
    .filter(({ text }) => text.length >= shortest)
    .concat(numbers.map((text) => ({ text, isEncoded: true })));
}

/** As .NET and Windows keep its bytes: those of the first three groups the other way round. */
const mixedOrder = (uuid: string): string =>
  uuid
    .toLowerCase()
    .split('-')
    .map((group, index) => (index < 3 ? (group.match(/../g) ?? []).toReversed().join('') : group))
    .join('-');

/** Its sixteen bytes, as some shorten it in addresses. */
function shortUuids(value: string): readonly string[] {
  const bytes = Buffer.from(value.replaceAll('-', ''), 'hex');
  const signs = [bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')];
  return [...signs, ...encodedForms(bytes)];
}

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const small = capitals.toLowerCase();

/**
 * Encodings that write a few bits with each sign, looked for in either case: Base64 in both alphabets, Base32 (RFC 4648,
 * sections 6 and 7) and that of Crockford.
 */
const signsOfBits: readonly string[] = [
  `${capitals}${small}${digits}+/`,
  `${capitals}${small}${digits}-_`,
  `${capitals}234567`,
  `${digits}${capitals.slice(0, 22)}`,
  `${digits}${capitals.replace(/[ILOU]/g, '')}`,
];

/** Encodings that take bytes for one large number: hexadecimal, Base32, Base36, Base58 in both orders, Base62. */
const signsOfNumbers: readonly string[] = [
  `${digits}${small.slice(0, 6)}`,
  `${digits}${small.slice(0, 22)}`,
  `${digits}${small}`,
  `${digits}${capitals}${small}`.replace(/[0IOl]/g, ''),
  `${digits}${small}${capitals}`.replace(/[0IOl]/g, ''),
  `${digits}${small}${capitals}`,
];

const encodedForms = (bytes: Buffer): readonly string[] => [
  ...new Set([
    ...signsOfBits.flatMap((signs) => bitForms(bytes, signs)),
    ...numberForms(BigInt(`0x${bytes.toString('hex')}`)),
  ]),
];

/** What is the same wherever the value stands in the text that was encoded: signs that hold bits of a neighbour are left out. */
function bitForms(bytes: Buffer, signs: string): readonly string[] {
  const width = Math.log2(signs.length);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const ofOneSign = new RegExp(`[01]{${width}}`, 'g');
  // A value begins at a whole byte: in Base64 at every second bit of a sign, in Base32 at any.
  const starts = width === 6 ? [0, 2, 4] : [0, 1, 2, 3, 4];
  return starts.map((start) =>
    (bits.slice(start).match(ofOneSign) ?? []).map((one) => signs.charAt(Number.parseInt(one, 2))).join(''),
  );
}

const numberForms = (number: bigint): readonly string[] =>
  signsOfNumbers.map((signs) => {
    const base = BigInt(signs.length);
    let written = '';
    for (let left = number; left > 0n; left /= base) written = signs.charAt(Number(left % base)) + written;
    return written;
  });

/** A UUID with anything but dashes between its groups: a space, an underscore, a dash of print. */
export const spreadUuid =
  /[0-9a-f]{8}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{4}[^0-9a-z]{1,3}[0-9a-f]{12}/gi;

/** Shorter ones could come together by chance. */
const shortestSpread = 12;

/**
 * What may stand between the characters of a text that was split: tags and comments, ends of lines as they are or as JSON
 * has them, names of signs, and whatever is neither letter nor digit.
 */
const between = /<[/!]?[a-z-][^<>]{0,80}>|\\{1,8}[nrtbf]|&[a-z]{2,8};|[^a-z0-9<\\&]+|[<\\&]/gi;

/** Texts of letters and digits that are looked for whatever stands between those. */
export class SpreadTexts {
  readonly #secrets = new KnownTexts<Pick<SecretPlace, 'kind' | 'value'>>();

  add(kind: SecretKind, value: string): void {
    const close = value.replace(/[^a-z0-9]+/gi, '').toLowerCase();
    // Digits alone are looked for as numbers.
    if (close.length >= shortestSpread && /[a-z]/.test(close)) this.#secrets.add(close, { kind, value });
  }

  placesIn(text: string): readonly SecretPlace[] {
    if (this.#secrets.size === 0 || text.length < shortestSpread) return [];
    let isThere = false;
    // Most texts have none of them: where the characters stand is asked only then.
    this.#secrets.findIn(text.replace(between, '').toLowerCase(), (known, _, at) => {
      isThere = true;
      return at + known.length;
    });
    if (!isThere) return [];
    const close = replacedIn({ text, placeOf: (index) => index }, between, () => '');
    const places: SecretPlace[] = [];
    this.#secrets.findIn(close.text.toLowerCase(), (known, secret, at) => {
      const end = at + known.length;
      places.push({ start: close.placeOf(at), end: close.placeOf(end - 1) + 1, ...secret });
      return end;
    });
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
 * and what pages, JSON and scripts write for it (a tag, the name of a sign, an escape, a plus between two texts).
 */
const spreadDigits =
  /\d(?:(?:[^\p{L}\p{N}]|<[/!]?[a-z-]{1,10}[^<>\p{N}]{0,80}>|&[a-z]{2,8};|\\{1,8}[nrt"']|["'] ?[+.] ?["']){0,3}\d){7,}/giu;

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
    // As a number it has no zero in front, and may have marks between its thousands.
    for (const digits of [number, number.replace(/^0+/, '')].filter(({ length }) => length >= shortest)) {
      this.all.add(digits);
      this.#lengths.add(digits.length);
    }
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
      if (![...this.#lengths].some((length) => this.#isIn(digits, length))) return [];
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
    return [...this.#lengths].some((length) => this.#isIn(digits, length));
  }

  #isIn(digits: string, length: number): boolean {
    for (let at = 0; at + length <= digits.length; at += 1)
      if (this.all.has(digits.slice(at, at + length))) return true;
    return false;
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
