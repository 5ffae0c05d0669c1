import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { caughtAloneOf, firstToBlameOf, textOf } from './first-to-blame.ts';

const requests = new Map([
  ['A', 9],
  ['B', 2],
  ['C', 1],
]);

it('is the check of the fewest requests that blames a bank, at once where one does', () => {
  const banks = [
    { id: 'X/1', blamedBy: ['A', 'B'], atOnceBy: ['A', 'B', 'C'] },
    { id: 'X/2', blamedBy: ['A', 'C'], atOnceBy: ['A'] },
    { id: 'X/3', blamedBy: ['A', 'C'], atOnceBy: [] },
    { id: 'X/0', blamedBy: ['B'], atOnceBy: ['B'] },
    { id: 'X/4', blamedBy: [], atOnceBy: [] },
  ];
  expect(firstToBlameOf(banks, requests)).toEqual({ A: ['X/2'], B: ['X/0', 'X/1'], C: ['X/3'] });
});

it('tells what a check alone catches', () => {
  const banks = [
    { id: 'X/1', blamedBy: ['A', 'B'] },
    { id: 'X/3', blamedBy: ['A'] },
    { id: 'X/2', blamedBy: ['A'] },
    { id: 'X/4', blamedBy: [] },
  ];
  expect(caughtAloneOf(banks)).toEqual({ A: ['X/2', 'X/3'] });
});

it('is written as our formatter writes it, so that nobody has to format it after a proof', () => {
  const text = readFileSync(new URL('../../fixtures/proof/first-to-blame.json', import.meta.url), 'utf8');
  expect(textOf(JSON.parse(text))).toBe(text);
});
