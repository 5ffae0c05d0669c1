import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TppCheck } from '../certification/tpp-check.ts';
import type { Check, CheckDescription, LoadedSuite, Suite } from '../checks/check.ts';
import type { PlacedCheck } from '../checks/engine.ts';
import type { Side } from '../spec/profiles.ts';
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

/** The ids of one side, in the order in which reports show them. */
function ordered(ids: readonly string[], side: Side): readonly string[] {
  const rank = (id: string): number => order[side].findIndex((start) => id.startsWith(start));
  return ids
    .filter((id) => rank(id) >= 0)
    .toSorted((a, b) => rank(a) - rank(b) || (`${a}.` < `${b}.` ? -1 : 1));
}

/** `signing/digest` */
export const suiteId = (file: string): string =>
  relative(suitesFolder, file).replaceAll('\\', '/').replace(suiteEnding, '');

/** Files that hold a suite of one side, in the order in which reports show them. */
export function suiteFiles(side: Side = 'bank'): readonly string[] {
  const files = readdirSync(suitesFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => suiteEnding.test(name))
    .map((name) => join(suitesFolder, name));
  const byId = new Map(files.map((file) => [suiteId(file), file]));
  return ordered([...byId.keys()], side).flatMap((id) => byId.get(id) ?? []);
}

interface ChecksOn {
  readonly bank: Check;
  readonly tpp: TppCheck;
}

const imported = async (file: string): Promise<{ readonly default: unknown }> =>
  (await import(pathToFileURL(file).href)) as { readonly default: unknown };

/** Its checks are not made for that. */
const named = <Checks extends CheckDescription>(suite: Suite<Checks>, id: string): LoadedSuite<Checks> => ({
  id,
  title: suite.title,
  section: suite.section,
  get checks() {
    return suite.checks;
  },
});

async function loadSuite<Checks extends CheckDescription>(file: string): Promise<LoadedSuite<Checks>> {
  const suite = (await imported(file)).default as Suite<Checks>;
  return named(suite, suiteId(file));
}

/** The checks on one side, by suite: from the one file into which the build has joined them, or from their sources. */
export async function loadSuites<Judged extends Side = 'bank'>(
  side: Judged | 'bank' = 'bank',
): Promise<readonly LoadedSuite<ChecksOn[Judged]>[]> {
  const joined = join(suitesFolder, `${side}.js`);
  if (!existsSync(joined)) {
    return Promise.all(suiteFiles(side).map((file) => loadSuite<ChecksOn[Judged]>(file)));
  }
  const suites = (await imported(joined)).default as Readonly<Record<string, Suite<ChecksOn[Judged]>>>;
  return ordered(Object.keys(suites), side).flatMap((id) => {
    const suite = suites[id];
    return suite === undefined ? [] : [named(suite, id)];
  });
}

/** The checks themselves of which descriptions were chosen: the suites of all others are left as they are. */
export async function loadChecks(
  chosen: readonly PlacedCheck<CheckDescription>[],
): Promise<readonly PlacedCheck[]> {
  const byId = new Map((await loadSuites()).map((suite) => [suite.id, suite]));
  return chosen.map(({ check: { id }, suite: { id: suiteOf }, place }) => {
    const suite = byId.get(suiteOf);
    const check = suite?.checks.find((one) => one.id === id);
    // One that is left out in silence would be taken for judged.
    if (suite === undefined || check === undefined)
      throw new Error(`The check ${id} is described, and not there: build or install this anew.`);
    return { check, suite, place };
  });
}
