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

export const has = (value: unknown, name: string): boolean => member(value, name) !== undefined;
