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
