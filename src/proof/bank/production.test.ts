import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** The verdict on each profile of a production bank, and what is left open. */
async function judged(profiles?: readonly ProfileId[]) {
  const { checks, keys } = await proofSetup();
  const { outcome } = await judgeBank(compliantDesign, checks, keys, {
    environment: 'production',
    ...(profiles === undefined ? {} : { profiles }),
  });
  return {
    verdicts: Object.fromEntries(outcome.profiles.map(({ id, verdict }) => [id, verdict])),
    open: outcome.gaps.map(({ requirement, why }) => `${requirement.id}: ${why}`),
    notBinding: outcome.notBinding.map(({ what }) => what),
  };
}

test('a production bank is conformant to every profile that binds it', async () => {
  const { verdicts, open, notBinding } = await judged();
  expect(open).toEqual([]);
  expect(new Set(Object.values(verdicts))).toEqual(new Set(['conformant']));
  expect(Object.keys(verdicts)).toHaveLength(8);
  expect(notBinding).toContain('sandbox');
}, 120_000);

test.each<[readonly ProfileId[]]>([
  [['accounts']],
  [['domestic-payments']],
  [['cross-border-payments']],
  [['accounts', 'sca-redirect']],
  [['domestic-payments', 'signing-baskets']],
])(
  'one that declares %j alone is, too: core shows at what it offers',
  async (profiles) => {
    expect(await judged(profiles)).toMatchObject({
      open: [],
      verdicts: Object.fromEntries(['core', ...profiles].map((id) => [id, 'conformant'])),
    });
  },
  120_000,
);
