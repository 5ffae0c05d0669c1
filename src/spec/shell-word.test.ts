import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  'bank.yaml',
  'my bank.yaml',
  "Ola's bank.yaml",
  '$(touch x); `y` & "z" | #',
  '',
  '~/bank',
  'a\\b',
])('%j is one word of a shell, as it is', (text) => {
  const said = execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
  expect(said).toBe(text);
});
