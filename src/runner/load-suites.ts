import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TppCheck } from '../certification/tpp-check.ts';
import type { Check, CheckDescription, LoadedSuite, Suite } from '../checks/check.ts';
import type { Side } from '../spec/requirement.ts';
import { codeRoot } from './package.ts';

/**
 * How the ids of suites begin, in the order in which reports show them: for a bank as the specification goes, for a
 * TPP from the wire to what is said over it.
 */
const order: Readonly<Record<Side, readonly string[]>> = {
  bank: [
    'transport/',
    'signing/',
    'headers/',
    'payments/',
    'baskets/',
    'sca/',
    'accounts/',
    'sandbox/',
    'errors/',
  ],
  tpp: [
    'tpp/transport',
    'tpp/signature',
    'tpp/headers',
    'tpp/customers',
    'tpp/payments',
    'tpp/baskets',
    'tpp/conduct',
    'tpp/',
  ],
};

const suitesFolder = join(codeRoot, 'suites');
const suiteEnding = /\.suite\.[jt]s$/;

/** Files that hold a suite of one side, in the order in which reports show them. */
export function suiteFiles(side: Side = 'bank'): readonly string[] {
  const rank = (file: string): number => order[side].findIndex((start) => suiteId(file).startsWith(start));
  return readdirSync(suitesFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => suiteEnding.test(name))
    .map((name) => join(suitesFolder, name))
    .filter((file) => rank(file) >= 0)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** `signing/digest` */
export const suiteId = (file: string): string =>
  relative(suitesFolder, file).replaceAll('\\', '/').replace(suiteEnding, '');

export async function loadSuite<Checks extends CheckDescription = Check>(
  file: string,
): Promise<LoadedSuite<Checks>> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Suite<Checks> };
  return { ...module.default, id: suiteId(file) };
}

interface ChecksOn {
  readonly bank: Check;
  readonly tpp: TppCheck;
}

/** The checks on one side, by suite. */
export const loadSuites = <Judged extends Side = 'bank'>(
  side?: Judged,
): Promise<readonly LoadedSuite<ChecksOn[Judged]>[]> =>
  Promise.all(suiteFiles(side).map((file) => loadSuite<ChecksOn[Judged]>(file)));
