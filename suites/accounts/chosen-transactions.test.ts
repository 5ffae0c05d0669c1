import { describe, expect, it } from 'vitest';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { mustBeNeighbours, type ReadBooked } from './chosen-transactions.ts';

/** An account whose newest transactions come first; before some of the readings another one is booked. */
function account(isBookedBefore: (reading: number) => boolean, takesOffset = true): ReadBooked {
  let readings = 0;
  const ids = Array.from({ length: 40 }, (_, index) => 1000 - index);
  return async ({ limit, offset = '0' }) => {
    readings += 1;
    if (isBookedBefore(readings)) ids.unshift((ids[0] ?? 0) + 1);
    const start = takesOffset ? Number(offset) : 0;
    return ids.slice(start, start + Number(limit)).map((id) => ({ transactionId: `T${id}` }));
  };
}

describe('two stretches of transactions', () => {
  it('are neighbours where the one begins behind the other', async () => {
    await mustBeNeighbours(account(() => false));
  });

  it('are read again where something was booked in between', async () => {
    await mustBeNeighbours(account((reading) => reading === 2));
  });

  it('cannot be compared where that happens each time', async () => {
    await expect(mustBeNeighbours(account(() => true))).rejects.toThrow(Inconclusive);
  });

  it('are the same where an offset means nothing', async () => {
    await expect(mustBeNeighbours(account(() => false, false))).rejects.toThrow(ExpectationFailed);
  });
});
