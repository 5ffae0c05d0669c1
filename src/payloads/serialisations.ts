import type { Json, JsonObject } from './json.ts';

/** Ways to write the same JSON. All are legal, so a bank that reads JSON reads them all. */
export interface Serialisation {
  readonly label: string;
  readonly write: (value: JsonObject) => string;
}

const escapeNonAscii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[ ${value.map(spaced).join(' , ')} ]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)} : ${spaced(member)}`);
  return `{ ${members.join(' , ')} }`;
}

/** Every letter outside ASCII by its number, so that nothing depends on the encoding. */
export const writeInAscii = (value: JsonObject): string => escapeNonAscii(JSON.stringify(value));

export const serialisations: readonly Serialisation[] = [
  { label: 'the body is indented', write: (value) => JSON.stringify(value, undefined, 2) },
  {
    label: 'the body is indented with tabs and ends with a newline',
    write: (value) => `${JSON.stringify(value, undefined, '\t')}\n`,
  },
  {
    label: 'the members of the body stand in reverse order',
    write: (value) => JSON.stringify(reversed(value)),
  },
  { label: 'characters beyond ASCII are escaped', write: writeInAscii },
  {
    label: 'white space surrounds colons and commas, and the body',
    write: (value) => ` ${spaced(value)} `,
  },
  {
    label: 'lines of the body end with carriage return and newline',
    write: (value) => JSON.stringify(value, undefined, 2).replaceAll('\n', '\r\n'),
  },
];
