import { expect, test } from 'vitest';
import { isSpoiled, lettered } from './lettered-names.ts';

test.each(['BjÃ¸rn Ã†rlig Ã…s', 'Bj?rn ?rlig ?s', 'Bj??rn ??rlig ??s', 'Bj\uFFFDrn \uFFFDrlig \uFFFDs'])(
  '%s has lost its letters',
  (name) => {
    expect(isSpoiled(name)).toBe(true);
  },
);

test.each([lettered, lettered.toUpperCase(), 'Bjorn Arlig As', 'BJOERN AERLIG AAS', 'Bjørn', 'What?'])(
  '%s has not',
  (name) => {
    expect(isSpoiled(name)).toBe(false);
  },
);
