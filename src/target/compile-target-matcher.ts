import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { targetSchema } from './target-file.ts';

/**
 * In a third of the time without what is of no use for a single file: shorter code, and a look at the schema itself, which a
 * test takes. Code that is kept is worth shortening.
 */
const compiler = (isKept: boolean): Ajv =>
  formats.default(
    new Ajv({
      allErrors: true,
      verbose: true,
      allowUnionTypes: true,
      validateSchema: false,
      code: { optimize: isKept, source: isKept },
    }),
  );

export const compileTargetMatcher = (): ValidateFunction => compiler(false).compile(targetSchema);

/** The same as a CommonJS module, which needs no compiler. */
export function targetMatcherCode(): string {
  const ajv = compiler(true);
  return standalone.default(ajv, ajv.compile(targetSchema));
}

/** For the build. */
export function writeTargetMatcher(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, targetMatcherCode());
}
