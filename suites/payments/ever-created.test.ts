import { describe, expect, test } from 'vitest';
import {
  created,
  fakeRunContext,
  refusal,
  scaWanted,
  verdictOn,
} from '../../src/checks/fake-run-context.test.data.ts';
import type { CheckResult } from '../../src/checks/verdict.ts';
import { responseOf } from '../../src/tpp/fake-transport.test.data.ts';
import { everCreated } from './ever-created.ts';
import responses from './responses.suite.ts';

const ever = everCreated('PAY-01', 'createDomesticPayment', 'domestic payment');

describe('what is said of every payment that a run has created', () => {
  test('holds where some were created', async () => {
    expect(
      (
        await verdictOn(
          ever,
          fakeRunContext(() => created()),
        )
      ).verdict,
    ).toBe('pass');
  });

  test('is left open where none was: nothing has shown it', async () => {
    const result = await verdictOn(
      ever,
      fakeRunContext(() => refusal()),
    );
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      reason: 'This run has created no domestic payment.',
    });
  });

  test.each([
    ['fails', 200, 'fail'],
    ['is left open', 401, 'inconclusive'],
  ] as const)(
    '%s where SCA is asked for again and again, and accounts are answered %i',
    async (_, status, verdict) => {
      const psu = {
        id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c',
        nationalId: '01819010001',
        sca: 'form',
      } as const;
      const run = fakeRunContext(
        ({ wire }) =>
          wire.target === '/v1/accounts' && status === 200 ? responseOf(200, { accounts: [] }) : scaWanted(),
        { target: { psu } },
      );
      const pass = async () => ({ address: psu.id, psuId: psu.id.toUpperCase() });
      const result = await verdictOn(ever, { ...run, walker: { ...run.walker, pass } });
      expect(result.verdict).toBe(verdict);
    },
  );

  test('does not apply where payments may not be created', async () => {
    const target = { environment: 'production' } as const;
    const result = await verdictOn(
      ever,
      fakeRunContext(() => refusal(), { target }),
    );
    expect(result).toMatchObject({ verdict: 'not-applicable', withheld: true });
  });

  test('is left open for fees as well', async () => {
    const verdicts: CheckResult['verdict'][] = [];
    const ofFees = responses.checks.filter(({ id }) => ['PRS-20', 'PRS-23', 'PRS-24'].includes(id));
    for (const check of ofFees)
      verdicts.push(
        (
          await verdictOn(
            check,
            fakeRunContext(() => refusal()),
          )
        ).verdict,
      );
    expect(verdicts).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  });
});
