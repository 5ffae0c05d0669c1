import { isObject } from '../../spec/json.ts';

/** What becomes of a member: another value, or `removed`. */
export const removed = Symbol('removed');
export type Change = (old: unknown) => unknown;

/**
 * JSON with one place changed; `*` is the last element of an array, or the last member of an object, that has the
 * rest of the path. A fault in one of many is harder to see than one in all of them.
 */
export function changedAt(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === '*')
    return Array.isArray(value) ? inLast(value, rest, change) : inLastMember(value, rest, change);
  if (!isObject(value)) return value;
  if (rest.length > 0 && value[step] === undefined) return value;
  const { [step]: old, ...others } = value;
  const changed = changedAt(old, rest, change);
  return changed === removed ? others : { ...value, [step]: changed };
}

function inLast(elements: readonly unknown[], rest: readonly string[], change: Change): unknown {
  const index = elements.findLastIndex((element) => reaches(element, rest));
  if (index < 0) return elements;
  const changed = changedAt(elements[index], rest, change);
  return changed === removed ? elements.toSpliced(index, 1) : elements.with(index, changed);
}

function inLastMember(value: unknown, rest: readonly string[], change: Change): unknown {
  if (!isObject(value)) return value;
  const name = Object.keys(value).findLast((key) => reaches(value[key], rest));
  return name === undefined ? value : changedAt(value, [name, ...rest], change);
}

/** Whether all steps but the last lead somewhere. */
function reaches(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  if (step === '*') {
    const members: readonly unknown[] = isObject(value)
      ? Object.values(value)
      : Array.isArray(value)
        ? value
        : [];
    return members.some((member) => reaches(member, rest));
  }
  return isObject(value) && (rest.length === 0 || reaches(value[step], rest));
}
