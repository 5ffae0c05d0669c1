import { beforeAll, describe, expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { withRules } from '../../bank/design/design-changes.ts';
import { deviationById } from '../../bank/deviations/index.ts';
import type { Check } from '../../checks/check.ts';
import { type PlacedCheck, runChecks } from '../../checks/engine.ts';
import { accepted, refused } from '../../checks/expectation.ts';
import { ExpectationFailed } from '../../checks/outcomes.ts';
import { aDomesticPayment } from '../../checks/subject.ts';
import { accepts, refuses } from '../../checks/trial.ts';
import { setAt } from '../../payloads/json.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { citing, type ProofSetup, proofSetup } from './prove-bank.test.data.ts';
import { proveDeviation } from './prove-bank.ts';

let setup: ProofSetup;
beforeAll(async () => {
  setup = await proofSetup();
});

/** The checks of a requirement with one of them changed. */
const changed = (requirement: string, id: string, change: (check: Check) => Check): readonly PlacedCheck[] =>
  citing(setup.checks, requirement).map((placed) =>
    placed.check.id === id ? { ...placed, check: change(placed.check) } : placed,
  );

async function isBlamed(deviation: string, checks: readonly PlacedCheck[]): Promise<boolean> {
  const found = deviationById.get(deviation);
  if (found === undefined) throw new Error(`There is no deviation ${deviation}.`);
  return (await proveDeviation(found, checks, setup.keys, { all: false, untilBlamed: true })).blamed;
}

/** The proof holds with the suite as it is, and no longer with the mutation. */
async function expectNoticed(deviation: string, checks: readonly PlacedCheck[]): Promise<void> {
  const { requirement = '' } = deviationById.get(deviation) ?? {};
  expect(await isBlamed(deviation, citing(setup.checks, requirement))).toBe(true);
  expect(await isBlamed(deviation, checks)).toBe(false);
}

const acceptsAnything = (check: Check): Check => ({
  ...check,
  run: (context) =>
    check.run(context).catch((error: unknown) => {
      if (!(error instanceof ExpectationFailed)) throw error;
    }),
});

describe('an expectation that accepts anything is noticed', () => {
  test.each([
    ['NDC-11', 'NDC-11/one-longer'],
    ['SIG-01', 'SIG-01/401-for-400'],
    ['PRS-05', 'PRS-05/unlisted'],
    ['RDR-01', 'RDR-01/missing'],
  ])('in %s, by %s', async (id, deviation) => {
    const { requirement = '' } = deviationById.get(deviation) ?? {};
    const everyOne = citing(setup.checks, requirement).map((placed) => ({
      ...placed,
      check: acceptsAnything(placed.check),
    }));
    expect(everyOne.some(({ check }) => check.id === id)).toBe(true);
    await expectNoticed(deviation, everyOne);
  });
});

describe('an expectation that is too generous is noticed', () => {
  test('any refusal where 400 is fixed', async () => {
    const generous = refuses({
      id: 'ERR-02',
      requirement: 'ERR-02',
      title: 'a wrong KID is refused',
      of: aDomesticPayment({ remittance: 'array' }),
      twists: [
        {
          label: 'the KID is wrong',
          body: (body) => setAt(body, ['remittanceInformationStructuredArray'], [{ reference: '33523568' }]),
        },
      ],
      expected: refused(),
      cases: 1,
    });
    await expectNoticed(
      'ERR-02/422-for-400',
      changed('ERR-02', 'ERR-02', () => generous).filter(({ check }) => check.id === 'ERR-02'),
    );
  });

  test('any success where 201 is fixed', async () => {
    const generous = accepts({
      id: 'PAY-01',
      requirement: 'PAY-01',
      title: 'a payment is accepted',
      of: aDomesticPayment(),
      twists: [{ label: 'everything is valid' }],
      expected: accepted(),
      cases: 1,
    });
    await expectNoticed(
      'PAY-01/200-for-201',
      changed('PAY-01', 'PAY-01', () => generous).filter(({ check }) => check.observes !== true),
    );
  });
});

describe('a generator that never reaches a bound is noticed', () => {
  const named = (length: number, id: string, make: typeof refuses): Check =>
    make({
      id,
      requirement: 'NDC-24',
      title: `a street of ${length} characters`,
      of: aDomesticPayment({ with: ['street'] }),
      twists: [
        {
          label: 'the street is long',
          body: (body) => setAt(body, ['creditorAddress', 'street'], 'n'.repeat(length)),
        },
      ],
      cases: 1,
    });

  test('far above it', () =>
    expectNoticed(
      'NDC-24/one-longer',
      changed('NDC-24', 'NDC-24', () => named(200, 'NDC-24', refuses)),
    ));

  test('short of it', () =>
    expectNoticed(
      'NDC-24/one-shorter',
      changed('NDC-24', 'NDC-24-accepted', () => named(60, 'NDC-24-accepted', accepts)),
    ));

  test('a list of which only the first value is tried', async () => {
    const onlyTheFirst = (check: Check): Check => ({
      ...check,
      run: (context) =>
        check.run(Object.assign(context, { run: { ...context.run, mostTwists: 1 }, seed: 0 })),
    });
    await expectNoticed('NDC-53/not-OTHR', changed('NDC-53', 'NDC-53-accepted', onlyTheFirst));
  });
});

describe('a control that is skipped is noticed', () => {
  /** Refuses whatever it is asked. */
  const blocker = withRules((_, rules) => [
    {
      requirement: 'ERR-06',
      name: 'nothing goes',
      refuses: () => ({ status: 400, code: 'BAD_REQUEST', text: 'No.' }),
    },
    ...rules,
  ]);

  const passed = async (checks: readonly PlacedCheck[]): Promise<readonly string[]> => {
    const { runContext } = await createBankRunContext(setup.keys, blocker(compliantDesign));
    return (await runChecks(checks, runContext))
      .filter(({ verdict }) => verdict === 'pass')
      .map(({ id }) => id);
  };

  test('because a bank that refuses everything passes no check of a refusal', async () => {
    const ofRefusals = setup.checks.filter(({ check }) => /refusal|400|401/.test(check.expected));
    expect(ofRefusals.length).toBeGreaterThan(300);
    expect(await passed(ofRefusals)).toEqual([]);
  }, 60_000);

  test('in a check without one', async () => {
    const careless = refuses({
      id: 'NDC-09',
      requirement: 'NDC-09',
      title: 'a payment without creditorName is refused',
      of: aDomesticPayment(),
      twists: [{ label: 'creditorName is missing', body: ({ creditorName: _, ...body }) => body }],
      control: 'none',
    });
    expect(await passed(changed('NDC-09', 'NDC-09', () => careless))).toEqual(['NDC-09']);
  });
});

describe('removing a check makes the proof fail by name', () => {
  test.each([
    ['NDC-24', 'NDC-24/one-longer'],
    ['NDC-11-accepted', 'NDC-11/one-shorter'],
    ['SIG-02', 'SIG-02/unchecked-at-domestic-signature-is-base64'],
    ['DIG-05', 'DIG-05/unchecked-at-domestic'],
    ['CLK-04-basket', 'CLK-04/unchecked-at-basket'],
    ['HDN-16', 'HDN-16/unchecked'],
    ['HDN-23', 'HDN-23/demanded'],
    ['BSK-14 and BSK-14-cross-border and BSK-14-corporate', 'BSK-14/one-more'],
    ['BSK-13 and BSK-13-cross-border and BSK-14-corporate', 'BSK-13/one-fewer'],
    ['REG-03', 'REG-03/one-oere-below'],
    // The second looks at the answers of all others.
    ['PAY-01 and PAY-01-ever', 'PAY-01/202-for-201'],
    ['SBX-41', 'SBX-41/left-out'],
    ['RDR-02-reserved', 'RDR-02/not-encoded'],
    ['SES-04-payment', 'SES-04/ended-by-aborted-payment'],
    ['ERR-05', 'ERR-05/funds-untold'],
    ['TRN-05', 'TRN-05/charset-of-errors'],
  ])('%s: %s is no longer blamed', async (ids, deviation) => {
    const { requirement = '' } = deviationById.get(deviation) ?? {};
    const removed = ids.split(' and ');
    await expectNoticed(
      deviation,
      citing(setup.checks, requirement).filter(({ check }) => !removed.includes(check.id)),
    );
  });
});
