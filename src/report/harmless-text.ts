const htmlReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escape sequences and other control characters, C0 and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/g;

/** Characters that show nothing themselves and turn around or hide what stands next to them. */
const invisible =
  /[\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

/**
 * Text for the content of an element or an attribute in quotes. Nothing of a bank reaches a page without it. What would
 * turn around or hide what stands next to it is shown as its code: a page must not read other than it is written.
 */
export function htmlText(text: string): string {
  return htmlContent(text).replace(/["']/g, (character) => htmlReferences[character] ?? '');
}

/** The same for the content of an element alone, where quotes say nothing: bodies are full of them, and pages have a size. */
export function htmlContent(text: string): string {
  return text
    .replace(control, (character) => (/[\t\n\r]/.test(character) ? character : visible(character)))
    .replace(invisible, visible)
    .replace(/[&<>]/g, (character) => htmlReferences[character] ?? '');
}

/**
 * What XML 1.0 (section 2.2) cannot hold at all, not even as a character reference: most control characters,
 * lone surrogates and the two non-characters. One of them in a bank's answer would make the whole file unreadable. The
 * other control characters it can hold, and a terminal takes them for commands.
 */
const forbidden = /[^\t\n\r\u{20}-\u{7E}\u{A0}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const xmlReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // As plain characters these would be normalised to spaces inside an attribute, or to newlines in text.
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Text for the content of an element, which build servers show to people, and print into their own logs. */
export function xmlText(text: string): string {
  return withoutCommands(text)
    .replace(forbidden, visible)
    .replace(invisible, visible)
    .replace(/[&<>"'\r]/g, (character) => xmlReferences[character] ?? '');
}

/** Text for the value of an attribute in double quotes. */
export function xmlAttribute(text: string): string {
  return xmlText(text).replace(/\t/g, '&#9;').replace(/\n/g, '&#10;');
}

/** The character stays visible as its code point, so that the evidence is not silently changed. */
function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}

/**
 * What a build server takes for a command: `::error` at the start of a line (GitHub), `##[error]`, `##vso[…]` (Azure)
 * and `##teamcity[…]` wherever they stand. Any word may come to stand at the start when a text is broken into lines.
 */
const commands = /(^|\s):(?=:[a-z])|#(?=#(?:vso|teamcity)?\[)/gim;

const withoutCommands = (text: string): string =>
  text.replace(commands, (found, before: string | undefined = '') => `${before}${code(found.slice(-1))}`);

/**
 * What code hosts, build servers and trackers make a link of by themselves: addresses, people (`@name`), issues (`#1`) and
 * links of Markdown. They do so after all escapes are undone, so that nothing but a space in the middle keeps them from it.
 * The numbers of pseudonyms stay with their names.
 */
const middleOfLink =
  /(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=@)(?=[\p{L}\p{N}])|(?<=\bGH)(?=-\d)|(?<=[#!])(?=\d)(?!\d+(?: of \d+ characters?)?, redacted\])|(?<=\])(?=\()/giu;

/** Text of a bank, for where others would make links of it. */
export const withoutLinks = (text: string): string => text.replace(middleOfLink, ' ');

/**
 * Text of a bank, safe for a terminal and on one line. A control character is shown as its code: an answer must
 * not be able to clear the screen or colour a failure green, nor to command a build server.
 */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(control, code).replace(invisible, visible);
  return withoutCommands(line);
}

/** The same for text of several lines that are our own: each is made harmless by itself, and keeps its indent. */
export function harmlessLines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line)}`)
    .join('\n');
}

/** JSON for a terminal: its texts command neither that nor a build server, and say the same. */
export function terminalJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent)
    .replace(/#(?=#(?:vso|teamcity)?\[)/gi, '\\u0023')
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(invisible, (character) => character.replace(/[\s\S]/g, escaped));
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const code = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The same, cut to a length with an ellipsis. */
export function oneShortLine(text: string, limit: number): string {
  // Cut before the pattern runs, too: a body may have megabytes of which one line is shown.
  const line = oneLine(text.slice(0, limit * 4));
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
