import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { interpretationList } from '../spec/interpretations.ts';
import type { JsonSchema } from './json-schema.ts';
import { targetSchema } from './target-file.ts';

const published = new URL('../../schemas/target.schema.json', import.meta.url);

describe('the schema of the target file', () => {
  it('is published as it is used (to write it anew: UPDATE_SCHEMAS=1 npx vitest run src/target/target-file.test.ts && npm run format)', () => {
    if (process.env.UPDATE_SCHEMAS) writeFileSync(published, `${JSON.stringify(targetSchema, null, 2)}\n`);
    expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(JSON.parse(JSON.stringify(targetSchema)));
  });

  it('knows every interpretation with exactly its values and its default', () => {
    const known = Object.entries(targetSchema.properties?.interpretations?.properties ?? {}).map(
      ([id, schema]) => ({ id, values: schema.enum, default: schema.default }),
    );
    expect(known).toEqual(
      interpretationList.map(({ id, values, default: byDefault }) => ({
        id,
        values: Object.keys(values),
        default: byDefault,
      })),
    );
  });

  it('describes every key, so that editors can', () => {
    expect(withoutDescription(targetSchema, '')).toEqual([]);
  });

  it('gives only examples and defaults that it takes itself', () => {
    const ajv = new Ajv({ allowUnionTypes: true });
    formats.default(ajv);
    const refused = everySchema(targetSchema, '').flatMap(({ path, schema }) =>
      [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])]
        .filter((example) => !ajv.validate(schema, example))
        .map((example) => `${path}: ${JSON.stringify(example)}`),
    );
    expect(refused).toEqual([]);
  });
});

interface Placed {
  readonly path: string;
  readonly schema: JsonSchema;
}

function everySchema(schema: JsonSchema, path: string): readonly Placed[] {
  const children = Object.entries(schema.properties ?? {}).map(
    ([key, child]) => [`${path}/${key}`, child] as const,
  );
  const items = schema.items === undefined ? [] : ([[`${path}/*`, schema.items]] as const);
  return [{ path, schema }, ...[...children, ...items].flatMap(([at, child]) => everySchema(child, at))];
}

function withoutDescription(schema: JsonSchema, path: string): readonly string[] {
  return everySchema(schema, path)
    .filter((placed) => placed.schema.description === undefined)
    .map((placed) => placed.path);
}
