import fc from 'fast-check';

/**
 * Text as it stands in payments: letters of Norway, digits and the punctuation that every clearing system carries.
 * Nothing here is at the mercy of a downstream system; unprocessable characters are a check of their own.
 */
const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const norwegian = [...'æøåÆØÅ'];
const others = [..."0123456789-.,'()/"];

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(...norwegian) },
  { weight: 2, arbitrary: fc.constantFrom(' ', ...others) },
);

/** What the international network carries (SWIFT character set x): no Norwegian letters. */
const international = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(' ', ...others) },
);

/** Begins and ends with a letter: white space at the ends is trimmed by some banks and counted by others. */
export const texts = (maxLength: number, unit = character): fc.Arbitrary<string> =>
  fc.string({ unit, minLength: 1, maxLength }).map((text) =>
    text
      .replace(/^[^\p{L}]/u, 'A')
      .replace(/[^\p{L}]$/u, 'e')
      .replace(/ {2,}/g, (spaces) => ` ${'o'.repeat(spaces.length - 1)}`),
  );

export const internationalTexts = (maxLength: number): fc.Arbitrary<string> =>
  texts(maxLength, international);
