import type { SecretKind } from './secret-forms.ts';

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
  const plain = [
    // Of `Bearer abc` an error names the token alone (RFC 7235, section 2.1).
    ...(/^[A-Za-z-]+ +(\S{8,})$/.exec(value)?.slice(1) ?? []),
    // As a number it has no zero in front.
    ...(kind === 'national-id' && value.startsWith('0') ? [value.replace(/^0+/, '')] : []),
  ];
  return [
    ...plain.map((text) => ({ text, isEncoded: false })),
    ...base64Forms(value).map((text) => ({ text, isEncoded: true })),
  ].filter(({ text }) => text.length >= shortest);
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

/** Eight digits or more with anything between them that is neither digit nor letter: dots, line breaks, what nobody sees. */
const spreadDigits = /\d(?:[^\p{L}\p{N}]{0,3}\d){7,}/gu;

/** Numbers that are looked for, their digits close together or spread. There may be thousands. */
export class KnownNumbers {
  readonly all = new Set<string>();
  readonly #lengths = new Set<number>();

  add(number: string): void {
    this.all.add(number);
    this.#lengths.add(number.length);
  }

  placesIn(text: string): readonly NumberPlace[] {
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
}

interface NumberPlace {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const isDigit = (letter: string): boolean => /\d/.test(letter);
