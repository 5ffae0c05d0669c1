import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ProgressCount } from './progress.ts';
import { clearHeap } from './small-heap.ts';

/** What a run has seen, held by whoever counts its requests. */
function startedOn(count: ProgressCount): WeakRef<object> {
  const seen = { requests: 7 };
  count.start(0, () => seen.requests);
  return new WeakRef(seen);
}

it('what a run has seen is gone once it has ended and the heap was cleared, and not before', async () => {
  const count = new ProgressCount(new Map([['A-1', 1]]));
  const seen = startedOn(count);
  await nextTurn();
  clearHeap();
  expect(seen.deref()).toBeDefined();
  count.stop();
  await nextTurn();
  clearHeap();
  expect(seen.deref()).toBeUndefined();
});
