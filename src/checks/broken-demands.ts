import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { facets } from '../spec/facets.ts';
import type { Body, Combination, Demand, Field } from '../spec/field.ts';
import { isObject, withoutNulls } from '../spec/json.ts';
import { type BodySchema, bodySchema } from '../spec/json-schema.ts';

/** A demand of a body's table that a body does not keep to. */
export interface BrokenDemand {
  readonly demand: Demand | Combination;
  /** `tppMessages[1].code` */
  readonly place: string;
  /** What stands there; undefined where something is missing. */
  readonly value: unknown;
}

interface Judge extends Pick<BodySchema, 'demandAt'> {
  readonly validate: ValidateFunction;
}

/** Compiled when the first body of its kind comes, and never again: a schema takes ten milliseconds. */
const judges = new WeakMap<Body, Judge>();

/** Loaded with the first body to judge, and at once: no run waits for it before its first request. */
const load = createRequire(import.meta.url);
let compiler: Ajv | undefined;

function newCompiler(): Ajv {
  const ajv = load('ajv') as typeof import('ajv');
  const formats = load('ajv-formats') as typeof import('ajv-formats');
  // Whether the schemas are schemas is a test's business, and shorter code is not worth the time that it takes to make.
  return formats.default(
    new ajv.Ajv({ allErrors: true, verbose: true, validateSchema: false, code: { optimize: false } }),
  );
}

function judgeFor(body: Body): Judge {
  const known = judges.get(body);
  if (known !== undefined) return known;
  compiler ??= newCompiler();
  const { schema, demandAt } = bodySchema(body);
  const judge = { demandAt, validate: compiler.compile(schema) };
  judges.set(body, judge);
  return judge;
}

/**
 * Judges a body, of a bank or of a TPP, by the JSON schema of its table: everything that it does not keep to. The
 * reference bank judges what it is sent by the facets themselves and not by these schemas, so that an error in one of
 * the two shows as a difference. A member that is null counts as left out; {@link nullMembers} tells of it.
 */
export function brokenDemands(body: Body, sent: unknown): readonly BrokenDemand[] {
  const { validate, demandAt } = judgeFor(body);
  if (validate(withoutNulls(sent))) return [];
  const broken = (validate.errors ?? []).flatMap((error): readonly BrokenDemand[] => {
    const missing = error.keyword === 'required' ? String(error.params['missingProperty']) : undefined;
    const demand = demandAt(error.schemaPath, missing);
    return demand === undefined ? [] : [{ demand, ...placeOf(error, missing) }];
  });
  return withoutEchoes(broken);
}

/**
 * A value of another type is the business of the type alone, although a list does not hold it either; and a combination is
 * broken once, whatever the number of its keywords.
 */
function withoutEchoes(broken: readonly BrokenDemand[]): readonly BrokenDemand[] {
  const ofAnotherType = new Set(broken.filter(isType).map(({ place }) => place));
  const combinations = new Set<Combination>();
  return broken.filter((one) => {
    if ('facet' in one.demand) return isType(one) || !ofAnotherType.has(one.place);
    return combinations.size < combinations.add(one.demand).size;
  });
}

const isType = ({ demand }: BrokenDemand): boolean => 'facet' in demand && demand.facet === 'type';

function placeOf(
  { instancePath, data }: ErrorObject,
  missing: string | undefined,
): Pick<BrokenDemand, 'place' | 'value'> {
  const steps = instancePath.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = [...names, ...(missing === undefined ? [] : [missing])].reduce((above, name) => {
    if (/^\d+$/.test(name)) return `${above}[${name}]`;
    return above === '' ? name : `${above}.${name}`;
  }, '');
  return { place, value: missing === undefined ? data : undefined };
}

/** The places of optional members that are null, and would better be left out. */
export const nullMembers = (body: Body, sent: unknown): readonly string[] => nullsIn(sent, body.fields, '');

function nullsIn(value: unknown, fields: readonly Field[], above: string): readonly string[] {
  if (!isObject(value)) return [];
  return fields.flatMap((field): readonly string[] => {
    const place = above === '' ? field.name : `${above}.${field.name}`;
    const found = value[field.name];
    if (found === null) return field.ids.required === undefined ? [place] : [];
    if (field.fields !== undefined) return nullsIn(found, field.fields, place);
    const inner = field.items?.fields;
    if (inner === undefined || typeof found !== 'object' || found === undefined) return [];
    const at = (name: string): string => (Array.isArray(found) ? `${place}[${name}]` : `${place}.${name}`);
    return Object.entries(found).flatMap(([name, element]) => nullsIn(element, inner, at(name)));
  });
}

/** What is wrong, as a sentence without its full stop: `creditorName is missing`. */
export const describeBroken = ({ demand, place }: BrokenDemand): string =>
  'facet' in demand ? `${place} ${facets[demand.facet].broken(demand.field)}` : demand.broken;
