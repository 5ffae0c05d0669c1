import { type Body, type Demand, demandsOf, type Facet, type Field, pathText } from '../spec/field.ts';
import { isObject, memberAt, textAt } from '../spec/json.ts';
import { limits } from '../spec/limits.ts';

/** Whether a transfer needs regulatory reporting. Only NOK can be judged: no rate is given for others. */
export function isReportableAmount(body: unknown): boolean {
  const [, whole, fraction = ''] =
    /^(\d{1,20})(?:\.(\d{1,5}))?$/.exec(textAt(body, 'instructedAmount', 'amount') ?? '') ?? [];
  if (whole === undefined || textAt(body, 'instructedAmount', 'currency') !== 'NOK') return false;
  const oere = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
  return oere >= BigInt(limits.regulatoryReportingFromOere);
}

/**
 * The first place where a body breaks a demand of its field table. Type and form of amounts are left out, because
 * they have a requirement of their own.
 */
export function faultInBody(body: Body, sent: unknown, facets: readonly Facet[]): string | undefined {
  for (const { path, field, facet } of demandsOn(body)) {
    if (!facets.includes(facet) || (field.format === 'amount' && facet !== 'required')) continue;
    const parent = facet === 'required' ? path.slice(0, -1) : path;
    const found = placesAt(sent, parent).some((value) =>
      facet === 'required'
        ? isObject(value) && memberAt(value, field.name) === undefined
        : value !== undefined && !keeps(value, field, facet),
    );
    if (found) return `${pathText(path)} ${demandText(field, facet)}`;
  }
  return undefined;
}

/** The tables never change, and are walked for every payment. */
const demands = new Map<Body, readonly Demand[]>();

function demandsOn(body: Body): readonly Demand[] {
  const known = demands.get(body) ?? demandsOf(body);
  demands.set(body, known);
  return known;
}

/** The values at a path; `*` stands for each element of an array. */
function placesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step !== '*') return placesAt(memberAt(value, step), rest);
  return Array.isArray(value) ? value.flatMap((element) => placesAt(element, rest)) : [];
}

/** A value of another type is the business of the type alone. */
function keeps(value: unknown, field: Field, facet: Exclude<Facet, 'required'>): boolean {
  if (facet === 'type') return isOfType(value, field.type);
  if (typeof value !== 'string') return true;
  switch (facet) {
    case 'nonEmpty':
      return value !== '';
    case 'maxLength':
      return [...value].length <= (field.maxLength ?? Number.POSITIVE_INFINITY);
    case 'values':
      return field.values?.includes(value) ?? true;
    case 'format':
      return field.format !== 'date' || isDate(value);
  }
}

function isOfType(value: unknown, type: Field['type']): boolean {
  if (type === 'object' || type === 'map') return isObject(value);
  return type === 'array' ? Array.isArray(value) : typeof value === type;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  );
}

function demandText(field: Field, facet: Facet): string {
  switch (facet) {
    case 'required':
      return 'is missing';
    case 'type':
      return `is not of type ${field.type}`;
    case 'nonEmpty':
      return 'is empty';
    case 'maxLength':
      return `has more than ${field.maxLength} characters`;
    case 'values':
      return 'is not one of the listed codes';
    case 'format':
      return 'is not a date such as 2026-03-01';
  }
}
