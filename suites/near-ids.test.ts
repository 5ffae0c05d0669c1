import { describe, expect, it } from 'vitest';
import { isUuid } from '../src/spec/formats.ts';
import { endingLike, nearTo, unknownNextTo, unknownOnesLike } from './near-ids.ts';

const uuid = '0b0e7c5e-3f0d-4b7a-9a51-6f1f7f4e2c97';

describe('an id near to another', () => {
  it.each([uuid, '0b0e7c5e-3f0d-4b7a-9a51-6f1f7f4e2c9A', 'session-of-kari', '7'])(
    'differs from %s in its last character alone',
    (id) => {
      expect(nearTo(id)).not.toBe(id);
      expect(nearTo(id).slice(0, -1)).toBe(id.slice(0, -1));
      expect(nearTo(id)).toHaveLength(id.length);
    },
  );

  it.each(['4A11', '3A11'])('ends like %s and begins otherwise', (id) => {
    expect(endingLike(id)).not.toBe(id);
    expect(endingLike(id).slice(1)).toBe(id.slice(1));
  });

  it('is a UUID where the other is one', () => {
    expect(isUuid(nearTo(uuid))).toBe(true);
    expect(unknownNextTo(uuid)).toBe(nearTo(uuid));
  });

  it('differs in its length as well', () => {
    const lengths = unknownOnesLike(uuid).map(({ length }) => length - uuid.length);
    expect(lengths).toEqual([0, 1, -1]);
    expect(unknownOnesLike('4711').map(isUuid)).toEqual([true]);
  });

  it('is none of a row of numbers, where the next may be that of something else', () => {
    expect(isUuid(unknownNextTo('4711'))).toBe(true);
  });
});
