import { expect, it } from 'vitest';
import { painter } from '../report/paint.ts';
import type { LearnedReading } from '../runner/learn-readings.ts';
import { closingOfLearning, readingTexts } from './learned-text.ts';

const layout = { width: 60, paint: painter(false) };
const open = (id: LearnedReading['id'], said: string): LearnedReading => ({ id, default: 'exact', said });
const found: LearnedReading = {
  id: 'nullMembers',
  default: 'tolerated',
  observed: 'left-out',
  said: 'TRN-11',
};

it('tells one thing that stands in the way of several readings with the first of them', () => {
  const textOf = readingTexts(layout);
  const said = 'It cannot be told: SCA could not be passed.';
  expect(textOf(open('basketLimit', said))).toContain(said);
  expect(textOf(open('lengthUnit', said))).not.toContain(said);
  expect(textOf(open('endedSession', said))).toContain('For the same reason as basketLimit.');
  expect(textOf(open('remittancePairs', 'Another one.'))).toContain('Another one.');
});

it('names the evidence of each reading that was found, though it be the same', () => {
  const textOf = readingTexts(layout);
  expect(textOf(found)).toContain('TRN-11');
  expect(textOf({ ...found, id: 'lengthUnit' })).toContain('TRN-11');
});

it('says at the end what is left open, within the width of the terminal', () => {
  const ids = ['basketLimit', 'lengthUnit', 'endedSession', 'remittancePairs'] as const;
  const learned = [found, ...ids.map((id) => open(id, 'why'))];
  const text = closingOfLearning(learned, { changed: {} }, layout);
  for (const id of ids) expect(text).toContain(id);
  expect(text).not.toContain('nullMembers');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});

it('says how to take what was found, or where it was written', () => {
  const changed = { nullMembers: 'left-out', basketLimit: '50' };
  expect(closingOfLearning([found], { changed }, layout)).toMatch(
    /--write:\ninterpretations:\n.*\n {2}basketLimit: "50"$/,
  );
  expect(closingOfLearning([found], { changed, writtenTo: 'target.yaml' }, layout)).toBe(
    'Written to target.yaml, under interpretations: nullMembers, basketLimit.',
  );
});
