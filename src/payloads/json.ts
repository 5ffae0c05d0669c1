import { isObject } from '../spec/json.ts';

/** JSON values, and changes to them by path. Changes never touch the value that they are given. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Changes what stands at a path; `*` goes into the first element of an array. Returning undefined removes it. */
export function changeAt(
  value: Json,
  [step, ...rest]: readonly string[],
  change: (old: Json | undefined) => Json | undefined,
): Json {
  if (step === undefined) return change(value) ?? null;
  if (step === '*') {
    if (!Array.isArray(value)) return value;
    const [first = null, ...others] = value as readonly Json[];
    return [changeAt(first, rest, change), ...others];
  }
  if (!isObject(value)) return value;
  const old = value[step];
  const changed = rest.length === 0 ? change(old) : changeAt(old ?? {}, rest, change);
  const { [step]: _, ...without } = value;
  if (changed === undefined) return without;
  return { ...value, [step]: changed };
}

export const setAt = (value: JsonObject, path: readonly string[], member: Json): JsonObject =>
  changeAt(value, path, () => member) as JsonObject;

export const removeAt = (value: JsonObject, path: readonly string[]): JsonObject =>
  changeAt(value, path, () => undefined) as JsonObject;
