import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
