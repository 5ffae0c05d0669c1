import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { SandboxFolderError, sandboxPkiIn } from './sandbox-folder.ts';

const dir = testFolder('all tests');

it('a folder whose key has no end is refused, and not read for ever', { timeout: 60_000 }, async () => {
  const { tpp } = await sandboxPkiIn(dir);
  expect((await sandboxPkiIn(dir)).tpp.certificate.fingerprint256).toBe(tpp.certificate.fingerprint256);
  rmSync(join(dir, 'tpp.key'));
  symlinkSync('/dev/zero', join(dir, 'tpp.key'));
  const refused = await sandboxPkiIn(dir).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SandboxFolderError);
  expect((refused as Error).message).toContain('it has more than 16 MB');
});
