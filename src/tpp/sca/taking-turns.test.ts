import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ScaWalkError, type ScaWalker } from './sca-walker.ts';
import { takingTurns } from './taking-turns.ts';

const kari = { nationalId: '01819010001', context: 'PRIVATE' } as const;
const ola = { nationalId: '01819010192', context: 'PRIVATE' } as const;

/** Knows the latest login of each customer, and shows an error to the others. */
function bankWithOneLogin(status = 409) {
  const latest = new Map<string, string>();
  let atOnce = 0;
  let most = 0;
  const walker: ScaWalker = {
    async pass(link, { nationalId }) {
      atOnce += 1;
      most = Math.max(most, atOnce);
      latest.set(nationalId, link);
      await sleep(5);
      atOnce -= 1;
      if (latest.get(nationalId) === link) return { address: link, psuId: link };
      throw new ScaWalkError('stuck', 'logged in elsewhere', undefined, status);
    },
    abort: async () => undefined,
  };
  return { walker: takingTurns(walker), mostAtOnce: () => most };
}

const kindOf = (error: unknown): string => (error instanceof ScaWalkError ? error.kind : String(error));

describe('walks of one PSU', () => {
  it('go side by side until one was ended by another, which may be begun again; then they take turns', async () => {
    const { walker, mostAtOnce } = bankWithOneLogin();
    const first = await Promise.allSettled(['a', 'b'].map((link) => walker.pass(link, kari)));
    expect(first).toMatchObject([
      { status: 'rejected', reason: { kind: 'lost' } },
      { status: 'fulfilled', value: { psuId: 'b' } },
    ]);
    expect(mostAtOnce()).toBe(2);
    const next = await Promise.all(['c', 'd', 'e'].map((link) => walker.pass(link, kari)));
    expect(next.map(({ psuId }) => psuId)).toEqual(['c', 'd', 'e']);
  });

  it('are disturbed by a page that somebody only looks at', async () => {
    const walker = takingTurns({ pass: () => sleep(5, { address: 'a' }), abort: async () => undefined });
    const refused = async () => {
      throw new ScaWalkError('stuck', 'no', undefined, 403);
    };
    const beside = walker.pass('a', kari);
    expect(await walker.look(refused).catch(kindOf)).toBe('lost');
    await beside;
    expect(await walker.look(refused).catch(kindOf)).toBe('stuck');
  });

  it('that nobody disturbed are stuck for a reason of their own', async () => {
    const stuck = new ScaWalkError('stuck', 'no', undefined, 403);
    const walker = takingTurns({ pass: () => Promise.reject(stuck), abort: async () => undefined });
    expect(await walker.pass('a', kari).catch(kindOf)).toBe('stuck');
    const both = await Promise.all([kari, ola].map((person) => walker.pass('a', person).catch(kindOf)));
    expect(both).toEqual(['stuck', 'stuck']);
  });

  it('are not begun again for an error of the bank', async () => {
    const { walker } = bankWithOneLogin(500);
    const [disturbed] = await Promise.all(['a', 'b'].map((link) => walker.pass(link, kari).catch(kindOf)));
    expect(disturbed).toBe('stuck');
  });
});
