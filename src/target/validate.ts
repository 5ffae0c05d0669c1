import type { ErrorObject, ValidateFunction } from 'ajv';
import { isObject, type KeyPath, type LoadContext, readJsonPointer, valueAt } from './key-path.ts';
import type { TargetFile } from './target-file.ts';
import { targetMatcher } from './target-matcher.ts';

/**
 * Complains of everything that the schema does not allow, and hands back the rest, from which further problems can
 * be told in the same breath.
 */
export async function validate(
  data: unknown,
  textOf: (path: KeyPath) => string | undefined,
  complain: LoadContext['complain'],
): Promise<TargetFile> {
  const matches = await targetMatcher();
  const filled = withoutEmptyKeys(data);
  const found = errorsOf(filled, matches);
  if (found.length > mostErrors) {
    complain(
      [],
      `This breaks the schema of target files in ${found.length} places: it is another file, or damaged.`,
    );
    return {} as TargetFile;
  }
  const file = digitsAsText(filled, found, textOf);
  const errors = file === filled ? found : errorsOf(file, matches);
  if (errors.length === 0) return file as TargetFile;
  const { problemsOf } = await import('./schema-problems.ts');
  const told = new Set<string>();
  const wrong: KeyPath[] = [];
  for (const error of errors) {
    for (const problem of problemsOf(error, readJsonPointer(error.instancePath, file), textOf)) {
      if (problem.drop) wrong.push(problem.path);
      const once = JSON.stringify([problem.path, problem.message]);
      if (told.has(once)) continue;
      told.add(once);
      complain(problem.path, problem.message);
    }
  }
  return wrong.reduce<unknown>(without, file) as TargetFile;
}

/** Nobody reads more of them, and each is looked up in the whole file. */
const mostErrors = 500;

const errorsOf = (data: unknown, matches: ValidateFunction): readonly ErrorObject[] =>
  matches(data) ? [] : (matches.errors ?? []);

/** A key with nothing behind it, as in a starter file whose examples are commented out, says nothing. */
function withoutEmptyKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null)
      .map(([key, child]) => [key, withoutEmptyKeys(child)]),
  );
}

/**
 * Account numbers and the like are text, but easily written without quotes. Taken as written, never from the
 * number. With a leading zero they are not taken: other tools that read the same file lose it.
 */
function digitsAsText(
  data: unknown,
  errors: readonly ErrorObject[],
  textOf: (path: KeyPath) => string | undefined,
): unknown {
  return errors
    .filter(({ keyword, params }) => keyword === 'type' && [params.type].flat().includes('string'))
    .reduce<unknown>((changed, { instancePath }) => {
      const path = readJsonPointer(instancePath, data);
      const text = textOf(path);
      const isPlain = typeof valueAt(data, path) === 'number' && /^(0|[1-9]\d*)$/.test(text ?? '');
      return isPlain ? replaced(changed, path, text) : changed;
    }, data);
}

function replaced(data: unknown, [step, ...rest]: KeyPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(data)) return data.with(Number(step), replaced(data[Number(step)], rest, value));
  return isObject(data) ? { ...data, [step]: replaced(data[step], rest, value) } : data;
}

function without(data: unknown, [step, ...rest]: KeyPath): unknown {
  if (step === undefined) return {};
  if (Array.isArray(data)) {
    // A hole keeps the other items at their places.
    return data.map((item, index) =>
      index === step ? (rest.length === 0 ? undefined : without(item, rest)) : item,
    );
  }
  if (!isObject(data)) return data;
  const { [step]: child, ...others } = data;
  return rest.length === 0 || child === undefined ? others : { ...others, [step]: without(child, rest) };
}
