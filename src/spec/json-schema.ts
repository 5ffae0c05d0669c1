import { facets } from './facets.ts';
import {
  type Body,
  type Combination,
  type Demand,
  demandsOn,
  type Field,
  type PlacedField,
} from './field.ts';
import type { JsonSchema } from './json.ts';

/** The schema of a body. Each of its keywords knows the demand, and so the requirement, that it stands for. */
export interface BodySchema {
  readonly schema: JsonSchema;
  /**
   * What a keyword demands, by its place in the schema as a validator reports it, and for `required` by the member that
   * is missing. Undefined where the specification demands nothing: a body of another type altogether.
   */
  readonly demandAt: (schemaPath: string, missing?: string) => Demand | Combination | undefined;
}

/** Derives the schema of a body from its table. */
export function bodySchema(body: Body): BodySchema {
  const combinations = body.combinations ?? [];
  const root = combinations.length === 0 ? '#' : '#/allOf/0';
  const byKeyword = new Map<string, Demand>();
  const fields = ofFields(body.fields, [], root, byKeyword);
  return {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: body.name,
      ...(combinations.length === 0 ? fields : { allOf: [fields, ...combinations.map(ofCombination)] }),
    },
    demandAt: (schemaPath, missing) => {
      const [, index, keyword] = /^#\/allOf\/(\d+)\/.*?([^/]+)$/.exec(schemaPath) ?? [];
      // That the object around a combination is one is the business of its own row.
      if (index !== undefined && index !== '0')
        return keyword === 'type' ? undefined : combinations[Number(index) - 1];
      return byKeyword.get(missing === undefined ? schemaPath : `${schemaPath}/${missing}`);
    },
  };
}

function ofFields(
  fields: readonly Field[],
  above: readonly string[],
  place: string,
  byKeyword: Map<string, Demand>,
): JsonSchema {
  return {
    type: 'object',
    required: fields.filter(({ ids }) => ids.required !== undefined).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map((field) => {
        const path = [...above, field.name];
        for (const demand of demandsOn({ path, field }))
          if (demand.facet === 'required') byKeyword.set(`${place}/required/${field.name}`, demand);
        return [field.name, ofField({ path, field }, `${place}/properties/${field.name}`, byKeyword)];
      }),
    ),
  };
}

function ofField(placed: PlacedField, place: string, byKeyword: Map<string, Demand>): JsonSchema {
  const { field, path } = placed;
  const keywords = demandsOn(placed).map((demand) => {
    const schema = facets[demand.facet].schema(field);
    for (const keyword of Object.keys(schema)) byKeyword.set(`${place}/${keyword}`, demand);
    return schema;
  });
  const each = field.type === 'map' ? 'additionalProperties' : 'items';
  return Object.assign(
    {},
    field.fields === undefined ? {} : ofFields(field.fields, path, place, byKeyword),
    field.items === undefined
      ? {}
      : { [each]: ofField({ path: [...path, '*'], field: field.items }, `${place}/${each}`, byKeyword) },
    ...keywords,
  );
}

const ofCombination = ({ path, schema }: Combination): JsonSchema =>
  path.reduceRight<JsonSchema>((inner, step) => ({ type: 'object', properties: { [step]: inner } }), schema);
