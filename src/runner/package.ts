import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatchOrder, KillScore, KillScores } from '../checks/proof-findings.ts';
import { makeFolder } from '../report/write-files.ts';

/** The folder that holds `suites/` and `src/`: the checkout itself, or `dist` in a built one. */
export const codeRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function findManifest(folder: string): { readonly folder: string; readonly version: string } {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (name === 'xs2a-conformance') return { folder, version };
  } catch {
    // Not here; the manifest stands further up.
  }
  const above = dirname(folder);
  if (above === folder)
    throw new Error('The package.json of xs2a-conformance is missing: install the package again.');
  return findManifest(above);
}

const manifest = findManifest(codeRoot);

export const packageRoot = manifest.folder;
export const tool = { name: 'xs2a-conformance', version: manifest.version } as const;

/** Written by `npm run proof`, shown by the documents and reports. */
export const killScoresFile = join(packageRoot, 'fixtures', 'proof', 'kill-scores.json');

/** Written by `npm run proof`: which checks catch most per request. */
export const catchOrderFile = join(packageRoot, 'fixtures', 'proof', 'catch-order.json');

export const catchOrder = (): CatchOrder | undefined =>
  existsSync(catchOrderFile) ? (JSON.parse(readFileSync(catchOrderFile, 'utf8')) as CatchOrder) : undefined;

/** Written by `npm run proof`: by check, broken banks and TPPs that it alone blames. */
export const caughtAloneFile = join(packageRoot, 'fixtures', 'proof', 'caught-alone.json');

/** Some of the deviations that a check alone catches; none where the proof was never run. */
export const caughtAlone = (check: string): readonly string[] =>
  existsSync(caughtAloneFile)
    ? ((JSON.parse(readFileSync(caughtAloneFile, 'utf8')) as Record<string, readonly string[]>)[check] ?? [])
    : [];

/** How many deviations of each requirement the suite finds out; empty where the proof was never run. */
export function killScores(): KillScores {
  if (!existsSync(killScoresFile)) return new Map();
  return new Map(
    Object.entries(JSON.parse(readFileSync(killScoresFile, 'utf8')) as Record<string, KillScore>),
  );
}

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
