import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder with all above it, one after the other. The recursive way of Node never ends where the system says that
 * a folder is not there and cannot be made either, as in /proc.
 */
export function makeFolder(dir: string): void {
  const path = resolve(dir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (dirname(path) !== path && found === undefined) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it at the same time.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
