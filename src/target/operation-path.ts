import { type OperationName, operations } from '../spec/operations.ts';
import { defaultPaths, type PathName, type TargetPaths } from './target.ts';

// Longest first: one default path may begin another.
const names = (Object.keys(defaultPaths) as PathName[]).toSorted(
  (a, b) => defaultPaths[b].length - defaultPaths[a].length,
);

/** The path of an operation where the target puts it, with its `{parameters}` still to be filled in. */
export function operationPath(paths: TargetPaths, operation: OperationName): string {
  const { path } = operations[operation];
  const name = names.find((each) => path === defaultPaths[each] || path.startsWith(`${defaultPaths[each]}/`));
  return name === undefined ? path : `${paths[name]}${path.slice(defaultPaths[name].length)}`;
}
