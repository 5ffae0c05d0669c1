import { dirname } from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
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
    super([`${subject} cannot be used: ${count}.`, ...problems.map(render)].join('\n\n'));
    this.problems = problems;
  }
}

function render({ place, path, message }: TargetProblem): string {
  return `  ${[place, path].filter((part) => part !== '').join('  ')}\n    ${message}`;
}

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

/** JSON is read by the same parser: it is a subset of YAML 1.2. */
export function parseTargetSource(file: string, text: string): TargetSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { place: `${file}:${line}:${col}`, offset };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    throw new TargetFileError(
      file,
      faults.map(({ pos, message }) => ({
        place: positionAt(pos[0]).place,
        path: '',
        message: `This is not valid YAML or JSON: ${message}`,
      })),
    );
  }
  return {
    data: plainValues(file, document) ?? {},
    directory: dirname(file),
    positionOf: (path) => positionAt(offsetOf(document, path)),
    textOf: (path) => {
      const node = walk(document, path).value;
      return isScalar(node) ? node.source : undefined;
    },
  };
}

function plainValues(file: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    const message = error instanceof Error ? error.message : String(error);
    throw new TargetFileError(file, [
      { place: file, path: '', message: `An alias cannot be used: ${message}` },
    ]);
  }
}

interface Step {
  /** Offset of the key, or of the item of a list. */
  readonly offset: number;
  readonly value: unknown;
}

function offsetOf(document: Document, path: KeyPath): number {
  return walk(document, path).offset;
}

function walk(document: Document, path: KeyPath): Step {
  let offset = 0;
  let value: unknown = document.contents;
  for (const step of path) {
    const node = isAlias(value) ? value.resolve(document) : value;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
      if (pair === undefined) return { offset, value: undefined };
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      value = pair.value;
    } else if (isSeq(node)) {
      value = node.items[Number(step)];
      offset = rangeStart(value) ?? offset;
    } else {
      return { offset, value: undefined };
    }
  }
  return { offset, value };
}

function rangeStart(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}
