import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../src/checks/context.ts';
import { fakeRunContext } from '../../src/checks/fake-run-context.test.data.ts';
import { responseOf } from '../../src/tpp/fake-transport.test.data.ts';
import { readScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { seenOnce } from './seen-redirects.ts';

/** Two checks of one run, and a walk that asks for accounts on its way. */
function twoChecks() {
  const run = fakeRunContext(() => responseOf(200, {}));
  const [first, second] = [run.contextFor('RDR-01', 0), run.contextFor('RDR-02', 1)] as const;
  const walkOf = (context: CheckContext) => async () => {
    await context.call({ operation: 'listAccounts' });
    return { back: readScaReturn('https://tpp.example/redirect?psu-id=1'), psu: context.psu };
  };
  return { run, first, second, walkOf };
}

describe('a redirect that several checks look at', () => {
  it('is walked to once, and told by each of them', async () => {
    const { run, first, second, walkOf } = twoChecks();
    const [one, other] = await Promise.all([
      seenOnce(first, 'access', walkOf(first)),
      seenOnce(second, 'access', walkOf(second)),
    ]);
    expect(other.back).toEqual(one.back);
    expect(run.transport.requests).toHaveLength(1);
    expect(second.exchanges).toEqual(first.exchanges);
    expect([first.adopted, second.adopted]).toEqual([0, 1]);
  });

  it('is walked to again by the next one where the first came to nothing', async () => {
    const { first, second, walkOf } = twoChecks();
    const failing = seenOnce(first, 'access', () => Promise.reject(new Error('on the way')));
    await expect(failing).rejects.toThrow('on the way');
    expect((await seenOnce(second, 'access', walkOf(second))).back.psuId).toBe('1');
  });
});
