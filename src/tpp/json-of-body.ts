import { limits } from './limits.ts';

interface Json {
  /** Undefined where the body is no JSON. */
  readonly value: unknown;
  /** The body, or what is left of it within the limits. */
  readonly bytes: Buffer;
}

/** A list or an object as long as there is room for it, or what is neither. */
type Known = { readonly bytes: Buffer } & (
  | { readonly structure: WeakRef<object> }
  | { readonly plain: unknown }
);

const knownOf = new WeakMap<Buffer, Known>();

/**
 * The JSON of a body within the limits. Whoever looks at a body asks here, so that it is parsed once while it is judged. It
 * is not held for longer: it takes many times its bytes, and thousands of answers are kept.
 */
export function boundedJsonOf(body: Buffer): Json {
  const known = knownOf.get(body);
  if (known !== undefined) {
    const value = 'structure' in known ? known.structure.deref() : known.plain;
    if (value !== undefined || !('structure' in known)) return { value, bytes: known.bytes };
  }
  const json = readJson(body);
  const { value, bytes } = json;
  knownOf.set(body, isStructure(value) ? { structure: new WeakRef(value), bytes } : { plain: value, bytes });
  return json;
}

export const jsonOf = (body: Buffer): unknown => boundedJsonOf(body).value;

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

function readJson(body: Buffer): Json {
  const bytes = withinLimits(body);
  try {
    return { value: JSON.parse(bytes.toString('utf8')), bytes };
  } catch {
    return { value: undefined, bytes: body };
  }
}

const [quote, comma, backslash, letterU] = [0x22, 0x2c, 0x5c, 0x75] as const;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * JSON without what is longer or deeper than anything the interface has. Each byte is looked at once: an object with ten
 * thousands of members, or a list in a list as often, takes long to parse and longer to look at.
 */
function withinLimits(json: Buffer): Buffer {
  if (isSurelyWithin(json)) return json;
  const kept: (Buffer | string)[] = [];
  let keptFrom = 0;
  const leaveOut = (from: number, to: number, instead = ''): number => {
    kept.push(json.subarray(keptFrom, from), instead);
    keptFrom = to;
    return to - 1;
  };
  /** How many more each structure may hold that is open. */
  const room: number[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === quote) {
      const { end, cutAt } = textFrom(json, at);
      at = cutAt === undefined ? end : leaveOut(cutAt, end) + 1;
    } else if (sign === openList || sign === openObject) {
      if (room.length === limits.jsonDepth) at = leaveOut(at, endOfStructure(json, at + 1) + 1, 'null');
      else room.push(sign === openList ? limits.jsonItems : limits.jsonMembers);
    } else if (sign === closeList || sign === closeObject) room.pop();
    else if (sign === comma && room.length > 0) {
      const further = (room.at(-1) ?? 0) - 1;
      if (further === 0) at = leaveOut(at, endOfStructure(json, at + 1));
      else room[room.length - 1] = further;
    }
  }
  return keptFrom === 0
    ? json
    : Buffer.concat([...kept, json.subarray(keptFrom)].map((part) => Buffer.from(part)));
}

/** Most bodies: too short for a long text, with too few brackets to be nested deeply and too few commas for a long list. */
function isSurelyWithin(json: Buffer): boolean {
  if (json.length > limits.jsonText) return false;
  let brackets = 0;
  let commas = 0;
  for (const sign of json) {
    if (sign === openList || sign === openObject) brackets += 1;
    else if (sign === comma) commas += 1;
  }
  return brackets <= limits.jsonDepth && commas < limits.jsonMembers;
}

/** Where the text ends that begins there, and where its first characters do that are kept, when it has more. */
function textFrom(json: Buffer, begin: number): { readonly end: number; readonly cutAt?: number } {
  const end = endOfText(json, begin + 1);
  if (end - begin - 1 <= limits.jsonText) return { end };
  let at = begin + 1;
  for (let characters = 0; at < end; characters += 1) {
    if (characters === limits.jsonText) return { end, cutAt: at };
    at += json[at] === backslash ? lengthOfEscape(json[at + 1]) : 1;
    while (isContinuation(json[at])) at += 1;
  }
  return { end };
}

/** The next quote that no backslash escapes. */
function endOfText(json: Buffer, from: number): number {
  for (let at = json.indexOf(quote, from); at >= 0; at = json.indexOf(quote, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && json[at - backslashes - 1] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

/** `\u00e6` or `\n` */
const lengthOfEscape = (kind: number | undefined): number => (kind === letterU ? 6 : 2);

/** A further byte of a character in UTF-8. */
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the structure ends whose content begins there. */
function endOfStructure(json: Buffer, from: number): number {
  let depth = 1;
  for (let at = from; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === quote) at = endOfText(json, at + 1);
    else if (sign === openList || sign === openObject) depth += 1;
    else if (sign === closeList || sign === closeObject) depth -= 1;
    if (depth === 0) return at;
  }
  return json.length;
}
