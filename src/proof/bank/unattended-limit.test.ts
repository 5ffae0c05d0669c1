import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { withAnswers } from '../../bank/design/design-changes.ts';
import { limits } from '../../spec/limits.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** Whatever stands before the bank asks for a pause of hours, so often, once calls without the PSU are used up. */
function pausingFor(requests: number) {
  let alone = 0;
  let left = requests;
  return withAnswers(['readBalances'], (answer, request) => {
    const isAttended = request.header('psu-ip-address') !== undefined;
    if (!isAttended) alone += 1;
    if (!isAttended || alone < limits.unattendedCalls || left === 0) return answer;
    left -= 1;
    return { status: 429, headers: { 'Retry-After': '7200' }, body: {} };
  })(compliantDesign);
}

test.each([
  [1, 'pass'],
  [1000, 'fail'],
])('a 429 with the PSU present that comes %d times is judged: %s', async (times, verdict) => {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => check.id === 'ACC-10');
  const { results } = await judgeBank(pausingFor(times), some, keys);
  expect(results.map((result) => result.verdict)).toEqual([verdict]);
});
