import type { KeyPath } from './key-path.ts';

export interface TargetProblem {
  /** `file:line:column`, or the variable or flag that the value came from. */
  readonly place: string;
  /** The key, such as `signing.privateKey`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong, and how to remedy it. Never a value that may be secret. */
  readonly message: string;
}

/** A target file that cannot be used, with everything that is wrong with it. */
export class TargetFileError extends Error {
  override readonly name = 'TargetFileError';
  readonly problems: readonly TargetProblem[];

  constructor(file: string | undefined, problems: readonly TargetProblem[]) {
    const subject = file === undefined ? 'The target' : `The target file ${file}`;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    const remedy = file === undefined ? [withoutFile] : [];
    const shown = problems.slice(0, mostShown).map(render);
    const left = problems.length - shown.length;
    const more = left > 0 ? [`  And ${left} more.`] : [];
    super([`${subject} cannot be used: ${count}.`, ...shown, ...more, ...remedy].join('\n\n'));
    this.problems = problems;
  }
}

/** Whoever has remedied so many looks again. */
const mostShown = 50;

const withoutFile =
  'Give the missing parts by flags (see run --help), or write a target file with xs2a-conformance init and name it with --target.';

function render({ place, path, message }: TargetProblem): string {
  const [first, second] = [[place, path].filter((part) => part !== '').join('  '), message].map((text) =>
    shortened(inOneLine(text)),
  );
  return `  ${first}\n    ${second}`;
}

const longestWord = 200;
const longestText = 4_000;

/** A key or value may be a whole file by mistake, of which nobody wants to read more than how it begins. */
function shortened(text: string): string {
  const words = text.slice(0, 2 * longestText).replace(longWord, (word) => `${word.slice(0, longestWord)}…`);
  return words.length > longestText ? `${words.slice(0, longestText)}…` : words;
}

const longWord = new RegExp(`\\S{${longestWord + 1},}`, 'g');

/** A key or value with a newline in it would look like lines of our own. */
const inOneLine = (text: string): string => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');

/** A parsed target file that still knows where in the text each value stands. */
export interface TargetSource {
  /** What the file says, as plain values; an empty object for an empty file. */
  readonly data: unknown;
  /** Paths in the file are relative to this folder. */
  readonly directory: string;
  /** Where the key stands, or the nearest key above it that is there. */
  readonly positionOf: (path: KeyPath) => Position;
  /** The text of a plain value, as written. */
  readonly textOf: (path: KeyPath) => string | undefined;
}

export interface Position {
  readonly place: string;
  /** For sorting. */
  readonly offset: number;
}
