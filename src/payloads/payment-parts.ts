import fc from 'fast-check';
import type { Readings } from '../spec/interpretations.ts';
import type { Json, JsonObject } from './json.ts';

/** The target's own accounts and the bank's date: what every payment is made of. */
export interface PaymentFacts {
  readonly debtor: { readonly bban: string; readonly iban?: string; readonly currency: string };
  readonly card?: { readonly identification: string; readonly currency: string };
  readonly creditor: {
    readonly bban: string;
    readonly currency: string;
    readonly name?: string;
    readonly agent?: string;
  };
  /** Payments to it need a KID. */
  readonly kidCreditor?: PaymentFacts['creditor'] & { readonly kidLength?: number };
  readonly creditorForeign?: ForeignCreditor;
  /** By product: all accounts that can be paid, where no other can. */
  readonly creditors?: {
    readonly domestic?: readonly PaymentFacts['creditor'][];
    readonly crossBorder?: readonly ForeignCreditor[];
  };
  /** The bank's time. */
  readonly now: Date;
  /** Whether texts hold letters of Norway; they do unless given. */
  readonly letters?: Readings['letters'];
  /** Accounts that are made up are held in kroner at a bank that deals in nothing else. */
  readonly currencies?: Readings['currencies'];
  /** Whether the bank takes transfers across the border of less than NOK 100 000. */
  readonly smallTransfers?: Readings['smallTransfers'];
}

/** The currency of an account that is made up: a usual one, or that of a bank which deals in no other. */
export const dealtIn = (usual: string, currencies: PaymentFacts['currencies']): string =>
  currencies === 'kroner' ? 'NOK' : usual;

/** An IBAN, or a BBAN with the agent that it needs. */
export interface ForeignCreditor {
  readonly iban?: string;
  readonly bban?: string;
  readonly agent?: string;
  readonly currency: string;
  readonly country: string;
}

/** An account abroad, with everything a transfer to it may need. */
export interface ForeignAccount {
  readonly iban: string;
  readonly agent: string;
  readonly country: string;
}

/** Where a creditor lives. Postal codes have the form of their country: a strict bank looks at it. */
export interface Place {
  readonly postalCode: string;
  readonly city: string;
}

const places: Readonly<Record<string, Place>> = {
  DE: { postalCode: '10115', city: 'Berlin' },
  GB: { postalCode: 'EC1A 1BB', city: 'London' },
  NL: { postalCode: '1012 AB', city: 'Amsterdam' },
  ES: { postalCode: '28013', city: 'Madrid' },
  US: { postalCode: '10001', city: 'New York' },
};

/** A place in that country, where one is known. */
export const placeIn = (country: string): Place | undefined => places[country];

/** Published example accounts: their check digits are right, national ones included, and the BIC is that of their bank. */
export const foreignAccounts: readonly ForeignAccount[] = [
  { iban: 'DE89370400440532013000', agent: 'COBADEFFXXX', country: 'DE' },
  { iban: 'GB29NWBK60161331926819', agent: 'NWBKGB2LXXX', country: 'GB' },
  { iban: 'NL91ABNA0417164300', agent: 'ABNANL2AXXX', country: 'NL' },
  { iban: 'ES9121000418450200051332', agent: 'CAIXESBBXXX', country: 'ES' },
];

/**
 * From the shortest IBAN abroad to the longest of a country that is not under sanctions: the examples of the IBAN
 * registry, or where these name no real bank, numbers of one that is. No BIC goes with them at first; none has to.
 */
export const ibansOfEveryLength: readonly string[] = [
  'BE68539007547034',
  'FR1420041010050500013M02606',
  'PL61109010140000071219812874',
  'QA58DOHB00001234567890ABCDEFG',
  'KW81CBKU0000000000001234560101',
  'MT22VALL22013000000040012345678',
  'LC28BOSL000000000000000123456789',
];

/** The BICs of those outside the European Economic Area, where a payment may not find its way without one. */
export const agentsByIban: ReadonlyMap<string, string> = new Map([
  ['QA58DOHB00001234567890ABCDEFG', 'DOHBQAQAXXX'],
  ['KW81CBKU0000000000001234560101', 'COMBKWKWXXX'],
  ['LC28BOSL000000000000000123456789', 'BOSLLCLCXXX'],
]);

/** An account where there are no IBANs. Some banks take every number of eleven digits for a Norwegian one. */
export const accountWithoutIban = { bban: '12345678903', agent: 'CHASUS33XXX', country: 'US' } as const;

