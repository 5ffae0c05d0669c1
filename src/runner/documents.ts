import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirementsDocument } from '../report/requirements-document.ts';
import { catalogueVersion, requirements } from '../spec/catalogue.ts';
import type { Requirement } from '../spec/requirement.ts';
import { loadAllSuites } from './coverage.ts';
import { killScores, packageRoot } from './package.ts';

export const requirementsFile = join(packageRoot, 'REQUIREMENTS.md');

/** The page as it has to be now. */
export const requirementsPage = async (): Promise<string> =>
  requirementsDocument({ requirements, suites: await loadAllSuites(), killScores: killScores() });

/** Writes the page when it is stale, and tells whether it was. */
export async function writeRequirementsPage(): Promise<boolean> {
  const page = await requirementsPage();
  if (existsSync(requirementsFile) && readFileSync(requirementsFile, 'utf8') === page) return false;
  writeFileSync(requirementsFile, page);
  return true;
}

/** What a version of the catalogue says: two catalogues that differ in this are not the same version. */
type KeptRequirement = Pick<
  Requirement,
  'id' | 'statement' | 'level' | 'side' | 'profiles' | 'section' | 'unobservable' | 'interpretation'
>;

const kept = ({
  id,
  statement,
  level,
  side,
  profiles,
  section,
  unobservable,
  interpretation,
}: Requirement): KeptRequirement => ({
  id,
  statement,
  level,
  side,
  profiles,
  section,
  ...(unobservable === undefined ? {} : { unobservable }),
  ...(interpretation === undefined ? {} : { interpretation }),
});

export const keptCataloguesFolder = join(packageRoot, 'fixtures', 'catalogue');

/** The catalogue that was published under a version; undefined where there is none. */
export function keptCatalogue(
  version: string,
  folder = keptCataloguesFolder,
): readonly KeptRequirement[] | undefined {
  const file = join(folder, `${version}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** What was added, taken away or changed since, one line each. */
export function catalogueChanges(
  before: readonly KeptRequirement[],
  now: readonly Requirement[],
): readonly string[] {
  const [old, current] = [before, now.map(kept)].map((all) => new Map(all.map((one) => [one.id, one])));
  return [...new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])].flatMap((id) => {
    const [was, is] = [old?.get(id), current?.get(id)].map((one) => one && JSON.stringify(one));
    if (was === is) return [];
    return [was === undefined ? `${id} was added` : is === undefined ? `${id} is gone` : `${id} was changed`];
  });
}

/** What to do about a catalogue that is no longer the published one of its version. */
export const raiseTheVersion = `The catalogue differs from the one kept as version ${catalogueVersion}. Raise catalogueVersion in src/spec/catalogue.ts (its comment says which number), name it in CHANGELOG.md, and run npm run docs.`;

/** Keeps the catalogue of a new version; that of the version before goes. Tells whether it had to. */
export function keepCatalogue(
  version = catalogueVersion,
  now = requirements,
  folder = keptCataloguesFolder,
): boolean {
  const before = keptCatalogue(version, folder);
  if (before !== undefined) {
    const changes = catalogueChanges(before, now);
    if (changes.length > 0) throw new Error([raiseTheVersion, ...changes].join('\n'));
    return false;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  // One line each, so that a comparison of two versions shows the requirements that differ.
  const lines = now.map((requirement) => JSON.stringify(kept(requirement)));
  writeFileSync(join(folder, `${version}.json`), `[\n${lines.join(',\n')}\n]\n`);
  return true;
}
