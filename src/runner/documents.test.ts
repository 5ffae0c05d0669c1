import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalogueVersion, requirements } from '../spec/catalogue.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import {
  catalogueChanges,
  keepCatalogue,
  keptCatalogue,
  raiseTheVersion,
  requirementsFile,
  requirementsPage,
} from './documents.ts';
import { packageRoot } from './package.ts';

test('REQUIREMENTS.md is what `npm run docs` would write', async () => {
  const written = readFileSync(requirementsFile, 'utf8');
  const fresh = await requirementsPage();
  expect(written === fresh, 'REQUIREMENTS.md is stale: run npm run docs').toBe(true);
});

test('the catalogue is the one that was kept under its version', () => {
  const published = keptCatalogue(catalogueVersion);
  expect(published, `No catalogue of version ${catalogueVersion} is kept: run npm run docs`).toBeDefined();
  expect(catalogueChanges(published ?? [], requirements), raiseTheVersion).toEqual([]);
});

test('the changelog names the version of the catalogue', () => {
  const unreleased = readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8').split(/^## /m)[1];
  expect(unreleased).toContain(`Catalogue ${catalogueVersion}.`);
});

describe('a kept catalogue', () => {
  const folder = testFolder();

  const [first, second, ...others] = requirements;
  if (first === undefined || second === undefined) throw new Error('The catalogue is empty.');

  test('stands against what is added, taken away or changed, and against nothing else', () => {
    expect(keepCatalogue('1.0.0', requirements, folder)).toBe(true);
    expect(keepCatalogue('1.0.0', requirements, folder)).toBe(false);
    const reworded = { ...second, statement: 'Something else.' };
    const added = { ...first, id: 'NEW-01' };
    expect(catalogueChanges(keptCatalogue('1.0.0', folder) ?? [], [reworded, ...others, added])).toEqual([
      `${first.id} is gone`,
      `${second.id} was changed`,
      'NEW-01 was added',
    ]);
    expect(
      catalogueChanges(keptCatalogue('1.0.0', folder) ?? [], [{ ...first, remedies: [] }, second, ...others]),
    ).toEqual([]);
  });

  test('is not written over under its own version, and goes with the next', () => {
    keepCatalogue('1.0.0', [first, second], folder);
    expect(() => keepCatalogue('1.0.0', [first], folder)).toThrow(`${second.id} is gone`);
    expect(keepCatalogue('1.1.0', [first], folder)).toBe(true);
    expect(readdirSync(folder)).toEqual(['1.1.0.json']);
  });
});
