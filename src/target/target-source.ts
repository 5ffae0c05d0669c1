import { dirname } from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { KeyPath } from './key-path.ts';
import { type Position, TargetFileError, type TargetSource } from './target-problem.ts';

/** JSON is read by the same parser: it is a subset of YAML 1.2. */
export function parseTargetSource(file: string, text: string): TargetSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { place: `${file}:${line}:${col}`, offset };
  };
  const faults = faultsIn(document);
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

interface Fault {
  readonly pos: readonly [number, number];
  readonly message: string;
}

/** What the parser gives up on at some depth it tells of every bracket around it. */
function faultsIn(document: Document): readonly Fault[] {
  const tooDeep = document.errors.find(({ message }) => message.includes('call stack'));
  // The parser tells programmers what to call, and the one who wrote the file nothing.
  const several = document.errors.find(({ code }) => code === 'MULTIPLE_DOCS');
  if (several !== undefined)
    return [
      { pos: several.pos, message: 'it holds several documents; keep the one that is the target file' },
    ];
  return tooDeep === undefined
    ? [...document.errors, ...document.warnings, ...wrongKeys(document)]
    : [{ pos: tooDeep.pos, message: 'Brackets stand in brackets without end' }];
}

/**
 * Keys that stand for others, by which a file could say a second time what it has said before; and keys that a map has
 * twice. The parser holds every key against every other, which a file of many does not end.
 */
function wrongKeys(document: Document): readonly Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Map: (_, { items }: YAMLMap) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        // The key << of YAML 1.1, which brings the keys of another map along, is a symbol.
        const isPlain = isScalar(key) && typeof key.value !== 'symbol';
        const name = isPlain ? String(key.value) : undefined;
        const start = rangeStart(key) ?? 0;
        if (name === undefined) faults.push({ pos: [start, start], message: noPlainKey });
        else if (seen.has(name)) faults.push({ pos: [start, start], message: 'Map keys must be unique' });
        else seen.add(name);
      }
    },
  });
  return faults;
}

const noPlainKey =
  'A key must be a plain word, and no alias, merge (<<), list or map. Write the key itself, with its value';

function plainValues(file: string, document: Document): unknown {
  const unusable = (message: string): TargetFileError =>
    new TargetFileError(file, [{ place: file, path: '', message: `An alias cannot be used: ${message}` }]);
  let values: unknown;
  try {
    values = document.toJS();
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    throw unusable(error instanceof Error ? error.message : String(error));
  }
  if (containsItself(values)) throw unusable('it stands inside what it names, which has no end');
  return values;
}

/** Aliases make one value stand in several places, and may put it into itself. */
function containsItself(value: unknown, around: ReadonlySet<unknown> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.has(value)) return true;
  const further = new Set([...around, value]);
  return Object.values(value).some((member) => containsItself(member, further));
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
