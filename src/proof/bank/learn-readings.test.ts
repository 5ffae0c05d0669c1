import { beforeAll, describe, expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { DesignChange } from '../../bank/design/design-changes.ts';
import { deviationById } from '../../bank/deviations/index.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { runChecks } from '../../checks/engine.ts';
import { learnReadings } from '../../runner/learn-readings.ts';
import { learnTheClock } from '../../runner/preflight.ts';
import { requirementById } from '../../spec/catalogue.ts';
import type { InterpretationId } from '../../spec/interpretations.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { type ProofSetup, proofSetup } from './prove-bank.test.data.ts';
import { proveDeviation } from './prove-bank.ts';
import { proveDialects } from './prove-dialects.ts';

let setup: ProofSetup;
beforeAll(async () => {
  setup = await proofSetup();
});

/** What is learned of a reading, and the ids of the checks that fail under what was learned. */
async function learned(reading: InterpretationId, change: DesignChange) {
  const design = change(compliantDesign);
  const resting = setup.checks.filter(
    ({ check }) => requirementById.get(check.requirement)?.interpretation === reading,
  );
  const { runContext } = await createBankRunContext(setup.keys, design);
  await learnTheClock(runContext.client);
  const found = (await learnReadings(runContext, resting)).find(({ id }) => id === reading);
  const readings = found?.observed === undefined ? {} : { [reading]: found.observed };
  const after = await createBankRunContext(setup.keys, design, { readings });
  const results = await runChecks(resting, after.runContext);
  return {
    observed: found?.observed,
    status: found?.exchange?.response?.status,
    failing: results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
  };
}

const dialect = (id: string): DesignChange => dialectById.get(id)?.apply ?? missing(id);
const deviation = (id: string): DesignChange => deviationById.get(id)?.apply ?? missing(id);
function missing(id: string): never {
  throw new Error(`There is no deviation or dialect ${id}.`);
}

describe('readings are learned from what a bank does', () => {
  test.each<[InterpretationId, string, string, number]>([
    ['letters', 'letters/ascii-only', 'ascii-only', 400],
    ['letters', 'letters/ascii-abroad', 'ascii-abroad', 400],
    ['remittancePairs', 'strict/remittance-pairs', 'any-pair', 400],
    ['accountReference', 'lenient/accounts', 'neither-refused', 201],
    ['unsignedCandidates', 'lenient/unsigned-headers', 'digest-only', 200],
    ['statusBeforeApproval', 'known-issue/unreadable', 'tolerated', 403],
    ['acceptFix', 'strict/accept-fix-everywhere', 'everywhere', 400],
    ['requestTarget', 'strict/no-request-target', 'not-judged', 400],
    ['currencies', 'strict/kroner-at-home', 'kroner', 400],
  ])('%s of a bank with %s', async (reading, id, observed, status) => {
    expect(await learned(reading, dialect(id))).toEqual({ observed, status, failing: [] });
  });

  test('how payments ask for SCA is not learned: it may be required on any transaction', async () => {
    expect(await learned('paymentSca', (design) => design)).toMatchObject({ observed: undefined });
  });

  test('the clock of a bank that sends no Date is ours', async () => {
    expect(await learned('clockReference', dialect('headers/no-date'))).toMatchObject({
      observed: 'own-clock',
    });
  });
});

describe('the proof tells what learning makes conformant', () => {
  test.each([
    ['AMT-03/whole-amounts', true],
    ['AMT-02/unchecked', false],
  ])('%s: %s', async (id, excused) => {
    const { blamed, excused: found } = await proveDeviation(
      deviationById.get(id) ?? missing(id),
      setup.checks,
      setup.keys,
      { all: false, learns: true },
    );
    expect({ blamed, excused: found }).toEqual({ blamed: true, excused });
  });

  test('a bank with a former limit is conformant by what was learned, and not before', async () => {
    const dialect = dialectById.get('strict/ten-in-a-basket') ?? missing('strict/ten-in-a-basket');
    const { declared: _, ...undeclared } = dialect;
    const baskets = setup.checks.filter(({ check }) => check.requirement.startsWith('BSK-1'));
    const alarms = async (learns: boolean) =>
      (await proveDialects([undeclared], baskets, setup.keys, { learns })).alarms.map((alarm) =>
        alarm.slice(0, 6),
      );
    expect([...new Set(await alarms(false))]).toEqual(['BSK-12', 'BSK-13']);
    expect(await alarms(true)).toEqual([]);
  });
});

describe('a must that is broken is no reading', () => {
  test.each<[InterpretationId, string]>([
    ['amountFractionDigits', 'AMT-02/unchecked'],
    ['statusBeforeApproval', 'PST-01/never-readable'],
    ['amountFractionDigits', 'AMT-03/answered-500'],
  ])('%s of a bank with %s', async (reading, id) => {
    const { failing } = await learned(reading, deviation(id));
    expect(failing).not.toEqual([]);
  });
});
