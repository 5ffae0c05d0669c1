import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SandboxFolderError, sandboxPkiIn } from './sandbox-folder.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'xs2a-sandbox-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

it('a folder whose key has no end is refused, and not read for ever', { timeout: 60_000 }, async () => {
  const { tpp } = await sandboxPkiIn(dir);
  expect((await sandboxPkiIn(dir)).tpp.certificate.fingerprint256).toBe(tpp.certificate.fingerprint256);
  rmSync(join(dir, 'tpp.key'));
  symlinkSync('/dev/zero', join(dir, 'tpp.key'));
  const refused = await sandboxPkiIn(dir).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SandboxFolderError);
  expect((refused as Error).message).toContain('it has more than 16 MB');
});
