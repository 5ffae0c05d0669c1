import { describe, expect, test } from 'vitest';
import type { CheckResult, KnownDeviation, RunHeader, Verdict } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { judgeRun } from './outcome.ts';
import {
  aResult,
  aRun,
  brokenAmount,
  passing,
  passingExcept,
  type RunChanges,
  someRequirements,
} from './synthetic-run.test.data.ts';

const judge = (changes: RunChanges = {}) => judgeRun(aRun(changes), someRequirements);
const broken = passingExcept({ 'AMT-01': brokenAmount });
const also = (changes: Partial<CheckResult>): readonly CheckResult[] => [...passing, aResult(changes)];
const should = { id: 'ERR-01', requirements: ['ERR-01'], level: 'should' } as const;
const part = { selection: '--only DIG' };
const conformant = { verdict: 'conformant', exitCode: 0 };
const nonConformant = { verdict: 'non-conformant', exitCode: 1 };
const incomplete = { verdict: 'incomplete', exitCode: 3 };
const noVerdict = 'None of the checks came to a verdict, so nothing is known about the target.';
const none = passing.map((result) => ({ ...result, verdict: 'not-applicable' as const }));

describe('the overall verdict', () => {
  test.each<[string, RunChanges, object]>([
    [
      'conformant when every observable must-level requirement of a bank held',
      {},
      { ...conformant, problems: [], gaps: [] },
    ],
    [
      'non-conformant when one check failed, even in an interrupted run',
      { results: broken, footer: { interrupted: true } },
      nonConformant,
    ],
    [
      'incomplete where no check came to a verdict, whatever is declared as not offered',
      {
        results: none,
        header: { notOffered: someRequirements.map(({ id }) => ({ what: id, reason: 'not here' })) },
      },
      { ...incomplete, problems: [noVerdict] },
    ],
    [
      'conformant with a warning on a should-level requirement',
      { results: also({ ...should, verdict: 'warning' }) },
      conformant,
    ],
    ...(['not-applicable', 'inconclusive'] as const).map((verdict): [string, RunChanges, object] => [
      `incomplete when the only check of a must-level requirement is ${verdict}`,
      { results: passingExcept({ 'DIG-02': { verdict, reason: 'No PSU in the target file.' } }) },
      {
        ...incomplete,
        gaps: [{ requirement: { id: 'DIG-02' }, why: `DIG-02 was ${verdict}: No PSU in the target file.` }],
        problems: ['1 must-level requirement not exercised: DIG-02.'],
      },
    ]),
    [
      'incomplete when one of two checks of a requirement was inconclusive',
      { results: also({ id: 'DIG-01b', verdict: 'inconclusive' }) },
      incomplete,
    ],
    [
      'conformant when a check does not apply next to one that passed',
      { results: also({ id: 'DIG-01b', verdict: 'not-applicable' }) },
      conformant,
    ],
    [
      'incomplete when no check cites a must-level requirement',
      { results: passing.slice(0, 2) },
      { gaps: [{ requirement: { id: 'AMT-01' }, why: 'No check of this run judges it.' }] },
    ],
    [
      'partial for a part, whatever it left out, and green',
      { results: passing.slice(0, 2), header: part },
      { verdict: 'partial', exitCode: 0, part: '--only DIG', problems: [] },
    ],
    ['non-conformant for a part with a failure', { results: broken.slice(2), header: part }, nonConformant],
    [
      'incomplete for a part with an open check',
      { results: [...passing.slice(1), aResult({ verdict: 'inconclusive' })], header: part },
      incomplete,
    ],
    [
      'incomplete for a part in which no check came to a verdict',
      { results: none.slice(0, 1), header: part },
      incomplete,
    ],
    ['incomplete for a part of zero checks', { results: [], header: part }, incomplete],
    [
      'incomplete where nobody knows who answered',
      { header: { insecure: true } },
      { ...incomplete, problems: [expect.stringContaining('tls.insecure')] },
    ],
    [
      'incomplete where it was known before the first check that something is left out',
      { header: { incomplete: ['Private customers.'] } },
      { ...incomplete, problems: ['Private customers.'] },
    ],
    [
      'incomplete for a merged run that lacks a shard, which is named',
      { header: { selection: '--shard 1/2', missingShards: ['2/2'] } },
      { ...incomplete, problems: [expect.stringContaining('Shard 2/2 is missing')] },
    ],
    [
      'incomplete when a planned check left no verdict, though nothing failed',
      { header: { planned: ['DIG-01', 'DIG-02', 'AMT-01', 'LOST-01'] } },
      { ...incomplete, problems: ['1 planned check left no verdict: LOST-01.'] },
    ],
    ['incomplete when the run was interrupted', { footer: { interrupted: true } }, incomplete],
    [
      'a fault of this tool after an error, with an exit code of its own',
      { results: passingExcept({ 'DIG-02': { verdict: 'error' } }) },
      { verdict: 'incomplete', exitCode: 70 },
    ],
    [
      'that of the bank where a check failed next to an error',
      { results: passingExcept({ 'DIG-02': { verdict: 'error' }, 'AMT-01': brokenAmount }) },
      { exitCode: 1 },
    ],
    [
      'not green for an error on a should-level requirement',
      { results: also({ ...should, verdict: 'error' }) },
      { verdict: 'incomplete', exitCode: 70 },
    ],
  ])('is %s', (_, changes, expected) => {
    expect(judge(changes)).toMatchObject(expected);
  });

  test('is incomplete when the run was killed before its footer', () => {
    const { header, results } = aRun();
    expect(judgeRun({ header, results }, someRequirements)).toMatchObject({
      ...incomplete,
      interrupted: true,
    });
  });
});

