import { expect, test } from 'vitest';
import { otherFact, otherLine } from './same-as.ts';

test('what is said of a bank is compared, and no function of it', () => {
  const before = { id: 'A/b', also: ['C'], apply: () => 1 };
  expect(otherFact(before, { ...before, apply: () => 2, row: 'new' })).toBeUndefined();
  expect(otherFact(before, { ...before, also: ['D'] })).toBe('also was ["C"], and is ["D"]');
});

test('answers are compared whatever their order, apart from ids that were drawn', () => {
  const answer = (id: number, text: string): string =>
    `GET / → 200 feed0000-0000-4000-8000-00000000000${id} ${text}`;
  expect(otherLine([answer(1, 'a'), answer(2, 'b')], [answer(4, 'b'), answer(3, 'a')])).toBeUndefined();
  expect(otherLine([answer(1, 'a')], [answer(1, 'b')])).toBe(
    '\n  only before: GET / → 200 {1} a\n  only now:    GET / → 200 {1} b',
  );
  expect(otherLine([answer(1, 'a')], [answer(1, 'a'), answer(1, 'a')])).toContain('only before: nothing');
});
