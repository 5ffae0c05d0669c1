import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirementsFile, requirementsPage } from './requirements-page.ts';

test('REQUIREMENTS.md is what `npm run docs` would write', async () => {
  const written = readFileSync(requirementsFile, 'utf8');
  const fresh = await requirementsPage();
  expect(written === fresh, 'REQUIREMENTS.md is stale: run npm run docs').toBe(true);
});