describe('a known deviation', () => {
  const known = (changes: Partial<KnownDeviation> = {}, results: readonly CheckResult[] = broken) =>
    judge({
      results,
      header: { knownDeviations: [{ requirement: 'AMT-01', reason: 'ticket 4711', ...changes }] },
    });

  test('keeps the run green and stays visible', () => {
    const outcome = known({ until: '2026-03-01' });
    expect(outcome).toMatchObject({
      ...conformant,
      counts: { fail: 1 },
      knownDeviations: [{ state: 'happens' }],
    });
    expect(outcome.excused).toEqual(new Set(['AMT-01']));
  });

  test('excuses a check of its requirement that cites another one next to it', () => {
    const results = passingExcept({ 'AMT-01': { ...brokenAmount, requirements: ['AMT-01', 'NDC-05'] } });
    expect(known({}, results).verdict).toBe('conformant');
  });

  test('does not excuse the check of another requirement that cites it next to its own', () => {
    const results = passingExcept({ 'DIG-01': { ...brokenAmount, requirements: ['DIG-01', 'AMT-01'] } });
    expect(known({}, results).verdict).toBe('non-conformant');
  });

  test('is not needed where a reading leaves the question open', () => {
    const results = passingExcept({ 'AMT-01': { verdict: 'not-applicable', leftOpen: true } });
    expect(judge({ results }).verdict).toBe('conformant');
  });

  test.each([
    ['has no reason', { reason: ' ' }, 'without-reason', /has no reason/],
    ['is past its date', { until: '2026-02-28' }, 'expired', /ended on 2026-02-28/],
    ['names no requirement', { requirement: 'AMT-99' }, 'unknown-requirement', /AMT-99 names no requirement/],
  ])('fails the run when it %s', (_, changes, state, problem) => {
    const outcome = known(changes);
    expect(outcome).toMatchObject({
      ...nonConformant,
      knownDeviations: [{ state }],
      problems: [expect.stringMatching(problem)],
    });
    expect(outcome.excused).toEqual(new Set());
  });

  test('fails the run when it no longer happens', () => {
    expect(known({}, passing)).toMatchObject({
      verdict: 'non-conformant',
      problems: [expect.stringMatching(/no longer happens/)],
    });
  });

  test('is no problem when its requirement was not exercised', () => {
    const results = passingExcept({ 'AMT-01': { verdict: 'inconclusive' } });
    expect(known({}, results).knownDeviations).toMatchObject([{ state: 'not-exercised' }]);
  });
});

