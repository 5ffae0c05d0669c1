import { expect, test } from 'vitest';
import { LargeBodies } from './large-bodies.ts';
import { limits } from './limits.ts';

const megabyte = 1024 * 1024;
const rooms = limits.largeBytesOfARun / megabyte;

test('there is room for so many large bodies, and for small ones always', () => {
  const large = new LargeBodies();
  const taken = Array.from({ length: rooms + 2 }, (_, index) =>
    large.hasRoomFor(Buffer.alloc(megabyte, index)),
  );
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(rooms);
  expect(taken.slice(-2)).toEqual([false, false]);
  expect(large.hasRoomFor(Buffer.alloc(100))).toBe(true);
});

test('the same body again takes no room', () => {
  const large = new LargeBodies();
  const first = Buffer.alloc(megabyte, 'a');
  expect(large.hasRoomFor(first)).toBe(true);
  for (let time = 0; time < 2 * rooms; time += 1) {
    const again = large.same(Buffer.alloc(megabyte, 'a'));
    expect(again).toBe(first);
    expect(large.hasRoomFor(again)).toBe(true);
  }
});

test('what is packed takes room as well', () => {
  const large = new LargeBodies();
  const [body, packed] = [Buffer.alloc(megabyte, 'b'), Buffer.alloc(megabyte, 'p')];
  const taken = Array.from({ length: rooms }, (_, index) =>
    large.hasRoomFor(Buffer.alloc(megabyte, index), Buffer.alloc(megabyte, `p${index}`)),
  );
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(rooms / 2);
  expect(large.hasRoomFor(body, packed)).toBe(false);
});
