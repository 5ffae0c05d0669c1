import { type Body, type Demand, demandsOf, type Field, pathText } from '../../spec/field.ts';
import { isObject, member } from '../../spec/json.ts';
import type { BankDesign } from '../design/design.ts';
import type { Rule } from '../design/route.ts';
import { type Fault, ruleMaker } from '../design/rule.ts';

/** A rule for each demand of a body's field table. Amounts have rules of their own. */
export function fieldRules(body: Body, design: BankDesign): readonly Rule[] {
  const rule = ruleMaker(design.refusals);
  return demandsOf(body)
    .filter(({ facet, field }) => !(facet === 'format' && field.format === 'amount'))
    .map((demand) => {
      const { sentence, faultIn } = judgeOf(demand, design);
      return rule(
        demand.id,
        `${pathText(demand.path)} ${sentence}`,
        'field',
        ({ body: sent }) => faultIn(sent),
        demand.facet === 'type' && demand.field.format === 'amount' ? { also: ['AMT-04'] } : {},
      );
    });
}

interface Judge {
  readonly sentence: string;
  faultIn(body: unknown): Fault | undefined;
}

function judgeOf(demand: Demand, design: BankDesign): Judge {
  const { path, field, facet } = demand;
  if (facet === 'required') {
    const parent = path.slice(0, -1);
    const sentence = 'is required';
    return {
      sentence,
      faultIn: (body) =>
        findPlace(body, parent, (value, at) =>
          isObject(value) && member(value, field.name) === undefined
            ? fault(at === '' ? field.name : `${at}.${field.name}`, sentence)
            : undefined,
        ),
    };
  }
  const { sentence, accepts } = predicateOf(field, facet, design);
  return {
    sentence,
    faultIn: (body) =>
      findPlace(body, path, (value, at) =>
        value === undefined || accepts(value) ? undefined : fault(at, sentence),
      ),
  };
}

const fault = (path: string, sentence: string): Fault => ({ text: `${path} ${sentence}.`, path });

interface Predicate {
  readonly sentence: string;
  accepts(value: unknown): boolean;
}

/** Each facet judges only what the others leave: a value of another type is the business of `type` alone. */
function predicateOf(
  field: Field,
  facet: Exclude<Demand['facet'], 'required'>,
  design: BankDesign,
): Predicate {
  const ofText = (sentence: string, accepts: (text: string) => boolean): Predicate => ({
    sentence,
    accepts: (value) => typeof value !== 'string' || accepts(value),
  });
  switch (facet) {
    case 'type':
      return { sentence: `is of type ${field.type}`, accepts: (value) => isOfType(value, field.type) };
    case 'nonEmpty':
      return ofText('is not empty', (text) => text !== '');
    case 'maxLength': {
      const limit = field.maxLength ?? Number.POSITIVE_INFINITY;
      return ofText(`is at most ${limit} characters`, (text) => design.lengthOf(text) <= limit);
    }
    case 'values': {
      const values = new Set(field.values);
      return ofText(
        values.size > 24
          ? `is one of the ${values.size} listed codes`
          : `is one of ${[...values].join(', ')}`,
        (text) => values.has(text),
      );
    }
    case 'format':
      return field.format === 'date'
        ? ofText('is a date such as 2026-03-01', isCalendarDate)
        : ofText('is a UUID', (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text));
  }
}

function isOfType(value: unknown, type: Field['type']): boolean {
  switch (type) {
    case 'object':
    case 'map':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** ISO 8601: YYYY-MM-DD of a day that exists. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Characters are Unicode characters, not the halves that JavaScript counts. */
export function unicodeLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Walks a path, into each element at `*`, until `look` finds something. */
function findPlace<Found>(
  value: unknown,
  path: readonly string[],
  look: (value: unknown, at: string) => Found | undefined,
  at = '',
): Found | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return look(value, at);
  if (step !== '*') return findPlace(member(value, step), rest, look, at === '' ? step : `${at}.${step}`);
  if (!Array.isArray(value)) return undefined;
  for (const [index, element] of value.entries()) {
    const found = findPlace(element, rest, look, `${at}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
