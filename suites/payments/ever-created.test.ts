import { describe, expect, test } from 'vitest';
import { created, fakeRunContext, refusal, verdictOn } from '../../src/checks/fake-run-context.test.data.ts';
import type { CheckResult } from '../../src/checks/verdict.ts';
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
