import type { FacetName, Field, FieldFormat, JsonSchema } from './field.ts';
import type { RemedyName } from './remedies.ts';
import { textOfLength } from './sample-text.ts';

/** One way to break a facet: a faulty value made of the right one; `undefined` takes the member away. */
export interface Violation {
  /** What is wrong then, as the end of a sentence about the field: `is missing`. */
  readonly label: string;
  readonly of: (right: unknown) => unknown;
  /** Its value has letters outside ASCII. */
  readonly isBeyondAscii?: true;
}

/** A violation that a deviation is named after: `PRS-01/missing`. */
export interface NamedViolation extends Violation {
  readonly way: string;
}

/** How long a text is. The specification counts characters; a bank that deviates may count something else. */
export type Measure = (text: string) => number;

/**
 * One property that a table demands of a field, with everything that is known about it: what it says, who keeps to it,
 * what breaks it, and how a JSON schema says it. Requirements, rules of the bank, faults, checks and deviations read it.
 */
export interface Facet {
  /** What is demanded, as the end of a sentence about the field: `is a string`. */
  readonly demand: (field: Field) => string;
  /** What becomes of a request that breaks it. */
  readonly refusal: string;
  /** The demand on a response, where it is worded differently. */
  readonly ofResponse?: (field: Field) => string;
  /** What is wrong with a field that breaks it: `is not a string`. */
  readonly broken: (field: Field) => string;
  /** Completes "Expected creditorName …". */
  readonly expected: (field: Field) => string;
  /** What a value that breaks it is, where the value itself would not tell. */
  readonly actual?: (value: unknown) => string;
  /**
   * Judges a value. Each facet judges only what the others leave: whether there is one is the business of `required`, and a
   * value of another type that of `type` alone.
   */
  readonly accepts: (field: Field, measure?: Measure) => (value: unknown) => boolean;
  readonly violations: {
    /** What a check sends: a sound bank refuses each of them. */
    readonly request: (field: Field) => readonly Violation[];
    /** What a bank that deviates answers: a check finds each of them. */
    readonly response: (field: Field) => readonly NamedViolation[];
  };
  /** Its keywords in the schema of the field; `required` stands in that of the object around it. */
  readonly schema: (field: Field) => JsonSchema;
  /** The reading that the demand rests on. */
  readonly interpretation?: (field: Field) => string | undefined;
  /** What typically goes wrong where a bank takes requests that break it, or answers so. */
  readonly remedies: (field: Field) => FacetRemedies;
}

type FacetRemedies = { readonly [direction in 'request' | 'response']: RemedyName };

/** Characters are Unicode characters, not the halves that JavaScript counts. */
export function unicodeLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const ofText =
  (accepts: (text: string) => boolean) =>
  (value: unknown): boolean =>
    typeof value !== 'string' || accepts(value);

const becomes = (label: string, value: unknown): Violation => ({ label, of: () => value });
const becomesAs = (way: string, label: string, value: unknown): NamedViolation => ({
  way,
  label,
  of: () => value,
});
const shown = (value: unknown): string => `is ${JSON.stringify(value)}`;

const required: Facet = {
  demand: () => 'is required',
  refusal: 'a request without it is refused',
  ofResponse: () => 'is always present',
  broken: () => 'is missing',
  expected: () => 'to be present',
  actual: () => 'nothing',
  accepts: () => (value) => value !== undefined,
  violations: {
    request: () => [becomes('is missing', undefined), becomes('is null', null)],
    response: () => [becomesAs('missing', 'is missing', undefined), becomesAs('null', 'is null', null)],
  },
  schema: () => ({}),
  remedies: () => ({ request: 'fieldNotMissed', response: 'memberLeftOut' }),
};

/** The types of the tables, as JSON schema and people call them. */
const types: Readonly<
  Record<
    Field['type'],
    {
      readonly noun: string;
      readonly schema: string;
      readonly request: readonly Violation[];
      readonly response: readonly NamedViolation[];
    }
  >