describe('the verdict on a requirement', () => {
  const verdictOf = (...verdicts: Verdict[]) =>
    judge({
      results: verdicts.map((verdict, index) => aResult({ id: `C-${index}`, verdict })),
    }).requirements.find(({ requirement }) => requirement.id === 'DIG-01')?.verdict;

  test.each<[readonly Verdict[], string]>([
    [['pass', 'fail', 'error', 'inconclusive'], 'fail'],
    [['pass', 'error', 'inconclusive'], 'error'],
    [['pass', 'inconclusive', 'warning'], 'inconclusive'],
    [['pass', 'warning'], 'warning'],
    [['not-applicable', 'pass'], 'pass'],
    [['not-applicable', 'not-applicable'], 'not-applicable'],
    [[], 'not-tested'],
  ])('of checks that say %j is %s', (verdicts, expected) => {
    expect(verdictOf(...verdicts)).toBe(expected);
  });

  test('is fail for the one that a failing step shows alone, and what other steps showed before stands', () => {
    const failed = { ...brokenAmount, requirements: ['AMT-01'], held: ['DIG-01'], notReached: ['DIG-02'] };
    const others = (known: RunHeader['knownDeviations']) =>
      judge({ results: [aResult({ id: 'SCA-12', ...failed })], header: { knownDeviations: known } });
    const { requirements, gaps } = others([]);
    const told = requirements.map(({ requirement: { id }, verdict }) => [id, verdict]);
    expect(told.slice(0, 3)).toEqual([
      ['DIG-01', 'pass'],
      ['DIG-02', 'not-tested'],
      ['AMT-01', 'fail'],
    ]);
    expect(gaps).toMatchObject([
      { requirement: { id: 'DIG-02' }, why: 'SCA-12 failed before it came to this, for AMT-01.' },
    ]);
    expect(others([{ requirement: 'AMT-01', reason: 'ticket 4711' }]).exitCode).toBe(0);
  });

  test('is given for what binds a bank, and for anything that a check cites', () => {
    const cited = aResult({ id: 'OLD-01', requirements: ['OLD-01', 'TPP-01'], verdict: 'fail' });
    const ids = judge({ results: [cited] }).requirements.map(({ requirement }) => requirement.id);
    expect(ids).toEqual(['DIG-01', 'DIG-02', 'AMT-01', 'ERR-01', 'SEC-01', 'TPP-01', 'OLD-01']);
    expect(judge().requirements.map(({ requirement }) => requirement.id)).not.toContain('TPP-01');
  });
});

describe('profiles', () => {
  const verdictsOf = (changes: RunChanges) =>
    Object.fromEntries(judge(changes).profiles.map(({ id, verdict }) => [id, verdict]));

  test('have a verdict each, and the run has the worst', () => {
    const changes = { results: broken };
    expect(verdictsOf(changes)).toEqual({ core: 'conformant', 'domestic-payments': 'non-conformant' });
    expect(judge(changes).verdict).toBe('non-conformant');
  });

  test('all fail with what they include', () => {
    const results = passingExcept({ 'DIG-01': { verdict: 'fail' } });
    expect(verdictsOf({ results })).toEqual({
      core: 'non-conformant',
      'domestic-payments': 'non-conformant',
    });
  });

  test('that were not declared are no gap, and are listed', () => {
    const outcome = judge({ results: passing.slice(0, 2), header: { profiles: { core: '1.0' } } });
    expect(outcome).toMatchObject({ verdict: 'conformant', profiles: [{ id: 'core', version: '1.0' }] });
    expect(outcome.notBinding).toContainEqual({
      what: 'domestic-payments',
      kind: 'profile',
      why: 'It was not declared.',
    });
  });

  test('that do not bind the environment are listed with the reason', () => {
    const target = { name: 'A bank', baseUrl: 'https://bank.example', environment: 'production' };
    expect(judge({ header: { target } }).notBinding).toContainEqual({
      what: 'sandbox',
      kind: 'profile',
      why: 'Sandbox operations are not part of the production interface.',
    });
  });

  test('hide no failure of a check that ran, though nobody declared them', () => {
    expect(judge({ results: broken, header: { profiles: { core: '1.0' } } })).toMatchObject(nonConformant);
  });

  test('count a check on one of several operations where it belongs', () => {
    const shared: Requirement = {
      ...(someRequirements[2] as Requirement),
      id: 'AMT-02',
      profiles: ['domestic-payments', 'cross-border-payments'],
    };
    const onOperation = (id: string, profile: string, verdict: Verdict) =>
      aResult({ id, requirements: ['AMT-02'], verdict, profiles: [profile] });
    const results = [
      ...passing,
      onOperation('AMT-02', 'domestic-payments', 'pass'),
      onOperation('AMT-02-cross-border', 'cross-border-payments', 'fail'),
    ];
    const { profiles } = judgeRun(aRun({ results }), [...someRequirements, shared]);
    expect(profiles.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['core', 'conformant'],
      ['domestic-payments', 'conformant'],
      ['cross-border-payments', 'non-conformant'],
    ]);
  });
});

