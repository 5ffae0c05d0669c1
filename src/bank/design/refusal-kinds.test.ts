import { expect, test } from 'vitest';
import { requirementById } from '../../spec/catalogue.ts';
import { type RefusalAnswer, refusalKinds } from './refusal-kinds.ts';

test('a kind whose status a requirement fixes has that status', () => {
  const wrong = Object.entries<RefusalAnswer>(refusalKinds).filter(
    ([, { status, fixedBy }]) => fixedBy !== undefined && requirementById.get(fixedBy)?.status !== status,
  );
  expect(wrong).toEqual([]);
});