> = {
  string: {
    noun: 'a string',
    schema: 'string',
    // Types that no reader takes for the right one. A number in place of a string is not among them: common JSON
    // libraries convert it, and the specification does not forbid that; amounts, where it does, are judged on their own.
    // The last is the right value in the wrong wrapping, which a generous reader unwraps.
    request: [
      becomes(shown({ value: 'text' }), { value: 'text' }),
      { label: 'is a list of one', of: (right = 'text') => [right] },
    ],
    response: [becomesAs('number', 'is 4711', 4711)],
  },
  boolean: {
    noun: 'a boolean',
    schema: 'boolean',
    request: [becomes(shown({ value: true }), { value: true })],
    response: [becomesAs('text', 'is "false"', 'false')],
  },
  object: {
    noun: 'an object',
    schema: 'object',
    request: [becomes(shown('text'), 'text'), { label: 'is a list of one', of: (right = {}) => [right] }],
    response: [becomesAs('text', 'is "text"', 'text'), becomesAs('array', 'is []', [])],
  },
  array: {
    noun: 'an array',
    schema: 'array',
    request: [
      becomes(shown('text'), 'text'),
      {
        label: 'is an element without its list',
        of: (right) => (Array.isArray(right) ? (right[0] ?? 42) : 42),
      },
    ],
    response: [becomesAs('text', 'is "text"', 'text'), becomesAs('object', 'is {}', {})],
  },
  map: {
    noun: 'an object',
    schema: 'object',
    request: [becomes(shown('text'), 'text')],
    response: [becomesAs('array', 'is []', [])],
  },
};

