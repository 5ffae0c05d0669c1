import { copyFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../report/write-files.ts';
import { packageRoot } from './package.ts';

const published = join(packageRoot, 'schemas', 'target.schema.json');
const copied = 'target.schema.json';

/**
 * How a target file in the folder names its schema, for editors. An installed package is named by a relative path; one
 * that is elsewhere (a cache of npx, another checkout) may vanish, so the schema is copied next to the file.
 */
export async function schemaPathFrom(dir: string): Promise<string> {
  const steps = relative(resolve(dir), published).split(sep);
  if (steps.find((step) => step !== '..') === 'node_modules') return steps.join('/');
  makeFolder(dir);
  await copyFile(published, join(dir, copied));
  return copied;
}
