import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { expect, it } from 'vitest';
import { compileTargetMatcher, targetMatcherCode } from './compile-target-matcher.ts';

/** As Node loads the file that the build writes. */
function builtMatcher(): ValidateFunction {
  const module = { exports: {} };
  new Function('require', 'module', 'exports', targetMatcherCode())(
    createRequire(import.meta.url),
    module,
    module.exports,
  );
  return module.exports as ValidateFunction;
}

it('what the build writes finds the same fault in a target file as the schema itself', () => {
  const [built, compiled] = [builtMatcher(), compileTargetMatcher()];
  const files = [
    {},
    [],
    null,
    {
      baseUrl: 'ftp://bank',
      signing: 7,
      psu: { sca: 'never', surname: 'x' },
      accounts: { debtor: { bban: 1 } },
    },
    {
      baseUrl: 'https://bank.example',
      environment: 'nowhere',
      pace: { concurrency: -1 },
      profiles: ['core', 'x'],
    },
    {
      interpretations: { amountFractionDigits: 'never' },
      customHeaders: { 'a b': 'c', d: 'é' },
      notOffered: [{}],
    },
  ];
  for (const file of files) {
    expect([built(file), built.errors]).toEqual([compiled(file), compiled.errors]);
  }
  expect(built.errors).not.toEqual([]);
});
