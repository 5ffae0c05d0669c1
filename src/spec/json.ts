/** Looks into parsed JSON of unknown shape. Only own members count: `toString` is no field. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const memberAt = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(member, value);

/** The text at a place; undefined where there is none. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = memberAt(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

/** Undefined where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const has = (value: unknown, name: string): boolean => member(value, name) !== undefined;

/** Whether a value of a stranger is nested so deep that looking into all of it might never come back. */
export const isDeeperThan = (most: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((each) => isDeeperThan(most - 1, each)));

/** How many objects and lists a value of a stranger holds, itself included, however deep they are. */
export function objectsIn(value: unknown): number {
  const ahead: unknown[] = [value];
  let found = 0;
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next !== 'object' || next === null) continue;
    found += 1;
    for (const each of Object.values(next)) if (typeof each === 'object') ahead.push(each);
  }
  return found;
}

/** Deeper than any body of the interface; what is nested deeper is left as it is. */
const deepest = 16;

/**
 * JSON whose members that are null are left out, as the reading `nullMembers` has it: a required one is missing then.
 * An element of a list stays: it is no member that could be left out.
 */
export function withoutNulls(value: unknown, depth = deepest): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element, depth - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, withoutNulls(each, depth - 1)]),
  );
}

/** A JSON schema as plain data (draft-07 vocabulary, as ajv reads it by default). */
export type JsonSchema = Readonly<Record<string, unknown>>;
