import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedSuite, Suite } from '../checks/check.ts';
import { codeRoot } from './package.ts';

/** The areas in the order of the specification; `tpp/` judges a TPP and is no part of a bank's run. */
const areas = [
  'transport',
  'signing',
  'headers',
  'payments',
  'baskets',
  'sca',
  'accounts',
  'sandbox',
  'errors',
];

const suitesFolder = join(codeRoot, 'suites');

/** Files that hold a suite, in the order in which reports show them. */
export function suiteFiles(): readonly string[] {
  const present = areas.filter((area) => existsSync(join(suitesFolder, area)));
  return present.flatMap((area) =>
    readdirSync(join(suitesFolder, area))
      .filter((name) => /\.suite\.[jt]s$/.test(name))
      .toSorted()
      .map((name) => join(suitesFolder, area, name)),
  );
}

/** `signing/digest` */
export const suiteId = (file: string): string =>
  relative(suitesFolder, file)
    .replaceAll('\\', '/')
    .replace(/\.suite\.[jt]s$/, '');

export async function loadSuite(file: string): Promise<LoadedSuite> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Suite };
  return { ...module.default, id: suiteId(file) };
}

export const loadSuites = (): Promise<readonly LoadedSuite[]> => Promise.all(suiteFiles().map(loadSuite));
