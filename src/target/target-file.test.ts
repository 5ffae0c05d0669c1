import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { interpretationList } from '../spec/interpretations.ts';
import type { JsonSchema } from './json-schema.ts';
import { targetSchema } from './target-file.ts';
import { withReadings } from './write-readings.ts';

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

const file = `# The bank under test.
baseUrl: https://bank.example # up to, but without /v1
interpretations:
  # As agreed with the bank in May.
  basketLimit: "10"
psu: { id: 0d9c1f6e-6c7f-4a51-9c39-0f6a4f8f2b11, sessionId: 'a-session-whose-name-is-so-long-that-a-writer-might-fold-it-into-two' }
`;

describe('readings that are written into a target file', () => {
  it('leave comments, order and everything else as they are', () => {
    expect(withReadings(file, { amountFractionDigits: 'at-most' })).toBe(
      file.replace('basketLimit: "10"\n', 'basketLimit: "10"\n  amountFractionDigits: at-most\n'),
    );
  });

  it('take the place of others', () => {
    expect(withReadings(file, { basketLimit: '100' })).toBe(file.replace('"10"', '"100"'));
  });

  it('get a section of their own where there is none', () => {
    for (const section of ['', 'interpretations:\n', 'interpretations: null\n']) {
      const written = withReadings(`name: Bank\n${section}`, { basketLimit: '10' });
      expect(written).toBe('name: Bank\ninterpretations:\n  basketLimit: "10"\n');
    }
  });
});
