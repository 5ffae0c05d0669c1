import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';

/** Written by the build, next to what it is made of. */
const builtMatcher = fileURLToPath(new URL('../target/target-matcher.cjs', import.meta.url));

let loaded: Promise<ValidateFunction> | undefined;

/** Tells whether something is a target file. Making it of the schema takes as long as all the rest of a start. */
export function targetMatcher(): Promise<ValidateFunction> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ValidateFunction> {
  // Not imported: Node would first search so much code for the names of what it exports.
  if (existsSync(builtMatcher)) return createRequire(import.meta.url)(builtMatcher) as ValidateFunction;
  const { compileTargetMatcher } = await import('./compile-target-matcher.ts');
  return compileTargetMatcher();
}
