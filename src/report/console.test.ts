import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { progressLine, renderFailures, renderRun, renderTable, renderVerdict } from './console.ts';
import { judgeRun } from './outcome.ts';
import {
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  passing,
  passingExcept,
  someRequirements,
} from './synthetic-run.test.data.ts';

const plain = { colour: false };
const failing = aRun({ results: passingExcept({ 'AMT-01': brokenAmount }) });
const judge = (run = failing) => judgeRun(run, someRequirements);

describe('the table by suite', () => {
  test('aligns the numbers and ends in a total', () => {
    expect(renderTable(failing, plain)).toBe(
      [
        'Suite    pass  fail  warning  n/a  inconclusive  error',
        'Digest      2     ·        ·    ·             ·      ·',
        'Amounts     ·     1        ·    ·             ·      ·',
        'Total       2     1        ·    ·             ·      ·',
      ].join('\n'),
    );
  });

  test('is coloured only when asked', () => {
    const coloured = renderTable(failing, { colour: true });
    expect(coloured).not.toBe(renderTable(failing, plain));
    expect(stripVTControlCharacters(coloured)).toBe(renderTable(failing, plain));
  });
});

describe('a failure', () => {
  test('shows the requirement, Expected and Actual, the case, the exchange and the command', () => {
    expect(renderFailures(failing, judge(), plain)).toBe(
      [
        'FAIL  AMT-01  an amount with too many fraction digits is refused',
        '  AMT-01 (must): An amount with more fraction digits than its currency has is refused.',
        '  Expected   any 4xx',
        '  Actual     201 Created',
        '  Case       {"currency":"NOK","amount":"0.001"}',
        '  Exchange   POST /psd2/v1/payments/norwegian-domestic-credit-transfers → 201 (with the fault)',
        '  Answer     {"transactionStatus":"RCVD"}',
        '  Reproduce  npx xs2a-conformance run --only AMT-01 --seed 7',
      ].join('\n'),
    );
  });

  test('cannot send escape sequences of the bank to the terminal', () => {
    const response = { status: 200, headers: [], body: '\u001b[2J\u001b[32mall good\u0007\r\n\u009b31m' };
    const results = [
      aResult({ verdict: 'fail', reason: 'x\u001b[1A', exchanges: [anExchange({ response })] }),
    ];
    const run = aRun({ results });
    const shown = renderRun(run, judge(run), {}, plain);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(shown).toContain('\\x1b[2J');
  });

  test('that is excused comes last and names the reason', () => {
    const results = [aResult({ id: 'Z', verdict: 'inconclusive' }), ...failing.results];
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }];
    const run = aRun({ results, header: { knownDeviations } });
    const shown = renderFailures(run, judge(run), plain);
    expect(shown.indexOf('INCONCLUSIVE  Z')).toBeLessThan(shown.indexOf('KNOWN DEVIATION  AMT-01'));
    expect(shown).toContain('Known      ticket 4711 (until 2027-01-31)');
  });

  test('beyond the limit is only counted', () => {
    const results = Array.from({ length: 5 }, (_, index) => aResult({ id: `F-${index}`, verdict: 'fail' }));
    const run = aRun({ results });
    const shown = renderFailures(run, judge(run), { colour: false, maxFailures: 2 });
    expect(shown.match(/^FAIL/gm)).toHaveLength(2);
    expect(shown).toContain('… and 3 more in the report.');
  });
});

describe('the last lines', () => {
  test('give verdict, counts, extent, profiles and paths', () => {
    expect(renderVerdict(failing, judge(), { html: '/out/report.html' }, plain).split('\n')).toEqual([
      'NON-CONFORMANT  My bank, sandbox',
      '  2 pass, 1 fail (4.2 s, 321 requests, seed 7)',
      '  core                   conformant      2 of 2 requirements judged, version 1.0',
      '  domestic-payments      non-conformant  3 of 3 requirements judged, version 1.0',
      ...Array.from({ length: 7 }, () => expect.stringMatching(/^ {2}\S+ +not binding {5}\S/)),
      '  Report        /out/report.html',
    ]);
  });

  test('never say conformant of a part', () => {
    const run = aRun({ header: { selection: '--only DIG' }, results: passing.slice(0, 2) });
    const shown = renderVerdict(run, judge(run), {}, plain);
    expect(shown).toMatch(/^PARTIAL {2}My bank, sandbox/);
    expect(shown).toContain('Only a part was judged (--only DIG): it says nothing about the rest.');
    expect(shown).toContain('2 of 3 requirements judged');
    expect(shown).not.toMatch(/conformant/i);
  });

  test('say what keeps an incomplete run from being conformant', () => {
    const run = aRun({ results: passing.slice(0, 2) });
    expect(renderVerdict(run, judge(run), {}, plain)).toContain(
      '! 1 must-level requirement not exercised: AMT-01.',
    );
  });
});

describe('the progress line', () => {
  test('keeps its width while it counts', () => {
    expect(progressLine(7, 212, 0, 'DIG-03')).toBe('  7/212  DIG-03');
    expect(progressLine(212, 212, 3)).toBe('212/212  3 failed');
  });
});
