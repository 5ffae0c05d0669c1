import { expect, test } from 'vitest';
import { sameDistinguishedName } from '../signing/distinguished-name.ts';
import { signingString } from '../signing/signing-string.ts';
import { clearlyBelowQuadratic, growthOf } from './growth.test.data.ts';

/** A header of sixteen thousand characters passes every server: reading it must not take seconds. */
test.each<readonly [string, (size: number) => void]>([
  ['spaces inside a signed value', (size) => signingString(['a'], () => `x${' '.repeat(size)}x`)],
  ['spaces inside a name', (size) => sameDistinguishedName(`CN=a${' '.repeat(size)}b`, 'CN=a')],
  ['backslashes inside a name', (size) => sameDistinguishedName(`CN=${'\\\\'.repeat(size)}b`, 'CN=a')],
])('%s take time in proportion to their number', (_, work) => {
  expect(growthOf(work, 5_000)).toBeLessThan(clearlyBelowQuadratic);
});
