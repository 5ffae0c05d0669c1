/** The way to a value of the target file: keys, and indices of lists. */
export type KeyPath = readonly (string | number)[];

/** As people write it: `payments.approved[0].id`. */
export function writeKeyPath(path: KeyPath): string {
  return path.reduce<string>((written, step) => {
    if (typeof step === 'number') return `${written}[${step}]`;
    return written === '' ? step : `${written}.${step}`;
  }, '');
}

/** RFC 6901, the way that validators name places. */
export function readJsonPointer(pointer: string, root: unknown): KeyPath {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value = root;
  return steps.map((step) => {
    const index = Array.isArray(value);
    value = childOf(value, step);
    return index ? Number(step) : step;
  });
}

export function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(childOf, root);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function childOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** What the loading of every section needs. */
export interface LoadContext {
  /** Notes a problem and lets the loading go on, so that all are told at once. */
  readonly complain: (path: KeyPath, message: string) => void;
  /** Notes what is not wrong and should be known. */
  readonly warn: (path: KeyPath, message: string) => void;
  /** Tells at once what is about to be run for this key. */
  readonly announce: (path: KeyPath, message: string) => void;
  /** The folder that a path given there is relative to. */
  readonly directoryOf: (path: KeyPath) => string;
  readonly environment: NodeJS.ProcessEnv;
  /** The environment variable that sets a key as well, where there is one. */
  readonly variableOf: (path: KeyPath) => string | undefined;
}

/** Stands where a value is still missing; no target file with it can be used by accident. */
export const placeholder = 'FILL-IN';
