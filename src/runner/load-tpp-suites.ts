import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedTppSuite, TppSuite } from '../certification/tpp-check.ts';
import { suiteId } from './load-suites.ts';
import { codeRoot } from './package.ts';

const folder = join(codeRoot, 'suites', 'tpp');

/** The order in which reports show them: from the wire to what is said over it. */
const order = ['transport', 'signature', 'headers', 'customers', 'payments', 'baskets', 'conduct'];
const rank = (name: string): number => {
  const position = order.findIndex((start) => name.startsWith(`${start}.`));
  return position < 0 ? order.length : position;
};

/** The checks on a TPP. */
export const loadTppSuites = (): Promise<readonly LoadedTppSuite[]> =>
  Promise.all(
    readdirSync(folder)
      .filter((name) => /\.suite\.[jt]s$/.test(name))
      .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(async (name) => {
        const file = join(folder, name);
        const module = (await import(pathToFileURL(file).href)) as { readonly default: TppSuite };
        return { ...module.default, id: suiteId(file) };
      }),
  );
