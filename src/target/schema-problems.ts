import type { ErrorObject } from 'ajv';
import { stringify } from 'yaml';
import type { JsonSchema } from './json-schema.ts';
import { isObject, type KeyPath, placeholder } from './key-path.ts';
import { nearest } from './nearest.ts';
import { schemaAt, sectionsWith } from './target-file.ts';

export interface SchemaProblem {
  readonly path: KeyPath;
  readonly message: string;
  /** Whether the value is unfit for anything further. */
  readonly drop: boolean;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'a group of keys',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** What an error of the schema means, in words. None where it only accompanies another one. */
export const problemsOf = (
  error: ErrorObject,
  path: KeyPath,
  textOf: (path: KeyPath) => string | undefined,
): readonly SchemaProblem[] => missingOf(error, path) ?? describeSchemaError(error, path, textOf);

function describeSchemaError(
  error: ErrorObject,
  path: KeyPath,
  textOf: (path: KeyPath) => string | undefined,
): readonly SchemaProblem[] {
  if (error.schemaPath.includes('/anyOf/')) return [];
  const { params } = error;
  if (error.data === placeholder) return [{ path, message: stillToFillIn(path), drop: true }];
  switch (error.keyword) {
    case 'if':
    case 'propertyNames':
      return [];
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      return [{ path: [...path, key], message: unknownKey(key, error.parentSchema ?? {}), drop: true }];
    }
    case 'required':
      return [missing([...path, String(params.missingProperty)])];
    case 'type':
      return [{ path, message: wrongType(error, path, textOf), drop: true }];
    case 'enum':
      if (typeof error.data !== 'string') return [];
      return [{ path, message: notOneOf(error.data, (error.schema as string[]).map(String)), drop: true }];
    case 'pattern':
      if (error.propertyName !== undefined) {
        return [{ path: [...path, error.propertyName], message: 'This is no name of a header.', drop: true }];
      }
  }
  return [{ path, message: `This cannot be right. ${meaning(schemaAt(path))}`, drop: true }];
}

/** What `init` has left open. */
const stillToFillIn = (path: KeyPath): string => `Still to be filled in. ${meaning(schemaAt(path))}`;

function missing(path: KeyPath): SchemaProblem {
  return { path, message: `This is missing. ${meaning(schemaAt(path))}`, drop: false };
}

/**
 * Where one of several sets of keys has to be there: what is lacking of the set that is nearest, or else of the first.
 * Where a single key would do, what the section is for says it better.
 */
function missingOf(
  { keyword, schema, data }: ErrorObject,
  path: KeyPath,
): readonly SchemaProblem[] | undefined {
  if (keyword !== 'anyOf' || !isObject(data)) return undefined;
  const sets = (schema as readonly JsonSchema[]).map(({ required = [] }) => required);
  if ((sets[0] ?? []).length < 2) return undefined;
  const known = (set: readonly string[]): number => set.filter((key) => Object.hasOwn(data, key)).length;
  const [nearestSet = []] = sets.toSorted((a, b) => known(b) - known(a));
  return nearestSet.filter((key) => !Object.hasOwn(data, key)).map((key) => missing([...path, key]));
}

function unknownKey(key: string, parent: JsonSchema): string {
  const known = Object.keys(parent.properties ?? {});
  const meant = nearest(key, known);
  if (meant !== undefined) return `The key "${key}" is not known. Did you mean "${meant}"?`;
  const sections = sectionsWith(key);
  if (sections.length > 0) {
    return `The key "${key}" is not known here. It belongs under ${sections.join(' or ')}.`;
  }
  return `The key "${key}" is not known. Known here: ${known.join(', ')}.`;
}

function wrongType(error: ErrorObject, path: KeyPath, textOf: (path: KeyPath) => string | undefined): string {
  const types = [error.params.type].flat().map(String);
  if (types.includes('string') && (typeof error.data === 'number' || typeof error.data === 'boolean')) {
    return /^0\d/.test(textOf(path) ?? '')
      ? 'This is read as a number, which loses its leading zero. Put it in quotes.'
      : `This is read as a ${typeof error.data}. Put it in quotes.`;
  }
  return `This must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}. ${meaning(schemaAt(path))}`;
}

function notOneOf(given: string, values: readonly string[]): string {
  const meant = nearest(given, values);
  const known = `Known here: ${values.join(', ')}.`;
  return meant === undefined
    ? `The value "${given}" is not known. ${known}`
    : `The value "${given}" is not known. Did you mean "${meant}"? ${known}`;
}

/** What the schema says that the value is, with an example. */
function meaning(schema: JsonSchema | undefined): string {
  if (schema?.description === undefined) return 'See the schema of the target file.';
  const [example] = schema.examples ?? [];
  const shown =
    example === undefined
      ? ''
      : `, such as ${stringify(example, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
  // A sentence on its own begins with a capital; inside another one only names do.
  const description = schema.description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  return `Expected: ${description}${shown}.`;
}
