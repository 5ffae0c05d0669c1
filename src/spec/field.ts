import type { FieldFormat } from './formats.ts';
import type { JsonSchema } from './json.ts';
import type { ProfileId } from './profiles.ts';
import type { Level } from './requirement.ts';

/**
 * A field of a body. Every demand on it carries the id of its requirement, so that bank, payload faults, checks, schemas
 * and documents all read the same row.
 */
export interface Field {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'object' | 'array' | 'map';
  /** Requirement ids by the demand that they state; a facet without an id is not demanded. */
  readonly ids: FacetIds;
  readonly maxLength?: number;
  /** What an account number is made of. Real ones are shorter than their field allows, so it is never filled. */
  readonly characters?: 'digits' | 'iban';
  readonly values?: readonly string[];
  /** Values that are likely to slip into a bank's list and are not in this one. */
  readonly unlisted?: readonly string[];
  /** The reading that leaves it open whether a bank takes every value. */
  readonly listReading?: string;
  readonly format?: FieldFormat;
  /** Members of an object. */
  readonly fields?: readonly Field[];
  /** Elements of an array, or the values of a map. */
  readonly items?: Field;
  /** Demands that are more, or less, binding than those of the body around it, and the reading of that. */
  readonly binding?: {
    readonly [facet in FacetName]?: { readonly level: Level; readonly interpretation: string };
  };
  /** The requirement that says of it in particular that it may be left out. */
  readonly optionalBy?: string;
  /** What the specification adds in prose. */
  readonly note?: string;
  /** Present where the row stands in a table that several bodies use. */
  readonly shared?: SharedRow;
}

/** How the requirements of a shared row speak of it, and where the specification shows it. */
export interface SharedRow {
  readonly table: 'link' | 'message' | 'remittance reference';
  readonly subject: string;
  readonly section: readonly string[];
  readonly profiles: readonly ProfileId[];
}

/** What can be demanded of a field; `facets.ts` says what each of them means. */
const facetNames = ['required', 'type', 'nonEmpty', 'maxLength', 'values', 'format'] as const;
export type FacetName = (typeof facetNames)[number];
export type FacetIds = { readonly [facet in FacetName]?: string };

/** A demand on members of one object together. */
export interface Combination {
  readonly id: string;
  /** The way to that object. */
  readonly path: readonly string[];
  /** What is wrong when it is broken, as a sentence. */
  readonly broken: string;
  readonly schema: JsonSchema;
}

/** A body, its place in the specification and its fields. */
export interface Body {
  readonly name: string;
  readonly section: readonly string[];
  readonly profiles: readonly ProfileId[];
  /** `framework` marks a shape that the specification does not show and the framework does. */
  readonly origin: 'specification' | 'framework';
  /** Whether a TPP sends it or a bank answers with it. */
  readonly direction: 'request' | 'response';
  /** How binding its demands are. */
  readonly level: Level;
  readonly fields: readonly Field[];
  readonly combinations?: readonly Combination[];
  /** A good one, as documents show it; that of a response has every field. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Members of which an object may have one and not the other, as schemas of a combination. */
export const notBoth = (first: string, second: string): JsonSchema => ({
  type: 'object',
  // What is no object at all lacks both.
  not: { type: 'object', required: [first, second] },
});

export const atLeastOne = (first: string, second: string): JsonSchema => ({
  type: 'object',
  anyOf: [{ required: [first] }, { required: [second] }],
});

export type Extras = Omit<Field, 'name' | 'type' | 'ids'>;

export const string = (name: string, ids: FacetIds, extras: Extras = {}): Field => ({
  name,
  type: 'string',
  ids,
  ...extras,
});

export const boolean = (name: string, ids: FacetIds, extras: Extras = {}): Field => ({
  name,
  type: 'boolean',
  ids,
  ...extras,
});

export const object = (
  name: string,
  ids: FacetIds,
  fields: readonly Field[],
  extras: Extras = {},
): Field => ({
  name,
  type: 'object',
  ids,
  fields,
  ...extras,
});

export const array = (name: string, ids: FacetIds, items: Field, extras: Extras = {}): Field => ({
  name,
  type: 'array',
  ids,
  items,
  ...extras,
});

export const map = (name: string, ids: FacetIds, items: Field, extras: Extras = {}): Field => ({
  name,
  type: 'map',
  ids,
  items,
  ...extras,
});

/** A field with the way to it: `['creditorAccount', 'currency']`, with `*` for each element of an array or map. */
export interface PlacedField {
  readonly path: readonly string[];
  readonly field: Field;
}

/** All fields of a body, outermost first. */
export function placedFields(
  fields: readonly Field[],
  above: readonly string[] = [],
): readonly PlacedField[] {
  return fields.flatMap((field) => {
    const path = [...above, field.name];
    return [{ path, field }, ...placedFields(membersOf(field), path)];
  });
}

function membersOf(field: Field): readonly Field[] {
  if (field.fields !== undefined) return field.fields;
  return field.items === undefined ? [] : [{ ...field.items, name: '*' }];
}

/** The id, facet and field of every demand of a body. */
export interface Demand extends PlacedField {
  readonly id: string;
  readonly facet: FacetName;
}

export const demandsOf = (body: Body): readonly Demand[] => placedFields(body.fields).flatMap(demandsOn);

export function demandsOn(placed: PlacedField): readonly Demand[] {
  return facetNames.flatMap((facet) => {
    const id = placed.field.ids[facet];
    return id === undefined ? [] : [{ ...placed, facet, id }];
  });
}

/** `remittanceInformationStructuredArray[].reference` */
export const pathText = (path: readonly string[]): string => path.join('.').replaceAll('.*', '[]');
