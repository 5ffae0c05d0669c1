import { limits } from './limits.ts';

export interface BoundedJson {
  readonly value: unknown;
  /** Whether something was cut: a text, a list, or what is nested too deep. */
  readonly wasCut: boolean;
}

/** The JSON of a body within the limits; undefined when it is none. */
export function parseBounded(bytes: Buffer): BoundedJson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
  if (isSurelyWithin(bytes)) return { value, wasCut: false };
  const cut = { happened: false };
  const bounded = boundedValue(value, limits.jsonDepth, cut);
  return { value: cut.happened ? bounded : value, wasCut: cut.happened };
}

/** Most answers: too short for a long text, with too few brackets to be nested deeply. */
function isSurelyWithin(bytes: Buffer): boolean {
  if (bytes.length > limits.jsonText) return false;
  let brackets = 0;
  for (const byte of bytes) if (byte === 0x5b || byte === 0x7b) brackets += 1;
  return brackets <= limits.jsonDepth;
}

function boundedValue(value: unknown, depth: number, cut: { happened: boolean }): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.jsonText) return value;
    cut.happened = true;
    // Copied, since a slice would keep the whole text alive.
    return Buffer.from(value.slice(0, limits.jsonText)).toString('utf8');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) {
    cut.happened = true;
    return null;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.jsonItems) cut.happened = true;
    return value.slice(0, limits.jsonItems).map((item) => boundedValue(item, depth - 1, cut));
  }
  const names = Object.keys(value);
  if (names.length > limits.jsonMembers) cut.happened = true;
  const members = names
    .slice(0, limits.jsonMembers)
    .map((name) => [
      name.slice(0, limits.jsonText),
      boundedValue((value as Record<string, unknown>)[name], depth - 1, cut),
    ]);
  return Object.fromEntries(members);
}
