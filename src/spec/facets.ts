import { ibanCheckDigits } from './check-digits.ts';
import type { FacetName, Field } from './field.ts';
import {
  becomes,
  becomesAs,
  type FacetRemedies,
  formats,
  type NamedViolation,
  shown,
  textOfLength,
  type Violation,
} from './formats.ts';
import type { JsonSchema } from './json.ts';

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
    case 'iban': {
      // With the right check digits: its length is all that is wrong with it.
      const digits = '8'.repeat(length - 4);
      return [becomes(`has ${length} characters`, `NO${ibanCheckDigits('NO', digits)}${digits}`)];
    }
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
  interpretation: ({ listReading }) => listReading,
  remedies: () => ({ request: 'listOutdated', response: 'internalCode' }),
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
