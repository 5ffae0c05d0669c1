import type { KeyPath } from '../key-path.ts';
import type { JsonSchema } from './json-schema.ts';
import { targetSchema } from './target-schema.ts';

/** The schema of one value of the target file. */
export function schemaAt(path: KeyPath): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, step) => {
    if (typeof step === 'number') return schema?.items;
    const known = schema?.properties?.[step];
    if (known !== undefined) return known;
    return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  }, targetSchema);
}

/** The outermost sections of the target file that have the key, for a key that stands in the wrong one. */
export function sectionsWith(key: string): readonly string[] {
  const search = (schema: JsonSchema, path: readonly string[]): readonly string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
      ...(name === key && path.length > 0 ? [path.join('.')] : []),
      ...search(child, [...path, name]),
    ]);
  const found = search(targetSchema, []);
  const depths = found.map((path) => path.split('.').length);
  return found.filter((_, index) => depths[index] === Math.min(...depths));
}
