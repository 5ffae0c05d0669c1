import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { facets } from '../spec/facets.ts';
import type { Body, Combination, Demand } from '../spec/field.ts';
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

let compiler: Ajv | undefined;

function judgeFor(body: Body): Judge {
  const known = judges.get(body);
  if (known !== undefined) return known;
  compiler ??= formats.default(new Ajv({ allErrors: true, verbose: true }));
  const { schema, demandAt } = bodySchema(body);
  const judge = { demandAt, validate: compiler.compile(schema) };
  judges.set(body, judge);
  return judge;
}

/**
 * Judges a body, of a bank or of a TPP, by the JSON schema of its table: everything that it does not keep to. The
 * reference bank judges what it is sent by the facets themselves and not by these schemas, so that an error in one of
 * the two shows as a difference. A `null` in place of an optional member comes out as the type of that member broken.
 */
export function brokenDemands(body: Body, sent: unknown): readonly BrokenDemand[] {
  const { validate, demandAt } = judgeFor(body);
  if (validate(sent)) return [];
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

/** What is wrong, as a sentence without its full stop: `creditorName is missing`. */
export const describeBroken = ({ demand, place }: BrokenDemand): string =>
  'facet' in demand ? `${place} ${facets[demand.facet].broken(demand.field)}` : demand.broken;
