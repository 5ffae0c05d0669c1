import { expect, it } from 'vitest';
import { selectionsOf } from './selections.ts';

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
