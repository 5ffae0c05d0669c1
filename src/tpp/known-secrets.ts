import { isUuid } from '../spec/formats.ts';
import { decodedText } from './decoded-text.ts';
import { wordAround } from './encoded-runs.ts';
import { type Form, KnownNumbers, otherForms, SpreadTexts, spreadUuid } from './known-forms.ts';
import { KnownTexts } from './known-texts.ts';
import type { SecretKind, SecretPlace } from './secret-forms.ts';

/** What a text that is looked for stands for. */
interface Literal {
  readonly kind: SecretKind;
  readonly value: string;
  readonly isEncoded: boolean;
}

/** Shorter values occur in any text by chance. */
export const tellingLength = 3;
/** Shorter values are only meant where they stand as words of their own. */
const clearLength = 8;
/** One-time codes are short, and only those that were filled in as such are learned. */
const codeLength = 4;
/** So many values that turned up during a run are looked for in later texts: a bank may invent new ones forever. */
const mostLearned = 2_000;
/** So many forms of all values together: one has some fifty. */
const mostForms = 8_000;

const word = /\w{4,}/g;
/** Where messages are cut to a length, secrets are as well. Of one without a digit the beginning may be any word. */
const mayBeCut = /(?<![\w-])(?=[\w-]*\d)[\w-]{8,128}/g;
/** So much of a secret is nearly all of it: the rest can be tried out, or calculated from check digits. */
const tellingShare = 0.7;
/** With so many characters changed, what is left of a secret is no longer nearly all of it. */
const mostChanged = 4;
/** A run has a few dozen people and sessions. */
const mostLooked = 500;
const asWritten = (found: string): string => found;

/** A value of a member, a parameter or an attribute, or what stands in an element. */
const ownValue = /["'=:>]\s{0,2}([^\s"'&<>=,;{}\\]{3,64})(?=\\?["'&,;}<\s]|$)/g;
const shortestPart = 3;
const mostParts = 4;

/** The values that make up a text, one behind the other; undefined where they do not. */
function partsOf(
  text: string,
  values: ReadonlySet<string>,
  most = mostParts - 1,
): readonly string[] | undefined {
  if (text === '') return [];
  if (most === 0) return undefined;
  for (let length = text.length; length >= shortestPart; length -= 1) {
    const part = text.slice(0, length);
    const rest = values.has(part) ? partsOf(text.slice(length), values, most - 1) : undefined;
    if (rest !== undefined) return [part, ...rest];
  }
  return undefined;
}

function differsLittle(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let changed = 0;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== other[at]) changed += 1;
    if (changed > Math.min(mostChanged, one.length * (1 - tellingShare))) return false;
  }
  return true;
}

/** Values that are known to be secret, and where they stand in a text, in whichever way they are written there. */
export class KnownSecrets {
  /** Looked for anywhere in a text, in whichever case: in small letters, with what they stand for. */
  readonly #literals = new KnownTexts<Literal>();
  readonly #spread = new SpreadTexts();
  /** Looked for by their beginnings. */
  readonly #whole = new KnownTexts<SecretKind>();
  /** Looked up for every word and every UUID of a text: there may be thousands. */
  readonly #uuids = new Map<string, SecretKind>();
  readonly #words = new Map<string, SecretKind>();
  readonly #nationalIds = new KnownNumbers();
  readonly #accounts = new KnownNumbers();
  /** In small letters, what is looked for in every way. */
  readonly #looked = new Set<string>();
  #learned = 0;

  /** National identity numbers, whatever their check digits. */
  get numbers(): ReadonlySet<string> {
    return this.#nationalIds.all;
  }

