/** Characters that show nothing, or turn around what stands next to them. */
const invisible =
  /[\u{a0}\u{ad}\u{61c}\u{180e}\u{2000}-\u{200f}\u{2028}-\u{202f}\u{205f}-\u{206f}\u{3000}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/g;

const signs: Readonly<Record<string, string>> = { '\n': '↵', '\r': '‹CR›', '\t': '⇥' };

/**
 * A text with what nobody sees made visible: line breaks and tabs as signs, spaces at the ends or next to each other as
 * dots, other invisible characters as their code. What comes out is one line.
 */
export function visibleText(text: string): string {
  return text
    .replace(control, (character) => signs[character] ?? `\\x${hex(character, 2)}`)
    .replace(invisible, (character) => `\\u{${hex(character, 1)}}`)
    .replace(/^ +| +$| {2,}/g, (spaces) => '·'.repeat(spaces.length));
}

const hex = (character: string, digits: number): string =>
  (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