describe('what is declared as not offered', () => {
  const notOffered = [{ what: 'AMT-01', reason: 'no amounts here' }];

  test('is no gap, and is listed with its reason', () => {
    const outcome = judge({ results: passing.slice(0, 2), header: { notOffered } });
    expect(outcome).toMatchObject({ verdict: 'conformant', gaps: [] });
    expect(outcome.notBinding).toContainEqual({
      what: 'AMT-01',
      kind: 'requirement',
      why: 'Not offered, as the target file declares: no amounts here',
    });
  });

  test('binds where it was judged all the same, and is not listed as if it did not', () => {
    expect(judge({ header: { notOffered } }).notBinding.map(({ what }) => what)).not.toContain('AMT-01');
  });

  test.each(['createDomesticPayment', 'PAY-01'])('takes the profile with it that rests on %s', (what) => {
    const outcome = judge({ header: { notOffered: [{ what, reason: 'none at home' }] } });
    expect(outcome.profiles.map(({ id }) => id)).toEqual(['core']);
    expect(outcome.notBinding).toContainEqual({
      what: 'domestic-payments',
      kind: 'profile',
      why: `${what} is not offered, as the target file declares: none at home`,
    });
  });

  test('hides no failure of a check that ran', () => {
    expect(judge({ results: broken, header: { notOffered } }).verdict).toBe('non-conformant');
  });

  test('is a gap all the same where it was asked for and nothing answered', () => {
    const silent = { verdict: 'inconclusive', reason: 'No answer.' } as const;
    const judgeWith = (amount: Partial<CheckResult>) =>
      judge({ results: passingExcept({ 'AMT-01': amount }), header: { notOffered } });
    expect(judgeWith({ ...silent, unanswered: true })).toMatchObject({
      verdict: 'incomplete',
      gaps: [{ requirement: { id: 'AMT-01' } }],
    });
    expect(judgeWith(silent)).toMatchObject({ verdict: 'conformant', gaps: [] });
  });

  test('is a gap all the same where the run had no leave to ask for it', () => {
    const results = passingExcept({ 'AMT-01': { verdict: 'not-applicable', withheld: true } });
    expect(judge({ results, header: { notOffered } })).toMatchObject({
      verdict: 'incomplete',
      gaps: [{ requirement: { id: 'AMT-01' } }],
    });
  });

  test('takes nothing out of core where no operation is left to show it on', () => {
    const core = someRequirements.filter(({ profiles }) => profiles.includes('core')).map(({ id }) => id);
    expect(core).toContain('DIG-01');
    const header = { notOffered: [...core, 'AMT-01'].map((what) => ({ what, reason: 'not today' })) };
    const nothing = (more: Partial<CheckResult>) =>
      passing.map((result) => ({ ...result, verdict: 'not-applicable' as const, ...more }));
    expect(judge({ results: nothing({ notOffered: true }), header })).toMatchObject({
      verdict: 'incomplete',
      gaps: [{ requirement: { id: 'DIG-01' } }, { requirement: { id: 'DIG-02' } }],
    });
    expect(judge({ results: nothing({}), header }).gaps).toEqual([]);
  });

  test('is the same as what the bank need not offer, and a check found to be absent', () => {
    const results = passingExcept({ 'AMT-01': { verdict: 'not-applicable', notOffered: true } });
    expect(judge({ results })).toMatchObject({ verdict: 'conformant', gaps: [] });
  });
});

test('the journeys that a profile cannot do without decide about a TPP', () => {
  const journey = (id: string, mandatoryIn: readonly string[], verdict: Verdict) =>
    aResult({ id: `J ${id}`, requirements: ['TPP-01'], verdict, journey: { id, mandatoryIn } });
  const results = [
    journey('reading', ['accounts'], 'pass'),
    journey('paying', ['domestic-payments'], 'not-applicable'),
  ];
  const tpp = (id: 'accounts' | 'domestic-payments'): Requirement => ({
    ...(someRequirements[5] as Requirement),
    id: `TPP-${id}`,
    profiles: [id],
  });
  const catalogue = [...someRequirements, tpp('accounts'), tpp('domestic-payments')];
  const run = (...ids: string[]) =>
    aRun({ results, header: { side: 'tpp', profiles: Object.fromEntries(ids.map((id) => [id, '1.0'])) } });
  expect(judgeRun(run('accounts'), catalogue)).toMatchObject({ verdict: 'conformant' });
  expect(judgeRun(run('accounts', 'domestic-payments'), catalogue)).toMatchObject({
    verdict: 'incomplete',
    problems: ['1 mandatory journey not completed: paying.'],
  });
});

test('a TPP is not conformant where something of what it did could not be judged', () => {
  const own = {
    ...(someRequirements[5] as Requirement),
    id: 'TPP-accounts',
    profiles: ['accounts'] as const,
  };
  const judged = (verdict: Verdict) =>
    judgeRun(
      aRun({
        results: [aResult({ id: own.id, requirements: [own.id], verdict })],
        header: { side: 'tpp', profiles: { accounts: '1.0' } },
      }),
      [...someRequirements, own],
    );
  expect(judged('pass').verdict).toBe('conformant');
  expect(judged('not-applicable').verdict).toBe('conformant');
  expect(judged('inconclusive')).toMatchObject({
    verdict: 'incomplete',
    gaps: [{ requirement: { id: own.id } }],
  });
});