/** The bank that a series of Norwegian account numbers belongs to, as far as an account may be made up here. */
export const agentsBySeries: ReadonlyMap<string, string> = new Map([
  ['8601', 'DABANO22XXX'],
  ['6005', 'NDEANOKKXXX'],
  ['3201', 'SPRONO22XXX'],
  ['4201', 'SPTRNO22XXX'],
]);

/** The BIC of the creditor's bank: the one that the target names, or that of the series. Never that of another bank. */
export const agentOf = ({ bban, agent }: PaymentFacts['creditor']): string | undefined =>
  agent ?? agentsBySeries.get(bban.slice(0, 4));

/** All optional fields, none of them, or any selection. */
export type Optional = 'all' | 'none' | 'any';

/** What can be asked of the bodies of every product. */
export interface PaymentOptions {
  readonly optional?: Optional;
  /** Optional fields that are there in any case: what a check is about, or what the payment cannot do without. */
  readonly with?: readonly string[];
  /**
   * Every listed country, purpose and reporting code, or one that every bank takes. Only the checks of the lists want the
   * whole domain: elsewhere a gap in a list would fail checks that are about something else.
   */
  readonly codes?: 'plain' | 'whole';
}

/** A field that is there, or not. */
export const maybe =
  (optional: Optional, needed: readonly string[] = []) =>
  <T>(name: string, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    optional === 'all' || needed.includes(name)
      ? arbitrary
      : optional === 'none'
        ? fc.constant(undefined)
        : fc.option(arbitrary, { nil: undefined });

/** Of any selection one in three has none at all: some banks look at a field only when another is there. */
export const selected = <T>(
  optional: Optional,
  make: (optional: Optional) => fc.Arbitrary<T>,
): fc.Arbitrary<T> =>
  optional === 'any'
    ? fc.oneof({ weight: 2, arbitrary: make('any') }, { weight: 1, arbitrary: make('none') })
    : make(optional);

/** A body without the fields that were not drawn. */
export function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

/**
 * Text as it stands in payments: letters of Norway, digits and the punctuation that every clearing system carries.
 * Nothing here is at the mercy of a downstream system; unprocessable characters are a check of their own.
 */
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const norwegian = [...'æøåÆØÅ'];
/** No quotation marks or apostrophes, which some systems cannot process (What the service does). */
const others = [...'0123456789-.,()/'];

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(...norwegian) },
  { weight: 2, arbitrary: fc.constantFrom(' ', ...others) },
);

/** What the international network carries (SWIFT character set x): no Norwegian letters. */
const international = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(' ', ...others) },
);

/** Shorter ones are no words that anybody writes, nor do they say what a payment is for, and some banks take none. */
const shortestText = 6;

const vowels = 'aeiouy';

/** As words look, in as many characters: some banks take nothing for a name or a purpose that nobody can pronounce. */
const readable = (text: string): string =>
  text
    .replace(/(?<=^.)[^\p{L}]|(?<=^(?:...)*.)\p{L}/gu, (letter) =>
      /[aeiouyæøå]/i.test(letter) ? letter : (vowels[(letter.codePointAt(0) ?? 0) % vowels.length] ?? 'o'),
    )
    .replace(/(?<=[^\p{L}\p{N}])[^\p{L}\p{N}]+/gu, (signs) => 'o'.repeat(signs.length));

