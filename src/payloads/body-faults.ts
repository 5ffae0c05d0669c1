import { type Body, type Demand, demandsOf, pathText } from '../spec/field.ts';
import { bankingDaysAfter } from './banking-days.ts';
import { changeAt, type Json, type JsonObject, removeAt, setAt } from './json.ts';
import { textOfLength } from './texts.ts';
import { unlistedValues } from './unlisted-values.ts';

/** Exactly one violation in an otherwise valid body. */
export interface BodyFault {
  readonly requirement: string;
  readonly demand: Demand;
  /** What is wrong, as the end of a sentence: `creditorName is missing`. */
  readonly label: string;
  readonly apply: (body: JsonObject) => JsonObject;
}

/** All faults of a body, several for a demand that can be broken in several ways. */
export function bodyFaults(body: Body): readonly BodyFault[] {
  return demandsOf(body).flatMap((demand) =>
    violations(demand)
      .flatMap((violation) => inEveryPlace(demand, violation))
      .map(({ label, apply }) => ({
        requirement: demand.id,
        demand,
        label: `${pathText(demand.path)} ${label}`,
        apply,
      })),
  );
}

/** A fault in an array stands in its first element, and in a second one after a faultless first. */
function inEveryPlace({ path: [array, each] }: Demand, violation: Violation): readonly Violation[] {
  if (array === undefined || each !== '*') return [violation];
  const inTheSecond = (body: JsonObject): JsonObject => {
    const [faultless] = [body[array]].flat() as readonly Json[];
    const [faulty] = [violation.apply(body)[array]].flat() as readonly Json[];
    return { ...body, [array]: [faultless ?? null, faulty ?? null] };
  };
  return [violation, { label: `${violation.label} in the second element`, apply: inTheSecond }];
}

interface Violation {
  readonly label: string;
  readonly apply: (body: JsonObject) => JsonObject;
}

function violations({ facet, field, path }: Demand): readonly Violation[] {
  const becomes = (label: string, value: Json): Violation => ({
    label,
    apply: (body) => setAt(body, path, value),
  });
  switch (facet) {
    case 'required':
      return [{ label: 'is missing', apply: (body) => removeAt(body, path) }, becomes('is null', null)];
    case 'type':
      return [
        ...wrongTypes[field.type].map((value) => becomes(`is ${JSON.stringify(value)}`, value)),
        ...(wrapped[field.type] ?? []).map(([label, wrap]) => ({
          label,
          apply: (body: JsonObject) =>
            changeAt(body, path, (value) => wrap(value ?? rightValue(field, body, path))) as JsonObject,
        })),
      ];
    case 'nonEmpty':
      return [becomes('is empty', '')];
    case 'maxLength': {
      const length = (field.maxLength ?? 0) + 1;
      return tooLong(field.name, length).map(({ label, value }) => becomes(`has ${length} ${label}`, value));
    }
    case 'values':
      return unlistedValues(field).map((value) =>
        becomes(value === '' ? 'is empty' : `is ${JSON.stringify(value)}`, value),
      );
    case 'format':
      return field.format === 'date'
        ? notDates.map(([label, write]) => ({
            label,
            apply: (body) => setAt(body, path, write(nearDate(body, path))),
          }))
        : [];
  }
}

/**
 * Types that no reader takes for the right one. A number in place of a string is not among them: common JSON
 * libraries convert it, and the specification does not forbid that; amounts, where it does, are judged on their own.
 */
const wrongTypes: Readonly<Record<Demand['field']['type'], readonly Json[]>> = {
  string: [{ value: 'text' }],
  boolean: [{ value: true }],
  object: ['text'],
  array: ['text'],
  map: ['text'],
};

/** The right value in the wrong wrapping, which a generous reader unwraps. */
const wrapped: Readonly<
  Partial<
    Record<Demand['field']['type'], readonly [label: string, wrap: (value: Json | undefined) => Json][]>
  >
> = {
  string: [['is a list of one', (value = 'text') => [value]]],
  object: [['is a list of one', (value) => [value ?? {}]]],
  array: [['is an element without its list', (value) => (Array.isArray(value) ? (value[0] ?? 42) : 42)]],
};

/** For a field that the body lacks. */
const rightValue = ({ format, values }: Demand['field'], body: JsonObject, path: Demand['path']) =>
  format === 'date' ? nearDate(body, path) : values?.[0];

/** Account numbers are made of digits, names of letters. */
function tooLong(name: string, length: number): readonly { label: string; value: string }[] {
  if (name === 'bban') return [{ label: 'digits', value: '9'.repeat(length) }];
  if (name === 'iban') return [{ label: 'characters', value: `NO93${'8'.repeat(length - 4)}` }];
  return [
    { label: 'ASCII characters', value: textOfLength(length, 'ascii') },
    { label: 'characters with Norwegian letters', value: textOfLength(length, 'norwegian') },
  ];
}

/** The date that the body has, or one that is near: one that is far away may be refused for that reason. */
function nearDate(body: JsonObject, path: Demand['path']): string {
  const there = path.reduce<Json | undefined>(
    (value, name) => (value as JsonObject | undefined)?.[name],
    body,
  );
  if (typeof there === 'string') return there;
  const [coming = ''] = bankingDaysAfter(new Date(), 1);
  return coming;
}

const nextFebruary = (date: string): number => Number(date.slice(0, 4)) + (date.slice(5) < '02-28' ? 0 : 1);

/** The 31st of the next month that has thirty days: a bank that counts on takes it for the first of another. */
function nearestUnrealDay(date: string): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  const short = [4, 6, 9, 11];
  const next = short.find((candidate) => candidate >= month);
  return `${next === undefined ? year + 1 : year}-${String(next ?? short[0]).padStart(2, '0')}-31`;
}

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
