/** Escape sequences and other control characters, C0 and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Text of a bank, safe for a terminal and on one line. A control character is shown as its code: an answer must
 * not be able to clear the screen or colour a failure green.
 */
export function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(control, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .trim();
}

/** The same, cut to a length with an ellipsis. */
export function oneShortLine(text: string, limit: number): string {
  // Cut before the pattern runs, too: a body may have megabytes of which one line is shown.
  const line = oneLine(text.slice(0, limit * 4));
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