  /** Looks for a value from now on; false where it was known, or is too short to be looked for. */
  know(kind: SecretKind, meant: string): boolean {
    if (meant.length < tellingLength || this.#literals.has(smallLetters(meant))) return false;
    // A recording of a TPP may hold any number of people, and they are found by their digits as well.
    if (kind !== 'national-id' || this.#literals.size < mostLearned) this.#look(kind, meant);
    for (const form of otherForms(kind, meant)) {
      if (this.#literals.size >= mostForms) break;
      this.#look(kind, meant, form);
      if (!form.isEncoded) this.#spread.add(kind, form.text);
    }
    if (isUuid(meant)) this.#knowUuid(kind, meant);
    this.#knowWhole(kind, meant);
    if (kind === 'account') this.#accounts.add(meant);
    if (kind === 'national-id') this.#nationalIds.add(meant);
    else if (meant.length >= clearLength && this.#looked.size < mostLooked)
      this.#looked.add(meant.toLowerCase());
    this.#spread.add(kind, meant);
    return true;
  }

  /**
   * Looks for a value that turned up from now on; false where it is known already, or means nothing. Faults are sent on
   * purpose as well: what is no word of a bank or a person is not looked for elsewhere.
   */
  learn(kind: SecretKind, value: string): boolean {
    const meant = decodedText(value.trim()).text;
    const isTelling = meant.length >= (kind === 'password' ? codeLength : clearLength) && /\d/.test(meant);
    if (!isTelling || isPseudonym(meant)) return false;
    if (this.#literals.has(smallLetters(meant))) return false;
    const lower = meant.toLowerCase();
    // What a fault has made of a secret shows the secret, in whichever way a bank writes it.
    if (this.#nearlyKnown(lower)) return this.know(kind, meant);
    const values = isUuid(meant) ? this.#uuids : /^\w+$/.test(meant) ? this.#words : undefined;
    if (values === undefined && this.#learned >= mostLearned) return false;
    if (values?.get(lower) === kind) return false;
    this.#knowWhole(kind, meant);
    if (values === this.#uuids) this.#knowUuid(kind, meant);
    else values?.set(lower, kind);
    if (values !== undefined) return true;
    this.#learned += 1;
    this.#look(kind, meant);
    return true;
  }

  /** Whether all but a few characters are those of a value that is looked for in every way. */
  #nearlyKnown(lower: string): boolean {
    for (const known of this.#looked) if (differsLittle(lower, known)) return true;
    return false;
  }

  placesIn(text: string): readonly SecretPlace[] {
    const places: SecretPlace[] = [];
    this.#literals.findIn(smallLetters(text), (form, { kind, value, isEncoded }, at) => {
      const [start, end] = isEncoded ? wordAround(text, at, at + form.length) : [at, at + form.length];
      const isMeant =
        form.length >= clearLength ||
        (isEncoded
          ? end - start === form.length
          : text.slice(start, end) === value && standsAlone(text, start, end));
      if (isMeant) places.push({ start, end, kind, value });
      return end;
    });
    places.push(...this.#spread.placesIn(text));
    for (const place of this.#nationalIds.placesIn(text)) places.push({ ...place, kind: 'national-id' });
    for (const place of this.#accounts.placesIn(text)) places.push({ ...place, kind: 'account' });
    const look = (pattern: RegExp, words: ReadonlyMap<string, SecretKind>, meant: typeof asWritten): void => {
      if (words.size === 0) return;
      for (const { 0: found, index } of text.matchAll(pattern)) {
        const value = meant(found);
        const kind = words.get(value.toLowerCase());
        if (kind !== undefined) places.push({ start: index, end: index + found.length, kind, value });
      }
    };
    look(spreadUuid, this.#uuids, (found) => found.replace(/[^0-9a-z]+/gi, '-'));
    look(word, this.#words, asWritten);
    places.push(...this.#cutIn(text), ...this.#partsIn(text));
    return places;
  }

  /** All parts of a secret that stand in one text as values of their own, in whichever order. */
  #partsIn(text: string): readonly SecretPlace[] {
    if (this.#whole.size === 0) return [];
    const values = [...text.matchAll(ownValue)].map(({ 0: found, 1: value = '', index }) => ({
      value: value.toLowerCase(),
      index: index + found.length - value.length,
    }));
    if (values.length < 2) return [];
    const all = new Set(values.map(({ value }) => value));
    const wholes = new Map<string, { readonly known: string; readonly kind: SecretKind }>();
    for (const first of all) {
      for (const { known, meaning: kind } of this.#whole.allBeginningWith(first)) {
        const parts = partsOf(known.slice(first.length), all);
        if (parts !== undefined) for (const part of [first, ...parts]) wholes.set(part, { known, kind });
      }
    }
    return values.flatMap(({ value, index }) => {
      const whole = wholes.get(value);
      return whole === undefined
        ? []
        : [{ start: index, end: index + value.length, kind: whole.kind, value: whole.known }];
    });
  }

  #cutIn(text: string): readonly SecretPlace[] {
    if (this.#whole.size === 0) return [];
    return [...text.matchAll(mayBeCut)].flatMap(({ 0: found, index }) => {
      const start = found.toLowerCase();
      const { known = '', meaning: kind } = this.#whole.beginningWith(start) ?? {};
      const isCut = start.length >= known.length * tellingShare && !this.#whole.has(start);
      return kind === undefined || !isCut
        ? []
        : [{ start: index, end: index + found.length, kind, value: known }];
    });
  }

  #look(
    kind: SecretKind,
    value: string,
    { text, isEncoded }: Form = { text: value, isEncoded: false },
  ): void {
    const key = smallLetters(text);
    if (!this.#literals.has(key)) this.#literals.add(key, { kind, value, isEncoded });
  }

  #knowWhole(kind: SecretKind, value: string): void {
    if (this.#whole.size < mostLearned) this.#whole.add(value.toLowerCase(), kind);
  }

  /** Some write it without its dashes. */
  #knowUuid(kind: SecretKind, value: string): void {
    this.#uuids.set(value.toLowerCase(), kind);
    this.#words.set(value.toLowerCase().replaceAll('-', ''), kind);
  }
}

export const isPseudonym = (text: string): boolean =>
  text.length < longestPseudonym && /^\[[a-z-]+#\d+.{0,40}redacted\]$/.test(text);

/** Longer ones would take the pattern long, and are none of ours. */
const longestPseudonym = 120;

/** As long as the text itself, so that places are the same: some capitals become two small letters. */
function smallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]+/g, (found) => found.toLowerCase());
}

const standsAlone = (text: string, start: number, end: number): boolean =>
  !/\w/.test(text.charAt(start - 1)) && !/\w/.test(text.charAt(end));