/** Begins and ends with a letter: white space at the ends is trimmed by some banks and counted by others. */
const anyTexts = (maxLength: number, unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .string({ unit, minLength: Math.min(shortestText, maxLength), maxLength })
    .map((text) => readable(text.replace(/^[^\p{L}]/u, 'A').replace(/[^\p{L}]$/u, 'e')));

/**
 * Most are such as people write, since nothing may tell the suite from a TPP; one in four goes over the whole domain. Parts
 * are put together with a space.
 */
const mostlyFrom = (
  parts: readonly (readonly string[])[],
  maxLength: number,
  unit: fc.Arbitrary<string>,
): fc.Arbitrary<string> => {
  const written = fc
    .tuple(...parts.map((words) => fc.constantFrom(...words)))
    .map((words) => words.join(' '));
  const longest = parts.reduce((sum, words) => sum + 1 + Math.max(...words.map(({ length }) => length)), -1);
  return longest > maxLength
    ? anyTexts(maxLength, unit)
    : fc.oneof({ weight: 3, arbitrary: written }, { weight: 1, arbitrary: anyTexts(maxLength, unit) });
};

const halves = (text: string): readonly string[] => text.split(', ');

const givenNames = halves(
  'Ola, Kari, Anne-Lise, Bjørn, Solveig, Håkon, Øyvind, Åse, Ingrid, Lars Petter, Marit, Sigurd, Tove',
);
const familyNames = halves(
  'Moen, Hansen, Johansen, Ødegård, Haugen, Bakke-Lie, Strøm, Sæther, Grønli, Nygaard, Rørvik, Vang Eide',
);
const namesAbroad = halves(
  'Jan, Anna, Thomas, Maria Elena, James, Sofia, Pierre, Katarzyna, Lucia, Karl-Heinz, Emma, Giovanni, Marek',
);
const familiesAbroad = halves(
  'Rossi, Schneider, de Vries, Garcia Lopez, Smith, Kowalski, Dubois, Novak, Jansen, Keller GmbH, Walker Ltd',
);
const subjects = halves(
  'Faktura 20418, Leie og strøm, Betaling av kontingent, Ordre 7731/2, Lønn og feriepenger, Årsavgift, Håndverker',
);
const occasions = halves(
  'for januar, for første kvartal, avdeling Tromsø, kunde 90112-B, til Solbakken borettslag, uke 14 og den etter, for Øvre gate',
);
const subjectsAbroad = halves(
  'Invoice 20418, Payment of order 7731/2, Rent and deposit, Consulting services, Purchase of spare parts, Tuition fee',
);
const occasionsAbroad = halves(
  'for January, for the first quarter, project North Sea, customer 90112-B, with pumps and valves, delivered in May',
);

const streetNames = halves(
  'Storgata, Kirkegata, Øvre Slottsgate, Bjørkeveien, Skolebakken, Åsveien, Nygårdsgaten',
);
const streetsAbroad = halves(
  'Hauptstrasse, High Street, Calle de Alcala, Herengracht, Station Road, Lindenallee',
);

export const streets = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([streetNames], maxLength, character);

export const internationalStreets = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([streetsAbroad], maxLength, international);

/** Of the list, those that any bank will know; several, so that nothing stands and falls with one of them. */
export const plainPurposes = ['OTHR', 'SUPP', 'SALA'] as const;

export const texts = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([subjects, occasions], maxLength, character);

export const internationalTexts = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([subjectsAbroad, occasionsAbroad], maxLength, international);

/** Some banks take no digits or brackets in the name of a person or a company, where few have any. */
const inNames = (unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  unit.map((sign) => (/[\d,()/]/.test(sign) ? ' ' : sign));

export const names = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([givenNames, familyNames], maxLength, inNames(character));

export const internationalNames = (maxLength: number): fc.Arbitrary<string> =>
  mostlyFrom([namesAbroad, familiesAbroad], maxLength, inNames(international));

/**
 * Selections of optional fields in which every two fields are met together, alone and not at all. A bank that demands
 * one field where another is there, or refuses two of them together, is met by one of them for certain, and a random
 * selection meets it by chance.
 *
 * Kleitman and Spencer, "Families of k-independent sets" (1973): each field is in more than half of the rows behind the
 * first, which is empty, and no two fields are in the same ones. Then two of them share a row, and each has one to itself.
 */
export function selectionsOf<Name>(names: readonly Name[]): readonly (readonly Name[])[] {
  const rows = rowsFor(names.length);
  const places = subsetsOf(rows, Math.floor(rows / 2) + 1);
  const chosen = names.map((name, index) => ({ name, rows: places[index] ?? [] }));
  const selections = Array.from({ length: rows }, (_, row) =>
    chosen.filter(({ rows: own }) => own.includes(row)).map(({ name }) => name),
  );
  return [[], ...selections, [...names]];
}

/** So many rows behind the empty one that each field can have a set of them to itself. */
function rowsFor(count: number): number {
  let rows = 1;
  while (subsetsOf(rows, Math.floor(rows / 2) + 1).length < count) rows += 2;
  return rows;
}

/** The subsets of 0 … `of - 1` that have so many elements. */
function subsetsOf(of: number, size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  if (of < size) return [];
  const withLast = subsetsOf(of - 1, size - 1).map((subset) => [...subset, of - 1]);
  return [...subsetsOf(of - 1, size), ...withLast];
}
