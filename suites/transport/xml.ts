import type { Json, JsonObject } from '../../src/payloads/json.ts';

/** The same content as elements. */
export const asXml = (body: JsonObject): string =>
  `<?xml version="1.0" encoding="UTF-8"?><payment>${elements(body)}</payment>`;

function elements(value: Json): string {
  if (Array.isArray(value)) return value.map((item) => `<item>${elements(item)}</item>`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => `<${name}>${elements(member)}</${name}>`)
      .join('');
  }
  return String(value).replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
}
