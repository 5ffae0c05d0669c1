import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { internationalNames, names, selectionsOf, texts } from './payment-parts.ts';

const length = (text: string): number => [...text].length;

describe('texts of payments', () => {
  it.each([1, 2, 35, 70, 140])('hold six to %i characters, or as many as there may be', (most) => {
    fc.assert(
      fc.property(texts(most), (text) => {
        expect(length(text)).toBeGreaterThanOrEqual(Math.min(6, most));
        expect(length(text)).toBeLessThanOrEqual(most);
      }),
      { seed: 1 },
    );
  });

  it('have nothing that a bank may trim, fold or fail to carry, shrunk ones included', () => {
    const form = /^[A-Za-zæøåÆØÅ](?:[A-Za-z0-9æøåÆØÅ .,()/-]*[A-Za-zæøåÆØÅ])?$/;
    fc.assert(
      fc.property(texts(140), (text) => {
        expect(text).toMatch(form);
        expect(text).not.toMatch(/[ .,()/-]{2}/);
        expect(text).toMatch(/[aeiouyæøå]/i);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('are words alone where they are names', () => {
    for (const drawn of [names(70), internationalNames(70)])
      for (const name of fc.sample(drawn, { seed: 1, numRuns: 200 })) expect(name).not.toMatch(/[\d(),/]/);
  });

  it('have Norwegian letters now and then', () => {
    const drawn = fc.sample(texts(70), { seed: 1, numRuns: 50 });
    expect(drawn.filter((text) => /[æøåÆØÅ]/.test(text)).length).toBeGreaterThan(10);
  });
});

const letters = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x61 + index));

it('every two fields are met together, each alone, and neither of them', () => {
  for (const names of [1, 2, 3, 8, 9, 10, 11].map(letters)) {
    const selections = selectionsOf(names);
    const missing = names.flatMap((one, index) =>
      names
        .slice(index + 1)
        .flatMap((other) =>
          [true, false].flatMap((hasOne) =>
            [true, false]
              .filter(
                (hasOther) =>
                  !selections.some(
                    (selection) =>
                      selection.includes(one) === hasOne && selection.includes(other) === hasOther,
                  ),
              )
              .map((hasOther) => `${one} ${hasOne}, ${other} ${hasOther}`),
          ),
        ),
    );
    expect(missing).toEqual([]);
  }
});

it('nine fields take seven requests, none and all of them included', () => {
  const selections = selectionsOf(letters(9));
  expect(selections).toHaveLength(7);
  expect(selections[0]).toEqual([]);
  expect(selections.at(-1)).toEqual(letters(9));
});