function isOfType(value: unknown, type: Field['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object' || type === 'map')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const type: Facet = {
  demand: (field) => `is ${types[field.type].noun}`,
  refusal: 'another JSON type is refused',
  broken: (field) => `is not ${types[field.type].noun}`,
  expected: (field) => `to be ${types[field.type].noun}`,
  accepts: (field) => (value) => value === undefined || isOfType(value, field.type),
  violations: {
    request: (field) => types[field.type].request,
    response: (field) => types[field.type].response,
  },
  schema: (field) => ({ type: types[field.type].schema }),
  remedies: () => ({ request: 'typesConverted', response: 'internalModel' }),
};

const nonEmpty: Facet = {
  demand: () => 'is not empty',
  refusal: 'an empty one is refused',
  broken: () => 'is empty',
  expected: () => 'not to be empty',
  actual: () => 'an empty string',
  accepts: () => ofText((text) => text !== ''),
  violations: {
    request: () => [becomes('is empty', '')],
    response: () => [becomesAs('empty', 'is empty', '')],
  },
  schema: () => ({ minLength: 1 }),
  remedies: () => ({ request: 'emptyTaken', response: 'memberLeftOut' }),
};

/** Account numbers are made of digits, names of letters. */
function tooLong({ characters }: Field, length: number): readonly Violation[] {
  switch (characters) {
    case 'digits':
      return [becomes(`has ${length} digits`, '9'.repeat(length))];
    case 'iban':
      return [becomes(`has ${length} characters`, `NO93${'8'.repeat(length - 4)}`)];
    default:
      return [
        becomes(`has ${length} ASCII characters`, textOfLength(length, 'ascii')),
        {
          ...becomes(`has ${length} characters with Norwegian letters`, textOfLength(length, 'norwegian')),
          isBeyondAscii: true,
        },
      ];
  }
}

const maxLength: Facet = {
  demand: (field) => `holds up to ${field.maxLength} characters`,
  refusal: 'so many are accepted, more are refused',
  ofResponse: (field) => `holds at most ${field.maxLength} characters`,
  broken: (field) => `has more than ${field.maxLength} characters`,
  expected: (field) => `to have at most ${field.maxLength} characters`,
  actual: (value) => `${unicodeLength(String(value))} characters`,
  accepts: ({ maxLength: limit = Number.POSITIVE_INFINITY }, measure = unicodeLength) =>
    ofText((text) => measure(text) <= limit),
  violations: {
    request: (field) => tooLong(field, (field.maxLength ?? 0) + 1),
    response: ({ maxLength: limit = 0 }) => [
      becomesAs('one-longer', `has ${limit + 1} characters`, 'å'.repeat(limit + 1)),
    ],
  },
  schema: (field) => ({ maxLength: field.maxLength }),
  interpretation: () => 'lengthUnit',
  remedies: () => ({ request: 'lengthCounted', response: 'internalCode' }),
};

const listText = ({ values = [] }: Field): string =>
  values.length <= 24 ? values.join(', ') : `the ${values.length} listed codes`;

const values: Facet = {
  demand: (field) => `is one of ${listText(field)}`,
  refusal: 'each of them is accepted, any other refused',
  // Titles of checks hold it: a long list would hide what they are about.
  broken: (field) =>
    `is not one of ${(field.values ?? []).length <= 5 ? listText(field) : 'the listed values'}`,
  expected: (field) => `to be one of ${listText(field)}`,
  accepts: (field) => {
    const listed = new Set(field.values);
    return ofText((text) => listed.has(text));
  },
  violations: {
    // Where it may be left out, an empty one may pass for that.
    request: ({ unlisted = ['UNLISTED'], ids }) =>
      [...unlisted, ...(ids.required === undefined ? [] : [''])].map((value) =>
        becomes(value === '' ? 'is empty' : shown(value), value),
      ),
    response: () => [becomesAs('unlisted', 'is a value that is not listed', 'UNLISTED')],
  },
  schema: (field) => ({ enum: field.values }),
  remedies: () => ({ request: 'listOutdated', response: 'internalCode' }),
};

/**
 * A decimal number, as the checks expect it of banks and of TPPs. The reference bank reads amounts by a pattern of its
 * own, on purpose: an error in one of the two shows as a difference.
 */
export const amountPattern = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** ISO 8601: YYYY-MM-DD of a day that exists. */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** RFC 9562, of any version: eight, four, four, four and twelve hexadecimal digits. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

const nextFebruary = (date: string): number => Number(date.slice(0, 4)) + (date.slice(5) < '02-28' ? 0 : 1);

/** The 31st of the next month that has thirty days: a bank that counts on takes it for the first of another. */
function nearestUnrealDay(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  const short = [4, 6, 9, 11];
  const next = short.find((candidate) => candidate >= month);
  return `${next === undefined ? year + 1 : year}-${String(next ?? short[0]).padStart(2, '0')}-31`;
}

/** Each is near the date that is right: one that is far away may be refused for that reason. */
const notDates: readonly [label: string, write: (date: string) => string][] = [
  ['is the 30th of February', (date) => `${nextFebruary(date)}-02-30`],
  ['is the 31st of a month that has thirty days', nearestUnrealDay],
  ['is in a thirteenth month', (date) => `${date.slice(0, 4)}-13-01`],
  ['has its day first', (date) => date.split('-').reverse().join('.')],
  ['has slashes', (date) => date.replaceAll('-', '/')],
  ['has no hyphens', (date) => date.replaceAll('-', '')],
  ['has a time', (date) => `${date}T00:00:00+00:00`],
  ['has a year of two digits', (date) => date.slice(2)],
  ['has a day of three digits', (date) => date.replace(/-(\d\d)$/, '-0$1')],
  ['is a word', () => 'tomorrow'],
];

/** The forms that a text can have. */
const formats: Readonly<
  Record<
    FieldFormat,
    {
      readonly noun: string;
      readonly accepts: (text: string) => boolean;
      readonly schema: JsonSchema;
      readonly request: readonly Violation[];
      readonly response: readonly NamedViolation[];
      readonly interpretation?: string;
      readonly remedies: FacetRemedies;
    }
  >
> = {
  amount: {
    noun: 'a plain decimal number with the minor units of its currency',
    accepts: (text) => amountPattern.test(text),
    schema: { pattern: amountPattern.source },
    // The form of an amount that is sent depends on its currency: checks of their own send other forms.
    request: [],
    response: [
      becomesAs('comma', 'is written with a comma', '50,00'),
      becomesAs('exponent', 'is written with an exponent', '5.0e1'),
    ],
    interpretation: 'amountForm',
    remedies: { request: 'amountAsNumber', response: 'feesApart' },
  },
  date: {
    noun: 'an ISO 8601 date (YYYY-MM-DD)',
    accepts: isCalendarDate,
    schema: { format: 'date' },
    request: notDates.map(([label, write]) => ({ label, of: (right) => write(String(right)) })),
    response: [becomesAs('unreal-day', 'is the 30th of February', '2031-02-30')],
    remedies: { request: 'neverParsed', response: 'internalModel' },
  },
  uuid: {
    noun: 'a UUID',
    accepts: isUuid,
    schema: { format: 'uuid' },
    request: ['12345', 'not-a-uuid'].map((value) => becomes(shown(value), value)),
    response: [becomesAs('no-uuid', 'is "12345"', '12345')],
    remedies: { request: 'neverParsed', response: 'internalModel' },
  },
};

const formatOf = ({ format: name = 'date' }: Field) => formats[name];

const format: Facet = {
  demand: (field) => `is ${formatOf(field).noun}`,
  refusal: 'another form is refused',
  broken: (field) => `is not ${formatOf(field).noun}`,
  expected: (field) => `to be ${formatOf(field).noun}`,
  accepts: (field) => ofText(formatOf(field).accepts),
  violations: {
    request: (field) => formatOf(field).request,
    response: (field) => formatOf(field).response,
  },
  schema: (field) => formatOf(field).schema,
  interpretation: (field) => formatOf(field).interpretation,
  remedies: (field) => formatOf(field).remedies,
};

export const facets: Readonly<Record<FacetName, Facet>> = {
  required,
  type,
  nonEmpty,
  maxLength,
  values,
  format,
};
