import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Known from Node 22 on. */
type Enable = (folder?: string) => unknown;

/**
 * Lets Node keep the compiled code of the many small files for the next start. Left alone it takes a folder that anybody
 * can make first, and runs what stands there in place of ours: so it is one that nobody else can write to, or none.
 */
export function keepCompiledCode(
  enable: Enable | undefined = (module as { enableCompileCache?: Enable }).enableCompileCache,
  environment: NodeJS.ProcessEnv = process.env,
  place: string = tmpdir(),
): void {
  if (enable === undefined) return;
  const user = process.getuid?.();
  // Whoever names a folder means it; and where there are no such users, everybody has a place of their own for what passes.
  if (user === undefined || environment.NODE_COMPILE_CACHE !== undefined) {
    enable();
    return;
  }
  const folder = join(place, `xs2a-conformance-code-${user}`);
  if (isOurs(folder, user)) enable(folder);
}

/** Whether the folder, made if need be, is this user's, and nobody else may write to it. */
function isOurs(folder: string, user: number): boolean {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}
