import { describe, expect, it } from 'vitest';
import { isValidKid } from './kid-rules.ts';

describe('a KID', () => {
  it.each(['2345676', '12345678903', '26', '00', '6-'])('is %s', (reference) => {
    expect(isValidKid(reference)).toBe(true);
  });

  it.each(['33523568', '', '1', '2345677', '234567a', '23456-6', '1'.repeat(26)])(
    'is not %j',
    (reference) => {
      expect(isValidKid(reference)).toBe(false);
    },
  );
});
