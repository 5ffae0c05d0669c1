import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { renderProfiles, renderRun, renderTable, renderVerdict } from './console.ts';
import { renderFailures, renderReasons } from './console-failures.ts';
import type { ConsoleOptions } from './paint.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passing,
  passingExcept,
} from './synthetic-run.test.data.ts';

const plain = { colour: false, width: 80 };

describe('the table by suite', () => {
  test('has a row for each suite that did not pass as a whole, and aligned numbers', () => {
    expect(renderTable(failing, plain)).toBe(
      [
        'Suite          pass  fail',
        'Amounts           ·     1',
        '1 other suite     2     ·',
        '2 suites          2     1',
      ].join('\n'),
    );
  });

  test('is one line when everything passes', () => {
    expect(renderTable(aRun(), plain)).toBe('All 3 checks of 2 suites pass.');
  });

  test('fits the width whatever a suite is called', () => {
    const suite = { id: 'long', title: 'A suite '.repeat(30), section: [] };
    const run = aRun({ results: [aResult({ suite, verdict: 'inconclusive' })] });
    for (const line of renderTable(run, plain).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('is coloured only when asked', () => {
    const coloured = renderTable(failing, { ...plain, colour: true });
    expect(coloured).not.toBe(renderTable(failing, plain));
    expect(stripVTControlCharacters(coloured)).toBe(renderTable(failing, plain));
  });
});

/** The end of a run that is asked for each failure. */
const inFull = (run: RunRecord, options: Partial<ConsoleOptions> = {}): string =>
  renderFailures(run, judge(run), { ...plain, everyFailure: true, ...options });

describe('a failure', () => {
  const control = anExchange({
    purpose: 'control',
    request: { ...anExchange().request, body: '{"instructedAmount":{"currency":"NOK","amount":"1.00"}}' },
  });
  const minimal = aRun({
    results: passingExcept({
      'AMT-01': {
        ...brokenAmount,
        counterexample: {
          value: '{"instructedAmount":{"currency":"NOK","amount":"1.001"}}',
          path: '0',
          control: '{"instructedAmount":{"currency":"NOK","amount":"1.00"}}',
          changed: ['instructedAmount.amount'],
        },
        exchanges: [control, anExchange()],
      },
    }),
  });
  const commands = {
    replay: (id: string) => `npx xs2a-conformance replay reports/bank ${id} --target bank.yaml`,
    everyFailure: 'npx xs2a-conformance report reports/bank',
  };

  test('shows requirement, Expected and Actual, the changed field as a diff, and what to type next', () => {
    expect(inFull(minimal, { commands })).toContain(
      [
        'FAIL  AMT-01  an amount with too many fraction digits is refused',
        '  Requirement  AMT-01 (must): An amount with more fraction digits than its',
        '               currency has is refused.',
        '  Expected     any 4xx',
        '  Actual       201 Created',
        '  Request      POST /psd2/v1/payments/norwegian-domestic-credit-transfers',
        '  Changed      instructedAmount.amount',
        '               - "1.00"',
        '               + "1.001"',
        '  Answer       201 {"transactionStatus":"RCVD"}',
        '  Control      201 without this change',
        '  Note         The control was refused once for another reason and accepted at',
        '               the second attempt.',
        '  Next         npx xs2a-conformance explain AMT-01',
        '               npx xs2a-conformance replay reports/bank AMT-01 \\',
        '               --target bank.yaml',
        '               npx xs2a-conformance run --target <your target file> --runs 100 \\',
        '               --only AMT-01 --seed 7',
      ].join('\n'),
    );
  });

  test('names the reading that it rests on, and where another one is chosen', () => {
    const run = aRun({
      results: passingExcept({ 'DIG-02': { verdict: 'fail', expected: 'any 4xx', actual: '201' } }),
    });
    const interpretations = { ...run.header.interpretations, digestAlgorithms: 'sha-256-only' };
    const shown = inFull({ ...run, header: { ...run.header, interpretations } });
    expect(shown.replaceAll(/\n {15}/g, ' ')).toMatch(
      /^ {2}Reading {6}digestAlgorithms = sha-256-only.*; another one is chosen under interpretations\.digestAlgorithms of the target file$/m,
    );
  });

  test('shows a header that differs from the control, and one that is not there', () => {
    const changed = { value: '{}', path: '0', control: '{}', changed: ['PSU-IP-Address'] };
    const headers = [...control.request.headers, ['PSU-IP-Address', '192.0.2.1'] as const];
    const run = aRun({
      results: passingExcept({
        'AMT-01': {
          ...brokenAmount,
          counterexample: changed,
          exchanges: [{ ...control, request: { ...control.request, headers } }, anExchange()],
        },
      }),
    });
    expect(inFull(run)).toContain(
      ['  Changed      PSU-IP-Address', '               - 192.0.2.1', '               + (not there)'].join(
        '\n',
      ),
    );
  });

  test('shows the whole case where no control is known', () => {
    expect(inFull(failing)).toContain('  Case         {"currency":"NOK","amount":"0.001"}');
  });

  test('says what was asked, and where a redirect leads, but nothing of a page', () => {
    const shownFor = (
      status: number,
      headers: readonly (readonly [string, string])[],
      body: string,
    ): string => {
      const exchange = anExchange({ purpose: 'SCA page', response: { status, headers, body } });
      const run = aRun({ results: [aResult({ verdict: 'fail', exchanges: [exchange] })] });
      return inFull(run);
    };
    expect(shownFor(200, [], ' <html>Kari</html>')).toMatch(/\(SCA\s+page\)\n {2}Answer {7}200 \(a page\)\n/);
    expect(shownFor(303, [['location', 'https://tpp.example/?code=1']], '')).toContain(
      '303 to https://tpp.example/?code=1',
    );
  });

  test('cannot send escape sequences of the bank to the terminal', () => {
    const response = { status: 200, headers: [], body: '\u001b[2J\u001b[32mall good\u0007\r\n\u009b31m' };
    const results = [
      aResult({ verdict: 'fail', reason: 'x\u001b[1A', exchanges: [anExchange({ response })] }),
    ];
    const run = aRun({ results });
    const shown = renderRun(run, judge(run), { ...plain, everyFailure: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(shown).toContain('\\x1b[2J');
  });

  test('that is excused is listed before the others, with its reason and no more', () => {
    const results = [aResult({ id: 'Z', verdict: 'fail' }), ...failing.results];
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }];
    const run = aRun({ results, header: { knownDeviations } });
    const shown = inFull(run);
    const [known, ...failed] = shown.split(/^FAIL {2}/m);
    expect(known?.trim().split(/\n\s*/)).toEqual([
      'KNOWN DEVIATION (1 check)',
      'AMT-01',
      'AMT-01: ticket 4711, until 2027-01-31',
    ]);
    expect(failed).toEqual([expect.stringMatching(/^Z .*^CAUSE 1 /ms)]);
  });

  test('of many is counted, where each is asked for', () => {
    const results = Array.from({ length: 65 }, (_, index) => aResult({ id: `F-${index}`, verdict: 'fail' }));
    const shown = inFull(aRun({ results }));
    expect(shown.match(/^FAIL/gm)).toHaveLength(60);
    expect(shown).toContain('5 more failures in the report.');
  });
});

describe('a cause', () => {
  const results = Array.from({ length: 5 }, (_, index) =>
    aResult({ requirements: ['AMT-01'], ...brokenAmount, id: `AMT-01-${index}` }),
  );
  const run = aRun({ results });
  const remedies = [{ cause: 'Digits are not counted.', remedy: 'Count the digits of the currency.' }];
  const shown = (run: RunRecord): string => {
    const outcome = judge(run);
    const causes = outcome.causes.map((cause) => ({ ...cause, remedies }));
    return renderFailures(run, { ...outcome, causes }, plain);
  };

  test('stands for all its failures: the plainest one, what remedies it, and what to type next', () => {
    expect(shown(run).split('\n')).toEqual([
      'CAUSE 1  Accepted with 201. Rule: An amount with more fraction digits than its',
      '         currency has is refused.',
      '  Breaks       AMT-01',
      '  5 checks     AMT-01-0, AMT-01-1, AMT-01-2, AMT-01-3 and 1 more',
      '  Expected     any 4xx',
      '  Actual       201 Created',
      '  Remedy       Count the digits of the currency.',
      '  Next         npx xs2a-conformance run --target <your target file> --runs 100 \\',
      '               --only AMT-01-0 --seed 7',
    ]);
  });

  test('takes twelve lines at most, whatever a bank says', () => {
    const long = { expected: 'a refusal '.repeat(80), actual: '422 '.repeat(300), reason: 'x '.repeat(500) };
    const lines = shown(aRun({ results: results.map((result) => ({ ...result, ...long })) })).split('\n');
    expect(lines.length).toBeLessThanOrEqual(12);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('is the last of at most twelve, the one of most checks next to the verdict', () => {
    const others = Array.from({ length: 15 }, (_, index) =>
      aResult({ id: `F-${index}`, requirements: [`F-${index}`], verdict: 'fail' }),
    );
    const told = shown(aRun({ results: [...others, ...results] }));
    expect(told.match(/^CAUSE \d+/gm)?.at(-1)).toBe('CAUSE 1');
    expect(told.match(/^CAUSE/gm)).toHaveLength(12);
    expect(told).toContain('4 more causes in the report.');
  });
});

describe('reasons', () => {
  test('are told once, with the checks that have them', () => {
    const results = Array.from({ length: 9 }, (_, index) =>
      aResult({ id: `S-${index}`, verdict: 'inconclusive', reason: 'The bank has stopped answering.' }),
    );
    expect(renderReasons('INCONCLUSIVE', 'magenta', results, plain)).toBe(
      [
        'INCONCLUSIVE (9 checks)',
        '  S-0, S-1, S-2, S-3, S-4, S-5 and 3 more',
        '    The bank has stopped answering.',
      ].join('\n'),
    );
  });
});

test('what goes wrong at many addresses alike is told once', () => {
  const results = ['a1', 'b2'].map((id) =>
    aResult({
      id,
      verdict: 'inconclusive',
      reason: `The SCA page https://bank.example/v1/sca/${id} is gone.`,
    }),
  );
  expect(renderReasons('INCONCLUSIVE', 'magenta', results, plain)).toBe(
    ['INCONCLUSIVE (2 checks)', '  a1, b2', '    The SCA page https://bank.example/v1/sca/… is gone.'].join(
      '\n',
    ),
  );
  expect(renderReasons('INCONCLUSIVE', 'magenta', results.slice(0, 1), plain)).toContain(
    '/v1/sca/a1 is gone.',
  );
});

test('journeys that no profile demands are named, without what they would take', () => {
  const skipped = { verdict: 'not-applicable', reason: 'Not seen: Pay abroad. Requests: POST …' } as const;
  const results = [
    ...passing,
    aResult({ ...skipped, id: 'JRN-a', journey: { id: 'a', mandatoryIn: ['accounts'] } }),
    aResult({ ...skipped, id: 'JRN-b', journey: { id: 'b', mandatoryIn: ['domestic-payments'] } }),
  ];
  const shown = renderRun(aRun({ results }), judge(aRun({ results })), plain);
  expect(shown).toContain('  JRN-a\n    Not seen, and demanded by none of the profiles.');
  expect(shown).toContain('  JRN-b\n    Not seen: Pay abroad. Requests: POST …');
});

test('what keeps a verdict open is told by itself, with all checks that wait for it', () => {
  const card = { verdict: 'not-applicable', reason: 'add accounts.card to the target file' } as const;
  const results = [
    ...passingExcept({ 'AMT-01': card }),
    aResult({ ...card, id: 'AMT-01-more', requirements: [] }),
    aResult({
      id: 'X-1',
      verdict: 'not-applicable',
      reason: 'Not judged under the readings.',
      requirements: [],
    }),
  ];
  const run = aRun({ results });
  const shown = renderRun(run, judge(run), plain);
  expect(shown).toContain('Not applicable (1 check)\n  X-1\n    Not judged under the readings.\n');
  expect(shown).toContain(
    [
      'Not applicable, and needed for a whole verdict (2 checks)',
      '  AMT-01, AMT-01-more',
      '    add accounts.card to the target file',
      '  What the bank does not offer, name under notOffered of the target file, with',
      '  the reason.',
    ].join('\n'),
  );
});

test('of dozens of reasons the first are told, and the others counted', () => {
  const results = Array.from({ length: 40 }, (_, index) =>
    aResult({ id: `N-${index}`, verdict: 'not-applicable', reason: `Not seen: thing ${index}.` }),
  );
  const lines = renderReasons('Not applicable', 'bold', results, plain).split('\n');
  expect(lines).toHaveLength(1 + 12 * 2 + 1);
  expect(lines.at(-1)).toBe('  and 28 more checks; requirements.html has the reason of each');
});

describe('the last lines', () => {
  test('give verdict, counts and extent', () => {
    expect(renderVerdict(failing, judge(failing), plain).split('\n')).toEqual([
      'NON-CONFORMANT  My bank, sandbox',
      '  2 pass, 1 fail',
      '  1 cause, 1 check, 1 requirement',
      '  321 requests in 4.2 s, seed 7',
    ]);
  });

  test('stand below the profiles', () => {
    expect(renderProfiles(judge(failing), plain).split('\n').slice(0, 3)).toEqual([
      'Profiles',
      '  core 1.0               conformant      2 of 2 requirements judged',
      '  domestic-payments 1.0  non-conformant  3 of 3 requirements judged',
    ]);
  });

  test('never say conformant of a part', () => {
    const run = aRun({ header: { selection: '--only DIG' }, results: passing.slice(0, 2) });
    const shown = renderRun(run, judge(run), plain);
    expect(shown).toContain('PARTIAL  My bank, sandbox');
    expect(shown).toContain('Only a part was judged (--only DIG): it says nothing about the rest.');
    expect(shown).not.toMatch(/conformant/i);
  });

  test('say what keeps an incomplete run from being conformant', () => {
    const run = aRun({ results: passing.slice(0, 2) });
    expect(renderVerdict(run, judge(run), plain)).toContain(
      '! 1 must-level requirement not exercised: AMT-01.',
    );
  });
});

test.each([60, 80, 100])('no line is longer than a terminal of %i columns', (width) => {
  for (const run of [failing, aNastyRun(60)]) {
    const shown = renderRun(run, judge(run), { colour: false, width });
    const long = shown.split('\n').filter((line) => line.length > width && /\s\S+\s/.test(line.trim()));
    expect(long).toEqual([]);
  }
});
