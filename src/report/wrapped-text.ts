/** Breaks text between words; every line but the first gets the indent in front. A word that is too long stays whole. */
export function wrap(text: string, width: number, indent = ''): string {
  return wrappedLines(text, width - indent.length).join(`\n${indent}`);
}

/** The lines of a text of at most so many characters, broken between words. */
export const wrappedLines = (text: string, width: number): readonly string[] =>
  filledLines(text.split(/\s+/), width);

function filledLines(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Where JSON, addresses and lists may be broken: behind these, when nothing else is left. */
const breakable = /[^,;:{}[\]&?/=]*[,;:{}[\]&?/=]+|[^,;:{}[\]&?/=]+/g;

/**
 * The same for data of a request or an answer, which may be one long word: it is broken behind a comma, a bracket or a
 * slash, and cut where even that does not help. At most so many lines; an ellipsis tells that something is missing.
 */
export function wrappedData(text: string, width: number, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const push = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = '';
  };
  for (const word of text.match(/\S+\s*/g) ?? []) {
    const isTooLong = word.trimEnd().length > width;
    for (const piece of isTooLong ? (word.match(breakable) ?? []) : [word]) {
      if (line.length + piece.trimEnd().length > width) push();
      line += piece.trimEnd().length > width ? `${piece.slice(0, width - 1)}…` : piece;
    }
  }
  push();
  if (lines.length <= most) return lines;
  const last = lines[most - 1] ?? '';
  return [...lines.slice(0, most - 1), `${last.slice(0, width - 1)}…`];
}

/** A command line for a shell, to be copied as it stands: it goes on behind a backslash where it is too long. */
export function wrappedCommand(command: string, width: number): readonly string[] {
  // What stands in quotes is one word, and a flag stays with its value.
  const words = command.match(/(?:--[\w-]+ (?!--))?(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const lines = filledLines(words, width - 2);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}
