/**
 * What XML 1.0 (section 2.2) cannot hold at all, not even as a character reference: most control characters,
 * lone surrogates and the two non-characters. One of them in a bank's answer would make the whole file unreadable.
 */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // As plain characters these would be normalised to spaces inside an attribute, or to newlines in text.
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Text for the content of an element. */
export function xmlText(text: string): string {
  return text.replace(forbidden, visible).replace(/[&<>"'\r]/g, (character) => references[character] ?? '');
}

/** Text for the value of an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replace(/\t/g, '&#9;').replace(/\n/g, '&#10;');
}

/** The character stays visible as its code point, so that the evidence is not silently changed. */
function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
