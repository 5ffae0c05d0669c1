import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How large the part of the heap may grow in which everything begins: two halves of 4 MB. */
const nurseryBytes = 8 * 1024 * 1024;

/** How often its size is looked at until it has grown so far, in milliseconds. */
const lookEvery = 5;

/**
 * Left alone, on a machine with much memory, the heap may grow to four times what is in use before it is cleared up, and its
 * nursery to 32 MB, of which a run is none the quicker. How large the nursery may become is settled before any script runs;
 * how it grows is not: at once to the size that does, and then no further.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--semi-space-growth-factor=4');
  const look = setInterval(() => {
    const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (nursery !== undefined && nursery.space_size < nurseryBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(look);
  }, lookEvery).unref();
}

/**
 * Clears up what a run has left before its page of Allure is made, which takes most memory of all: otherwise it comes on top of it. What
 * the page itself leaves behind is cleared up sooner from then on.
 */
export function clearHeap(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
