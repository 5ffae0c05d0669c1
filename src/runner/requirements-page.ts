import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirementsDocument } from '../report/requirements-document.ts';
import { requirements } from '../spec/catalogue.ts';
import { loadAllSuites } from './coverage.ts';
import { killScores } from './kill-scores.ts';
import { packageRoot } from './package.ts';

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
