import { expect, test } from 'vitest';
import { problemLines, proofPage, sectionLines, summaryLines } from './proof-text.ts';
import type { DeviationResult } from './prove-deviation.ts';
import type { Proof } from './verdict-of-proof.ts';

const result = (changes: Partial<DeviationResult>): DeviationResult => ({
  id: 'DIG-03/unchecked',
  requirement: 'DIG-03',
  title: 'checks no digest',
  killed: true,
  blamed: true,
  blamedBy: ['DIG-03'],
  others: [],
  all: false,
  said: [],
  ...changes,
});

const survivor = result({
  id: 'DIG-03/either',
  killed: false,
  blamed: false,
  blamedBy: [],
  said: ['DIG-03 pass'],
});
const unblamed = result({
  id: 'AMT-01/always-two',
  requirement: 'AMT-01',
  blamed: false,
  others: ['NDC-04'],
});
const alarm = {
  ids: ['errors/html', 'prefix/psd2'],
  alarms: ['MSG-01: no'],
  warnings: [],
  inconclusive: [],
  passed: 9,
};

const proof: Proof = {
  deviations: [result({}), survivor, unblamed],
  dialects: [],
  combinations: [alarm],
  survivors: [survivor],
  unblamed: [unblamed],
  falseAlarms: [alarm],
  unproved: ['CLK-01'],
  needless: ['NDC-11-accepted'],
  holds: false,
};

test('every problem is told by name', () => {
  const text = problemLines(proof).join('\n');
  expect(text).toContain('SURVIVED  DIG-03/either: a bank that checks no digest is not noticed');
  expect(text).toContain('UNBLAMED  AMT-01/always-two');
  expect(text).toContain('noticed only by NDC-04');
  expect(text).toContain('ALARM     errors/html + prefix/psd2\n            MSG-01: no');
  expect(text).toContain('UNPROVED  CLK-01');
  expect(text).toContain('NEEDLESS  NDC-11-accepted');
});

test('the summary counts killed and blamed, and a part of the proof says nothing about the rest', () => {
  const text = summaryLines(proof, 12).join('\n');
  expect(text).toContain('2 of 3 killed, 1 of 3 blamed');
  expect(text).toContain('1 false alarms over 0 dialects and 1 random combinations');
  expect(text).toContain('1 that could be left out');
  expect(summaryLines(proof, 12, false).join('\n')).not.toContain('Checks');
});

test('the matrix has a line for each section, and a page with one for each requirement', () => {
  const [, digest, amounts] = sectionLines(proof);
  expect(digest).toMatch(/ 1 +2 +1 +1$/);
  expect(amounts).toMatch(/ 1 +1 +1 +0$/);
  const page = proofPage(proof, 12);
  expect(page).toContain('| DIG-03 | 1 of 2 | unchecked, either (survived) |');
  expect(page).toContain('| AMT-01 | 0 of 1 | always-two (unblamed) |');
  expect(page).toContain('| errors/html + prefix/psd2 | 9 | 0 | 0 | 1 |');
});
