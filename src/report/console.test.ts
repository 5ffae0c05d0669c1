import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { renderRun, renderTable } from './console.ts';
import { renderFailures, renderReasons } from './console-failures.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
} from './synthetic-run.test.data.ts';

const plain = { colour: false, width: 80 };

describe('the table by suite', () => {
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

describe('a failure', () => {
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

  test('of many is counted, where each is asked for', () => {
    const results = Array.from({ length: 65 }, (_, index) => aResult({ id: `F-${index}`, verdict: 'fail' }));
    const run = aRun({ results });
    const shown = renderFailures(run, judge(run), { ...plain, everyFailure: true });
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

test('of dozens of reasons the first are told, and the others counted', () => {
  const results = Array.from({ length: 40 }, (_, index) =>
    aResult({ id: `N-${index}`, verdict: 'not-applicable', reason: `Not seen: thing ${index}.` }),
  );
  const lines = renderReasons('Not applicable', 'bold', results, plain).split('\n');
  expect(lines).toHaveLength(1 + 12 * 2 + 1);
  expect(lines.at(-1)).toBe('  and 28 more checks; requirements.html has the reason of each');
});

test.each([60, 80, 100])('no line is longer than a terminal of %i columns', (width) => {
  for (const run of [failing, aNastyRun(60)]) {
    const shown = renderRun(run, judge(run), { colour: false, width });
    const long = shown.split('\n').filter((line) => line.length > width && /\s\S+\s/.test(line.trim()));
    expect(long).toEqual([]);
  }
});
